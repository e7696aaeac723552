/* The root of a run, and the thread in it that samples; see root.h. */
#include "preload/root.h"

#include "core/spool.h"
#include "os/process.h"
#include "os/self.h"
#include "preload/host.h"
#include "sampler/keeper.h"
#include "sampler/run/make.h"
#include "sampler/sampler.h"

static struct {
	struct host_thread thread;
	struct settings settings;
	int exit_code;
	bool leaving;                   /* the thread is to hand over, not to end the run */
	uint64_t making[COUNTER_COUNT]; /* what making the run used, in the main thread */
	uint64_t used[COUNTER_COUNT];   /* by the tracker in this process, when the thread has ended */
	char variable[sizeof "RTRACK_RUN=" + SPOOL_PATH_MAX];
} root;

#define VARIABLE "RTRACK_RUN="

static const char *directory(void)
{
	return root.variable + sizeof VARIABLE - 1;
}

static void set_directory(const char *path)
{
	struct buffer out = BUFFER(root.variable);
	buffer_string(&out, VARIABLE);
	buffer_string(&out, path);
	(void)buffer_terminate(&out);
}

static void measure_thread(uint64_t counters[COUNTER_COUNT])
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		counters[i] = 0;
	thread_usage(&counters[COUNTER_USER_NS]);
	(void)thread_io(counters);
}

static void note_use(void)
{
	measure_thread(root.used);
	for (int i = 0; i < COUNTER_COUNT; i++)
		root.used[i] += root.making[i];
}

/* What the main thread ended with, alone. Since Linux 5.17 the last thread's status is the process', so it is ours
 * then. */
static int leader_status(void)
{
	struct process_reading reading;
	return process_read(os_pid(), false, &reading) == 0 ? (int)(reading.wait_status >> 8 & 0xff) : 0;
}

static void run_sampler(void *unused)
{
	const struct sampler_options options = {.place = SAMPLER_IN_ROOT,
		.directory = directory(),
		.settings = &root.settings,
		.root_pid = os_pid(),
		.hosted = root.making};
	(void)unused;
	int status = 0;
	struct sampler *sampler = host_thread_part() == 0 ? sampler_open(&options) : NULL;
	while (sampler) {
		enum host_wait why = host_thread_wait(&root.thread, sampler_wait_ns(sampler));
		if (why == HOST_WAIT_TIME || why == HOST_WAIT_ASKED) {
			sampler_tick(sampler);
			if (why == HOST_WAIT_ASKED)
				host_thread_answer(&root.thread);
			continue;
		}
		if (why == HOST_WAIT_STOP && root.leaving) {
			if (sampler_hand_over(sampler))
				(void)host_start_keeper(directory());
			break;
		}
		status = why == HOST_WAIT_LEADER ? leader_status() : root.exit_code;
		if (sampler_finish(sampler, status, 0, true) && host_start_keeper(directory()) != 0)
			keeper_end(directory(), host_environment());
		break;
	}
	note_use();
	host_thread_exit(status);
}

struct making {
	const struct run_start *start;
	int result;
};

static void make_run(void *argument)
{
	struct making *making = argument;
	uint64_t before[COUNTER_COUNT];
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);

	measure_thread(before);
	run_path(&out, making->start);
	(void)buffer_terminate(&out);
	making->result = out.full ? -1 : run_create(making->start, path);
	set_directory(path);
	measure_thread(root.making);
	for (int i = 0; i < COUNTER_COUNT; i++)
		root.making[i] -= before[i];
}

const char *root_hand_on(const char *path)
{
	set_directory(path);
	(void)host_environment_add(root.variable);
	return directory();
}

const char *root_begin(const struct run_start *start)
{
	struct making making = {start, -1};

	if (host_call(&root.thread, make_run, &making) != 0 || making.result != 0)
		return NULL;
	root.settings = *start->settings;
	/* Later on, other threads may be reading the environment; children are found by their descent. */
	if (!host_is_running())
		(void)host_environment_add(root.variable);
	(void)host_thread_start(&root.thread, run_sampler, NULL);
	return directory();
}

void root_resume(const char *path, const struct settings *settings)
{
	set_directory(path);
	root.settings = *settings;
	(void)host_thread_start(&root.thread, run_sampler, NULL);
}

const uint64_t *root_end(int exit_code)
{
	if (root.leaving)
		return root.used;
	if (root.thread.tid == 0)
		return NULL;
	root.exit_code = exit_code;
	host_thread_stop(&root.thread);
	return root.used;
}

int root_flush(void)
{
	return root_hosts() && !root.leaving ? host_thread_ask(&root.thread) : -1;
}

bool root_hosts(void)
{
	return root.thread.tid != 0;
}

void root_leave(void)
{
	root.leaving = true;
	host_thread_stop(&root.thread);
}

void root_forked(void)
{
	root.leaving = false;
	root.thread.tid = 0;
}
