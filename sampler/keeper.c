/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: a separate process that continues the sampling of a run. */
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
#define PAUSE_NS 1000000

void keeper_write_settings(struct buffer *out, const struct settings *settings)
{
	static const uint8_t needed[] = {
		SETTING_ID_MEMORY, SETTING_ID_SPOOL_MAX_MIB, SETTING_ID_MIN_SECONDS, SETTING_ID_LINES, SETTING_ID_MASK};

	out->capacity--; /* leaves room for the terminating NUL */
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
	settings_read(&settings, environment);
	return sampler_open(&(struct sampler_options){.place = SAMPLER_IN_KEEPER,
		.directory = directory,
		.settings = &settings,
		.root_pid = spool_id_pid(text_basename(text_of(directory)))});
}

/* Waits for `wait_ns`. If few processes are left, returns earlier when one of them ends. Returns whether one has
 * ended. */
static bool wait_some(const int *pids, size_t alive, int64_t wait_ns)
{
	int heard = alive <= FOLLOWED_MAX ? os_wait_for_end(pids, alive, wait_ns) : -1;
	if (heard < 0)
		os_sleep(wait_ns);
	return heard > 0;
}

/* Waits until the next tick, and samples code lines meanwhile. If few processes are left, returns earlier when one of
 * them ends, because the run may end then. Returns whether one has ended. */
static bool wait_for_end(struct sampler *sampler, const int *pids, size_t alive, int64_t pause_ns)
{
	int64_t wait_ns = sampler_wait_ns(sampler), now_ns = os_since_boot_ns(), until_ns = now_ns + wait_ns;
	bool heard = false;

	os_sleep(pause_ns < wait_ns ? pause_ns : wait_ns);
	for (now_ns = os_since_boot_ns(); !heard && now_ns < until_ns; now_ns = os_since_boot_ns()) {
		int64_t lines_ns = sampler_lines_ns(sampler);
		if (lines_ns <= now_ns)
			sampler_lines(sampler);
		else
			heard = wait_some(pids, alive, (lines_ns < until_ns ? lines_ns : until_ns) - now_ns);
	}
	if (heard)
		sampler_catch(sampler);
	return heard;
}

static void keep(struct sampler *sampler)
{
	int pids[FOLLOWED_MAX];
	int64_t pause_ns = 0;
	bool looked = false;

	sampler_tick(sampler);
	size_t alive = sampler_alive(sampler, pids, FOLLOWED_MAX);
	/* During exec an orphan has no environment and cannot be recognized. The run therefore ends only when two
	 * searches in a row find none of its processes. It also ends if its directory was removed. */
	while ((alive > 0 || !looked) && sampler_has_run(sampler)) {
		bool heard = alive > 0 && wait_for_end(sampler, pids, alive, pause_ns);
		size_t before = alive;
		looked = alive == 0;
		if (looked)
			os_sleep(PAUSE_NS);
		sampler_tick(sampler);
		alive = sampler_alive(sampler, pids, FOLLOWED_MAX);
		/* If the tick cannot read an ended process, os_wait_for_end returns immediately each time. The pause
		 * avoids a busy loop. */
		if (alive < before)
			pause_ns = 0;
		else if (heard)
			pause_ns = pause_ns > 0 ? 2 * pause_ns : PAUSE_NS;
	}
	(void)sampler_finish(sampler, -1, 0, false);
}

void keeper_run(const char *directory, char *const *environment)
{
	(void)os_learn_time();
	struct sampler *sampler = take_up(directory, environment);
	if (sampler)
		keep(sampler);
}

/* Returns whether the root is alive. A zombie with other threads is alive. */
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

	(void)os_learn_time();
	if (root.pid <= 0 || run_facts(directory, &facts) != 0)
		return;
	root.start = facts.root_start;
	int followed = process_follow(root.pid);
	while (lives(root))
		if (os_wait_for_end(&root.pid, 1, LOOK_AGAIN_NS) < 0)
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
