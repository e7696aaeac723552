/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of a root that is killed together with the sampler in it: of the checkpoint that it wrote just before, and of
 * the keeper that takes over. */
#define _GNU_SOURCE
#include "core/number.h"
#include "core/spool.h"
#include "os/clock.h"
#include "os/file.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#include <string.h>

#define LAST_FILE FAKE_RUN "/" SPOOL_LAST_FILE
#define STATE_FILE FAKE_RUN "/" SPOOL_STATE_FILE

enum { KILLED = 9 };

static void work(int pid, int ms)
{
	struct fake_process *process = fake_process(pid);
	process->used[COUNTER_USER_NS] += (uint64_t)ms * FAKE_MS;
	process->rss_kib = process->pss_kib = process->peak_kib += 1024;
}

static double cpu(void)
{
	return fake_sum(TABLE_process, PROCESS_utime) + fake_sum(TABLE_process, PROCESS_stime);
}

static double cpu_of(int pid)
{
	int row = fake_row_of(TABLE_exit, pid);
	return row < 0 ? UNKNOWN : fake_cell(TABLE_exit, row, EXIT_utime) + fake_cell(TABLE_exit, row, EXIT_stime);
}

static struct spool_last last_word(void)
{
	struct spool_last last = {0};
	const char *text = fake_read(LAST_FILE);
	ok(text && spool_parse_last((struct text){text, strlen(text)}, &last), "the last record can be read");
	return last;
}

static bool says(struct text row, const char *what)
{
	return memmem(row.data, row.length, what, strlen(what)) != NULL;
}

static void pulse(struct sampler *sampler)
{
	fake_pass(SAMPLER_RENEWAL_NS);
	sampler_renew_last_row(sampler);
}

static void check_word(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	fake_says_start(FAKE_ROOT);
	work(FAKE_ROOT, 100);
	fake_tick(sampler);
	ok(says(last_word().process_row, ",0.000000,0.000000,"), "after a tick, the pending row is empty");
	ok(says(last_word().exit_row, ",0.100000,0.000000,"), "the root's own usage is recorded");
	work(FAKE_ROOT, 30);
	pulse(sampler);
	ok(says(last_word().process_row, ",0.030000,0.000000,"),
		"between two ticks, the pending row has the usage since the tick");
	ok(says(last_word().exit_row, ",0.130000,0.000000,3.000,"), "the record has the current peak");
	work(FAKE_ROOT, 0);
	char before[SPOOL_LAST_SIZE + 1];
	(void)memcpy(before, fake_read(LAST_FILE), sizeof before);
	pulse(sampler);
	is_text(fake_read(LAST_FILE), before, "without usage, nothing is written");
	int child = fake_fork(FAKE_ROOT)->id.pid;
	fake_tick(sampler);
	work(child, 40);
	fake_end(child, 0);
	pulse(sampler);
	ok(says(last_word().process_row, ",0.000000,0.000000,"), "a child's usage is not the root's own");
	ok(says(last_word().exit_row, ",0.040000,0.000000,"), "a child's usage is in the root's account of children");
	fake_tracker[COUNTER_SYSTEM_NS] += 5 * FAKE_MS;
	work(FAKE_ROOT, 10);
	pulse(sampler);
	ok(says(last_word().process_row, ",0.010000,0.000000,"), "the tracker's usage is not in the pending row");
	is_number((double)last_word().tracker_us, 5000, "the tracker's usage is recorded separately");
	is_number((double)strlen(fake_read(LAST_FILE)), SPOOL_LAST_SIZE, "the file never grows");
	(void)sampler_finish(sampler, 0, 0, false);
	ok(!fake_read(LAST_FILE) && !fake_read(STATE_FILE), "a finished run has no last record");
	fake_reset();
}

/* Counts the renewals of a root's last record, and the wake-ups of the thread for them, during 300 s of a working root.
 * The rule: every 50 ms or 1 % of the age, whichever is more, and at each tick. */
