/* How much memory members have in their rows: PSS as far as 1 % of the time allows, and what stands for it until then.
 */
#include "sampler/sampler.h"

#include "core/number.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

#define MIB 1024u

static struct sampler *sampler;

static void begin(const char *setting)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_LAUNCHER, setting);
}

static void end(void)
{
	(void)sampler_finish(sampler, 0, 0, false);
	fake_reset();
}

static struct fake_process *fork_with(int parent, uint64_t rss_mib, uint64_t pss_mib)
{
	struct fake_process *made = fake_fork(parent);
	made->rss_kib = made->peak_kib = rss_mib * MIB;
	made->pss_kib = pss_mib * MIB;
	return made;
}

static double memory_of(int pid)
{
	return fake_cell(TABLE_member, fake_row_of(TABLE_member, pid), MEMBER_memory_mib);
}

static double memory_of_run(void)
{
	return fake_cell(TABLE_process, FAKE_LAST, PROCESS_memory_mib);
}

static void check_choice(void)
{
	begin("RTRACK_MEMORY=rss");
	struct fake_process *child = fork_with(FAKE_ROOT, 100, 40);
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 100, "with memory=rss it is RSS");
	is_number(child->pss_readings, 0, "and PSS is never read");
	end();
	begin(NULL);
	child = fork_with(FAKE_ROOT, 100, 40);
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 40, "else PSS");
	is_number(memory_of_run(), 41, "the run's is the sum");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_rss_mib), 101, "beside that of RSS");
	child->io_hidden = true;
	child->rss_kib = 300 * MIB;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 240, "where it cannot be read any more, it follows RSS");
	struct fake_process *hidden = fork_with(FAKE_ROOT, 50, 20);
	hidden->io_hidden = true;
	fake_tick(sampler);
	is_number(memory_of(hidden->id.pid), 50, "where it never could, it is RSS");
	end();
}

static void check_carried(void)
{
	begin(NULL);
	struct fake_process *child = fork_with(FAKE_ROOT, 100, 40);
	child->pss_cost_ns = 90 * (int64_t)FAKE_MS;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 40, "the first reading is in advance of the budget");
	child->rss_kib += 10 * MIB;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 50, "what RSS grows by meanwhile, PSS does too");
	child->rss_kib -= 30 * MIB;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 20, "and what it shrinks by");
	child->rss_kib = 10 * MIB;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 0, "but not below nothing");
	is_number(child->pss_readings, 1, "all that with one reading");
	end();
}

static struct fake_process *growing;

/* Once it has been found, and read. */
static void grow(void)
{
	if (growing->readings == 2 && growing->rss_kib == 454 * MIB) {
		growing->rss_kib += 46 * MIB;
		growing->pss_kib += 46 * MIB;
	}
}

/* A busy machine: what comes between the two readings of a tick is in that of PSS only. */
static void check_grown_meanwhile(void)
{
	begin(NULL);
	growing = fork_with(FAKE_ROOT, 454, 454);
	growing->pss_cost_ns = 90 * (int64_t)FAKE_MS;
	fake_meanwhile = grow;
	fake_tick(sampler);
	fake_meanwhile = NULL;
	ok(growing->rss_kib == 500 * MIB, "a process grows when its RSS has been read");
	is_number(memory_of(growing->id.pid), 500, "its PSS is that of the reading");
	fake_tick(sampler);
	is_number(memory_of_run(), 501, "and what is in it is not carried on top of it");
	is_number(growing->pss_readings, 1, "... as the next reading is to come");
	end();

	begin(NULL);
	growing = fork_with(FAKE_ROOT, 454, 400);
	growing->late_kib = 9 * MIB;
	fake_tick(sampler);
	is_number(memory_of(growing->id.pid), 400, "pages that are counted late change nothing");
	end();
}

