/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-gpu DIRECTORY BETWEEN [NVML [ROOT]]: reads GPUs and the machine's energy counters during a run.
 *
 * It is a separate program, because the host must not load a driver's library, and a static program cannot. The
 * driver's calls take milliseconds, sometimes seconds, and may crash. If there is a GPU or an energy counter, the run's
 * sampler starts rtrack-gpu after its first tick (sampler/gpus.c), and does not wait for it. rtrack-gpu writes gpu.csv,
 * and passes a record (os/gpu.h) to the sampler in a file. It locks that file, so a second rtrack-gpu exits. It
 * ends when the sampler removes the file at the end of the run, or when the run has had no sampler for several polls.
 *
 *   main          locks the file, finds the sources
 *   look          polls all sources (nvml.c, linux/drm.c, linux/rapl.c) shortly before each tick; if ticks are far
 *                 apart, every second
 *   tick_end      tick.c: computes means and the job's share (job.c), writes rows and the record
 *
 * BETWEEN is unused here. The library starts rtrack-gpu in the same way as a keeper (preload/linux/keeper.c), which
 * needs that argument. NVML is the value of RTRACK_NVML. ROOT is prepended to the paths in /sys and /proc, for tests
 * (tests/gpu/amd_simulated.bats). */
#define _GNU_SOURCE
#include "core/settings.h"
#include "core/spool.h"
#include "gpu/drm.h"
#include "gpu/job.h"
#include "gpu/nvml.h"
#include "gpu/place.h"
#include "gpu/rapl.h"
#include "gpu/tick.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/self.h"
#include "sampler/run/file.h"
#include "sampler/run/names.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { DIRECTORY = 1, NVML = 3, ROOT = 4 };

/* minimum interval between two polls, because drivers sample only a few times per second */
#define POLL_MIN_NS 100000000
#define POLL_MAX_NS 1000000000
#define LEAD_NS 5000000 /* Time by which a poll begins before its tick, in addition to the duration of the poll. */
#define UNSAMPLED_MAX 3 /* number of consecutive polls without a sampler after which rtrack-gpu exits */

static struct {
	const char *directory;
	int at;
	int record_file;
	int64_t interval_ns; /* interval between two ticks */
	int64_t period_ns;   /* interval between two polls; interval_ns is a multiple of it */
	int64_t lasted_ns;   /* duration of the last poll */
	uint64_t limit_bytes;
	bool has_nvml;
	bool has_drm;
	bool has_rapl;
} gpu;

static struct gpu_record record;
static struct gpu_poll poll;

static void write_record(int64_t until_ns)
{
	record.until_ns = until_ns;
	record.sum = gpu_record_sum(&record);
	(void)os_write_at(gpu.record_file, (struct text){(const char *)&record, gpu_record_size(record.count)}, 0);
}

static void look(void)
{
	int64_t begun_ns = os_since_boot_ns();

	poll.count = 0;
	if (gpu.has_nvml)
		nvml_poll(&poll, begun_ns);
	if (gpu.has_drm)
		drm_poll(&poll, begun_ns);
	if (gpu.has_rapl)
		rapl_poll();
	gpu.lasted_ns = os_since_boot_ns() - begun_ns;
}

/* Opens and locks the file of the record. Returns false if another rtrack-gpu holds the lock. */
static bool take_file(void)
{
	gpu.at = os_open_directory(OS_HERE, gpu.directory);
	if (gpu.at < 0)
		return false;
	(void)os_create(gpu.at, SPOOL_GPU_FILE, TEXT(""));
	gpu.record_file = os_open_write(gpu.at, SPOOL_GPU_FILE);
	return gpu.record_file >= 0 && os_lock(gpu.record_file, false) == 0;
}

static bool configure(void)
{
	struct run_facts facts;
	struct settings settings;

	settings_read(&settings, environ);
	if (run_facts(gpu.directory, &facts) != 0)
		return false;
	gpu.limit_bytes = (uint64_t)(settings.number[SETTING_ID_SPOOL_MAX_MIB] * 1048576);
	gpu.interval_ns = (int64_t)(facts.interval * 1e9 + 0.5);
	if (gpu.interval_ns <= 0)
		return false;
	if (gpu.interval_ns < POLL_MIN_NS)
		gpu.interval_ns *= (POLL_MIN_NS + gpu.interval_ns - 1) / gpu.interval_ns;
	gpu.period_ns = gpu.interval_ns / ((gpu.interval_ns + POLL_MAX_NS - 1) / POLL_MAX_NS);
	return true;
}

