/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/spool/processes.h, report/model/bill.h and report/model/totals.h: which processes ran, and what each
 * used. */
#define _GNU_SOURCE
#include "report/model/bill.h"
#include "report/model/totals.h"

#include "tests/unit/lib/run_files.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

#define START_HEADER "\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"exe\",\"command\"\n"
#define EXIT_HEADER                                                                                                    \
	"\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"utime\",\"stime\",\"peak_rss_mib\",\"disk_read_bytes\","     \
	"\"disk_write_bytes\",\"exit_code\",\"exact\"\n"
#define MEMBER_HEADER "\"timestamp\",\"pid\",\"utime\",\"stime\",\"rss_mib\",\"disk_read_bytes\"\n"
#define PROCESS_HEADER                                                                                                 \
	"\"timestamp\",\"utime\",\"stime\",\"memory_mib\",\"members\",\"disk_read_bytes\",\"disk_write_bytes\"\n"

static void joined(void)
{
	struct processes processes;
	const struct totals totals = totals_unknown();
	struct bill bill;
	scratch_write("start.csv",
		START_HEADER "100,10,1,1,\"/usr/bin/Rscript\",\"Rscript job.R\"\n"
			     "100.1,10,1,1,\"/usr/lib/R/bin/exec/R\",\"/usr/lib/R/bin/exec/R --no-echo\"\n"
			     "101,11,2,10,\"/usr/bin/gcc\",\"/usr/bin/gcc -c -o a.o a.c\"\n"
			     "102,12,3,10,\"/usr/bin/gcc\",\"gcc -c -o b.o b.c\"\n"
			     "102,12,3,10,\"/usr/bin/gcc\",\"gcc -c -o b.o b.c\"\n"
			     "109,11,9,10,\"/usr/bin/sleep\",\"sleep \"\"9\"\"\"\n"
			     "109,,9,10,\"/usr/bin/sleep\",\"no pid\"\n"
			     "109,-4,9,10,\"/usr/bin/sleep\",\"no such pid\"\n"
			     "109,1e300,9,10,\"/usr/bin/sleep\",\"no such pid\"\n");
	scratch_write("exit.csv", EXIT_HEADER "103,11,2,10,1.5,0.25,40,100,,0,1\n"
					      "104,12,3,10,2,0.5,80,,7,1,1\n"
					      "105,10,1,1,0.1,0.1,300,0,0,0,0\n"
					      "110,10,1,1,0.5,0.1,200,0,0,3,1\n"
					      "110,20,7,10,0.25,0,9,0,0,0,0\n");
	scratch_write(
		"member.csv", MEMBER_HEADER "101.5,11,1,0.2,30,50\n109.5,11,0.125,0.125,5,\n110,11,0.25,0.5,4,8\n");
	processes_load(&processes, files_of(scratch_directory()));
	ok(processes.count == 5, "a process is a pid and a start");
	ok(processes.unseen == 2, "one process has no exit row, and one has no final one");
	is_text(processes.items[0].command, "/usr/lib/R/bin/exec/R --no-echo",
		"a process is named by its last program");
	is_number(processes.items[0].last.user_seconds, 0.5, "the last exit row of a process counts");
	is_number(processes.items[0].last.peak_memory_mib, 300,
		"the peak of a process is the largest peak of its programs");
	is_number(processes.items[0].exit_code, 3, "the exit status of a process is in its last exit row");
	is_number(processes.items[0].start_time, 100, "a process starts with its first record");
	is_text(processes.items[3].command, "sleep \"9\"", "quoted text is read");
	ok(processes_lack_figures(&processes), "a process without figures is detected");
	processes_add_members(&processes, files_of(scratch_directory()));
	is_number(processes.items[1].sampled.user_seconds, 1, "samples of a reused pid are assigned by time");
	is_number(process_best_usage(&processes.items[3]).user_seconds, 0.375, "samples replace missing figures");
	is_number(process_best_usage(&processes.items[3]).read_bytes, 8, "samples are a lower bound of bytes");
	is_number(process_best_usage(&processes.items[1]).user_seconds, 1.5, "figures take precedence over samples");

	bill_by_command(&bill, &processes, &totals);
	if (!ok(bill.programs == 4, "processes are grouped by program"))
		return;
	is_text(bill.rows[0].program, "gcc", "the first program has the most CPU time");
	is_text(bill.rows[0].command, "gcc -c -o", "the common beginning of its command lines");
	ok(bill.rows[0].differs && bill.rows[0].processes == 2, "the command lines of a program differ");
	is_number(bill.rows[0].cpu_seconds, 4.25, "the CPU time of the program");
	is_number(bill.rows[0].peak_memory_mib, 80, "the largest process of the program");
	is_number(bill.rows[0].read_bytes, 100, "bytes that it read");
	is_text(bill.rows[3].program, "(unknown)", "a process with only an exit row has no name");
	bill_free(&bill);
	processes_free(&processes);
}

