/* SPDX-License-Identifier: Apache-2.0 */
/* Continues a run under another sampler.
 *
 * A sampler that hands a run over saves its ledger in a file of the run's directory. The reader is the same version on
 * the same machine, so the file contains plain structs. A state can be read only once. A sampler that may be killed
 * writes the same state every second in place, as a checkpoint. The usage in rows after the checkpoint is recorded as
 * owed: the next sampler subtracts it, so that it is not written twice. Before the first checkpoint, the file contains
 * the state of the control group at the start of the run (sampler/run/make.c).
 *
 * There is no state if the root called exec, or was killed in its first second. A new ledger is then built from
 * start.csv and exit.csv, and the usage in all rows of process.csv is owed. */
#include "sampler/state.h"

#define SPOILT "-" /* written over the first byte of a state after it was read */
#define CHECKPOINTS_NS 1000000000
/* Maximum age of a checkpoint. An older one is rewritten even if nothing has changed, because a clock may have been
 * set. */
#define CHECKPOINT_HOLDS_NS 32000000000

struct saved {
	char version[16];
	/* Sizes of this struct and of struct member. A file with other sizes is rejected. */
	uint64_t size;
	uint64_t member_size;
	/* Number of ledger slots. All slots follow this struct, even unused ones, and after them `generation` again. */
	uint64_t members;
	/* This number is stored before and after the slots. If the two differ, the writer was killed while it
	 * wrote. */
	uint64_t generation;
	bool handed_over; /* false for a checkpoint */
	/* Size of process.csv when the state was saved. The saved ledger does not include later rows. */
	uint64_t process_bytes;
	uint64_t tracker[COUNTER_COUNT]; /* usage of the sampling thread in the root when the state was saved */
	struct passed_on passed;
	struct adrift adrift;
};

static void fill(struct saved *saved, const struct sampler *sampler)
{
	*saved = (struct saved){.size = sizeof *saved};
	struct buffer version = BUFFER(saved->version);
	int64_t bytes = os_size(sampler->files.process);

	buffer_string(&version, RTRACK_VERSION);
	(void)buffer_terminate(&version);
	saved->member_size = sizeof(struct member);
	saved->members = sampler->ledger.top;
	saved->generation = (uint64_t)sampler->passed.clock.last_ns;
	saved->process_bytes = bytes > 0 ? (uint64_t)bytes : 0;
	for (int i = 0; sampler->place == SAMPLER_IN_ROOT && i < COUNTER_COUNT; i++)
		saved->tracker[i] = sampler->tracker.used[i];
	saved->passed = sampler->passed;
	saved->adrift = sampler->ledger.adrift;
}

static bool write_part(int file, const void *data, size_t size, uint64_t *offset)
{
	int64_t written = size == 0 ? 0 : os_write_at(file, (struct text){data, size}, *offset);
	*offset += size;
	return written == (int64_t)size;
}

/* Builds the state in `scratch`, because it is too large for the stack. If the slots fit there too, as in most runs,
 * one write suffices. */
int resume_save(struct sampler *sampler, bool handed_over)
{
	struct saved *saved = (struct saved *)sampler->scratch;
	size_t members = sampler->ledger.top * sizeof(struct member);
	size_t beside = sizeof *saved + members;
	uint64_t offset = 0;
	bool whole;

	fill(saved, sampler);
	saved->handed_over = handed_over;
	int file = os_open_write(sampler->files.at, SPOOL_STATE_FILE);
	if (file < 0)
		return -1;
	if (beside + sizeof saved->generation <= sizeof sampler->scratch) {
		__builtin_memcpy(sampler->scratch + sizeof *saved, sampler->ledger.members, members);
		__builtin_memcpy(sampler->scratch + beside, &saved->generation, sizeof saved->generation);
		whole = write_part(file, saved, beside + sizeof saved->generation, &offset);
	} else {
		whole = write_part(file, saved, sizeof *saved, &offset) &&
			write_part(file, sampler->ledger.members, members, &offset) &&
			write_part(file, &saved->generation, sizeof saved->generation, &offset);
	}
	os_close(file);
	return whole ? 0 : -1;
}

void sampler_checkpoint(struct sampler *sampler)
{
	(void)resume_save(sampler, false);
}

/* Returns a number that grows whenever a checkpoint would change. It is the sum of the bytes read from start.csv and
 * exit.csv, the bytes of member.csv, and the number of out-of-memory kills. */
