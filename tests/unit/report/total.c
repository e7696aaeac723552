/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/model/total.h: totals of several runs, and totals in JSON, by the rows of their table. */
#include "report/model/total.h"

#include "tests/unit/lib/tap.h"

#include <stdlib.h>

static struct totals run_of(double seconds, double cpu_seconds, double mib)
{
	struct totals totals = totals_unknown();

	totals.wall_seconds = seconds;
	totals.cpu_seconds = cpu_seconds;
	totals.mean_memory_mib = totals.peak_memory_mib = totals.peak_process_memory_mib = mib;
	totals.missing_cpu_seconds_at_most = 0.5;
	totals.exact_cpu = totals.exact_memory = true;
	return totals;
}

static void several_runs(void)
{
	struct totals runs[] = {run_of(10, 5, 100), run_of(30, 7, 20), run_of(20, UNKNOWN, UNKNOWN)};
	struct totals all = totals_begin();

	is_number(totals_begin().cpu_seconds, UNKNOWN, "without runs, nothing is known");
	runs[1].exact_memory = false;
	for (size_t i = 0; i < 2; i++)
		totals_add(&all, &runs[i]);
	is_number(all.missing_cpu_seconds_at_most, 1, "a sum over all runs");
	runs[2].missing_cpu_seconds_at_most = UNKNOWN;
	totals_add(&all, &runs[2]);
	all.wall_seconds = 40;
	totals_end(&all);
	is_number(all.cpu_seconds, 12, "a sum over runs with a known value");
	is_number(all.missing_cpu_seconds_at_most, UNKNOWN, "some sums need all values");
	is_number(all.peak_process_memory_mib, 100, "the largest value");
	is_number(all.peak_memory_mib, 100, "the peak of all runs is at least the largest run's");
	is_number(all.mean_memory_mib, (100 * 10 + 20 * 30) / 40.0, "a mean is weighted by the time of each run");
	is_number(all.disk_read_bytes, UNKNOWN, "a value unknown in every run is unknown");
	ok(all.exact_cpu && !all.exact_memory, "a claim holds if it holds for each run");
}

static void as_json(void)
{
	struct totals totals = run_of(1.23456, 2.1234567, 3), read;
	cJSON *json = cJSON_CreateObject();

	totals_write_json(&totals, json);
	read = totals_read_json(json);
	is_number(read.wall_seconds, 1.235, "a total is rounded to its digits");
	is_number(total_value(&totals, TOTAL_wall_seconds), 1.235, "total_value gives the same digits");
	is_number(read.cpu_seconds, 2.123457, "each total has its own number of digits");
	ok(read.exact_cpu && !read.exact, "a claim is read back");
	is_number(read.disk_read_bytes, UNKNOWN, "null is unknown");
	ok(cJSON_HasObjectItem(json, "disk_read_bytes") && !cJSON_HasObjectItem(json, "still_running"),
		"some unknown totals are left out, others are null");
	cJSON_DeleteItemFromObject(json, "cpu_seconds");
	cJSON_AddNumberToObject(json, "cpu_seconds", 4);
	read = totals_read_json(json);
	ok(read.cpu_seconds == 4 && read.peak_memory_mib == 3, "keys may come in any order");
	is_number(totals_read_json(NULL).cpu_seconds, UNKNOWN, "NULL gives unknown totals");
	cJSON_Delete(json);
}

int main(void)
{
	several_runs();
	as_json();
	return done();
}
