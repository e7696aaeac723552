/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the sampler itself over PROCESSES sleeping children and prints the duration of a tick in microseconds: samples
 * DIRECTORY PROCESSES TICKS.
 *
 * The program is linked with the sampler's objects, so it measures the code that runs in a job, without the sleep
 * between two ticks. A script computes the cost per process from several values of PROCESSES. The output is CPU
 * microseconds per tick, then wall microseconds. */
#define _GNU_SOURCE
#include "core/spool.h"
#include "sampler/run/make.h"
#include "sampler/sampler.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now_us(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int64_t epoch_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void make_sleepers(pid_t *sleepers, int count)
{
	for (int i = 0; i < count; i++) {
		sleepers[i] = fork();
		if (sleepers[i] == 0) {
			prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
			for (;;)
				pause();
		}
	}
}

int main(int argc, char **argv)
{
	struct settings settings;
	static char directory[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(directory);

	if (argc < 4)
		return 2;
	int count = atoi(argv[2]), ticks = atoi(argv[3]);
	pid_t *sleepers = calloc((size_t)count, sizeof(*sleepers));
	if (!sleepers)
		return 1;
	make_sleepers(sleepers, count);

	setenv("RTRACK_SPOOL", argv[1], 1);
	settings_read(&settings, environ);
	struct task task = {.row = -1};
	struct run_start start = {.settings = &settings,
		.task = &task,
		.environment = environ,
		.arguments = argv,
		.count = argc,
		.pid = getpid(),
		.time_ns = epoch_ns(),
		.random = (uint16_t)count,
		.mode = "launcher",
		.parent = {NULL, 0}};
	run_path(&path, &start);
	buffer_terminate(&path);
	if (run_create(&start, directory) != 0)
		return 1;
	struct sampler_options options = {.place = SAMPLER_IN_LAUNCHER,
		.directory = directory,
		.settings = &settings,
		.interval_ns = 1000000000,
		.root_pid = sleepers[0]};
	struct sampler *sampler = sampler_open(&options);
	if (!sampler)
		return 1;
	for (int i = 0; i < 10; i++)
		sampler_tick(sampler);
	double cpu = now_us(CLOCK_PROCESS_CPUTIME_ID), wall = now_us(CLOCK_MONOTONIC);
	for (int i = 0; i < ticks; i++)
		sampler_tick(sampler);
	printf("%.3f %.3f\n", (now_us(CLOCK_PROCESS_CPUTIME_ID) - cpu) / ticks,
		(now_us(CLOCK_MONOTONIC) - wall) / ticks);
	for (int i = 0; i < count; i++)
		kill(sleepers[i], SIGKILL);
	while (wait(NULL) > 0)
		continue;
	(void)sampler_finish(sampler, 0, 0, false);
	return 0;
}
