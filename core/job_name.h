/* SPDX-License-Identifier: Apache-2.0 */
/* The default name of a run: the script that an interpreter runs, or else the program. */
#ifndef RTRACK_CORE_JOB_NAME_H
#define RTRACK_CORE_JOB_NAME_H

#include "core/base.h"

/* Returns the job name of a command line: "job.R" for `Rscript --vanilla job.R x`, "pkg.tool" for `python3 -m
 * pkg.tool`, "app.jar" for `java -jar lib/app.jar`, "make" for `make -j2`. For a wrapper such as env, nice or timeout,
 * returns the name of the command that it runs. The result points into `arguments` and is never empty ("unnamed" for an
 * empty command line). */
struct text job_name(char *const *arguments, int count);

/* Returns the name of the script that an interpreter runs, or of its program. A launcher within, such as
 * `python -m torch.distributed.run a.py`, is that script. */
struct text job_script(char *const *arguments, int count);

/* Returns whether a program is an interpreter, with or without a version suffix. */
bool job_is_interpreter(struct text program);

#endif
