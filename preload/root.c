/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a run and adds RTRACK_RUN to the environment, on all platforms. */
#include "preload/root.h"

#include "core/spool.h"
#include "preload/host.h"
#include "sampler/run/make.h"

#define VARIABLE "RTRACK_RUN="

static char variable[sizeof VARIABLE + SPOOL_PATH_MAX];

const char *root_directory(void)
{
	return variable + sizeof VARIABLE - 1;
}

void root_name(const char *path)
{
	struct buffer out = BUFFER(variable);
	buffer_string(&out, VARIABLE);
	buffer_string(&out, path);
	(void)buffer_terminate(&out);
}

int root_make(const struct run_start *start)
{
	struct buffer out = BUFFER(variable);
	buffer_string(&out, VARIABLE);
	run_path(&out, start);
	(void)buffer_terminate(&out);
	return out.full ? -1 : run_create(start, root_directory());
}

void root_tell(void)
{
	(void)host_environment_add(variable);
}

const char *root_hand_on(const char *path)
{
	root_name(path);
	root_tell();
	return root_directory();
}
