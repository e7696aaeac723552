/* SPDX-License-Identifier: Apache-2.0 */
/* Records the ends of processes that wrote no exit row. Determines their final figures and an upper bound on missing
 * CPU time, and writes the row.
 *
 * A zombie's figures do not change until it is reaped, so they are exact. For a process that is gone, only its last
 * reading is known. Its parent's figures may include the rest. */
#include "os/last_word.h"
#include "sampler/state.h"

void ends_note_root(struct sampler *sampler, int exit_code, int exit_signal, bool lost)
{
	enum { KILLED = 9 };
	struct system_oom oom = system_oom(sampler->system);
	struct passed_on *passed = &sampler->passed;

	if (passed->root.ended)
		return;
	passed->root.ended = true;
	passed->root.lost = lost;
	passed->root.exit_code = exit_code;
	passed->root.exit_signal = exit_signal;
	/* The kernel counts an out-of-memory kill before the victim ends, so the last row may already contain it. The
	 * count is therefore compared with the count of an earlier row. */
	passed->root.killer = lost || exit_signal == KILLED ? last_killer_since(oom.file, passed->series.oom_kills[0])
							    : KILLER_UNKNOWN;
	if (passed->root.at_cpu_limit && (lost || exit_signal > 0) && passed->root.killer != KILLER_OOM)
		passed->root.killer = KILLER_CPU_LIMIT;
}

/* Writes the exit row of a process whose `status` has the format of wait(2). */
static void announce_status(struct sampler *sampler, struct member *member, uint32_t status, int64_t missing_ns)
{
	int signal = (int)(status & 0x7f);
	int code = signal ? -1 : (int)(status >> 8 & 0xff);
	announce_exit(sampler, member, code, signal, "sampler", missing_ns);
	if (sampler_is_root(sampler, member->id))
		ends_note_root(sampler, code, signal, false);
}

/* Returns whether the parent's figures include the usage of a process that is gone. A living parent has reaped the
 * process. If the parent ignores SIGCHLD, however, the usage is lost. If the parent has ended too, rtrack-run has
 * adopted and reaped the process. Without rtrack-run, the result is false. */
static bool is_reaped(const struct sampler *sampler, const struct member *member)
{
	int index = ledger_find_alive(&sampler->ledger, member->ppid);
	const struct member *parent = index == MEMBER_NONE ? NULL : &sampler->ledger.members[index];

	if (!parent || !(parent->look.unknown || (parent->look.fresh && !members_is_dead(&parent->reading))))
		return sampler->place == SAMPLER_IN_LAUNCHER && !ledger_has_ignoring(&sampler->ledger, member->ppid);
	return !parent->look.ignores;
}

/* Returns the upper bound on the CPU time that a process may have used since its last reading: the elapsed time
 * multiplied by the number of CPUs. The bound is 0 if the parent's figures include this usage. */
static int64_t missing_ns(const struct sampler *sampler, const struct member *member)
{
	int64_t since_ns = process_started_ns(member->id.start);
	if (is_reaped(sampler, member))
		return 0;
	if (member->look.sampled && sampler->passed.clock.last_boot_ns > since_ns)
		since_ns = sampler->passed.clock.last_boot_ns;
	int64_t lived_ns = os_since_boot_ns() - since_ns;
	return lived_ns > 0 ? lived_ns * system_cpus(sampler->system) : 0;
}

/* Reads the final record of the root, if the root hosted the previous sampler. */
static bool take_last_word(struct sampler *sampler, struct last *last)
{
	if (sampler->place != SAMPLER_IN_KEEPER || !last_read(last, sampler->files.at, sampler->passed.root.id))
		return false;
	(void)os_remove(sampler->files.at, SPOOL_LAST_FILE);
	/* The final record has a newer count of kills than the checkpoint. An earlier kill of another process is then
	 * not mistaken for a kill of the root. */
	if (last->said.kills.file.length > 0)
		sampler->passed.series.oom_kills[0] = last->said.kills.count;
	sampler->passed.root.at_cpu_limit = last->at_cpu_limit;
	return true;
}

void ends_take_last_word(struct sampler *sampler)
{
	int index = ledger_find_alive(&sampler->ledger, sampler->passed.root.id.pid);
	const struct member *root = index == MEMBER_NONE ? NULL : &sampler->ledger.members[index];
	uint32_t status = 0;
	struct last last;

	if (!root || root->look.listed || root->look.unknown || !take_last_word(sampler, &last))
		return;
	bool known = process_wait_status(root->look.followed, &status) == 0 ||
		     process_wait_status(sampler->root_followed, &status) == 0;
	int signal = (int)(status & 0x7f);
	/* If the record is old, the root has executed a program that does not load the library. */
	double silent = (double)os_now_ns() / 1e9 - last.time;
	bool parted = silent > 2 * (double)sampler->passed.clock.interval_ns / 1e9 + 1;
	last_append_exit(&last, sampler->files.at, known && signal == 0 ? (int)(status >> 8 & 0xff) : -1, signal,
		parted ? silent * system_cpus(sampler->system) : UNKNOWN);
}