static void check_rule(void)
{
	enum { SECONDS = 300, OLD = 100, INTERVAL_NS = 1000000000 };
	int wakes = 0, writes = 0, old_wakes = 0, old_ticks = 0, late = 0, early = 0, skipped = 0;
	char before[SPOOL_LAST_SIZE + 1] = "";
	int64_t written_ns = 0;

	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, "RTRACK_INTERVAL=10");
	fake_says_start(FAKE_ROOT);
	fake_pass((OLD - 1) * (int64_t)FAKE_SECOND);
	ok(sampler_renewal_ns(sampler) < (int64_t)FAKE_SECOND, "a root of 99 s wakes up between ticks of 10 s");
	fake_pass(2 * FAKE_SECOND);
	ok(sampler_renewal_ns(sampler) == 10 * (int64_t)FAKE_SECOND, "a root of 101 s wakes up for ticks only");
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	fake_says_start(FAKE_ROOT);
	int64_t begun_ns = process_started_ns(fake_process(FAKE_ROOT)->id.start);
	for (int64_t age_ns = 0; age_ns < (int64_t)SECONDS * INTERVAL_NS; age_ns = os_since_boot_ns() - begun_ns) {
		int64_t wait_ns = sampler_wait_ns(sampler), pulse_ns = sampler_renewal_ns(sampler);
		bool between = wait_ns > pulse_ns;
		early += pulse_ns < SAMPLER_RENEWAL_NS || pulse_ns < age_ns / 100;
		fake_pass(between ? pulse_ns : wait_ns);
		work(FAKE_ROOT, 1);
		if (between)
			sampler_renew_last_row(sampler);
		else
			sampler_tick(sampler);
		wakes++;
		old_wakes += age_ns >= (int64_t)OLD * INTERVAL_NS;
		old_ticks += age_ns >= (int64_t)OLD * INTERVAL_NS && !between;
		/* A tick within 10 ms after a renewal does not renew the record again. */
		if (strcmp(before, fake_read(LAST_FILE)) == 0) {
			skipped++;
			continue;
		}
		(void)memcpy(before, fake_read(LAST_FILE), sizeof before);
		int64_t now_ns = os_since_boot_ns(), most_ns = pulse_ns < INTERVAL_NS ? pulse_ns : INTERVAL_NS;
		late += writes > 0 && now_ns - written_ns > most_ns + 10 * (int64_t)FAKE_MS;
		written_ns = now_ns;
		writes++;
	}
	is_number(early, 0, "no renewal between two ticks is earlier than 50 ms or 1 % of the age");
	is_number(late, 0, "no renewal is later than that, or than an interval");
	is_number(old_wakes, old_ticks, "after 100 s the thread wakes up for ticks alone");
	is_number(old_ticks, SECONDS - OLD, "there is one tick a second");
	printf("# %d wake-ups, %d writes\n", wakes, writes);
	ok(wakes == writes + skipped && skipped < 5 && wakes < 700,
		"each wake-up writes a renewal, since the root works");
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static void check_full_disk(void)
{
	fake_reset();
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	fake_tick(sampler);
	fake_faults.disk_left = 0;
	work(FAKE_ROOT, 30);
	pulse(sampler);
	ok(says(last_word().exit_row, ",0.030000,0.000000,"), "a disk that is full by now makes no difference");
	fake_kill_self();
	fake_reset();
	fake_faults.disk_left = 4000;
	sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	ok(!sampler || !fake_read(LAST_FILE), "a disk that is full from the start gives no last record");
	if (sampler)
		fake_kill_self();
	fake_reset();
}

struct end {
	const char *what;
	bool zombie;     /* the root is still a zombie when the keeper reads it */
	bool without;    /* there is no checkpoint */
	bool other_dies; /* another process of the run dies with the root, unnoticed */
};

