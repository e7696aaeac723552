/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of os/linux/process.c: a list renewed from an earlier one has the same processes as a new reading of /proc. */
#define _GNU_SOURCE
#include "os/process.h"

#include "tests/unit/lib/tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 200, CHILDREN_MAX = 64, BIRTHS_MAX = 6 };

static int pids[CHILDREN_MAX * 4]; /* all processes born in this round, and earlier ones that are still alive */
static int held[CHILDREN_MAX * 4]; /* their directories in /proc, kept open by hold() */
static size_t count;
static size_t differing;

static int random_below(int limit)
{
	return (int)(random() % limit);
}

/* Keeps a directory in /proc open. When memory is short, the kernel drops inodes of /proc/PID that are not open, and
 * the same process then gets another inode number. */
static int hold(int pid)
{
	char path[32];

	(void)snprintf(path, sizeof path, "/proc/%d", pid);
	int directory = open(path, O_PATH | O_CLOEXEC);
	if (directory < 0)
		abort();
	return directory;
}

static void bear(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	if (pid < 0)
		abort();
	pids[count] = pid;
	held[count++] = hold(pid);
}

/* Ends a process, and reaps it or leaves it as a zombie. */
static void end(int pid, bool reaped)
{
	siginfo_t info;

	(void)kill(pid, SIGKILL);
	(void)waitid(P_PID, (id_t)pid, &info, WEXITED | (reaped ? 0 : WNOWAIT));
}

/* Reaps a process and removes it from `pids`. */
static void forget(size_t which)
{
	end(pids[which], true);
	(void)close(held[which]);
	pids[which] = pids[--count];
	held[which] = held[count];
}

static void *give_number(void *number)
{
	*(int *)number = (int)syscall(SYS_gettid);
	return NULL;
}

static void look(const struct process_list *renewed, const struct process_list *read, int pid)
{
	const struct process_entry *one = process_list_find(renewed, pid);
	const struct process_entry *other = process_list_find(read, pid);

	if (!one != !other || (one && one->identity != other->identity)) {
		printf("# %d is %s, and %s\n", pid, one ? "in the renewed list" : "not in it",
			other ? "in that which was read" : "not in that which was read");
		differing++;
	}
}

static bool ascends(const struct process_list *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (list->entries[i].id.pid <= list->entries[i - 1].id.pid)
			return false;
	return list->count > 0;
}

/* Numbering starts again after the largest pid. Then older processes have larger pids than new ones. */
static void look_elsewhere(struct process_list lists[3])
{
	uint64_t from = (uint64_t)lists[0].entries[random_below((int)lists[0].count)].id.pid;

	if (process_list_renew(&lists[1], &lists[0], from, from + (uint64_t)random_below(100)) != 0)
		differing++;
	for (size_t i = 0; i < count; i++)
		look(&lists[1], &lists[0], pids[i]);
	look(&lists[1], &lists[0], 1);
	differing += !ascends(&lists[1]);
}

/* Returns whether the list could be renewed. If so, both lists must contain all changes of the round. */
static bool round_of(int tally_file, struct process_list lists[3])
{
	struct process_tally before, now;
	pthread_t thread;
	int number = 0;

	if (process_tally_read(tally_file, &before) != 0 || process_list(&lists[0]) != 0)
		return false;
	look_elsewhere(lists);
	for (int i = random_below(BIRTHS_MAX); i > 0 && count < CHILDREN_MAX; i--)
		bear();
	bool threaded = random_below(2) == 0 && pthread_create(&thread, NULL, give_number, &number) == 0;
	for (size_t i = 0; i < count; i++)
		if (random_below(5) == 0)
			end(pids[i], random_below(2) == 0);
	bool renewed = process_tally_read(tally_file, &now) == 0 && now.last_pid >= before.last_pid &&
		       process_list_renew(&lists[1], &lists[0], before.last_pid, now.last_pid) == 0 &&
		       process_list(&lists[2]) == 0;
	if (threaded)
		(void)pthread_join(thread, NULL);
	if (!renewed)
		return false;
	for (size_t i = 0; i < count; i++)
		look(&lists[1], &lists[2], pids[i]);
	look(&lists[1], &lists[2], 1);
	look(&lists[1], &lists[2], (int)getpid());
	differing += !ascends(&lists[1]);
	if (number != 0)
		differing += process_list_find(&lists[1], number) != NULL;
	return true;
}

int main(void)
{
	struct process_list lists[3] = {{NULL, 0, 0}};
	int tally_file = process_tally_open();
	int renewed = 0;
	int always[] = {hold(1), hold((int)getpid())};

	srandom(20261123);
	for (int i = 0; i < ROUNDS; i++) {
		renewed += round_of(tally_file, lists);
		/* Some processes continue into the next round. */
		for (size_t j = 0; j < count;) {
			if (count > CHILDREN_MAX / 2 || random_below(4) == 0)
				forget(j);
			else
				j++;
		}
	}
	while (count > 0)
		forget(count - 1);
	is_number((double)differing, 0, "a renewed list has the same processes and identities as a reading");
	ok(renewed > ROUNDS / 2, "a renewal nearly always works");
	printf("# %d of %d\n", renewed, ROUNDS);
	for (int i = 0; i < 3; i++)
		process_list_release(&lists[i]);
	(void)close(always[0]);
	(void)close(always[1]);
	return done();
}
