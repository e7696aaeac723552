/* SPDX-License-Identifier: Apache-2.0 */
/* The default name of a run: the script that an interpreter runs, or else the program. */
#ifndef RTRACK_CORE_JOB_NAME_H
#define RTRACK_CORE_JOB_NAME_H

#include "core/base.h"

/* Returns the job name of a command line: "job.R" for `Rscript --vanilla job.R x`, "pkg.tool" for `python3 -m
 * pkg.tool`, "app.jar" for `java -jar lib/app.jar`, "make" for `make -j2`. If Snakemake copied the script, the random
 * part of the copy's name is omitted. For a wrapper such as env, nice or timeout, the result is the name of the
 * command that the wrapper runs. The result points into `arguments`. It is never empty: the name of an empty command
 * line is "unnamed". */
struct text job_name(char *const *arguments, int count);

/* Returns the name of the script that an interpreter runs, or of the program. Unlike job_name, the result may be a
 * launcher that an interpreter runs, as in `python -m torch.distributed.run a.py`. */
struct text job_script(char *const *arguments, int count);

/* Returns whether a program is an interpreter, with or without a version suffix. */
bool job_is_interpreter(struct text program);

#endif
