/* The root of a run on macOS; see root.h.
 *
 * The sampler is the keeper, a process of its own from the start, and no thread in the root. On macOS all threads of a
 * process share its descriptors and its C library's locks: a host that closes all descriptors would close the
 * sampler's, one that forks would hand them on, one that counts its threads would find ours; and nothing of a thread is
 * left when the root is killed. A process that was started before the host's first instruction has none of this in
 * common with it, goes on through every exec of the root, and hears of its end. */
#include "preload/root.h"

#include "core/spool.h"
#include "os/process.h"
#include "os/self.h"
#include "preload/darwin/stack.h"
#include "preload/host.h"
#include "sampler/run/make.h"

#define VARIABLE "RTRACK_RUN="

enum { SETTINGS_BYTES = 2048 };

static char variable[sizeof VARIABLE + SPOOL_PATH_MAX];

/* What making the run used, in this process. */
static uint64_t used[COUNTER_COUNT];
static bool made; /* by this very process */

static const char *directory(void)
{
	return variable + sizeof VARIABLE - 1;
}

static void set_directory(const char *path)
{
	struct buffer out = BUFFER(variable);
	buffer_string(&out, VARIABLE);
	buffer_string(&out, path);
	(void)buffer_terminate(&out);
}

/* The settings that a sampler goes by, where they are not the default, as host_start_keeper takes them: the member's
 * own copy is made later. */
static void start_keeper(const struct settings *settings)
{
	static const enum setting_id needed[] = {
		SETTING_ID_MEMORY, SETTING_ID_SPOOL_MAX_MIB, SETTING_ID_MIN_SECONDS, SETTING_ID_MASK};
	char text[SETTINGS_BYTES];
	struct buffer out = {text, 0, sizeof text - 1, false};

	for (size_t i = 0; i < ARRAY_LENGTH(needed); i++) {
		const struct setting *setting = &settings_table[needed[i]];
		size_t before = out.length;
		if (text_is(text_of(settings->text[needed[i]]), setting->fallback))
			continue;
		buffer_string(&out, setting->variable);
		buffer_byte(&out, '=');
		buffer_string(&out, settings->text[needed[i]]);
		buffer_byte(&out, '\0');
		if (out.full)
			out.length = before;
	}
	text[out.length] = '\0';
	(void)host_start_keeper(directory(), text);
}

struct making {
	struct run_start start;
	int result;
};

static void make_run(void *argument)
{
	struct making *making = argument;
	uint64_t before[2], after[2];
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);

	process_own_usage(before);
	run_path(&out, &making->start);
	(void)buffer_terminate(&out);
	making->result = out.full ? -1 : run_create(&making->start, path);
	set_directory(path);
	process_own_usage(after);
	for (int i = 0; i < 2; i++)
		used[COUNTER_USER_NS + i] = after[i] - before[i];
}

const char *root_hand_on(const char *path)
{
	set_directory(path);
	(void)host_environment_add(variable);
	return directory();
}

const char *root_begin(const struct run_start *start)
{
	static struct system_group group;
	struct making making = {*start, -1};

	making.start.group = &group;
	if (stack_call(STACK_OF_ROOT, make_run, &making) != 0 || making.result != 0)
		return NULL;
	/* Later on, other threads may be reading the environment; children are found by their descent. */
	if (!host_is_running())
		(void)host_environment_add(variable);
	made = true;
	start_keeper(start->settings);
	return directory();
}

/* Another image of the root has nothing to take up; but the keeper may have been killed. */
void root_resume(const char *path, const struct settings *settings)
{
	set_directory(path);
	start_keeper(settings);
}

const uint64_t *root_end(int exit_code)
{
	(void)exit_code;
	return made ? used : NULL;
}

void root_forked(void)
{
	made = false;
}

/* -- there is no thread --------------------------------------------------------------------------- */

bool root_hosts(void)
{
	return false;
}

int root_flush(void)
{
	return -1;
}

void root_leave(void)
{
}

void root_rest(void)
{
}

void root_go_on(void)
{
}

bool root_rests(void)
{
	return false;
}

bool root_step_aside(void)
{
	return false;
}
