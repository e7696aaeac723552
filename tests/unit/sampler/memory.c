/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the memory of processes in rows. Reading PSS takes at most 1 % of the time, and the memory of other
 * processes is estimated. */
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

static double file_of(int pid)
{
	return fake_cell(TABLE_member, fake_row_of(TABLE_member, pid), MEMBER_memory_file_mib);
}

/* The tolerance is an amount of memory for which no reading is made. */
static void near_run(double mib, const char *what)
{
	double memory = memory_of_run();

	ok(memory > mib - 2 && memory < mib * 1.03 + 2, what);
	if (!(memory > mib - 2 && memory < mib * 1.03 + 2))
		printf("# %.3f MiB, not %.0f\n", memory, mib);
}

static void works(struct fake_process *process, int ticks)
{
	for (int i = 0; i < ticks; i++) {
		process->used[COUNTER_USER_NS] += 1000000;
		fake_tick(sampler);
	}
}

static void check_choice(void)
{
	begin("RTRACK_MEMORY=rss");
	struct fake_process *child = fork_with(FAKE_ROOT, 50, 40);
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 50, "with RTRACK_MEMORY=rss, memory is RSS");
	is_number(child->pss_readings, 0, "with RTRACK_MEMORY=rss, PSS is never read");
	end();
	begin(NULL);
	child = fork_with(FAKE_ROOT, 50, 40);
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 40, "by default, memory is PSS");
	is_number(memory_of_run(), 41, "the run's memory is the sum");
	is_number(fake_cell(TABLE_process, FAKE_LAST, PROCESS_rss_mib), 51, "RSS is in its own column");
	struct fake_process *grown = fork_with(FAKE_ROOT, 50, 60);
	fake_tick(sampler);
	is_number(memory_of(grown->id.pid), 50, "a process that grows between two readings has at most its RSS");
	grown->rss_kib = 60 * MIB;
	works(grown, 1);
	is_number(memory_of(grown->id.pid), 60, "a process that grows has at most its RSS in the next tick as well");
	fake_end(grown->id.pid, 0);
	child->io_hidden = true;
	child->rss_kib = 300 * MIB;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 290, "after PSS became unreadable, memory follows RSS");
	struct fake_process *hidden = fork_with(FAKE_ROOT, 50, 20);
	hidden->io_hidden = true;
	fake_tick(sampler);
	is_number(memory_of(hidden->id.pid), 50, "if PSS was never readable, memory is RSS");
	end();
}

static void check_carried(void)
{
	begin(NULL);
	struct fake_process *child = fork_with(FAKE_ROOT, 60, 40);
	child->pss_cost_ns = 90 * (int64_t)FAKE_MS;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 40, "the first reading is allowed in advance of the budget");
	child->rss_kib += 10 * MIB;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 50, "PSS grows as RSS does");
	child->rss_kib -= 30 * MIB;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 20, "PSS shrinks as RSS does");
	child->rss_kib = 10 * MIB;
	fake_tick(sampler);
	is_number(memory_of(child->id.pid), 0, "PSS is never negative");
	is_number(child->pss_readings, 1, "PSS was read once in all ticks");
	end();
}

/* While the kernel walks the page tables of a large process, that process is delayed. Therefore they are not walked. */
static void check_large(void)
{
	begin(NULL);
	struct fake_process *child = fork_with(FAKE_ROOT, 4000, 3900);
	works(child, 3);
	is_number(memory_of(child->id.pid), 4000, "a large process has its RSS");
	is_number(child->pss_readings, 0, "the page tables of a large process are not walked");
	is_number(child->own_counts, 1, "the shared pages of a large process are counted once");
	struct fake_process *growing = fork_with(FAKE_ROOT, 60, 45);
	growing->file_kib = 40 * MIB;
	works(growing, 1);
	is_number(file_of(growing->id.pid), 20, "a small process has only its share of shared file pages");
	unsigned before = growing->pss_readings;
	growing->rss_kib += 1000 * MIB;
	works(growing, 2);
	is_number(growing->pss_readings, before, "a process that has become large is no longer walked");
	is_number(memory_of(growing->id.pid), 1045, "pages that others shared stay shared");
	is_number(file_of(growing->id.pid), 20, "file pages that others shared stay shared");
	growing->rss_kib -= 1000 * MIB;
	works(growing, 1);
	ok(growing->pss_readings > before, "a process that has become small again is walked again");
	struct fake_process *slow = fork_with(FAKE_ROOT, 50, 40);
	slow->pss_cost_ns = 2 * (int64_t)FAKE_MS;
	works(slow, 5);
	is_number(slow->pss_readings, 1, "a walk that took over a millisecond is not repeated");
	end();
}

