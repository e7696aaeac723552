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
/* Peaks that differ by less than 1 MiB plus 1 % are treated as equal. The kernel's page counters are imprecise, and
 * a process touches a few more pages after its last record. */
static const double SAME_MIB = 1, SAME_PART = 0.01;
/* The smallest possible program takes 3 page faults. A process takes at most 2 page faults after its last record. */
static const double LEAST_FAULTS = 3, FAULTS_OF_END = 2;

/* Figures of the children that one process reaped, from the getrusage(RUSAGE_CHILDREN) of the process and from the
 * records of the children. */
struct account {
	double peak_mib; /* ru_maxrss of the reaped children, or UNKNOWN */
	double faults;   /* ru_minflt of the reaped children, or UNKNOWN */
	double told_mib; /* largest recorded peak of the process and its descendants */
	double known_faults;
	double seen_faults; /* page faults that samples saw in children with incomplete records */
	size_t children, silent;
	/* `untold` is the number of children with incomplete page faults, `unseen` the number of children without
	 * any. */
	size_t untold, unseen;
	struct process *largest; /* largest child without an exact peak, or NULL */
};

/* Returns the peak of a process according to its own records. */
static double recorded_peak(const struct process *process)
{
	return known_larger(known_first(process->last.peak_memory_mib, process->sampled.peak_memory_mib),
		process->earlier_peak_mib);
}

static bool is_more(double mib, double explained_mib)
{
	return mib > explained_mib + SAME_MIB + SAME_PART * explained_mib;
}

/* Returns whether the peak of a process is known only from samples, because the process was killed before its last
 * record or its program did not load the library. */
static bool is_silent(const struct process *process)
{
	return !process->exact_peak && !(process->source == SOURCE_SELF && process->exact);
}

/* Returns whether the process is a fork that did not call exec. If a program that loads the library was executed,
 * the process recorded its peak at that time. Otherwise, the process is a fork if it wrote an exit row, if its
 * program is unknown, or if it ran the same program as its parent. */
static bool is_fork(const struct process *process)
{
	const struct process *parent = process_first_parent(process);

	if (!parent || number_known(process->found_peak_mib))
		return false;
	return process->source == SOURCE_SELF || !process->exe ||
	       (parent->exe && strcmp(process->exe, parent->exe) == 0);
}