static uint64_t news(const struct passed_on *passed)
{
	uint64_t sum = passed->offsets.start_offset + passed->offsets.exit_offset + passed->series.member_bytes;

	for (int i = 0; i < 3; i++)
		sum += passed->series.oom_kills[i];
	return sum;
}

void resume_checkpoint(struct sampler *sampler)
{
	int64_t now_ns = sampler->passed.clock.last_boot_ns;
	int64_t age_ns = now_ns - sampler->checkpoint.boot_ns;
	/* `holds` is set while the last checkpoint is current. A checkpoint is never current in the root, where the
	 * sampling thread's usage always grows, or if energy is measured, which always grows. After member.csv has
	 * reached its size limit, changes are unknown, so the checkpoint is rewritten. */
	bool holds = sampler->place != SAMPLER_IN_ROOT && age_ns < CHECKPOINT_HOLDS_NS && !sampler->gpus.wanted &&
		     sampler->passed.series.truncated == TRUNCATED_NOT &&
		     news(&sampler->passed) == sampler->checkpoint.news;

	if (sampler->ledger.alive < (sampler->place == SAMPLER_IN_ROOT ? 2 : 1) || age_ns < CHECKPOINTS_NS || holds ||
		resume_save(sampler, false) != 0)
		return;
	sampler->checkpoint.boot_ns = now_ns;
	sampler->checkpoint.news = news(&sampler->passed);
}

void resume_forget(const struct sampler *sampler)
{
	(void)os_remove(sampler->files.at, SPOOL_STATE_FILE);
}

static void take_member(struct ledger *ledger, const struct member *saved)
{
	int index = ledger_add(ledger, saved->id, saved->ppid);
	if (index == MEMBER_NONE)
		return;
	struct member *member = &ledger->members[index];
	int next = member->next;
	*member = *saved;
	member->next = next;
	member->look.followed = -1;
	member->lines.looks = 0;
	if (member->ended)
		ledger->alive--;
}

static bool is_whole(int file, const struct saved *saved)
{
	uint64_t generation = 0;
	uint64_t end = sizeof *saved + saved->members * sizeof(struct member);

	return text_is(text_of(saved->version), RTRACK_VERSION) && saved->size == sizeof *saved &&
	       saved->member_size == sizeof(struct member) &&
	       os_read_at(file, (char *)&generation, sizeof generation, end) == (int64_t)sizeof generation &&
	       generation == saved->generation;
}

/* Loads a saved state or a checkpoint. A root that has called exec cannot use a checkpoint, because the usage of the
 * previous sampling thread since the checkpoint is unknown. Such a root only loads the state of the control group at
 * the start of the run. This state is also loaded if the file was already read. */
static int load_saved(struct sampler *sampler, int file, struct saved *saved)
{
	struct system_group *begun = &sampler->group_begun;
	int64_t length = os_read_at(file, (char *)saved, sizeof *saved, 0);
	bool taken = saved->version[0] == SPOILT[0];

	if (length == (int64_t)sizeof *begun) {
		__builtin_memcpy(begun, saved, sizeof *begun);
		begun->known = true;
	}
	saved->version[0] = RTRACK_VERSION[0];
	if (length != (int64_t)sizeof *saved || !is_whole(file, saved))
		return -1;
	if (taken || (!saved->handed_over && sampler->place != SAMPLER_IN_KEEPER)) {
		sampler->passed.group = saved->passed.group;
		return -1;
	}
	sampler->passed = saved->passed;
	sampler->ledger.adrift = saved->adrift;
	for (uint64_t i = 0; i < saved->members; i++) {
		struct member member;
		if (os_read_at(file, (char *)&member, sizeof member, sizeof *saved + i * sizeof member) ==
				(int64_t)sizeof member &&
			member.used)
			take_member(&sampler->ledger, &member);
	}
	return 0;
}

/* Adds the usage in an earlier row of process.csv to `owed`, so that it is not written twice. */
static void on_earlier_row(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	uint64_t counters[COUNTER_COUNT];

	figures_read_counters(cells, FIGURES_process, counters);
	for (int i = 0; i < COUNTER_COUNT; i++)
		sampler->passed.accounts.owed[i] += counters[i];
	int64_t time_ns = (int64_t)figures_whole(cells[PROCESS_timestamp].number, 1e9);
	if (time_ns > sampler->passed.clock.last_ns)
		sampler->passed.clock.last_ns = time_ns;
}