/* All readings of a run together get 1 % of the time, and a little in advance; each has its turn. */
static void check_budget(void)
{
	enum { MANY = 30, SECONDS = 400, COST_MS = 8 };
	struct fake_process *members[MANY];
	unsigned readings = 0, least = UINT32_MAX;

	begin(NULL);
	for (int i = 0; i < MANY; i++) {
		members[i] = fork_with(FAKE_ROOT, i % 2 == 0 ? 400 : 40, 30);
		members[i]->pss_cost_ns = i % 2 == 0 ? COST_MS * (int64_t)FAKE_MS : (int64_t)FAKE_MS / 5;
	}
	for (int second = 0; second < SECONDS; second++) {
		for (int i = 0; i < MANY; i++)
			members[i]->rss_kib += i % 3 == 0 ? 4 : 0;
		fake_tick(sampler);
	}
	int64_t spent_ns = 0;
	for (int i = 0; i < MANY; i++) {
		readings += members[i]->pss_readings;
		least = members[i]->pss_readings < least ? members[i]->pss_readings : least;
		spent_ns += members[i]->pss_readings * members[i]->pss_cost_ns;
	}
	printf("# %u readings, the fewest of one member %u, %.0f ms\n", readings, least, (double)spent_ns / 1e6);
	ok(spent_ns <= SECONDS * FAKE_SECOND / 100 + 200 * (int64_t)FAKE_MS, "readings take 1 % of the time");
	ok(spent_ns >= SECONDS * FAKE_SECOND / 200, "and do not leave half of that unused");
	ok(least >= 5, "no large one waits for ever behind small ones");
	end();
}

/* What a fork shares makes every earlier reading of the family wrong. */
static void check_family(void)
{
	enum { WORKERS = 4 };
	struct fake_process *workers[WORKERS];

	begin(NULL);
	struct fake_process *root = fake_process(FAKE_ROOT);
	root->image = 9;
	root->rss_kib = root->pss_kib = 500 * MIB;
	fake_tick(sampler);
	is_number(memory_of_run(), 500, "a process with much memory");
	for (int i = 0; i < WORKERS; i++) {
		workers[i] = fork_with(FAKE_ROOT, 500, 100);
		workers[i]->image = 9;
		workers[i]->pss_cost_ns = (int64_t)FAKE_MS;
	}
	root->pss_kib = 100 * MIB;
	fake_tick(sampler);
	is_number(memory_of_run(), 500, "forks that share it: the sum stays, since all are read at once");
	end();

	begin(NULL);
	root = fake_process(FAKE_ROOT);
	root->image = 9;
	root->rss_kib = root->pss_kib = 500 * MIB;
	root->pss_cost_ns = 200 * (int64_t)FAKE_MS;
	fake_tick(sampler);
	for (int i = 0; i < WORKERS; i++) {
		workers[i] = fork_with(FAKE_ROOT, 500, 100);
		workers[i]->image = 9;
	}
	fake_tick(sampler);
	is_number(memory_of_run(), 500, "where there is no time for that, each counts its part");
	is_number(workers[0]->pss_readings, 0, "(none was read)");
	end();

	begin(NULL);
	root = fake_process(FAKE_ROOT);
	root->image = 9;
	root->rss_kib = root->pss_kib = 500 * MIB;
	root->pss_cost_ns = 60 * (int64_t)FAKE_MS;
	for (int i = 0; i < WORKERS; i++) {
		workers[i] = fork_with(FAKE_ROOT, 500, 140);
		workers[i]->image = 9;
		workers[i]->pss_cost_ns = 60 * (int64_t)FAKE_MS;
	}
	root->pss_kib = 140 * MIB;
	fake_tick(sampler);
	is_number(memory_of_run(), 700,
		"where there is time for one, that speaks for all, with what each has of its own");
	end();
}

/* Each has 50 MiB of its own, and 450 MiB belong to all. */
static void share_among(struct fake_process *const *family, int count)
{
	for (int i = 0; i < count; i++)
		family[i]->pss_kib = (50 + 450 / (uint64_t)count) * MIB;
}

/* There is time for one reading at first, and for one more later: what it says is divided anew as the family grows and
 * shrinks. */
static void check_size_of_family(void)
{
	enum { FEW = 5, MANY = 50 };
	struct fake_process *family[MANY];

	begin(NULL);
	family[0] = fake_process(FAKE_ROOT);
	for (int i = 0; i < MANY; i++) {
		if (i == FEW) {
			share_among(family, FEW);
			fake_tick(sampler);
			is_number(memory_of_run(), FEW * 50 + 450, "a small family, of which one was read");
		}
		if (i > 0)
			family[i] = fork_with(FAKE_ROOT, 500, 0);
		family[i]->rss_kib = 500 * MIB;
		family[i]->image = 9;
		family[i]->pss_cost_ns = 60 * (int64_t)FAKE_MS;
	}
	share_among(family, MANY);
	fake_tick(sampler);
	is_number(memory_of_run(), MANY * 50 + 450, "a large one, by the same reading");
	for (int i = MANY - 1; i >= FEW; i--)
		fake_end(family[i]->id.pid, 0);
	share_among(family, FEW);
	fake_tick(sampler);
	is_number(memory_of_run(), FEW * 50 + 450, "a small one again");
	end();
}

