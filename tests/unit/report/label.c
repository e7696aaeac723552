/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/model/label.h: how reports name a program. */
#include "report/model/label.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

static const struct {
	const char *program, *command, *label;
} table[] = {
	{"gcc", "gcc -c x.c", "gcc"},
	{"mawk", "awk 1", "awk"},
	{"nginx", "nginx: worker process", "nginx"},
	{"python3.11", "python3 /home/me/job.py --seed 1", "job.py"},
	{"python3.11", "python3 -u job.py", "job.py"},
	{"python3.11", "python3 -uB -O job.py", "job.py"},
	{"python3.11", "python3 -m pytest -x", "pytest"},
	{"python3.11", "python3 -u -m torch.distributed.run a.py", "torch.distributed.run"},
	{"python3.11", "python3 -c pass", "python3"},
	{"python3.11", "python3 -W ignore job.py", "job.py"},
	{"python3.11", "python3", "python3"},
	{"python3.11", "python3 -u", "python3"},
	{"julia", "julia --project=. job.jl", "job.jl"},
	{"bash", "/bin/bash -x run.sh", "run.sh"},
	{"bash", "bash -c make", "bash"},
	{"bash", "-bash", "bash"},
	{"R", "/usr/lib/R/bin/exec/R --no-echo --no-restore --file=src/job.R", "job.R"},
	{"java", "java -Xmx1g -jar lib/app.jar", "app.jar"},
	{"timeout", "timeout 60 python3 job.py", "timeout"},
	{"R", "R --no-save", "R"},
	{"sleep", "", "sleep"},
};

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		is_text(label_of(table[i].program, table[i].command).text, table[i].label, table[i].command);
	return done();
}
