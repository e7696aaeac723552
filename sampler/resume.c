/* A run that goes on under another sampler; see state.h.
 *
 * An orderly hand-over leaves the ledger in a file of the run's directory. Its reader is the same version of the same
 * code on the same machine, so the file is plain memory, not a format, and is removed when read. After a disorderly end
 * (the root called exec, or was killed) there is no such file: a new ledger is made from start.csv and exit.csv, and
 * what the rows of process.csv hold already is owed, so that it is not written again. */
#include "sampler/state.h"

struct saved {
	char version[16];
	uint64_t size; /* of this structure and of one member, so that nothing else is taken for it */
	uint64_t member_size;
	uint64_t members;
	struct passed_on passed;
	struct adrift adrift;
};

/* In a mapping, since it is too large for the stack. */
static struct saved *map_saved(void)
{
	return os_map(sizeof(struct saved));
}

static void head(struct saved *saved)
{
	struct buffer version = BUFFER(saved->version);
	buffer_string(&version, RTRACK_VERSION);
	(void)buffer_terminate(&version);
	saved->size = sizeof *saved;
	saved->member_size = sizeof(struct member);
}

static struct text bytes_of(const void *data, size_t size)
{
	return (struct text){data, size};
}

int resume_save(const struct sampler *sampler)
{
	struct saved *saved = map_saved();
	if (!saved)
		return -1;
	head(saved);
	saved->passed = sampler->passed;
	saved->adrift = sampler->ledger.adrift;
	for (size_t i = 0; i < sampler->ledger.top; i++)
		saved->members += sampler->ledger.members[i].used;
	(void)os_remove(sampler->at, SPOOL_STATE_FILE);
	int result = os_create(sampler->at, SPOOL_STATE_FILE, bytes_of(saved, sizeof *saved));
	int file = result == 0 ? os_open_append(sampler->at, SPOOL_STATE_FILE) : -1;
	for (size_t i = 0; file >= 0 && i < sampler->ledger.top; i++) {
		const struct member *member = &sampler->ledger.members[i];
		if (member->used && os_write(file, bytes_of(member, sizeof *member)) != (int64_t)sizeof *member)
			result = -1;
	}
	if (file < 0 || result != 0) {
		(void)os_remove(sampler->at, SPOOL_STATE_FILE);
		result = -1;
	}
	os_close(file);
	os_unmap(saved, sizeof *saved);
	return result;
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
	member->followed = -1;
	if (member->ended)
		ledger->alive--;
}

/* A state that lacks members is none: what the rows have of those would be written again. */
static int load_saved(struct sampler *sampler, int file, struct saved *saved)
{
	if (os_read_at(file, (char *)saved, sizeof *saved, 0) != (int64_t)sizeof *saved ||
		!text_is(text_of(saved->version), RTRACK_VERSION) || saved->size != sizeof *saved ||
		saved->member_size != sizeof(struct member) ||
		os_size(file) != (int64_t)(sizeof *saved + saved->members * sizeof(struct member)))
		return -1;
	sampler->passed = saved->passed;
	sampler->ledger.adrift = saved->adrift;
	for (uint64_t i = 0; i < saved->members; i++) {
		struct member member;
		if (os_read_at(file, (char *)&member, sizeof member, sizeof *saved + i * sizeof member) ==
			(int64_t)sizeof member)
			take_member(&sampler->ledger, &member);
	}
	return 0;
}

/* Adds an earlier row of process.csv to what is owed. */
static void on_earlier_row(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	uint64_t counters[COUNTER_COUNT];

	figures_read_counters(cells, FIGURES_process, counters);
	for (int i = 0; i < COUNTER_COUNT; i++)
		sampler->passed.owed[i] += counters[i];
	int64_t time_ns = (int64_t)figures_whole(cells[PROCESS_timestamp].number, 1e9);
	if (time_ns > sampler->passed.clock.last_ns)
		sampler->passed.clock.last_ns = time_ns;
}

/* Counts what the tracker used in an earlier image of the root: the root's figures include it from now on. */
static void on_earlier_tracker(void *context, const struct cell *cells)
{
	struct sampler *sampler = context;
	uint64_t used_ns = figures_whole(cells[SYSTEM_tracker_cpu].number, 1e9);
	sampler->hosted[COUNTER_SYSTEM_NS] += used_ns;
	sampler->tracker_row_ns += used_ns;
}

static void read_earlier_rows(
	struct sampler *sampler, enum table_id table, void (*row)(void *context, const struct cell *cells))
{
	int file = os_open(sampler->at, tables[table].file);
	uint64_t offset = 0;
	tail_read(file, &offset, &tables[table], sampler->scratch, SAMPLER_SCRATCH_MAX, row, sampler);
	os_close(file);
}

int resume_load(struct sampler *sampler)
{
	int file = os_open(sampler->at, SPOOL_STATE_FILE);
	struct saved *saved = file >= 0 ? map_saved() : NULL;
	int result = saved ? load_saved(sampler, file, saved) : -1;
	if (result != 0) {
		read_earlier_rows(sampler, TABLE_process, on_earlier_row);
		if (sampler->place == SAMPLER_IN_ROOT)
			read_earlier_rows(sampler, TABLE_system, on_earlier_tracker);
	}
	os_unmap(saved, sizeof *saved);
	os_close(file);
	if (file >= 0)
		(void)os_remove(sampler->at, SPOOL_STATE_FILE);
	return result;
}