static struct totals totals_of(const char *run_json)
{
	struct totals totals = {0};
	struct run run;
	struct series process, system;
	struct processes processes;
	scratch_write("run.json", run_json);
	series_load(&process, files_of(scratch_directory()), TABLE_process, TOTALS_PROCESS_COLUMNS);
	series_load(&system, files_of(scratch_directory()), TABLE_system, TOTALS_SYSTEM_COLUMNS);
	if (!ok(run_open(&run, scratch_directory()) == 0, "the run is opened"))
		return totals;
	processes_load(&processes, files_of(scratch_directory()));
	totals_make(&totals, &run, &process, &system, &processes);
	processes_free(&processes);
	series_free(&process);
	series_free(&system);
	run_close(&run);
	return totals;
}

#define ENDED "{\"status\": \"finished\", \"start_time\": 100, \"stop_time\": 104, \"interval\": 1}"
#define KILLED_SAMPLER "{\"status\": \"running\", \"start_time\": 100, \"interval\": 1}"

static void whole_run(void)
{
	scratch_write("start.csv", START_HEADER "100,10,1,1,\"/bin/a\",\"a\"\n101,11,2,10,\"/bin/b\",\"b\"\n");
	scratch_write("exit.csv", EXIT_HEADER "103.5,11,2,10,3,1,90,10,20,0,1\n104,10,1,1,1,1,40,1,2,0,1\n");
	scratch_write("process.csv", PROCESS_HEADER "101,1,0.5,50,1,5,\n102,1.1,0.5,70,2,6,\n103,1.2,0.5,60,2,,\n"
						    "104,0.7,0.5,1,1,0,\n");
	scratch_write("system.csv", "\"timestamp\",\"tracker_cpu\"\n101,0.001\n102,0.002\n");
	struct totals totals = totals_of(ENDED);
	is_number(totals.user_seconds, 4, "user time is the sum of its column");
	is_number(totals.cpu_seconds, 6, "CPU time is user and system time");
	is_number(totals.wall_seconds, 4, "wall time is from start to stop");
	is_number(totals.mean_cpu_usage, 1.5, "mean CPU usage is CPU time by wall time");
	is_number(totals.peak_memory_at_least_mib, 90, "the peak is at least that of any process");
	is_number(totals.peak_memory_mib, 130, "short processes count with their own peaks");
	is_number(totals.disk_read_bytes, 11, "bytes are the sum of their column");
	is_number(totals.disk_write_bytes, UNKNOWN, "a sum of unknown cells is unknown");
	is_number(totals.tracker_seconds, 0.003, "the tracker's own time");
	is_number(totals.processes, 2, "processes");
	ok(totals.exact_cpu && totals.ended_unseen == 0, "the CPU time is exact");
	ok(!totals.exact_memory, "the peak is not exact, since no tick saw both processes at their peaks");

	cJSON *json = cJSON_CreateObject();
	totals_write_json(&totals, json);
	char *text = cJSON_PrintUnformatted(json);
	is_text(text,
		"{\"wall_seconds\":4,\"cpu_seconds\":6,\"user_seconds\":4,\"system_seconds\":2,\"cpu_wait_seconds\":"
		"null,\"mean_cpu_usage\":1.5,\"cpus_wanted\":null,"
		"\"mean_memory_mib\":60,\"peak_memory_mib\":130,\"peak_memory_needed_mib\":130,\"peak_memory_at_"
		"least_mib\":90,\"peak_memory_at_"
		"most_mib\":130,"
		"\"peak_process_memory_mib\":90,\"peak_swap_mib\":null,\"peak_tmpfs_mib\":null,\"processes\":2,\"disk_"
		"read_bytes\":11,\"disk_"
		"write_bytes\":null,"
		"\"exact\":false,\"exact_cpu\":true,\"exact_memory\":false,\"exact_processes\":true,\"ended_unseen\":0,"
		"\"missing_cpu_seconds_at_"
		"most\":0,\"energy_wh\":null,\"efficiency\":{\"cpu\":null,\"memory\":null,\"gpu\":null,\"time\":null}}",
		"JSON has no rounding noise of binary fractions");
	free(text);
	cJSON_Delete(json);
}

