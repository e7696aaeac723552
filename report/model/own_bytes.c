/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the peak of each process and its own bytes. */
#include "report/model/own_bytes.h"

#include "core/number.h"
#include "report/say/alloc.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const double MIB_PER_PAGE = 4.0 / 1024;
/* Peaks that differ by less count as equal. The kernel counts pages on each CPU separately, and a process touches a few
 * more pages after its last record. */
static const double SAME_MIB = 1, SAME_PART = 0.01;
/* A process takes at least 3 page faults (one instruction), or 39 for busybox. After its last record, a known child
 * takes at most 2. */
static const double LEAST_FAULTS = 3, FAULTS_OF_END = 2;

/* What is known about the children that one process reaped: its own getrusage(RUSAGE_CHILDREN), and their records. */
struct account {
	double peak_mib; /* ru_maxrss of the reaped children, or UNKNOWN */
	double faults;   /* ru_minflt of the reaped children, or UNKNOWN */
	double told_mib; /* largest peak that a known process explains */
	double known_faults;
	double seen_faults; /* page faults of children with incomplete records that samples saw */
	size_t children, silent;
	size_t untold, unseen;   /* number of children without complete page faults; `unseen` have none at all */
	struct process *largest; /* largest child without an exact peak, or NULL */
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

/* A process that was killed before its last record, or whose program has no library: its peak is only sampled. */
static bool is_silent(const struct process *process)
{
	return !process->exact_peak && !(process->source == SOURCE_SELF && process->exact);
}

/* Whether the process is a fork that did not exec. Each program with the library records its peak at its start, and a
 * fork writes an exit row. Without an exit row, it is a fork if it runs its parent's program or no row names its
 * program. */
static bool is_fork(const struct process *process)
{
	const struct process *parent = process_first_parent(process);

	if (!parent || number_known(process->found_peak_mib))
		return false;
	return process->source == SOURCE_SELF || !process->exe ||
	       (parent->exe && strcmp(process->exe, parent->exe) == 0);
}

/* Of two processes without an exact peak, the one with the larger last sample; if equal, the one that was killed. */
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

/* Returns the accounts, indexed like the processes; the last account is rtrack-run's. */
static struct account *read_accounts(const struct processes *processes, const struct run *run)
{
	size_t count = processes->count;
	struct account *accounts = xcalloc(count + 1, sizeof *accounts);
	double all_mib = UNKNOWN;

