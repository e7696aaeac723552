/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/compare/alert.h: the conditions of `watch --when`, and when they are met. */
#include "report/compare/alert.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

enum { ROWS = 6 };

static double times[ROWS] = {1, 2, 3, 4, 5, 6};
static double memory[ROWS] = {100, 200, 300, 400, 500, 600};
static double cpus[ROWS] = {0, 2, 0, 0, 0, UNKNOWN};

static int judge(const char *text, const struct totals *previous)
{
	struct run run = {.status = "running", .start_time = 0, .cpus = 4, .vcpus = 8, .limit_seconds = 60};
	struct model model = {.run = &run, .outcome = OUTCOME_RUNNING, .limit = {.mib = 1000}};
	struct alert alert;

	model.totals = totals_unknown();
	model.totals.wall_seconds = 6;
	model.process.table = &tables[TABLE_process];
	model.process.rows = ROWS;
	model.process.columns[PROCESS_timestamp] = times;
	model.process.columns[PROCESS_memory_mib] = memory;
	model.process.columns[PROCESS_cpu_usage] = cpus;
	return alert_read(&alert, text_of(text)) ? -2 : alert_judge(&alert, &model, previous).holds;
}

static void reads_and_judges(void)
{
	static const struct {
		const char *text;
		int holds;
	} cases[] = {
		{"memory_mib>500", 1},
		{"memory_mib>600", 0},
		{"memory_mib>=600", 1},
		{" memory_mib  >  0.5*limit ", 1},
		{"memory_mib>limit*0.5", 1},
		{"memory_mib>0.7 * limit", 0},
		{"memory_mib>requested", -1},
		{"memory_mib>previous", 1},
		{"memory_mib>2*previous", 0},
		{"memory_mib>0 for 6s", 1},
		{"memory_mib>100 for 5s", 1},
		{"memory_mib>100 for 6s", 0},
		{"memory_mib>limit within 3s", 0},
		{"memory_mib>limit within 5s", 1},
		{"memory_mib<limit within 5s", 0},
		{"memory_mib>limit within 6s", 1},
		{"memory_mib>limit within 1h", -1},
		{"cpu_usage<0.01 for 3s", 1},
		{"cpu_usage<0.01 for 4s", 0},
		{"cpu_usage>0.6*limit", 0},
		{"cpu_usage>=0.5*limit", 1},
		{"swap_mib>0", -1},
		{"gpu_usage>limit", -1},
		{"wall_seconds>5", 1},
		{"wall_seconds>0.2*limit", 0},
		{"wall_seconds>previous", 1},
		{"cpu_seconds>1", -1},
		{"ended", 0},
		{"failed", 0},
	};
	struct totals previous = totals_unknown();

	previous.peak_memory_mib = 300;
	previous.wall_seconds = 3;
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
		if (!ok(judge(cases[i].text, &previous) == cases[i].holds, cases[i].text))
			printf("# it was %d\n", judge(cases[i].text, &previous));
	ok(judge("memory_mib>previous", NULL) == -1, "without an earlier run, `previous` is unknown");
}

static void bad(void)
{
	static const char *const texts[] = {"", " ", "memory", "memory_mib", "memory_mib=1", "memory_mib>",
		"memory_mib>>1", "memory_mib>x", "memory_mib>1*", "memory_mib>1*x", "memory_mib>limit*",
		"memory_mib>limit*limit", "memory_mib>1 2", "memory_mib>1 for", "memory_mib>1 for 5",
		"memory_mib>1 for 5w", "memory_mib>1 for 0s", "memory_mib>1 for 5mm", "memory_mib>1 within m",
		"memory_mib>1 for 1m within 1m", "wall_seconds>1 for 3m", "ended for 3m", "ended failed",
		"memory_mib>-1", "memory_mib>nan", "memory_mib>1..2"};
	struct alert alert;

	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		ok(alert_read(&alert, text_of(texts[i])) != NULL, texts[i]);
}

int main(void)
{
	reads_and_judges();
	bad();
	return done();
}