/* Adds the tracker's CPU time in the root before an exec, from a row of system.csv. This time is later subtracted from
 * the kernel's figures for the root, which include it. */
static void on_earlier_tracker(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	uint64_t used_ns = figures_whole(cells[SYSTEM_tracker_cpu].number, 1e9);
	sampler->tracker.hosted[COUNTER_SYSTEM_NS] += used_ns;
	sampler->tracker.row_ns += used_ns;
}

/* Before an exec, the root records the tracker's CPU time in its exit row. If this figure is larger than the sum from
 * system.csv, it replaces the sum. */
static void on_earlier_image(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	uint64_t used_ns = figures_whole(cells[EXIT_missing_cpu].number, 1e9);
	if (text_is(cells[EXIT_source].text, "self") && used_ns > figures_cpu_ns(sampler->tracker.hosted))
		sampler->tracker.hosted[COUNTER_SYSTEM_NS] = used_ns - sampler->tracker.hosted[COUNTER_USER_NS];
}

static void read_earlier_rows(struct sampler *sampler, enum table_id table, uint64_t offset,
	void (*row)(void *context, const struct cell *cells))
{
	int file = os_open(sampler->files.at, tables[table].file);
	tail_read(file, &offset, &tables[table], sampler->scratch, SAMPLER_SCRATCH_MAX, row, sampler);
	os_close(file);
}

void leave_to_root(struct sampler *sampler, const uint64_t tracker[COUNTER_COUNT])
{
	int index = ledger_find_alive(&sampler->ledger, sampler->passed.root.id.pid);
	struct member *root = index == MEMBER_NONE ? NULL : &sampler->ledger.members[index];
	for (int i = 0; i < COUNTER_COUNT; i++) {
		uint64_t more = figures_above(tracker[i], sampler->passed.root.tracker[i]);
		if (!root) {
			sampler->passed.accounts.owed[i] += more;
			continue;
		}
		root->accounted[i] += more;
		root->own[i] += more;
		root->row.counters[i] += more;
		sampler->passed.root.tracker[i] += more;
	}
}

int resume_load(struct sampler *sampler)
{
	int file = os_open(sampler->files.at, SPOOL_STATE_FILE);
	/* Allocates memory for the state, because it is too large for the stack and `scratch` is needed for the
	 * rows. */
	struct saved *saved = file >= 0 ? os_map(sizeof *saved) : NULL;
	int result = saved ? load_saved(sampler, file, saved) : -1;
	if (result != 0) {
		read_earlier_rows(sampler, TABLE_process, 0, on_earlier_row);
		if (sampler->place == SAMPLER_IN_ROOT)
			read_earlier_rows(sampler, TABLE_system, 0, on_earlier_tracker);
	} else if (!saved->handed_over) {
		/* Adds the rows that were written after the checkpoint. */
		int64_t last_ns = sampler->passed.clock.last_ns;
		read_earlier_rows(sampler, TABLE_process, saved->process_bytes, on_earlier_row);
		sampler->passed.clock.last_boot_ns += sampler->passed.clock.last_ns - last_ns;
		__builtin_memcpy(sampler->tracker.hosted, saved->tracker, sizeof saved->tracker);
		result = 1;
	}
	if (result != 0)
		read_earlier_rows(sampler, TABLE_exit, 0, on_earlier_image);
	/* A reading of the living root includes the tracker's usage, so the usage must be excluded. The final record of
	 * a dead root already excludes it. */
	struct process_reading root;
	if (sampler->place == SAMPLER_IN_KEEPER &&
		(result > 0 || (result < 0 && process_read(sampler->passed.root.id.pid, false, &root) == 0 &&
				       !members_is_dead(&root))))
		leave_to_root(sampler, sampler->tracker.hosted);
	sampler->rows_unfounded = result < 0 && sampler->place == SAMPLER_IN_KEEPER;
	os_unmap(saved, sizeof *saved);
	os_close(file);
	/* Invalidates the state, which must not be read twice. The file stays, so that the next state needs no new
	 * file. */
	file = os_open_write(sampler->files.at, SPOOL_STATE_FILE);
	(void)os_write_at(file, TEXT(SPOILT), 0);
	os_close(file);
	return result;
}