static bool find_sources(const char *nvml, const char *root)
{
	gpu.has_nvml = nvml_open(nvml);
	gpu.has_drm = drm_open(root, gpu.has_nvml);
	gpu.has_rapl = rapl_open(root);
	return gpu.has_nvml || gpu.has_drm || gpu.has_rapl;
}

/* Returns whether the run has ended, or has had no sampler during several polls. */
static bool is_over(void)
{
	static int unsampled;

	if (!os_exists(gpu.at, SPOOL_GPU_FILE))
		return true;
	int64_t age_ns = os_age_ns(gpu.at, tables[TABLE_system].file);
	bool late = age_ns > 2 * gpu.interval_ns + POLL_MAX_NS && !run_is_sampled(gpu.directory);
	unsampled = late ? unsampled + 1 : 0;
	return unsampled > UNSAMPLED_MAX;
}

/* Sleeps until shortly before the next poll, or until the run ends. Returns whether the poll is the last of a tick. */
static bool wait_for_tick(int watch)
{
	static int64_t due_ns;
	int64_t lead_ns = LEAD_NS + gpu.lasted_ns + gpu.lasted_ns / 2;
	if (lead_ns > gpu.period_ns / 2)
		lead_ns = gpu.period_ns / 2;
	int64_t aim_ns = os_now_ns() + lead_ns;
	int64_t next_ns = aim_ns - aim_ns % gpu.period_ns + gpu.period_ns;
	/* The computed time may be that of the poll that was just made, because a poll begins shortly before its time.
	 * The next time is then used. If the clock was set back, the computed time is earlier than that of the last
	 * poll, and is used. */
	due_ns = next_ns == due_ns ? next_ns + gpu.period_ns : next_ns;
	int64_t end_ns = os_since_boot_ns() + due_ns - aim_ns;
	for (int64_t left_ns; (left_ns = end_ns - os_since_boot_ns()) > 0 && os_exists(gpu.at, SPOOL_GPU_FILE);)
		place_wait(watch, left_ns);
	/* Ticks are at the multiples of the interval. The remainder is compared with half a period, because it may be
	 * slightly wrong by rounding. */
	int64_t beyond_ns = due_ns % gpu.interval_ns;
	return beyond_ns < gpu.period_ns / 2 || gpu.interval_ns - beyond_ns < gpu.period_ns / 2;
}

static void follow(int watch)
{
	look(); /* reads the initial values of the counters */
	while (!is_over()) {
		bool due = wait_for_tick(watch);
		if (is_over())
			break;
		look();
		tick_add(&poll);
		if (due) {
			tick_end(gpu.at, gpu.limit_bytes, &record);
			record.package_uj = gpu.has_rapl ? rapl_uj() : UINT64_MAX;
			write_record(os_since_boot_ns() + gpu.interval_ns + gpu.interval_ns / 2);
		}
	}
	record.pid = 0;
	write_record(0);
	(void)os_remove(gpu.at, SPOOL_GPU_FILE);
}

static void write_header(void)
{
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);

	row_write_header(&out, &tables[TABLE_gpu]);
	(void)os_create(gpu.at, tables[TABLE_gpu].file, (struct text){row, out.length});
}

int main(int count, char **arguments)
{
	if (count <= DIRECTORY)
		return EXIT_FAILURE;
	(void)signal(SIGXFSZ, SIG_IGN); /* required by the functions of os/file.h */
	(void)os_learn_time();
	gpu.directory = arguments[DIRECTORY];
	place_settle();
	if (!take_file())
		return EXIT_SUCCESS;
	record.machine = record.job = (struct gpu_sums){UNKNOWN, UNKNOWN, UNKNOWN};
	record.package_uj = UINT64_MAX;
	record.pid = (uint64_t)os_pid();
	/* The record has no known figures yet. It contains the pid, so that the sampler attributes the CPU time of this
	 * process to the tracker. */
	write_record(0);
	/* A run that ends later removes the file, and rtrack-gpu then exits. A run that ended before the file was
	 * created does not remove it. rtrack-gpu therefore checks first whether the run still has a sampler. */
	bool found = run_is_sampled(gpu.directory) && configure() &&
		     find_sources(count > NVML ? arguments[NVML] : "", count > ROOT ? arguments[ROOT] : "");
	if (!found) {
		(void)os_remove(gpu.at, SPOOL_GPU_FILE);
		return EXIT_SUCCESS;
	}
	if (gpu.has_nvml || gpu.has_drm)
		write_header();
	job_open(gpu.at);
	follow(place_watch(gpu.directory));
	return EXIT_SUCCESS;
}