	for (size_t i = 0; i < count; i++) {
		const struct process *process = &processes->items[i];
		bool told = process->source == SOURCE_SELF;
		/* rtrack-run writes one peak for a process and the children that it reaped. */
		bool includes_itself = process->source == SOURCE_LAUNCHER && is_silent(process);
		accounts[i].peak_mib = told || includes_itself ? process->children_peak_mib : UNKNOWN;
		accounts[i].faults = told ? process->children_minor_faults : UNKNOWN;
		accounts[i].largest = includes_itself ? &processes->items[i] : NULL;
		/* fork gives a child the memory of its parent. */
		accounts[i].told_mib = recorded_peak(process);
		if (!is_silent(process))
			all_mib = known_larger(all_mib, accounts[i].told_mib);
	}
	/* rtrack-run's own getrusage(RUSAGE_CHILDREN) also covers children of its children. */
	accounts[count].peak_mib = run->reaped_peak_mib;
	accounts[count].faults = UNKNOWN;
	accounts[count].told_mib = all_mib;
	for (size_t i = 0; i < count; i++) {
		const struct process *reaper = process_last_parent(&processes->items[i]);
		add_child(&accounts[reaper ? (size_t)(reaper - processes->items) : count], &processes->items[i]);
	}
	return accounts;
}

/* The peak in `account`, if it must be the peak of this process: no known process explains it, and this is the largest
 * of the children without an exact peak. Otherwise UNKNOWN. */
static double assigned_peak(const struct process *process, const struct account *account)
{
	bool assigned = account->largest == process && is_more(account->peak_mib, known_first(account->told_mib, 0));

	return assigned ? account->peak_mib : UNKNOWN;
}

/* `account` belongs to the reaper of the process, `own_account` to the process itself. */
static double peak_of(const struct process *process, const struct account *account, const struct account *own_account)
{
	double own = recorded_peak(process);
	const struct process *parent = process_first_parent(process);

	/* The first program that a fork executes records the peak that the fork had until then. A value above the
	 * parent's peak must be the process's own. */
	if (parent && is_more(process->inherited_peak_mib, known_first(recorded_peak(parent), 0)))
		own = known_larger(own, process->inherited_peak_mib);
	own = known_larger(own, assigned_peak(process, own_account));
	return known_larger(own, assigned_peak(process, account));
}

/* MiB of pages that a process may have written to: its page faults, and its share of the faults that only its parent's
 * account has. */
static double touched_mib(const struct process *process, const struct account *account)
{
	double faults = known_first(process->minor_faults, 0);

	if (is_silent(process) && account->faults > account->known_faults)
		faults += (account->faults - account->known_faults) / (double)account->silent;
	return faults * MIB_PER_PAGE;
}

/* Upper bound of an unrecorded peak, from the account of the parent, or UNKNOWN. */
static double allowed_mib(const struct process *process, const struct account *account)
{
	bool counted = is_silent(process) && number_known(account->faults) && number_known(account->peak_mib);

	return counted ? fmin(account->peak_mib, touched_mib(process, account)) : UNKNOWN;
}

static double own_of(const struct process *process, const struct account *account)
{
	double peak = process->peak_mib, touched = touched_mib(process, account);
	const struct process *parent = process_first_parent(process);

	/* A program that loaded the library late may reach its earlier peak again. */
	if (process->peak_is_before)
		return process->found_peak_mib;
	if (!process->forked || !(touched > 0))
		return known_larger(peak, allowed_mib(process, account));
	/* A huge page takes only one fault, so memory above the parent's peak counts too. */
	double most = is_silent(process) ? known_larger(peak, account->peak_mib) : peak;
	/* The fork keeps pages that its parent has replaced by writing to them. */
	double kept = number_known(process->private_mib) ? fmin(process->private_mib, peak) : UNKNOWN;
	return known_larger(known_larger(fmin(most, touched), peak - recorded_peak(parent)), kept);
}

/* The part of the own bytes that certainly belongs to the shared object. The rest of the peak may be other memory.
 * Memory that was freed before took page faults as well. */
static double own_shared_of(const struct process *process, const struct account *account)
{
	double own = known_first(process->own_mib, 0), touched = touched_mib(process, account);
	double all = fmax(known_larger(process->peak_mib, own), touched);

	if (!process->shared_object || !(process->shared_mib > 0 && process->shared_size_mib > 0 && touched > 0))
		return 0;
	return fmin(fmax(own + process->shared_mib - all, 0), own);
}

/* Page faults of known children after their last records, plus the fewest faults that an unknown child takes. */
static double faults_of_ends(const struct account *account)
{
	return LEAST_FAULTS + FAULTS_OF_END * (double)account->children;
}

/* MiB of page faults of children without a row, which known children do not explain, or 0. For example, R's mclapply
 * ends its last worker by a signal. */
static double unknown_mib(const struct account *account)
{
	double faults = account->faults - account->known_faults;

	return account->untold == 0 && faults > faults_of_ends(account) ? faults * MIB_PER_PAGE : 0;
}

/* Whether `account` has page faults that only children without a row explain. A known child without an exit row may
 * have doubled its page faults after its last sample. A child that was never sampled may have one page fault for each
 * page of the largest child. */
static bool lacks_children(const struct account *account)
{
	double later = account->seen_faults;

	if (account->unseen > 0)
		later += (double)account->unseen * account->peak_mib / MIB_PER_PAGE;
	return account->faults - account->known_faults > faults_of_ends(account) + later;
}

/* Whether children of a process may be missing from the records. The library records each program and each fork. A
 * process whose last program has no library, or belongs to another user and may not write to the run's directory, ends
 * without an exit record of its own, although no signal killed it. */
static bool may_lack_children(const struct process *process)
{
	bool recorded = process->of_old || (process->source == SOURCE_SELF && process->exact);
	bool has_library = process->forked || number_known(process->found_peak_mib);
	bool killed = process->exit_signal > 0 || (process->forked && !number_known(process->exit_code));

	return number_known(process->end_time) && !recorded && !(has_library && killed);
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
		/* The kernel's peaks exclude huge pages. */
		process->peak_mib += known_first(process->sampled_hugetlb_mib, 0);
		process->own_mib += known_first(process->sampled_hugetlb_mib, 0);
		double unknown = unknown_mib(&accounts[i]);
		process->unknown_mib = fmin(unknown, known_first(process->children_peak_mib, unknown));
		processes->lacks_some |= lacks_children(&accounts[i]) || may_lack_children(process);
	}
	free(accounts);
}
