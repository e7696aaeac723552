/* SPDX-License-Identifier: Apache-2.0 */
/* The root of a run on macOS.
 *
 * From the start of the run, the sampler is a keeper, which is a separate process instead of a thread in the root.
 * On macOS, all threads share the process's descriptors and the C library's locks. A host that closes all
 * descriptors would close those of the sampler, and a host that forks would pass them on. When the root is killed,
 * its threads die with it. A separate process survives every exec of the root and observes the root's end. */
#include "preload/root.h"

#include "os/process.h"
#include "os/self.h"
#include "preload/darwin/stack.h"
#include "preload/host.h"
#include "sampler/keeper.h"
#include "sampler/run/make.h"

enum { SETTINGS_BYTES = 2048 };

/* Usage of this process that was caused by creating the run. */
static uint64_t used[COUNTER_COUNT];
static bool made; /* this process has created the run */

/* Starts the keeper. The settings are converted to text here, because member.c stores its text of them only later. */
static void start_keeper(const struct settings *settings)
{
	char text[SETTINGS_BYTES];
	struct buffer out = BUFFER(text);

	keeper_write_settings(&out, settings);
	(void)host_start_keeper(root_directory(), text);
}

struct making {
	struct run_start start;
	int result;
};

static void make_run(void *argument)
{
	struct making *making = argument;
	uint64_t before[2], after[2];

	process_own_usage(before);
	making->result = root_make(&making->start);
	process_own_usage(after);
	for (int i = 0; i < 2; i++)
		used[COUNTER_USER_NS + i] = after[i] - before[i];
}

const char *root_begin(const struct run_start *start)
{
	struct making making = {*start, -1};

	if (stack_call(STACK_OF_ROOT, make_run, &making) != 0 || making.result != 0)
		return NULL;
	/* If the host's main function is running, other threads may read the environment, so the library must not
	 * change it. The keeper then finds members by their parents instead of by RTRACK_RUN. */
	if (!host_is_running())
		root_tell();
	made = true;
	start_keeper(start->settings);
	return root_directory();
}

/* Starts the keeper again if it was killed. An exec of the root does not end the keeper. */
void root_resume(const char *path, const struct settings *settings)
{
	root_name(path);
	start_keeper(settings);
}

const uint64_t *root_end(int exit_code)
{
	(void)exit_code;
	return made ? used : NULL;
}

bool root_is_shared(void)
{
	return false;
}

void root_reset(void)
{
	made = false;
	__builtin_memset(used, 0, sizeof used);
}

void root_forked(void)
{
	made = false;
}

/* -- there is no thread --------------------------------------------------------------------------- */

bool root_has_sampler(void)
{
	return false;
}

int root_flush(void)
{
	return -1;
}

void root_leave(void)
{
}

void root_rest(void)
{
}

void root_go_on(void)
{
}

bool root_rests(void)
{
	return false;
}

bool root_step_aside(void)
{
	return false;
}