/* In run.json, the CPU time that a root used before the job includes that of its earlier children. */
static void before_the_run(void)
{
	static const char header[] =
		"\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"utime\",\"stime\",\"children_utime\","
		"\"children_stime\",\"source\",\"exact\"\n";
	static const char json[] = "{\"status\": \"finished\", \"pid\": 10, \"start_time\": 100, \"stop_time\": 104, "
				   "\"interval\": 1, \"tracker\": {\"baseline_utime\": 6, \"baseline_stime\": 2}}";
	static const struct {
		const char *rows;
		double root;
		const char *what;
	} cases[] = {
		{"104,10,1,1,9,2,0,0,\"self\",1\n", 3, "all of it is the root's, if it had no children"},
		{"103.5,11,2,10,3,1,0,0,\"self\",1\n104,10,1,1,1.5,0.5,8.5,3.5,\"self\",1\n", 2,
			"all of it is the children's, if a shell executes the job"},
		{"103.5,11,2,10,3,1,0,0,\"self\",1\n104,10,1,1,3,2,7,2,\"self\",1\n", 2,
			"root and children share it, if both used CPU time before and after"},
	};

	scratch_write("start.csv", START_HEADER "100,10,1,1,\"/bin/a\",\"a\"\n101,11,2,10,\"/bin/b\",\"b\"\n");
	scratch_write("process.csv", PROCESS_HEADER "104,4,2,50,2,,\n");
	scratch_write("member.csv", MEMBER_HEADER);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct processes processes;
		char *rows = NULL;
		if (asprintf(&rows, "%s%s", header, cases[i].rows) < 0)
			return;
		scratch_write("exit.csv", rows);
		free(rows);
		is_number(totals_of(json).cpu_seconds, 6, cases[i].what);
		processes_load(&processes, files_of(scratch_directory()));
		processes_begin_root(&processes, 10, 6, 2);
		is_number(process_cpu_seconds(&processes.items[0]), cases[i].root, cases[i].what);
		processes_free(&processes);
	}
}

static void inexact_runs(void)
{
	scratch_write("exit.csv", EXIT_HEADER "103.5,11,2,10,3,1,90,10,20,0,0\n104,10,1,1,1,1,40,1,2,0,1\n");
	struct totals totals = totals_of(ENDED);
	ok(!totals.exact && totals.ended_unseen == 1, "a process without final figures makes totals inexact");
	scratch_write("exit.csv", EXIT_HEADER "104,10,1,1,1,1,40,1,2,0,1\n");
	totals = totals_of(ENDED);
	ok(!totals.exact && totals.ended_unseen == 1, "a process without an exit row makes totals inexact");
	scratch_remove("start.csv");
	scratch_remove("exit.csv");
	totals = totals_of(ENDED);
	ok(!totals.exact, "without records, totals are inexact");
	is_number(totals.processes, 2, "the number of processes is at least what was seen at once");
}

static void killed_sampler(void)
{
	scratch_write("start.csv", START_HEADER "100,10,1,1,\"/bin/a\",\"a\"\n101,11,2,10,\"/bin/b\",\"b\"\n"
						"106,12,3,10,\"/bin/c\",\"c\"\n");
	scratch_write("exit.csv", EXIT_HEADER "103.5,11,2,10,3,1,90,10,20,0,1\n107,12,3,10,0.5,0.25,40,1,2,0,1\n"
					      "108,10,1,1,5,1,40,1,2,0,1\n");
	scratch_write("member.csv", MEMBER_HEADER "101,10,0.5,0.25,1,0\n104,10,0.5,0.25,1,1\n102,11,3,1,9,9\n");
	scratch_age("system.csv", 60);
	struct totals totals = totals_of(KILLED_SAMPLER);
	is_number(totals.user_seconds, 4 + 0.5 + 4, "user time after the last row is taken from the records");
	is_number(totals.system_seconds, 1 + 0.25 + 1, "system time after the last row is taken from the records");
	is_number(totals.wall_seconds, 8, "wall time ends with the last record");
	ok(!totals.exact, "totals are inexact if the sampler was killed");
	scratch_write("process.csv", PROCESS_HEADER);
	scratch_remove("member.csv");
	totals = totals_of(KILLED_SAMPLER);
	is_number(totals.user_seconds, 3 + 0.5 + 5, "without rows, totals come from exit records");
}

