/* The keeper's loop; see keeper.h. */
#include "sampler/keeper.h"

#include "core/spool.h"
#include "sampler/run/file.h"
#include "sampler/run/names.h"
#include "sampler/sampler.h"

#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"

enum { FOLLOWED_MAX = 16 };

#define LOOK_AGAIN_NS 3600000000000
#define WITHOUT_FOLLOWING_NS 1000000000

void keeper_write_settings(struct buffer *out, const struct settings *settings)
{
	static const uint8_t needed[] = {
		SETTING_ID_MEMORY, SETTING_ID_SPOOL_MAX_MIB, SETTING_ID_MIN_SECONDS, SETTING_ID_MASK};

	out->capacity--; /* for the last byte */
	for (size_t i = 0; i < ARRAY_LENGTH(needed); i++) {
		const struct setting *setting = &settings_table[needed[i]];
		size_t before = out->length;
		if (text_is(text_of(settings->text[needed[i]]), setting->fallback))
			continue;
		buffer_string(out, setting->variable);
		buffer_byte(out, '=');
		buffer_string(out, settings->text[needed[i]]);
		buffer_byte(out, '\0');
		if (out->full) {
			out->length = before;
			out->full = false;
		}
	}
	out->data[out->length++] = '\0';
}

static struct sampler *take_up(const char *directory, char *const *environment)
{
	struct settings settings;
	(void)settings_read(&settings, environment, NULL);
	return sampler_open(&(struct sampler_options){.place = SAMPLER_IN_KEEPER,
		.directory = directory,
		.settings = &settings,
		.root_pid = spool_id_pid(text_basename(text_of(directory)))});
}

static void keep(struct sampler *sampler)
{
	bool ticked = false;
	size_t heard = 0; /* how many lived when an end was heard of; 0: none was */

	for (;;) {
		int pids[FOLLOWED_MAX];
		size_t alive = sampler_alive(sampler, pids, FOLLOWED_MAX);
		int64_t wait_ns = sampler_wait_ns(sampler);
		/* A run whose directory was removed is given up, even if its processes live for ever. */
		if (ticked && (alive == 0 || !sampler_has_run(sampler)))
			break;
		/* When few members are left, their ends are waited for, so that the run ends when they do. An end that
		 * the last tick could not see would be heard of again at once. */
		if (!ticked || alive > FOLLOWED_MAX || alive == heard || os_wait_for_end(pids, alive, wait_ns) != 0) {
			os_sleep(ticked ? wait_ns : 0);
			heard = 0;
		} else {
			sampler_catch(sampler);
			heard = alive;
		}
		sampler_tick(sampler);
		ticked = true;
	}
	(void)sampler_finish(sampler, -1, 0, false);
}

void keeper_run(const char *directory, char *const *environment)
{
	struct sampler *sampler = take_up(directory, environment);
	if (sampler)
		keep(sampler);
}

/* Whether the root has not ended. A zombie of several threads lives on. */
static bool lives(struct process_id root)
{
	struct process_reading reading;
	int result = process_read(root.pid, false, &reading);

	if (result != 0)
		return !process_is_gone(result);
	return process_is(reading.id, root) && (reading.state != 'Z' || reading.gauge[GAUGE_THREADS] > 1);
}

void keeper_wait(const char *directory, char *const *environment)
{
	struct run_facts facts;
	struct process_id root = {spool_id_pid(run_id(directory)), 0};

	if (root.pid <= 0 || run_facts(directory, &facts) != 0)
		return;
	root.start = facts.root_start;
	int followed = process_follow(root.pid);
	while (lives(root))
		if (os_wait_for_end(&root.pid, 1, LOOK_AGAIN_NS) != 0)
			os_sleep(WITHOUT_FOLLOWING_NS);
	struct sampler *sampler = run_goes_on(directory) ? take_up(directory, environment) : NULL;
	if (!sampler) {
		os_close(followed);
		return;
	}
	sampler_take_followed(sampler, followed);
	keep(sampler);
}

void keeper_end(const char *directory, char *const *environment)
{
	struct sampler *sampler = take_up(directory, environment);
	if (sampler)
		(void)sampler_finish(sampler, -1, 0, false);
}