/* There is no time for any reading after the first. */
static void check_changing_family(void)
{
	enum { WORKERS = 6, ROUNDS = 4 };
	struct fake_process *workers[WORKERS] = {NULL};

	begin(NULL);
	struct fake_process *root = fake_process(FAKE_ROOT);
	root->image = 9;
	root->rss_kib = root->pss_kib = 490 * MIB;
	root->pss_cost_ns = 200 * (int64_t)FAKE_MS;
	fake_tick(sampler);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < WORKERS; i++) {
			if (workers[i])
				fake_end(workers[i]->id.pid, 0);
			workers[i] = fork_with(FAKE_ROOT, 490, 70);
			workers[i]->image = 9;
		}
		fake_tick(sampler);
		is_number(memory_of_run(), 490, "as many forks end as begin: they have their part, and no more");
	}
	for (int i = 0; i < WORKERS; i++)
		fake_end(workers[i]->id.pid, 0);
	fake_tick(sampler);
	is_number(memory_of_run(), 490, "all end: it is the parent's again");
	end();
}

static void check_lodger(void)
{
	begin(NULL);
	struct fake_process *root = fake_process(FAKE_ROOT);
	root->image = 9;
	root->rss_kib = root->pss_kib = 500 * MIB;
	fake_tick(sampler);
	struct fake_process *lodger = fork_with(FAKE_ROOT, 500, 500);
	lodger->image = 9;
	lodger->lodges = true;
	fake_tick(sampler);
	is_number(memory_of_run(), 500, "a child of vfork has no memory of its own");
	lodger->image = 10;
	lodger->lodges = false;
	lodger->rss_kib = lodger->pss_kib = 3 * MIB;
	fake_tick(sampler);
	is_number(memory_of_run(), 503, "... until it executes");
	end();
}

enum { FORKS = 4 };
static struct fake_process *forks_of_one[FORKS];
static unsigned readings_before;

/* The last two are gone when all have been read, and what they shared is the others'. */
static void part(void)
{
	if (!forks_of_one[3] || forks_of_one[3]->readings == readings_before)
		return;
	for (int i = 2; i < FORKS; i++) {
		fake_end(forks_of_one[i]->id.pid, 0);
		forks_of_one[i] = NULL;
	}
	forks_of_one[0]->pss_kib = forks_of_one[1]->pss_kib = 250 * MIB;
}

static void check_parting(void)
{
	begin(NULL);
	for (int i = 0; i < FORKS; i++) {
		forks_of_one[i] = i == 0 ? fake_process(FAKE_ROOT) : fork_with(FAKE_ROOT, 500, 125);
		forks_of_one[i]->rss_kib = 500 * MIB;
		forks_of_one[i]->pss_kib = 125 * MIB;
		forks_of_one[i]->image = 9;
		forks_of_one[i]->minor_faults = 1000;
	}
	fake_tick(sampler);
	is_number(memory_of_run(), 500, "forks that share 500 MiB");
	forks_of_one[1]->minor_faults += 100 * MIB / 4;
	forks_of_one[1]->pss_kib += 75 * MIB;
	forks_of_one[1]->used[COUNTER_USER_NS] += FAKE_MS;
	fake_tick(sampler);
	is_number(memory_of_run(), 575, "one has made some of it its own, which takes faults");
	forks_of_one[1]->pss_kib -= 75 * MIB;
	forks_of_one[1]->minor_faults++;
	fake_tick(sampler);
	for (int i = 0; i < FORKS; i++)
		forks_of_one[i]->minor_faults += 3;
	readings_before = forks_of_one[3]->readings;
	fake_meanwhile = part;
	fake_tick(sampler);
	fake_meanwhile = NULL;
	ok(!forks_of_one[3], "two end when all have been read");
	is_number(memory_of_run(), 500, "what they leave to the others is not counted for both");
	fake_tick(sampler);
	is_number(memory_of_run(), 500, "at the next tick it is the others'");
	is_number(memory_of(forks_of_one[1]->id.pid), 250, "... a half for each");
	end();
}

