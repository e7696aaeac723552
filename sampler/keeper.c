/* The keeper's loop; see keeper.h. */
#include "sampler/keeper.h"

#include "sampler/sampler.h"

#include "sampler/os.h"

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
	if (!sampler)
		return;
	do {
		os_sleep_until(sampler_next_tick_ns(sampler));
		sampler_tick(sampler);
	} while (sampler_alive(sampler) > 0);
	(void)sampler_finish(sampler, -1, 0, false);
}

void keeper_end(const char *directory, char *const *environment)
{
	struct sampler *sampler = take_up(directory, environment);
	if (sampler)
		(void)sampler_finish(sampler, -1, 0, false);
}
