/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that the job of a Ray worker is read from its log, and that nothing else in run.json changes. */
#include "sampler/run/ray.h"

#include "core/number.h"
#include "tests/unit/lib/fake_os.h"
#include "tests/unit/lib/tap.h"

#include <stdio.h>

#define RUN "/spool/run"
#define FILE_OF_RUN RUN "/run.json"
#define TEXT_OF_RUN                                                                                                    \
	"{\n  \"job\": \"ffffffff\",\n  \"labels\": {\n    \"job\": \"%s\",\n    \"session\": \"ffffffff\"\n  },\n"    \
	"  \"group\": \"s/%s\",\n  \"member\": {\n    \"rank\": null\n  }\n}\n"

static char text[512];

static const char *run_with(const char *job)
{
	(void)snprintf(text, sizeof text, TEXT_OF_RUN, job, job);
	return text;
}

int main(void)
{
	static const struct {
		const char *log, *job;
		const char *what;
	} cases[] = {
		{"begun\n:job_id:01000000\nmore", "01000000", "the job is in the second line of the log"},
		{":job_id:0a000000\n:job_id:0b000000\n", "0a000000", "the first line of two"},
		{NULL, NULL, "stdout is not a file"},
		{"", NULL, "an empty log"},
		{"begun\n", NULL, "a worker without a task"},
		{":job_id:01000", NULL, "a line that is not complete"},
		{":job_id:\n", NULL, "a line without a job"},
		{":job_id:ffffffff\n", NULL, "a job that is unknown"},
		{":job_id:1\",\"x\":\"\n", NULL, "a line with other characters"},
		{" :job_id:01000000\n", NULL, "a line that begins with another character"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		fake_reset();
		fake_directory(RUN);
		fake_write(FILE_OF_RUN, run_with(RAY_NO_JOB));
		struct fake_process *worker = fake_fork(FAKE_SELF);
		worker->output = cases[i].log;
		ok(run_find_ray_job(RUN, worker->id.pid) == !!cases[i].job, cases[i].what);
		is_text(fake_read(FILE_OF_RUN), run_with(cases[i].job ? cases[i].job : RAY_NO_JOB), "  run.json");
	}
	fake_reset();
	return done();
}