static void check_takeover(const struct end *end)
{
	fake_reset();
	printf("# %s\n", end->what);
	struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	fake_says_start(FAKE_ROOT);
	int lives = fake_fork(FAKE_ROOT)->id.pid, dies = fake_fork(FAKE_ROOT)->id.pid;
	work(FAKE_ROOT, 1000);
	work(lives, 500);
	work(dies, 300);
	fake_tick(sampler);
	work(FAKE_ROOT, 1000);
	work(lives, 500);
	fake_tracker[COUNTER_SYSTEM_NS] = 3 * FAKE_MS;
	fake_tick(sampler);
	work(FAKE_ROOT, 400);
	work(lives, 100);
	pulse(sampler);
	const double known = 2.4;
	/* It is unknown to which process the usage in the rows belongs. */
	const double lost = end->other_dies && end->without ? 0.3 : 0;
	fake_kill_self();
	fake_host = 0;
	fake_process(FAKE_ROOT)->used[COUNTER_SYSTEM_NS] += fake_tracker[COUNTER_SYSTEM_NS];
	fake_tracker[COUNTER_SYSTEM_NS] = 0;
	if (end->other_dies)
		fake_end(dies, KILLED);
	fake_process(FAKE_ROOT)->ppid = FAKE_SELF; /* Otherwise init would reap it at once. */
	fake_exit(FAKE_ROOT, KILLED);
	if (!end->zombie)
		fake_reap(FAKE_ROOT);
	if (end->without)
		(void)os_remove(OS_HERE, STATE_FILE);
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	fake_tick(sampler);
	is_number(cpu(), known + 1.1 + 0.3 - lost, "all usage is in the rows");
	is_number(cpu_of(FAKE_ROOT), known, "the root's own usage is in its record");
	is_number(fake_cell(TABLE_exit, fake_row_of(TABLE_exit, FAKE_ROOT), EXIT_peak_rss_mib), 4, "with its peak");
	ok(!fake_read(LAST_FILE), "the last record was used and removed");
	work(lives, 200);
	fake_tick(sampler);
	is_number(cpu(), known + 1.3 + 0.3 - lost, "later usage is added");
	(void)sampler_finish(sampler, -1, 0, false);
	ok(fake_run_says("\"status\": \"killed\""), "the run was killed");
	fake_reset();
}

/* The kernel counts a kill before the victim is dead. */
static void check_oom(void)
{
	enum { EARLY, LATE, NEVER, CASES };
	for (int when = 0; when < CASES; when++) {
		fake_reset();
		fake_write("/sys/oom", "4");
		struct sampler *sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
		fake_says_start(FAKE_ROOT);
		(void)fake_fork(FAKE_ROOT);
		for (int i = 0; i < 3; i++)
			fake_tick(sampler);
		work(FAKE_ROOT, 10);
		if (when == EARLY)
			fake_write("/sys/oom", "5");
		fake_tick(sampler);
		is_number((double)last_word().kills.count, 4, "the count before the last row is kept");
		fake_kill_self();
		fake_host = 0;
		if (when == LATE)
			fake_write("/sys/oom", "5");
		fake_exit(FAKE_ROOT, KILLED);
		sampler = fake_run_open(SAMPLER_IN_KEEPER);
		fake_tick(sampler);
		(void)sampler_finish(sampler, -1, 0, false);
		if (when == NEVER)
			ok(fake_run_says("\"killed_by\": \"signal\""), "without a new kill, the cause is a signal");
		else
			ok(fake_run_says("\"killed_by\": \"oom\""), "with a new kill, the cause is the OOM killer");
	}
	fake_reset();
}

int main(void)
{
	static const struct end ends[] = {
		{"the root is reaped at once", false, false, false},
		{"the root is still a zombie", true, false, false},
		{"the root is reaped, and there is no checkpoint", false, true, false},
		{"a child dies with the root", false, false, true},
		{"a child dies with the root, and there is no checkpoint", false, true, true},
	};
	check_word();
	check_rule();
	check_full_disk();
	for (size_t i = 0; i < ARRAY_LENGTH(ends); i++)
		check_takeover(&ends[i]);
	check_oom();
	return done();
}