static unsigned readings_of(struct fake_process **forks, int count)
{
	unsigned readings = 0;

	for (int i = 0; i < count; i++)
		readings += forks[i]->pss_readings;
	return readings;
}

/* Forks that wait, and are as large as one that was read. */
static void check_resting(void)
{
	enum { RESTING = 120, TICKS = 10, TICKS_FOR_ALL = 400 };
	struct fake_process *forks[RESTING];

	begin(NULL);
	fake_clocks = true;
	for (int i = 0; i < RESTING; i++) {
		forks[i] = fork_with(FAKE_ROOT, 4, 1);
		forks[i]->image = 9;
		forks[i]->used[COUNTER_USER_NS] = FAKE_MS;
		forks[i]->pss_cost_ns = (int64_t)FAKE_MS;
	}
	for (int i = 0; i < 4; i++)
		fake_tick(sampler);
	unsigned before = readings_of(forks, RESTING);
	for (int i = 0; i < TICKS; i++)
		fake_tick(sampler);
	unsigned after = readings_of(forks, RESTING);
	ok(before < RESTING && after > before, "forks that rest are read in time");
	/* Of those that are read all the same now and then some are among them. */
	ok(after - before <= 2 * TICKS, "in a sixteenth of the budget");
	is_number(memory_of_run(), RESTING + 1, "until then the reading of a relative stands for each");
	for (int i = 0; i < TICKS_FOR_ALL; i++)
		fake_tick(sampler);
	int unread = 0;
	for (int i = 0; i < RESTING; i++)
		unread += forks[i]->pss_readings == 0;
	is_number(unread, 0, "at last each has been read itself");
	end();
}

static void works(struct fake_process *process, int ticks)
{
	for (int i = 0; i < ticks; i++) {
		process->used[COUNTER_USER_NS] += 1000000;
		fake_tick(sampler);
	}
}

/* Without a fault no page comes. */
static void check_faults(void)
{
	begin(NULL);
	struct fake_process *told = fork_with(FAKE_ROOT, 100, 40);
	told->minor_faults = 1000;
	works(told, 10);
	is_number(told->pss_readings, 1, "a process that works and takes no fault is read once");
	told->minor_faults++;
	works(told, 10);
	is_number(told->pss_readings, 2, "after a fault once more");
	told->used[COUNTER_MAJOR_FAULTS]++;
	works(told, 10);
	is_number(told->pss_readings, 3, "and after one that waited for a disk");
	told->rss_kib -= MIB;
	told->pss_kib -= MIB;
	works(told, 10);
	is_number(told->pss_readings, 4, "and when pages are gone");
	is_number(memory_of(told->id.pid), 39, "which is in its row");
	works(told, 40);
	is_number(told->pss_readings, 5, "and at times, since others may share its pages");
	struct fake_process *other = fork_with(FAKE_ROOT, 100, 50);
	works(told, 2);
	is_number(told->pss_readings, 6, "when a process comes that shares pages");
	fake_end(other->id.pid, 0);
	works(told, 2);
	is_number(told->pss_readings, 7, "and when he is gone");
	struct fake_process *untold = fork_with(FAKE_ROOT, 100, 40);
	works(untold, 10);
	ok(untold->pss_readings >= 10, "where faults are not told, each time");
	end();
}

/* The last row comes while the job's end is waited for. */
static void check_hurry(void)
{
	begin(NULL);
	struct fake_process *large = fork_with(FAKE_ROOT, 2000, 900);
	(void)sampler_finish(sampler, 0, 0, false);
	is_number(large->pss_readings, 0, "nothing large is read at the end");
	is_number(memory_of(large->id.pid), 2000, "its RSS stands for it");
	fake_reset();
}

int main(void)
{
	check_choice();
	check_carried();
	check_grown_meanwhile();
	check_budget();
	check_family();
	check_size_of_family();
	check_changing_family();
	check_lodger();
	check_parting();
	check_resting();
	check_faults();
	check_hurry();
	return done();
}
