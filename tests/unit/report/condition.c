/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/compare/condition.h: the conditions of --fail-if, and when they are met. */
#include "report/compare/condition.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

struct judged {
	const char *text;
	double a;
	double b;
	int holds;
};

static void reads_and_judges(void)
{
	static const struct judged cases[] = {
		{"peak_memory_mib>+10%", 100, 111, 1},
		{"peak_memory_mib>+10%", 100, 110, 0},
		{"peak_memory_mib>=+10%", 100, 110, 1},
		{"peak_memory_mib>+10%", 0, 1, 1},
		{"peak_memory_mib>+10%", 0, 0, 0},
		{" peak_memory_mib  >  +10% ", 100, 150, 1},
		{"cpu_seconds<-10%", 100, 89, 1},
		{"cpu_seconds<-10%", 100, 90, 0},
		{"cpu_seconds<=-10%", 100, 90, 1},
		{"cpu_seconds>-10%", 100, 95, 1},
		{"wall_seconds>+2.5", 10, 12.75, 1},
		{"wall_seconds>+2.5", 10, 12.25, 0},
		{"wall_seconds<-2.5", 10, 7, 1},
		{"wall_seconds>60", 100, 61, 1},
		{"wall_seconds>60", 10, 60, 0},
		{"wall_seconds<1e3", 10, 999, 1},
		{"processes>0", UNKNOWN, 1, 1},
		{"processes>+0", UNKNOWN, 1, -1},
		{"processes>+0%", 1, UNKNOWN, -1},
		{"processes>0", 1, UNKNOWN, -1},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct conditions conditions = {.count = 0};
		bool read = !conditions_read(&conditions, text_of(cases[i].text)) && conditions.count == 1;
		if (!ok(read && condition_holds(&conditions.items[0], cases[i].a, cases[i].b) == cases[i].holds,
			    cases[i].text))
			printf("# from %g to %g\n", cases[i].a, cases[i].b);
	}
}

static void several(void)
{
	struct conditions conditions = {.count = 0};
	ok(!conditions_read(&conditions, text_of("cpu_seconds>+5%, disk_write_bytes<100")),
		"two conditions in one text");
	ok(!conditions_read(&conditions, text_of("processes>=7")), "a third condition");
	ok(conditions.count == 3 && conditions.items[0].measure == MEASURE_cpu_seconds &&
			conditions.items[1].measure == MEASURE_disk_write_bytes && conditions.items[1].less &&
			text_is(conditions.items[1].text, "disk_write_bytes<100"),
		"the three conditions, as they were given");
}

static void bad(void)
{
	static const char *const texts[] = {"", ",", "peak_memory_mib", "peak_memory>+10%", ">+10%",
		"peak_memory_mib=10", "peak_memory_mib>", "peak_memory_mib>%", "peak_memory_mib>+",
		"peak_memory_mib>10%", "peak_memory_mib>+-10%", "peak_memory_mib>--1", "peak_memory_mib>+1e999",
		"peak_memory_mib>+10%%", "peak_memory_mib>>1", "peak_memory_mib>+10%,", "peak_memory_mib>1 2",
		"peak_memory_mib>nan", "peak_memory_mib>10 MiB", "peak_memory_mib!>10"};
	struct conditions conditions;

	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		conditions.count = 0;
		ok(conditions_read(&conditions, text_of(texts[i])) != NULL, texts[i]);
	}
	conditions.count = CONDITIONS_MAX;
	ok(conditions_read(&conditions, text_of("processes>1")) != NULL, "the number of conditions is limited");
}

int main(void)
{
	reads_and_judges();
	several();
	bad();
	return done();
}