/* Two programs that share a segment and libraries. */
static void check_segment(void)
{
	struct fake_process *two[2];

	begin(NULL);
	for (int i = 0; i < 2; i++) {
		two[i] = fork_with(FAKE_ROOT, 100, 90);
		two[i]->own_kib = 90 * MIB;
		two[i]->file_kib = two[i]->mapped_kib = 10 * MIB;
		works(two[i], 1);
	}
	is_number(memory_of_run(), 1 + 90 + 90 + 10, "libraries of large processes count once");
	is_number(file_of(two[0]->id.pid) + file_of(two[1]->id.pid), 10, "libraries count as file pages");
	for (int i = 0; i < 2; i++) {
		two[i]->rss_kib += 300 * MIB;
		two[i]->mapped_kib += 300 * MIB;
		two[i]->minor_faults += 300 * MIB / 4;
		works(two[i], 1);
	}
	works(two[0], 1);
	is_number(memory_of_run(), 1 + 90 + 90 + 310, "a segment that they map later counts once");
	is_number(file_of(two[0]->id.pid) + file_of(two[1]->id.pid), 10, "the segment does not count as file pages");
	end();
}

/* All readings of a run together get 1 % of the time, with a small advance. Processes take turns. */
static void check_budget(void)
{
	enum { MANY = 60, SECONDS = 400 };
	struct fake_process *members[MANY];
	unsigned readings = 0, least = UINT32_MAX;
	int64_t spent_ns = 0;

	begin(NULL);
	for (int i = 0; i < MANY; i++) {
		members[i] = fork_with(FAKE_ROOT, i % 2 == 0 ? 60 : 10, 10);
		members[i]->pss_cost_ns = (int64_t)FAKE_MS / (i % 2 == 0 ? 1 : 5);
	}
	for (int second = 0; second < SECONDS; second++)
		fake_tick(sampler);
	for (int i = 0; i < MANY; i++) {
		readings += members[i]->pss_readings;
		least = members[i]->pss_readings < least ? members[i]->pss_readings : least;
		spent_ns += members[i]->pss_readings * members[i]->pss_cost_ns;
	}
	printf("# %u readings, the fewest of one member %u, %.0f ms\n", readings, least, (double)spent_ns / 1e6);
	ok(spent_ns <= SECONDS * FAKE_SECOND / 100 + 100 * (int64_t)FAKE_MS, "readings take 1 % of the time");
	ok(spent_ns >= SECONDS * FAKE_SECOND / 200, "readings use at least half of the allowed time");
	ok(least >= 50, "no process waits forever");
	end();
}

enum { WORKERS = 4, ALL = WORKERS + 1 };

/* Makes a root with 500 MiB, which its forks share. */
static void fork_workers(struct fake_process *family[ALL])
{
	family[0] = fake_process(FAKE_ROOT);
	family[0]->image = 9;
	family[0]->minor_faults = 200000;
	family[0]->rss_kib = family[0]->pss_kib = 500 * MIB;
	fake_tick(sampler);
	is_number(memory_of_run(), 500, "a process with much memory");
	for (int i = 1; i < ALL; i++) {
		family[i] = fork_with(FAKE_ROOT, 500, 100);
		family[i]->image = 9;
		family[i]->minor_faults = 1;
		family[i]->pss_cost_ns = (int64_t)FAKE_MS;
	}
}

/* Writes to private or shared pages, which causes page faults. */
static void writes(struct fake_process *process, uint64_t mib)
{
	process->minor_faults += mib * MIB / 4;
	process->own_kib += mib * MIB;
	works(process, 1);
}

