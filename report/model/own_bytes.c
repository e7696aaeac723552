/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of each process, and its own bytes; see own_bytes.h. */
#include "report/model/own_bytes.h"

#include "core/number.h"
#include "report/say/alloc.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const double MIB_PER_PAGE = 4.0 / 1024;
/* The kernel counts pages on each processor by itself, and a process takes some more after its last word. */
static const double SAME_MIB = 1, SAME_PART = 0.01;
/* An unknown child took more page faults than this. A process of one instruction takes 3, one of busybox 39; after its
 * last word a known child takes 2 at most. */
static const double LEAST_FAULTS = 3, FAULTS_OF_END = 2;

/* What one process reaped: its own account, and what is known of its children. */
struct account {
	double peak_mib; /* of the largest that it reaped, by the account; UNKNOWN: there is no account */
	double faults;   /* of all that it reaped, by the account */
	double told_mib; /* the largest peak that some known process explains */
	double known_faults;
	double seen_faults; /* of those untold ones that were seen */
	size_t children, silent;
	size_t untold, unseen;   /* children without all of their page faults, and those of them without any */
	struct process *largest; /* of the silent ones; NULL */
};

/* The peak of a process by its own records. */
static double recorded_peak(const struct process *process)
{
	return known_larger(known_first(process->last.peak_memory_mib, process->sampled.peak_memory_mib),
		process->earlier_peak_mib);
}

static bool is_more(double mib, double explained_mib)
{
	return mib > explained_mib + SAME_MIB + SAME_PART * explained_mib;
}

/* A process that was killed before its last word, or that runs a program without the library: its peak is that of some
 * tick. */
static bool is_silent(const struct process *process)
{
	return !process->exact_peak && !(process->source == SOURCE_SELF && process->exact);
}

/* A fork that did not become another program. Each image that has the library tells what it found at its start. A fork
 * tells its end all the same. If it does not, it still runs what its parent runs, or no row names its program. */
static bool is_fork(const struct process *process)
{
	const struct process *parent = process_first_parent(process);

	if (!parent || number_known(process->found_peak_mib))
		return false;
	return process->source == SOURCE_SELF || !process->exe ||
	       (parent->exe && strcmp(process->exe, parent->exe) == 0);
}

/* Of two silent processes, the one that was larger when it was last seen; of two alike the one that was killed. */
static struct process *larger_silent(struct process *a, struct process *b)
{
	if (!a)
		return b;
	double first = known_first(recorded_peak(a), 0), second = known_first(recorded_peak(b), 0);
	if (first > second || (!(second > first) && (a->exit_signal == SIGKILL || b->exit_signal != SIGKILL)))
		return a;
	return b;
}

static void add_child(struct account *account, struct process *process)
{
	bool silent = is_silent(process);

	account->children++;
	account->known_faults += known_first(process->minor_faults, 0) + known_first(process->children_minor_faults, 0);
	account->told_mib = known_larger(account->told_mib, process->children_peak_mib);
	if (!process->exact || !number_known(process->minor_faults)) {
		account->untold++;
		account->unseen += !number_known(process->minor_faults);
		account->seen_faults += known_first(process->minor_faults, 0);
	}
	if (!silent)
		account->told_mib = known_larger(account->told_mib, recorded_peak(process));
	else
		account->largest = larger_silent(account->largest, process);
	account->silent += silent;
}

/* The accounts by position of the process; the last one is that of rtrack-run. */
static struct account *read_accounts(const struct processes *processes, const struct run *run)
{
	size_t count = processes->count;
	struct account *accounts = xcalloc(count + 1, sizeof *accounts);
	double all_mib = UNKNOWN;

	for (size_t i = 0; i < count; i++) {
		const struct process *process = &processes->items[i];
		bool told = process->source == SOURCE_SELF;
		/* rtrack-run writes the peak of a process and of the children that it reaped as one figure. */
		bool includes_itself = process->source == SOURCE_LAUNCHER && is_silent(process);
		accounts[i].peak_mib = told || includes_itself ? process->children_peak_mib : UNKNOWN;
		accounts[i].faults = told ? process->children_minor_faults : UNKNOWN;
		accounts[i].largest = includes_itself ? &processes->items[i] : NULL;
		/* fork lends a child the memory of its parent. */
		accounts[i].told_mib = recorded_peak(process);
		if (!is_silent(process))
			all_mib = known_larger(all_mib, accounts[i].told_mib);
	}
	/* rtrack-run is told of the children of its children as well. */
	accounts[count].peak_mib = run->reaped_peak_mib;
	accounts[count].faults = UNKNOWN;
	accounts[count].told_mib = all_mib;
	for (size_t i = 0; i < count; i++) {
		const struct process *reaper = process_last_parent(&processes->items[i]);
		add_child(&accounts[reaper ? (size_t)(reaper - processes->items) : count], &processes->items[i]);
	}
	return accounts;
}

