/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the cached summary of a run: its text, and that figures are unchanged in it. */
#include "report/history/digest.h"

#include "tests/unit/lib/tap.h"

#include <stdlib.h>

#define BEHIND_JOB                                                                                                     \
	"\n3 key\n5 outer\n2 mp\n4 "                                                                                   \
	"vm-7\n3 ada\n7 slurm:7\n2 7/\n3 "                                                                             \
	"bio\n5 north\nfinished\nvm-7-90000\n1795226390\n1795226400.125\n1\n{\"a\":1}\n{\"b\":2}\n{}\nend\n"

static const struct {
	const char *what;
	const char *text;
	const char *job; /* NULL if the text is incomplete */
	double start_time;
} cases[] = {
	{"whole", "2 id\n5 job.R" BEHIND_JOB, "job.R", 1795226400.125},
	{"a job of two lines", "2 id\n3 a\nb" BEHIND_JOB, "a\nb", 1795226400.125},
	{"a job without a name", "2 id\n0 " BEHIND_JOB, "", 1795226400.125},
	{"a start that is not known",
		"2 id\n1 a\n0 \n0 \n0 \n0 \n0 \n0 \n0 \n0 \n0 \nfinished\n\n\n\n1\n{}\n{}\n{}\nend\n", "a", NAN},
	{"nothing", "", NULL, 0},
	{"no end", "2 id\n1 a\n0 \n0 \n0 \n0 \n0 \n0 \n0 \n0 \n0 \nfinished\n\n\n1\n1\n{}\n{}\n{}\n", NULL, 0},
	{"half an end", "2 id\n1 a\n0 \n0 \n0 \n0 \n0 \n0 \n0 \n0 \n0 \nfinished\n\n\n1\n1\n{}\n{}\n{}\nend", NULL, 0},
	{"text after the end", "2 id\n1 a" BEHIND_JOB "\n", NULL, 0},
	{"a length that is too large", "2 id\n99 a" BEHIND_JOB, NULL, 0},
	{"a length that is too small", "2 id\n1 abc" BEHIND_JOB, NULL, 0},
	{"the largest length", "2 id\n18446744073709551615 a" BEHIND_JOB, NULL, 0},
	{"a negative length", "2 id\n-2 a" BEHIND_JOB, NULL, 0},
	{"no length", "2 id\n a" BEHIND_JOB, NULL, 0},
	{"no parent", "2 id\n1 a\nfinished\n\n\n\n1\n{}\n{}\n{}\nend\n", NULL, 0},
	{"a summary of an old version, without group and host", "2 id\n1 a\n0 \nfinished\n\n\n\n1\n{}\n{}\n{}\nend\n",
		NULL, 0},
};

static void check_stats(void)
{
	struct stats stats;
	struct stats again;

	for (int i = 0; i < STAT_COUNT; i++)
		stats.of[i] = (struct statistic){UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};
	stats.of[STAT_process_cpu_usage] = (struct statistic){1.42, 6.11, UNKNOWN, UNKNOWN};
	stats.of[STAT_process_memory_mib] = (struct statistic){123456789.01, 0.1, UNKNOWN, UNKNOWN};
	stats.of[STAT_system_net_recv_bytes] = (struct statistic){UNKNOWN, UNKNOWN, 9007199254740991.0, UNKNOWN};
	cJSON *json = stats_json(&stats);
	char *text = cJSON_PrintUnformatted(json);
	struct digest digest = {.stats = text};
	digest_stats(&digest, &again);
	for (int i = 0; i < STAT_COUNT; i++) {
		is_number(again.of[i].mean, stats.of[i].mean, "a mean is read back");
		is_number(again.of[i].max, stats.of[i].max, "a maximum is read back");
		is_number(again.of[i].sum, stats.of[i].sum, "a sum is read back");
	}
	digest.stats = "nonsense";
	digest_stats(&digest, &again);
	is_number(again.of[STAT_process_cpu_usage].mean, UNKNOWN, "an invalid figure is unknown");
	cJSON_free(text);
	cJSON_Delete(json);
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct digest digest = {0};
		char *text = strdup(cases[i].text);
		int result = digest_parse(&digest, text);
		ok(result == (cases[i].job ? 0 : -1), cases[i].what);
		is_text(digest.job, cases[i].job, "  its job");
		if (result == 0)
			is_number(digest.start_time, cases[i].start_time, "  its start");
		free(text);
	}
	check_stats();
	return done();
}
