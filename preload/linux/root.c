/* SPDX-License-Identifier: Apache-2.0 */
/* The root of a run on Linux, and the sampling thread in it. */
#include "preload/root.h"

#include "core/spool.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/linux/sys.h"
#include "os/process.h"
#include "os/self.h"
#include "preload/host.h"
#include "preload/member.h"
#include "sampler/keeper.h"
#include "sampler/run/make.h"
#include "sampler/sampler.h"

#include <asm/unistd.h>
#include <linux/prctl.h>

static struct {
	struct host_thread thread;
	struct settings settings;
	struct sampler *sampler;
	int exit_code;
	enum { ENDING, LEAVING, RESTING } aim; /* what the thread does when the host stops it */
	int64_t begun_ns;                      /* time since boot when the thread started */
	bool guarded;                          /* a guard has been started, or none can be started */
	bool rests;                            /* the thread has ended, and a later thread will continue the sampler */
	/* Usage of the tracker in this process: before an exec, in the host's threads, and in sampling threads that
	 * have ended. */
	uint64_t used[COUNTER_COUNT];
} root BESIDE_LOADER;

#define GUARD_NS 250000000 /* a root with children gets a guard when it is older than this */

static void measure_thread(uint64_t counters[COUNTER_COUNT])
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		counters[i] = 0;
	thread_usage(&counters[COUNTER_USER_NS]);
	(void)thread_io(counters);
}

/* Adds the calling thread's usage since `before` to the tracker's usage. */
static void note_use(const uint64_t before[COUNTER_COUNT])
{
	uint64_t now[COUNTER_COUNT];
	measure_thread(now);
	for (int i = 0; i < COUNTER_COUNT; i++)
		root.used[i] += now[i] - before[i];
}

/* Opens the sampler in the first sampling thread, or continues it in a later one. */
static struct sampler *take_up(void)
{
	const struct sampler_options options = {.place = SAMPLER_IN_ROOT,
		.directory = root_directory(),
		.settings = &root.settings,
		.root_pid = os_pid(),
		.hosted = root.used};
	if (!root.sampler)
		return sampler_open(&options);
	return sampler_go_on(root.sampler, NULL) ? root.sampler : NULL;
}

static void end_run(int status)
{
	/* No process outlives the first process of a PID namespace, not even a keeper, because the kernel then kills
	 * all others in the namespace. */
	bool outlived = os_pid() != 1;
	if (sampler_finish(root.sampler, status, 0, outlived) &&
		host_start_keeper(root_directory(), member_keeper_settings()) != 0)
		keeper_end(root_directory(), host_environment());
	root.sampler = NULL;
}

/* Pauses the sampler, passes it to a keeper or ends the run, according to `why` and root.aim. Returns the exit
 * status of the thread. */
static int come_to_aim(enum host_wait why)
{
	int status = why == HOST_WAIT_LEADER ? host_thread_status(&root.thread) : root.exit_code;

	if (why == HOST_WAIT_STOP && root.aim == RESTING) {
		sampler_pause(root.sampler);
		root.rests = true;
	} else if (why == HOST_WAIT_STOP && root.aim == LEAVING) {
		if (sampler_hand_over(root.sampler))
			(void)host_start_keeper(root_directory(), member_keeper_settings());
		root.sampler = NULL;
	} else {
		end_run(status);
	}
	return status;
}

/* Returns whether the root could reap a process that the library starts. This is possible if the root traces one of
 * its children, because a tracer's waits include all kinds of processes. */
static bool would_reap(const int *pids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (process_tracer(pids[i]) == os_pid())
			return true;
	return false;
}

static void note_helper(enum sampler_helper helper, int pid)
{
	sampler_set_helper(root.sampler, helper, pid > 0 ? pid : 0);
}

/* Starts rtrack-gpu if the sampler needs it. Called after a tick, so that a job shorter than a tick does not pay for
 * rtrack-gpu. */