/* The peak that an account assigns to a process: the account's own, if no known process explains it and this is the
 * largest silent process of the account. UNKNOWN otherwise. */
static double assigned_peak(const struct process *process, const struct account *account)
{
	bool assigned = account->largest == process && is_more(account->peak_mib, known_first(account->told_mib, 0));

	return assigned ? account->peak_mib : UNKNOWN;
}

/* `account` is that of the process that reaped it, `own_account` that of the process itself. */
static double peak_of(const struct process *process, const struct account *account, const struct account *own_account)
{
	double own = recorded_peak(process);
	const struct process *parent = process_first_parent(process);

	/* The first image finds what the process had as a fork. If that is more than its parent ever had, it is its
	 * own. */
	if (parent && is_more(process->inherited_peak_mib, known_first(recorded_peak(parent), 0)))
		own = known_larger(own, process->inherited_peak_mib);
	own = known_larger(own, assigned_peak(process, own_account));
	return known_larger(own, assigned_peak(process, account));
}

/* MiB of the pages that a process may have written to: its page faults, and its part of those that only the account of
 * its parent has. */
static double touched_mib(const struct process *process, const struct account *account)
{
	double faults = known_first(process->minor_faults, 0);

	if (is_silent(process) && account->faults > account->known_faults)
		faults += (account->faults - account->known_faults) / (double)account->silent;
	return faults * MIB_PER_PAGE;
}

/* What the account of its parent allows a process that did not tell its peak. UNKNOWN: nothing does. */
static double allowed_mib(const struct process *process, const struct account *account)
{
	bool counted = is_silent(process) && number_known(account->faults) && number_known(account->peak_mib);

	return counted ? fmin(account->peak_mib, touched_mib(process, account)) : UNKNOWN;
}

static double own_of(const struct process *process, const struct account *account)
{
	double peak = process->peak_mib, touched = touched_mib(process, account);
	const struct process *parent = process_first_parent(process);

	/* A program that loaded the library late may have as much as before again. */
	if (process->peak_is_before)
		return process->found_peak_mib;
	if (!process->forked || !(touched > 0))
		return known_larger(peak, allowed_mib(process, account));
	/* A huge page takes one fault. Therefore what is above all that its parent ever had counts, too. */
	double most = is_silent(process) ? known_larger(peak, account->peak_mib) : peak;
	return known_larger(fmin(most, touched), peak - recorded_peak(parent));
}

/* What of its own bytes is surely of the object that it shared. The rest of its peak may be other memory. A process
 * that had other memory before, and gave it back, took page faults for both. */
static double own_shared_of(const struct process *process, const struct account *account)
{
	double own = known_first(process->own_mib, 0), touched = touched_mib(process, account);
	double all = fmax(known_larger(process->peak_mib, own), touched);

	if (!process->shared_object || !(process->shared_mib > 0 && process->shared_size_mib > 0 && touched > 0))
		return 0;
	return fmin(fmax(own + process->shared_mib - all, 0), own);
}

/* The page faults of known children after their last words, and fewer than those of an unknown child. */
static double faults_of_ends(const struct account *account)
{
	return LEAST_FAULTS + FAULTS_OF_END * (double)account->children;
}

/* MiB of the page faults of children that have no row: the known ones do not explain them. 0: there are none. R's
 * mclapply ends the last of its workers by a signal. */
static double unknown_mib(const struct account *account)
{
	double faults = account->faults - account->known_faults;

	return account->untold == 0 && faults > faults_of_ends(account) ? faults * MIB_PER_PAGE : 0;
}

/* Whether the account has children without a row. A known child that did not tell its end may have taken as many page
 * faults again after it was last seen; one that was never seen, as many as the largest child has pages. */
static bool lacks_children(const struct account *account)
{
	double later = account->seen_faults;

	if (account->unseen > 0)
		later += (double)account->unseen * account->peak_mib / MIB_PER_PAGE;
	return account->faults - account->known_faults > faults_of_ends(account) + later;
}

void own_bytes_find(struct processes *processes, const struct run *run)
{
	size_t count = processes->count;
	struct account *accounts = read_accounts(processes, run);

	for (size_t i = 0; i < count; i++) {
		struct process *process = &processes->items[i];
		const struct process *reaper = process_last_parent(process);
		const struct account *account = &accounts[reaper ? (size_t)(reaper - processes->items) : count];
		process->forked = is_fork(process);
		process->peak_mib = peak_of(process, account, &accounts[i]);
		process->own_mib = own_of(process, account);
		process->own_shared_mib = own_shared_of(process, account);
		/* Huge pages are in no peak of the kernel's. */
		process->peak_mib += known_first(process->sampled_hugetlb_mib, 0);
		process->own_mib += known_first(process->sampled_hugetlb_mib, 0);
		double unknown = unknown_mib(&accounts[i]);
		process->unknown_mib = fmin(unknown, known_first(process->children_peak_mib, unknown));
		processes->lacks_some |= lacks_children(&accounts[i]);
	}
	free(accounts);
}
