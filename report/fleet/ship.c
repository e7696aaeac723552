/* SPDX-License-Identifier: Apache-2.0 */
/* Sends runs, and repeats failed attempts.
 *
 * A sender beside a job must not slow the job down. It sends once a minute, at a limited rate, and sleeps in between.
 * After failures it waits one second, two, four and so on up to a minute, or as long as the server requests. A random
 * part of each wait is subtracted, so that the senders of a thousand jobs do not return at the same instant. After the
 * end of the run, it gives up at the fifth consecutive failure; unsent rows stay in the spool. */
#define _GNU_SOURCE
#include "report/fleet/ship.h"

#include "core/number.h"
#include "report/say/alloc.h"
#include "report/services/program.h"
#include "report/spool/runs.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 5, WAIT_MOST = 60, RATE = 8 << 20, RATE_BESIDE = 1 << 20 };

static bool told; /* SIGTERM has arrived */

static void watch_signal(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, signals, NULL);
}

/* Sleeps. Returns early if SIGTERM arrives. */
static void wait_for(double seconds)
{
	double whole = floor(seconds);
	struct timespec time = {(time_t)whole, (long)((seconds - whole) * 1e9)};
	sigset_t signals;

	watch_signal(&signals);
	if (sigtimedwait(&signals, NULL, &time) == SIGTERM)
		told = true;
}

/* Returns how many seconds to wait after this number of consecutive failures. */
static double backoff(const struct target *target, int failures)
{
	double wait = failures < 6 ? 1 << failures : WAIT_MOST;

	if (number_known(target->wait))
		return target->wait < WAIT_MOST ? target->wait : WAIT_MOST;
	if (wait > WAIT_MOST)
		wait = WAIT_MOST;
	return wait * (1 - 0.5 * drand48());
}

/* -- one run --------------------------------------------------------------------------------------- */

/* Reads run.json again. Returns false if the run has been removed. */
static bool reread(struct shipment *shipment, const char *directory)
{
	struct run run;

	if (run_open(&run, directory) != 0)
		return false;
	run_close(&shipment->run);
	shipment->run = run;
	shipment->over = strcmp(run.status, "running") != 0 && !run.goes_on;
	shipment->rate = shipment->over || told ? RATE : RATE_BESIDE;
	return true;
}

/* Waits until program_clock returns `end`, or until the run has ended or was removed. */
static void wait_until(struct shipment *shipment, const char *directory, double end)
{
	double left;

	while (!told && !shipment->over && (left = end - program_clock()) > 0) {
		wait_for(left < 1 ? left : 1);
		if (!reread(shipment, directory))
			return;
	}
}

/* Sends a run, and repeats this every `every` seconds if `follow` is set. Returns whether everything was sent. */
static bool send_all(struct target *target, struct shipment *shipment, const char *directory, bool follow, double every)
{
	int failures = 0;
	/* A job shorter than the first wait is sent as soon as it has ended. */
	if (follow)
		wait_until(shipment, directory, program_clock() + every);
	for (;;) {
		double begin = program_clock();
		/* run.json is read before the rows. If run.json says that the run has ended, all rows have therefore
		 * been written. */
		if (!reread(shipment, directory))
			return true;
		if (!told)
			wait_for(0); /* a SIGTERM may be pending */
		bool goes_on = follow && !shipment->over && !told;
		enum sent sent = target->kind->send(target, shipment);
		failures = sent == SENT_NOT_YET ? failures + 1 : 0;
		if (sent == SENT_REFUSED || (failures >= TRIES && !goes_on))
			return false;
		if (sent == SENT_ALL && !goes_on)
			return true;
		if (sent == SENT_ALL) {
			wait_until(shipment, directory, begin + every);
			shipment->reached = 0;
		} else if (sent == SENT_NOT_YET && goes_on) {
			wait_until(shipment, directory, program_clock() + backoff(target, failures - 1));
		} else if (sent == SENT_NOT_YET) {
			wait_for(backoff(target, failures - 1));
		}
	}
}

bool ship_run(struct target *target, const char *directory, bool follow, double every, struct ship_sums *sums)
{
	struct shipment shipment = {.over = false};
	sigset_t signals;

	if (follow)
		watch_signal(&signals);
	srand48((long)time(NULL) ^ (long)clock());
	if (sent_log_open(&shipment.log, directory, target->name) != 0) {
		bool engaged = errno == EWOULDBLOCK;
		if (engaged)
			(void)target_refuse(target, "another process is sending the run there");
		else
			(void)target_failed(target, directory);
		sums->engaged += engaged;
		sums->left += !engaged;
		return engaged;
	}
	bool whole = send_all(target, &shipment, directory, follow, every);
	sums->runs += shipment.batches > 0;
	sums->rows += shipment.rows;
	sums->batches += shipment.batches;
	sums->left += !whole;
	sent_log_close(&shipment.log);
	run_close(&shipment.run);
	return whole;
}

bool ship_all(struct target *target, const char *spool, struct ship_sums *sums)
{
	struct runs runs;
	bool whole = true;

	if (runs_list(&runs, spool) != 0) {
		(void)target_failed(target, spool);
		return false;
	}
	sent_log_sweep(spool, target->name);
	for (size_t i = runs.count; whole && i-- > 0;) {
		char *directory = xasprintf("%s/%s", spool, runs.names[i]);
		whole = ship_run(target, directory, false, 0, sums);
		free(directory);
	}
	runs_free(&runs);
	return whole;
}