static void check_family(void)
{
	struct fake_process *family[ALL];

	begin(NULL);
	fork_workers(family);
	fake_tick(sampler);
	near_run(500, "shared memory of forks counts once");
	writes(family[1], 50);
	near_run(550, "a fork has made a part its own");
	for (int i = 0; i < 100; i++) {
		family[1]->minor_faults += 10 * MIB / 4;
		works(family[1], 1);
	}
	near_run(550, "a fork with many faults does not get more memory");
	ok(family[1]->own_counts > 5, "the private pages of a fork are counted");
	is_number(family[0]->pss_readings + family[1]->pss_readings, 0, "no page tables are walked");
	family[2]->rss_kib += 300 * MIB;
	works(family[2], 1);
	ok(memory_of_run() > 840, "memory that grows by huge pages takes few faults");
	family[2]->rss_kib -= 300 * MIB;
	works(family[2], 1);
	near_run(550, "memory that grew by huge pages is gone again");
	family[0]->rss_kib = 100 * MIB;
	family[0]->minor_faults += 10;
	works(family[0], 1);
	near_run(550, "the parent has freed memory that its forks still have");
	fake_end(family[1]->id.pid, 0);
	works(family[0], 1);
	near_run(500, "a fork has ended, and its private memory is gone");
	for (int i = 2; i < ALL; i++)
		fake_end(family[i]->id.pid, 0);
	works(family[0], 1);
	near_run(100, "all forks have ended, and the parent is alone again");
	end();
}

/* While a process ends, /proc shows neither its memory nor its program. */
static void check_dying(void)
{
	struct fake_process *family[ALL];

	begin(NULL);
	fork_workers(family);
	fake_tick(sampler);
	writes(family[1], 50);
	for (int i = 2; i < ALL; i++)
		fake_end(family[i]->id.pid, 0);
	fake_tick(sampler);
	near_run(550, "the last fork has a part of its own");
	family[1]->rss_kib = 0;
	family[1]->image = 0;
	family[0]->own_kib = 500 * MIB;
	works(family[1], 1);
	near_run(550, "a dying fork keeps its part, and shares nothing");
	works(family[1], 2);
	near_run(550, "a dying fork keeps its part, however long it takes");
	end();
}

/* A process writes to all its memory, while a fork keeps the old content. */
static void check_snapshot(void)
{
	struct fake_process *family[ALL];

	begin(NULL);
	fork_workers(family);
	for (int i = 2; i < ALL; i++)
		fake_end(family[i]->id.pid, 0);
	fake_tick(sampler);
	near_run(500, "a process and a snapshot of it");
	writes(family[0], 400);
	near_run(900, "both the process and the snapshot have the pages written since");
	/* The next fork shares all this memory, so it is no longer private. */
	family[2] = fork_with(FAKE_ROOT, 500, 100);
	family[2]->image = 9;
	family[0]->own_kib = 0;
	fake_tick(sampler);
	ok(memory_of_run() < 910, "a second snapshot adds nothing");
	end();
}

/* Forks that read a whole segment take a page fault for each page. */
static void check_gone(void)
{
	struct fake_process *family[ALL];

	for (int gone = 1; gone >= 0; gone--) {
		begin(NULL);
		fork_workers(family);
		for (int i = 1; i < ALL; i++) {
			family[i]->minor_faults = 200 * MIB / 4;
			family[i]->gone = gone == 1;
			family[i]->io_hidden = true;
		}
		fake_tick(sampler);
		if (gone)
			near_run(500, "faults of forks that end before they are read are not private memory");
		else
			near_run(500 + WORKERS * 200, "forks that cannot be read have a page for each fault");
		end();
	}
}

/* The forks end while the parent is read. Its pages become private, and the pages of the forks still count. */
static void check_left_in_a_tick(void)
{
	struct fake_process *family[ALL];

	begin(NULL);
	fork_workers(family);
	family[0]->mapped_kib = 100 * MIB;
	fake_tick(sampler);
	family[0]->own_kib = 500 * MIB;
	family[1]->mapped_kib = 100 * MIB; /* makes the sampler read the parent again */
	writes(family[1], 50);
	works(family[0], 1);
	near_run(550, "pages left to a parent within a tick count once");
	end();
}

/* When a worker forks to run a program, its pages are private again after the fork has ended. */
static void check_worker_that_forks(void)
{
	struct fake_process *family[ALL];

	begin(NULL);
	fork_workers(family);
	fake_tick(sampler);
	family[1]->rss_kib += 200 * MIB;
	writes(family[1], 200);
	near_run(700, "a worker has 200 MiB of its own");
	struct fake_process *child = fork_with(family[1]->id.pid, 700, 0);
	child->image = 9;
	family[1]->own_kib = 0;
	fake_tick(sampler);
	near_run(700, "a worker that forks shares them with its fork");
	fake_end(child->id.pid, 0);
	family[1]->own_kib = 200 * MIB;
	fake_tick(sampler);
	near_run(700, "after the fork's end, they are private again");
	end();
}

