/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/model/stats.h and report/history/history.h: resource-tracker's figures, computed from our columns. */
#include "report/model/stats.h"
#include "report/history/history.h"

#include "tests/unit/lib/run_files.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

static void rounding(void)
{
	/* The expected values are the results of Python's round(x, 2). */
	static const struct {
		double value;
		double rounded;
	} cases[] = {{0.125, 0.12}, {0.375, 0.38}, {2.675, 2.67}, {1.005, 1.0}, {-0.125, -0.12}, {1e15, 1e15},
		{0.005, 0.01}, {0.015, 0.01}, {0.025, 0.03}, {1e300, 1e300}, {123456789012.345, 123456789012.35},
		{0.30000000000000004, 0.3}, {0, 0}, {UNKNOWN, UNKNOWN}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		is_number(stats_round(cases[i].value), cases[i].rounded, "rounding half to even, by the exact double");
}

static struct stats read_stats(const char *process_rows, const char *system_rows)
{
	struct series process, system;
	struct stats stats;
	char text[4096];
	snprintf(text, sizeof text, "\"timestamp\",\"cpu_usage\",\"memory_mib\",\"gpu_usage\"\n%s", process_rows);
	scratch_write("process.csv", text);
	snprintf(text, sizeof text, "\"timestamp\",\"disk_space_used_gb\",\"net_recv_bytes\",\"net_sent_bytes\"\n%s",
		system_rows);
	scratch_write("system.csv", text);
	if (series_load(&process, files_of(scratch_directory()), TABLE_process, stats_columns(TABLE_process)) != 0 ||
		series_load(&system, files_of(scratch_directory()), TABLE_system, stats_columns(TABLE_system)) != 0)
		ok(false, "series");
	stats_make(&stats, &process, &system, 0.5);
	series_free(&process);
	series_free(&system);
	return stats;
}

static char *json_of(const struct stats *stats)
{
	cJSON *json = stats_json(stats);
	char *text = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	return text;
}

static void one_run(void)
{
	struct stats stats = read_stats("100.5,1,10,\n101,2,30,\n101.5,3,20,\n102,100,1000,\n",
		"100.5,50.25,1000,1\n101,51,2000,\n101.5,50,3000,2\n");
	char *text = json_of(&stats);
	is_text(text,
		"{\"process_cpu_usage\":{\"mean\":2,\"max\":3},\"process_memory_mib\":{\"mean\":20,\"max\":30},"
		"\"process_gpu_usage\":{\"mean\":null,\"max\":null},\"process_gpu_vram_mib\":{\"mean\":null,\"max\":"
		"null},"
		"\"process_gpu_utilized\":{\"mean\":null,\"max\":null},"
		"\"process_swap_mib\":{\"mean\":null,\"max\":null},\"system_disk_space_used_gb\":{\"max\":51},"
		"\"system_net_recv_bytes\":{\"sum\":6000},\"system_net_sent_bytes\":{\"sum\":3},\"system_cpu_steal\":{"
		"\"sum\":null},"
		"\"timestamp\":{\"duration\":1.5}}",
		"rows are paired, the longer series is cut, unknown is null");
	free(text);
}

static void one_series(void)
{
	struct stats stats = read_stats("100.5,1,10,\n101,2,30,\n", "");
	is_number(stats.of[STAT_process_cpu_usage].mean, 1.5, "a series without rows does not cut the other");
	is_number(stats.of[STAT_process_timestamp].duration, 1, "a series without rows does not change the duration");
	is_number(stats.of[STAT_system_net_recv_bytes].sum, UNKNOWN, "the figures of an empty series are unknown");
	stats = read_stats("", "");
	is_number(stats.of[STAT_process_timestamp].duration, UNKNOWN, "without rows, the duration is unknown");
}

static void several_runs(void)
{
	struct stats runs[3], combined;
	for (int i = 0; i < 3; i++) {
		char rows[100];
		snprintf(rows, sizeof rows, "100,%d,%d,%s\n", i + 1, 10 * (i + 1), i == 1 ? "0.5" : "");
		runs[i] = read_stats(rows, i == 2 ? "100,1,7,7\n" : "100,9,5,\n");
	}
	stats_combine(&combined, runs, 3);
	is_number(combined.of[STAT_process_cpu_usage].mean, 2, "means are averaged");
	is_number(combined.of[STAT_process_cpu_usage].max, 3, "the largest maximum counts");
	is_number(combined.of[STAT_process_gpu_usage].mean, 0.5, "a run without a figure does not count");
	is_number(combined.of[STAT_system_net_recv_bytes].sum, 7, "the largest sum counts");
	is_number(combined.of[STAT_system_disk_space_used_gb].max, 9, "the largest maximum of another column counts");
	is_number(combined.of[STAT_process_timestamp].duration, 0.5, "durations are averaged");
	stats_combine(&combined, runs, 0);
	is_number(combined.of[STAT_process_cpu_usage].mean, UNKNOWN, "without runs, nothing is known");
}

static void make_run(const char *id, const char *job, const char *status, double start, int cpu)
{
	char path[256], text[512];
	scratch_make(id);
	snprintf(path, sizeof path, "%s/run.json", id);
	snprintf(text, sizeof text, "{\"id\": \"%s\", \"job\": \"%s\", \"status\": \"%s\", \"start_time\": %f}", id,
		job, status, start);
	scratch_write(path, text);
	snprintf(path, sizeof path, "%s/process.csv", id);
	snprintf(text, sizeof text, "\"timestamp\",\"cpu_usage\"\n%f,%d\n", start + 1, cpu);
	if (cpu > 0)
		scratch_write(path, text);
}

static void earlier_runs(void)
{
	make_run("20261121T010000Z-h-1-0001", "job", "finished", 1795222800, 1);
	make_run("20261121T010001Z-h-1-0002", "job", "failed", 1795222801, 100);
	make_run("20261121T010002Z-h-1-0003", "other", "finished", 1795222802, 100);
	make_run("20261121T010003Z-h-1-0004", "job", "finished", 1795222803, 3);
	make_run("20261121T010004Z-h-1-0005", "job", "finished", 1795222804, 0);
	make_run("20261121T010005Z-h-1-0006", "job", "finished", 1795222805.5, 100);
	make_run("20261121T010005Z-h-1-0007", "job", "finished", 1795222805.25, 5);
	make_run("20261121T010006Z-h-1-0008", "job", "finished", 1795222806, 100);
	struct run run;
	struct history history;
	char path[4096];
	snprintf(path, sizeof path, "%s/20261121T010005Z-h-1-0006", scratch_directory());
	if (!ok(run_open(&run, path) == 0, "the run is opened"))
		return;
	history_read(&history, &run, HISTORY_RUNS);
	is_number((double)history.count, 3, "the history has earlier finished runs of the job that have figures");
	is_number(history.stats.of[STAT_process_cpu_usage].max, 5, "the largest maximum of the history");
	is_number(history.stats.of[STAT_process_cpu_usage].mean, 3, "the mean of the history's means");
	history_free(&history);
	history_read(&history, &run, 1);
	is_number(history.stats.of[STAT_process_cpu_usage].mean, 5, "a limited history has the latest runs");
	history_free(&history);
	run_close(&run);
}

int main(void)
{
	scratch_collect_messages();
	rounding();
	one_run();
	one_series();
	several_runs();
	earlier_runs();
	return done();
}