static void say_gone(struct sampler *sampler, struct member *member)
{
	bool root = sampler_is_root(sampler, member->id);
	uint32_t status = 0;
	bool known = process_wait_status(member->look.followed, &status) == 0 ||
		     (root && process_wait_status(sampler->root_followed, &status) == 0);

	member->record.exit_pending = false;
	if (known)
		announce_status(sampler, member, status, member->record.missing_ns);
	else
		announce_exit(sampler, member, -1, 0, "sampler", member->record.missing_ns);
	if (root && !known)
		ends_note_root(sampler, -1, 0, true);
}

/* Records the end of a process that is gone, with the figures of its last reading. */
static struct member *account_gone(struct sampler *sampler, int index)
{
	struct member *member = &sampler->ledger.members[index];

	member->record.missing_ns = missing_ns(sampler, member);
	ledger_end(&sampler->ledger, index, NULL, NULL);
	member->record.gone_without_row = member->record.exit_pending = true;
	return member;
}

void ends_say_gone(struct sampler *sampler)
{
	for (size_t i = 0; sampler->exit_rows_pending && i < sampler->ledger.top; i++) {
		struct member *member = &sampler->ledger.members[i];
		if (member->used && member->record.gone_without_row && member->record.exit_pending)
			say_gone(sampler, member);
	}
	sampler->exit_rows_pending = false;
}

/* Reads the tracker's CPU time and the root's peak memory from the final record of a root that is a zombie. For a
 * zombie, the kernel reports no memory, and a CPU time that includes the sampling thread. */
static void take_beside_zombie(struct sampler *sampler, struct member *root)
{
	uint64_t tracker[COUNTER_COUNT];
	struct last last;

	if (!take_last_word(sampler, &last))
		return;
	uint64_t peak_kib = figures_whole(last.peak_mib, KIB_PER_MIB);
	if (peak_kib > root->peak_rss_kib)
		root->peak_rss_kib = peak_kib;
	for (int i = 0; i < COUNTER_COUNT; i++)
		tracker[i] = sampler->passed.root.tracker[i];
	uint64_t all = last.said.tracker_us * 1000, system = tracker[COUNTER_SYSTEM_NS];
	if (all > tracker[COUNTER_USER_NS] + system)
		tracker[COUNTER_SYSTEM_NS] = all - tracker[COUNTER_USER_NS];
	leave_to_root(sampler, tracker);
}

static void end_zombie(struct sampler *sampler, int index)
{
	struct member *member = &sampler->ledger.members[index];

	if (sampler_is_root(sampler, member->id))
		take_beside_zombie(sampler, member);
	cpu_wait_end(sampler, member, &member->reading);
	/* Counts the last usage as the usage of a living process. Otherwise it would be attributed to the children of
	 * the process. The reading also has the current parent. */
	ledger_read(&sampler->ledger, index, &member->reading);
	members_keep(member, &member->reading);
	announce_status(sampler, member, member->reading.wait_status, EXACT);
	ledger_end(&sampler->ledger, index, NULL, member->reading.inclusive);
}

/* Records ends in a certain order. Processes that are gone come first, because the figures of a zombie include the
 * children that it has reaped. Zombies that were read before the tick and are gone now come next. Among them, the
 * youngest comes first, because its parent was read later. Other zombies come last. */
void ends_find(struct sampler *sampler)
{
	struct ledger *ledger = &sampler->ledger;
	struct process_reading again;

	for (size_t i = 0; i < ledger->top; i++)
		if (ledger->members[i].used && !ledger->members[i].ended && !ledger->members[i].look.listed &&
			!ledger->members[i].look.unknown)
			say_gone(sampler, account_gone(sampler, (int)i));
	for (size_t i = ledger->top; i-- > 0;)
		if (ledger->members[i].look.caught && !ledger->members[i].ended &&
			members_look(&ledger->members[i], false, &again) == SIGHT_GONE)
			end_zombie(sampler, (int)i);
	for (size_t i = 0; i < ledger->top; i++) {
		const struct member *member = &ledger->members[i];
		if (member->used && !member->ended && member->look.fresh && members_is_dead(&member->reading) &&
			!sampler_reaps(sampler, member->reading.ppid))
			end_zombie(sampler, (int)i);
	}
}

void ends_of_descendants(struct sampler *sampler, int pid)
{
	struct ledger *ledger = &sampler->ledger;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		struct process_reading reading;
		if (!member->used || member->ended || member->id.pid == pid ||
			!ledger_may_descend(ledger, member->ppid, pid))
			continue;
		enum sight sight = members_look(member, false, &reading);
		if (sight == SIGHT_SEEN)
			member->ppid = reading.ppid;
		else if (sight == SIGHT_GONE) {
			(void)account_gone(sampler, (int)i);
			sampler->exit_rows_pending = true;
		}
	}
}