/* Returns the process with the larger sampled peak. If both are equal, returns the one that was killed. */
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
	if (!process->exact || process->launches || !number_known(process->minor_faults)) {
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

/* Raises `told_mib` of all ancestors to the recorded peak of a process and its children. ru_maxrss of an ancestor's
 * children includes this process, even if a process between the two has no records, such as a static program. */
static void tell_ancestors(struct account *accounts, const struct processes *processes, const struct process *process)
{
	enum { GENERATIONS_MAX = 64 };
	double peak = known_larger(process->children_peak_mib, is_silent(process) ? UNKNOWN : recorded_peak(process));

	for (int i = 0; i < GENERATIONS_MAX && number_known(peak) && (process = process_first_parent(process)); i++) {
		struct account *account = &accounts[process - processes->items];
		account->told_mib = known_larger(account->told_mib, peak);
	}
}

/* Returns one account for each process, in the order of `processes`, and the account of rtrack-run at the end. The
 * caller frees the array. */
static struct account *read_accounts(const struct processes *processes, const struct run *run)
{
	size_t count = processes->count;
	struct account *accounts = xcalloc(count + 1, sizeof *accounts);
	double all_mib = UNKNOWN;

	for (size_t i = 0; i < count; i++) {
		const struct process *process = &processes->items[i];
		bool told = process->source == SOURCE_SELF;
		/* For a process without its own record, rtrack-run writes one peak, which covers both the process
		 * and the children that it reaped. */
		bool includes_itself = process->source == SOURCE_LAUNCHER && is_silent(process);
		accounts[i].peak_mib = told || includes_itself ? process->children_peak_mib : UNKNOWN;
		accounts[i].faults = told ? process->children_minor_faults : UNKNOWN;
		accounts[i].largest = includes_itself ? &processes->items[i] : NULL;
		/* A fork starts with the memory of its parent, so the peak of the parent may explain the peak of a
		 * child. */
		accounts[i].told_mib = recorded_peak(process);
		if (!is_silent(process))
			all_mib = known_larger(all_mib, accounts[i].told_mib);
	}
	/* The getrusage(RUSAGE_CHILDREN) of rtrack-run also covers children of its children. Its peak may therefore
	 * be the peak of any process. */
	accounts[count].peak_mib = run->reaped_peak_mib;
	accounts[count].faults = UNKNOWN;
	accounts[count].told_mib = all_mib;
	for (size_t i = 0; i < count; i++) {
		const struct process *reaper = process_last_parent(&processes->items[i]);
		add_child(&accounts[reaper ? (size_t)(reaper - processes->items) : count], &processes->items[i]);
		tell_ancestors(accounts, processes, &processes->items[i]);
	}
	return accounts;
}

/* Returns the peak in `account` if it must be the peak of this process, or UNKNOWN. This is the case if no record
 * explains the peak and the process is the largest child without an exact peak. */
static double assigned_peak(const struct process *process, const struct account *account)
{
	bool assigned = account->largest == process && is_more(account->peak_mib, known_first(account->told_mib, 0));

	return assigned ? account->peak_mib : UNKNOWN;
}

/* Returns the account of the parent that reaped a process, or the account of rtrack-run. */
static const struct account *account_of(
	const struct account *accounts, const struct processes *processes, const struct process *process)
{
	const struct process *reaper = process_last_parent(process);

	return &accounts[reaper ? (size_t)(reaper - processes->items) : processes->count];
}

/* Returns the peak of a process according to its own records and the accounts. */
static double accounted_peak(
	const struct account *accounts, const struct processes *processes, const struct process *process)
{
	const struct account *own_account = &accounts[process - processes->items];
	double own = known_larger(recorded_peak(process), assigned_peak(process, own_account));

	return known_larger(own, assigned_peak(process, account_of(accounts, processes, process)));
}

/* Returns the peak of a process. */
static double peak_of(const struct account *accounts, const struct processes *processes, const struct process *process)
{
	double peak = accounted_peak(accounts, processes, process);
	const struct process *parent = process_first_parent(process);

	/* The first program that a fork executes records the peak of the process before exec. If this peak is above
	 * the parent's peak, it cannot be inherited from the parent. */
	if (parent && is_more(process->inherited_peak_mib, known_first(accounted_peak(accounts, processes, parent), 0)))
		peak = known_larger(peak, process->inherited_peak_mib);
	return peak;
}

/* Returns the MiB of pages that a process may have touched: its own page faults, plus its share of the page faults
 * in its parent's account that no record explains. */
static double touched_mib(const struct process *process, const struct account *account)
{
	double faults = known_first(process->minor_faults, 0);

	if (is_silent(process) && account->faults > account->known_faults)
		faults += (account->faults - account->known_faults) / (double)account->silent;
	return faults * MIB_PER_PAGE;
}

/* Returns an upper bound for a peak that was not recorded, or UNKNOWN. The bound comes from the account of the
 * parent. */
static double allowed_mib(const struct process *process, const struct account *account)
{
	bool counted = is_silent(process) && number_known(account->faults) && number_known(account->peak_mib);

	return counted ? fmin(account->peak_mib, touched_mib(process, account)) : UNKNOWN;
}

static double own_of(const struct process *process, const struct account *account)
{
	double peak = process->peak_mib, touched = touched_mib(process, account);
	const struct process *parent = process_first_parent(process);

	/* The peak dates from before the program loaded the library. The program may reach the same peak again
	 * without a new record. */
	if (process->peak_is_before)
		return process->found_peak_mib;
	if (!process->forked || !(touched > 0))
		return known_larger(peak, allowed_mib(process, account));
	/* A huge page takes only one page fault, so the number of page faults may be too small for the memory that
	 * they touched. Memory above the parent's peak is therefore included too. */
	double most = is_silent(process) ? known_larger(peak, account->peak_mib) : peak;
	/* If the parent writes to a shared page, the parent gets a copy, and the old page then belongs only to the
	 * fork. */
	double kept = number_known(process->private_mib) ? fmin(process->private_mib, peak) : UNKNOWN;
	return known_larger(known_larger(fmin(most, touched), peak - recorded_peak(parent)), kept);
}

/* Returns the part of the own bytes that certainly belongs to the shared object. Memory that the process may have
 * touched outside the object is subtracted. */
static double own_shared_of(const struct process *process, const struct account *account)
{
	double own = known_first(process->own_mib, 0), touched = touched_mib(process, account);
	double all = fmax(known_larger(process->peak_mib, own), touched);

	if (!process->shared_object || !(process->shared_mib > 0 && process->shared_size_mib > 0 && touched > 0))
		return 0;
	return fmin(fmax(own + process->shared_mib - all, 0), own);
}

/* Returns the number of page faults above which there must be an unknown child: those of known children after their
 * last records, plus the fewest that a child takes. */
static double faults_of_ends(const struct account *account)
{
	return LEAST_FAULTS + FAULTS_OF_END * (double)account->children;
}

/* Returns the MiB of page faults that only children without a row can explain, or 0. For example, mclapply of R
 * kills its last worker with a signal, so that the worker writes no row. */
static double unknown_mib(const struct account *account)
{
	double faults = account->faults - account->known_faults;

	return account->untold == 0 && faults > faults_of_ends(account) ? faults * MIB_PER_PAGE : 0;
}

/* Returns whether `account` has page faults that only children without a row can explain. A known child may have
 * taken more page faults than its samples show. If it has no exit row, up to twice the last sample is allowed. If it
 * has no sample, one page fault for each page of the largest child is allowed. */
static bool lacks_children(const struct account *account)
{
	double later = account->seen_faults;

	if (account->unseen > 0)
		later += (double)account->unseen * account->peak_mib / MIB_PER_PAGE;
	return account->faults - account->known_faults > faults_of_ends(account) + later;
}

/* Returns whether children of a process may be missing from the records. The library records the children of a
 * process. If a process ended without an exit row although no signal killed it, its program did not load the library
 * or could not write to the run's directory, so its children may be missing. */
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
		const struct account *account = account_of(accounts, processes, process);
		process->forked = is_fork(process);
		process->peak_mib = peak_of(accounts, processes, process);
		process->own_mib = own_of(process, account);
		process->own_shared_mib = own_shared_of(process, account);
		/* The peaks that the kernel reports exclude huge pages. */
		process->peak_mib += known_first(process->sampled_hugetlb_mib, 0);
		process->own_mib += known_first(process->sampled_hugetlb_mib, 0);
		double unknown = unknown_mib(&accounts[i]);
		process->unknown_mib = fmin(unknown, known_first(process->children_peak_mib, unknown));
		processes->lacks_some |= lacks_children(&accounts[i]) || may_lack_children(process);
	}
	free(accounts);
}
