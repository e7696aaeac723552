/* SPDX-License-Identifier: Apache-2.0 */
/* Runs rtrack-gpu next to the command. */
#define _GNU_SOURCE
#include "launcher/beside/gpu.h"

#include "core/spool.h"
#include "launcher/library.h"
#include "launcher/place.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t asker; /* pid of rtrack-gpu; 0 if it does not run */

/* Finds rtrack-gpu in the directory of the library. */
static bool find(char *path)
{
	static const char name[] = "rtrack-gpu";

	if (!library_find(path))
		return false;
	char *slash = strrchr(path, '/');
	if (!slash || (size_t)(slash + 1 - path) + sizeof name > SPOOL_PATH_MAX)
		return false;
	memcpy(slash + 1, name, sizeof name);
	return access(path, X_OK) == 0;
}

void gpu_watch(struct sampler *sampler, const char *directory, const char *nvml)
{
	char path[SPOOL_PATH_MAX];

	if (!sampler_wants_gpu(sampler) || !find(path))
		return;
	pid_t pid = place_fork_to_execute();
	if (pid == 0) {
		place_leave();
		(void)unsetenv("LD_PRELOAD");
		(void)execl(path, "rtrack-gpu", directory, "", nvml, (char *)NULL);
		_exit(127);
	}
	asker = pid > 0 ? pid : 0;
	sampler_set_helper(sampler, SAMPLER_HELPER_GPU, asker);
}

void gpu_stop(void)
{
	if (asker > 0)
		(void)kill(asker, SIGKILL);
}

bool gpu_reap(struct sampler *sampler, pid_t pid)
{
	if (asker == 0 || pid != asker)
		return false;
	(void)waitpid(pid, NULL, 0);
	asker = 0;
	if (sampler)
		sampler_set_helper(sampler, SAMPLER_HELPER_GPU, 0);
	return true;
}