/* Memory that a process has mapped, and that its fork maps later. */
static void check_mapped(void)
{
	struct fake_process *family[ALL];

	begin(NULL);
	fork_workers(family);
	family[0]->mapped_kib = 300 * MIB;
	writes(family[0], 300);
	near_run(800, "a process has shared memory that no other process has mapped");
	family[1]->mapped_kib = 300 * MIB;
	family[1]->minor_faults += 300 * MIB / 4;
	family[0]->own_kib = 0;
	works(family[1], 2);
	near_run(500, "a fork has mapped it as well, so that it is shared");
	end();
}

/* In the first tick there is time for only one reading. */
static void check_like(void)
{
	enum { FORKS = 50 };
	struct fake_process *forks[FORKS];

	begin(NULL);
	struct fake_process *root = fake_process(FAKE_ROOT);
	root->image = 9;
	root->rss_kib = root->pss_kib = 500 * MIB;
	fake_tick(sampler);
	for (int i = 0; i < FORKS; i++) {
		forks[i] = fork_with(FAKE_ROOT, 500, 100);
		forks[i]->image = 9;
		forks[i]->minor_faults = 40 * MIB / 4; /* a quarter of the faults gave a private page */
		forks[i]->own_kib = 10 * MIB;
		forks[i]->pss_cost_ns = 60 * (int64_t)FAKE_MS;
	}
	fake_tick(sampler);
	unsigned counts = 0;
	for (int i = 0; i < FORKS; i++)
		counts += forks[i]->own_counts;
	is_number(counts, 1, "there is time for one of fifty forks");
	near_run(1000, "forks that were not read are assumed to be like the fork that was read");
	end();
}

/* Forks that fork again. Those in the middle are new as well. */
static void check_generations(void)
{
	enum { GENERATIONS = 6 };

	begin(NULL);
	struct fake_process *last = fake_process(FAKE_ROOT);
	for (int i = 0; i < GENERATIONS; i++) {
		last->image = 9;
		last->rss_kib = last->pss_kib = 300 * MIB;
		last->minor_faults = 1;
		last = i + 1 < GENERATIONS ? fake_fork(last->id.pid) : last;
	}
	fake_tick(sampler);
	near_run(300, "forks of forks are one family");
	last->image = 10;
	last->rss_kib = last->pss_kib = 5 * MIB;
	works(last, 1);
	near_run(305, "a fork that calls exec leaves the family");
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
	lodger->lodges = false;
	fake_tick(sampler);
	is_number(memory_of_run(), 500, "a child of vfork has no memory even if it calls exec during the reading");
	lodger->image = 10;
	lodger->rss_kib = lodger->pss_kib = 3 * MIB;
	fake_tick(sampler);
	is_number(memory_of_run(), 503, "a child of vfork has memory after its exec");
	end();
}

/* Without a page fault, no page is added. */
static void check_faults(void)
{
	begin(NULL);
	struct fake_process *told = fork_with(FAKE_ROOT, 60, 40);
	told->minor_faults = 1000;
	works(told, 10);
	is_number(told->pss_readings, 1, "a working process without faults is read once");
	told->minor_faults++;
	works(told, 10);
	is_number(told->pss_readings, 2, "a process is read again after a minor fault");
	told->used[COUNTER_MAJOR_FAULTS]++;
	works(told, 10);
	is_number(told->pss_readings, 3, "a process is read again after a major fault");
	told->rss_kib -= MIB;
	told->pss_kib -= MIB;
	works(told, 10);
	is_number(told->pss_readings, 4, "a process is read again when it has fewer pages");
	is_number(memory_of(told->id.pid), 39, "the smaller memory is in its row");
	works(told, 40);
	is_number(told->pss_readings, 5,
		"a process without faults is read at intervals, because others may share its pages");
	struct fake_process *untold = fork_with(FAKE_ROOT, 60, 40);
	works(untold, 10);
	ok(untold->pss_readings >= 10, "without fault counts, it is read at each tick");
	end();
}

int main(void)
{
	check_choice();
	check_carried();
	check_large();
	check_segment();
	check_budget();
	check_family();
	check_dying();
	check_snapshot();
	check_gone();
	check_left_in_a_tick();
	check_worker_that_forks();
	check_mapped();
	check_like();
	check_generations();
	check_lodger();
	check_faults();
	return done();
}
