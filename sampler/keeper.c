/* The keeper's loop; see keeper.h. */
#include "sampler/keeper.h"

#include "core/spool.h"
#include "sampler/sampler.h"

#include "os/clock.h"
#include "os/process.h"

enum { FOLLOWED_MAX = 16 };

static struct sampler *take_up(const char *directory, char *const *environment)
{
	struct settings settings;
	(void)settings_read(&settings, environment, NULL);
	return sampler_open(&(struct sampler_options){.place = SAMPLER_IN_KEEPER,
		.directory = directory,
		.settings = &settings,
		.root_pid = spool_id_pid(text_basename(text_of(directory)))});
}

void keeper_run(const char *directory, char *const *environment)
{
	struct sampler *sampler = take_up(directory, environment);
	bool ticked = false;
	if (!sampler)
		return;
	for (;;) {
		int pids[FOLLOWED_MAX];
		size_t alive = sampler_alive(sampler, pids, FOLLOWED_MAX);
		int64_t wait_ns = sampler_wait_ns(sampler);
		/* A run whose directory was removed is given up, even if its processes live for ever. */
		if (ticked && (alive == 0 || !sampler_has_run(sampler)))
			break;
		/* When few members are left, their ends are waited for, so that the run ends when they do. */
		if (!ticked || alive > FOLLOWED_MAX || os_wait_for_end(pids, alive, wait_ns) != 0)
			os_sleep(ticked ? wait_ns : 0);
		else
			sampler_catch(sampler);
		sampler_tick(sampler);
		ticked = true;
	}
	(void)sampler_finish(sampler, -1, 0, false);
}

void keeper_end(const char *directory, char *const *environment)
{
	struct sampler *sampler = take_up(directory, environment);
	if (sampler)
		(void)sampler_finish(sampler, -1, 0, false);
}