static void ask_gpus(void)
{
	int pids[16];

	if (!sampler_wants_gpu(root.sampler))
		return;
	int children = process_children(pids, ARRAY_LENGTH(pids));
	if (children < 0 ||
		would_reap(pids, (size_t)children < ARRAY_LENGTH(pids) ? (size_t)children : ARRAY_LENGTH(pids)))
		return;
	int helper = host_start_gpu(root_directory(), member_keeper_settings(), root.settings.text[SETTING_ID_NVML]);
	note_helper(SAMPLER_HELPER_GPU, helper);
}

/* Starts a guard once the root has children. If the root is killed, its children may continue, and only the guard
 * observes the end of the root. A short-lived root, or one without children, needs no guard. */
static void guard(void)
{
	int pids[16];
	size_t alive;

	if (root.guarded || os_since_boot_ns() - root.begun_ns < GUARD_NS)
		return;
	alive = sampler_alive(root.sampler, pids, ARRAY_LENGTH(pids));
	int children = alive < 2 ? process_children(pids, ARRAY_LENGTH(pids)) : 0;
	if (alive < 2 && children <= 0)
		return;
	alive = children > 0 ? (size_t)children : alive;
	root.guarded = true;
	if (would_reap(pids, alive < ARRAY_LENGTH(pids) ? alive : ARRAY_LENGTH(pids)))
		return;
	/* Saves the sampler's state for the guard, because no tick may have saved it yet. */
	sampler_checkpoint(root.sampler);
	note_helper(SAMPLER_HELPER_GUARD, host_start_guard(root_directory(), member_keeper_settings()));
}

/* Returns whether the sampling thread still has root's rights although the host has given them up. The library does
 * not see this if, for example, a PHP extension calls the C library directly. The dumpable flag is checked first,
 * because that is cheap. Giving up rights clears the flag, unless suid_dumpable is set (proc(5)). */
static bool keeps_rights(void)
{
	return os_user() == 0 && SYS_CALL1(__NR_prctl, PR_GET_DUMPABLE) != 1 && process_real_user(os_pid()) != 0;
}

static void run_sampler(void *unused)
{
	static const uint64_t nothing[COUNTER_COUNT];
	int status = 0;

	(void)unused;
	/* If the host forks repeatedly, the next fork may stop this thread before it has resumed the sampler. */
	if (root.sampler && root.aim == RESTING && host_thread_wait(&root.thread, 0) == HOST_WAIT_STOP) {
		root.rests = true;
		host_thread_exit(0);
	}
	root.sampler = host_thread_part() == 0 ? take_up() : NULL;
	root.begun_ns = os_since_boot_ns();
	int64_t renewal_due_ns = 0;
	bool looks = false; /* whether code lines were sampled since the last row was rewritten */
	while (root.sampler) {
		int64_t now_ns = os_since_boot_ns();
		renewal_due_ns = looks ? renewal_due_ns : now_ns + sampler_renewal_ns(root.sampler);
		int64_t wait_ns = sampler_wait_ns(root.sampler), renewal_ns = renewal_due_ns - now_ns;
		int64_t lines_ns = sampler_lines_ns(root.sampler) - now_ns;
		bool between = wait_ns > renewal_ns;
		int64_t next_ns = between ? renewal_ns : wait_ns;
		looks = lines_ns < next_ns;
		next_ns = looks ? lines_ns : next_ns;
		enum host_wait why = host_thread_wait(&root.thread, next_ns > 0 ? next_ns : 0);
		if (why == HOST_WAIT_TIME && keeps_rights()) {
			root_part();
			root.aim = LEAVING;
			why = HOST_WAIT_STOP;
		}
		if (why == HOST_WAIT_STOP || why == HOST_WAIT_LEADER) {
			status = come_to_aim(why);
			break;
		}
		if (why == HOST_WAIT_TIME && looks) {
			sampler_lines(root.sampler);
			continue;
		}
		looks = false;
		if (why == HOST_WAIT_TIME && between) {
			sampler_renew_last_row(root.sampler);
			guard();
			continue;
		}
		sampler_tick(root.sampler);
		ask_gpus();
		guard();
		if (why == HOST_WAIT_ASKED)
			host_thread_answer(&root.thread);
	}
	note_use(nothing);
	host_thread_exit(status);
}