/* Ends that a tick finds are written just after its row. Other ends are written after the sampler died. */
static void killed_root(void)
{
	static const char killed[] = "{\"status\": \"killed\", \"exit_signal\": 9, \"start_time\": 100, \"stop_time\": "
				     "104.1, \"interval\": 1}";

	scratch_write("start.csv", START_HEADER "100,10,1,1,\"/bin/a\",\"a\"\n101,11,2,10,\"/bin/b\",\"b\"\n");
	scratch_write("process.csv", PROCESS_HEADER "104,3,0.5,50,2,,\n");
	scratch_write("exit.csv", EXIT_HEADER "104,10,1,1,2,0.5,40,,,,0\n104.01,11,2,10,1,0,40,,,,0\n");
	is_number(totals_of(killed).cpu_seconds, 3.5, "an end that is included in the last row counts once");
	scratch_write("exit.csv", EXIT_HEADER "104,10,1,1,2,0.5,40,,,,0\n104.1,11,2,10,1.25,0.25,40,,,0,1\n");
	struct totals totals = totals_of(killed);
	is_number(totals.cpu_seconds, 4, "the totals include all records");
	is_number(totals.user_seconds + totals.system_seconds, 4, "user and system time include all records");
	/* The root's last checkpoint became a row. It came after the last row of the child. */
	scratch_write("process.csv", PROCESS_HEADER "104,3,0.5,50,2,100,200\n");
	scratch_write("exit.csv", EXIT_HEADER "104,10,1,1,2,0.5,40,60,60,,0\n105,11,2,10,1.25,0.25,40,50,150,0,1\n");
	scratch_write("member.csv", MEMBER_HEADER "101,11,0.2,0,1,0\n");
	totals = totals_of(killed);
	is_number(totals.cpu_seconds, 4, "an end after the last row counts");
	is_number(totals.disk_read_bytes, 110, "bytes that were read after the last row count");
	is_number(totals.disk_write_bytes, 210, "bytes that were written after the last row count");
	scratch_write("exit.csv", EXIT_HEADER "105,11,2,10,1.25,0.25,40,50,150,0,1\n");
	scratch_write("member.csv", MEMBER_HEADER "101,11,0.2,0,1,0\n102,10,2,0.5,1,0\n");
	is_number(totals_of(killed).cpu_seconds, 4, "a process without an end counts with its rows");
	scratch_remove("member.csv");
}

/* At each reading, the kernel divides CPU time anew into user and system time. */
static void divided_anew(void)
{
	static const char killed[] = "{\"status\": \"killed\", \"exit_signal\": 9, \"start_time\": 100, \"stop_time\": "
				     "104.1, \"interval\": 1}";

	scratch_write("start.csv", START_HEADER "100,10,1,1,\"/bin/a\",\"a\"\n");
	scratch_write("process.csv", PROCESS_HEADER "102,0.5,0.5,50,2,,\n");
	scratch_write("member.csv", MEMBER_HEADER "102,10,0.5,0.5,1,0\n");
	scratch_write("exit.csv", EXIT_HEADER "104,10,1,1,1.25,0.25,40,,,,1\n");
	struct totals totals = totals_of(killed);
	is_number(totals.cpu_seconds, 1.5, "CPU time moved from system to user time counts once");
	is_number(totals.user_seconds, 1.25, "user time is from the last record");
	scratch_remove("member.csv");
}

static void nothing(void)
{
	static const char *const names[] = {"start.csv", "exit.csv", "member.csv", "process.csv", "system.csv"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		scratch_remove(names[i]);
	struct totals totals = totals_of("{}");
	ok(!totals.exact && !number_known(totals.cpu_seconds) && !number_known(totals.peak_memory_mib) &&
			!number_known(totals.wall_seconds) && !number_known(totals.mean_cpu_usage),
		"the totals of an empty run are unknown");
}

static void swap(void)
{
	scratch_write("process.csv", "\"timestamp\",\"memory_mib\",\"swap_mib\"\n101,50,0.5\n102,40,12\n103,45,\n");
	is_number(totals_of(ENDED).peak_swap_mib, 12, "the most swapped memory at one tick");
}

/* Returns the peak of a run as show and list print it. */
static struct figure peak_of(double least, double most, double request)
{
	const struct totals totals = {.peak_memory_mib = least, .peak_memory_at_most_mib = most};
	const struct run run = {.machine_memory_mib = 16000};

	return totals_peak_range(&totals, &run, request);
}

static void range(void)
{
	is_text(peak_of(104, 125, UNKNOWN).text, "104–125 MiB", "an uncertain peak is a range");
	is_text(peak_of(900, 1500, UNKNOWN).text, "900 MiB–1.46 GiB", "each end of a range has its unit");
	is_text(peak_of(104, 125, 200).text, "104–125 MiB", "a peak that the request depends on is a range");
	is_text(peak_of(104, 125, 320).text, "104 MiB", "a range far below the request is one figure");
	is_text(peak_of(104, 110, UNKNOWN).text, "104 MiB", "a range within 10 % is one figure");
	is_text(peak_of(104, 17000, UNKNOWN).text, "104 MiB",
		"an upper bound above the machine's memory is not printed");
}

int main(void)
{
	scratch_collect_messages();
	joined();
	whole_run();
	before_the_run();
	inexact_runs();
	killed_sampler();
	killed_root();
	divided_anew();
	nothing();
	swap();
	range();
	return done();
}