struct making {
	struct run_start start;
	int result;
};

static void make_run(void *argument)
{
	struct making *making = argument;
	uint64_t before[COUNTER_COUNT];

	measure_thread(before);
	making->result = root_make(&making->start);
	note_use(before);
}

const char *root_begin(const struct run_start *start)
{
	struct making making = {*start, -1};

	if (host_call(&root.thread, make_run, &making) != 0 || making.result != 0)
		return NULL;
	root.settings = *start->settings;
	/* If the host's main function is running, other threads may read the environment, so the library must not
	 * change it. The sampler then finds members by their parents instead of by RTRACK_RUN. If the host calls _exit,
	 * no record is written: the C library was loaded before this library, so its _exit is called. */
	if (!host_is_running())
		root_tell();
	else
		root_part();
	(void)host_thread_start(&root.thread, run_sampler);
	return root_directory();
}

void root_resume(const char *path, const struct settings *settings)
{
	root_name(path);
	root.settings = *settings;
	(void)host_thread_start(&root.thread, run_sampler);
}

/* Ends the run in the calling thread, because after unshare of a PID namespace no thread can be created. Meanwhile,
 * the sampler's descriptors are in the host's descriptor table. */
static void end_rest(void *unused)
{
	uint64_t before[COUNTER_COUNT];

	(void)unused;
	measure_thread(before);
	if (!sampler_go_on(root.sampler, before))
		root.sampler = NULL;
	else
		end_run(root.exit_code);
	note_use(before);
}

const uint64_t *root_end(int exit_code)
{
	if (root.aim == LEAVING)
		return root.used;
	root_go_on();
	root.aim = ENDING;
	root.exit_code = exit_code;
	if (root_has_sampler())
		host_thread_stop(&root.thread);
	else if (root.rests)
		(void)host_call(&root.thread, end_rest, NULL);
	else
		return NULL;
	root.rests = false;
	return root.used;
}

void root_reset(void)
{
	root.aim = ENDING;
	root.guarded = root.rests = false;
	root.sampler = NULL;
	__builtin_memset(root.used, 0, sizeof root.used);
}

uint64_t root_used_ns(void)
{
	return root_has_sampler() ? figures_cpu_ns(root.used) + host_thread_used_ns(&root.thread) : 0;
}

int root_flush(void)
{
	return root_has_sampler() ? host_thread_ask(&root.thread) : -1;
}

/* The acquire operation makes all writes of an ended thread visible to the caller. */
bool root_has_sampler(void)
{
	return __atomic_load_n(&root.thread.tid, __ATOMIC_ACQUIRE) != 0;
}

void root_part(void)
{
	int directory = os_open_directory(OS_HERE, root_directory());
	(void)os_create(directory, SPOOL_PARTED_FILE, TEXT(""));
	os_close(directory);
}

void root_leave(void)
{
	root.aim = LEAVING;
	host_thread_stop(&root.thread);
}

void root_rest(void)
{
	root.aim = RESTING;
	host_thread_stop(&root.thread);
}

bool root_rests(void)
{
	return root.rests;
}

void root_go_on(void)
{
	if (root_has_sampler() || !root.rests)
		return;
	root.aim = ENDING;
	root.rests = false;
	if (host_thread_start(&root.thread, run_sampler) != 0)
		root.rests = true;
}

/* If the host adopts orphans, a keeper would become its child. The host might wait for the keeper, which waits for the
 * host. The thread therefore only pauses during the call. */
bool root_step_aside(void)
{
	bool rests = os_keeps_orphans();
	if (rests)
		root_rest();
	else
		root_leave();
	return rests;
}

/* Only a process that shares the root's memory can read the thread's stack, because fork does not copy the stack. */
bool root_is_shared(void)
{
	return root.thread.stack && sys_can_read((const uint64_t *)root.thread.stack - 1);
}

void root_forked(void)
{
	root.aim = ENDING;
	root.rests = false;
	root.sampler = NULL;
	root.guarded = false;
	root.thread.tid = 0;
	root.thread.stack = NULL; /* fork did not copy the stack */
}
