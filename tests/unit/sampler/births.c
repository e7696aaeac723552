/* What the sampler says of the children of a member that a signal ended: how many it has left, where everybody is known
 * who was born until then; nothing where somebody may have been overlooked. And whether it knew everybody in the run.
 */
#include "sampler/sampler.h"

#include "core/number.h"
#include "core/spool.h"
#include "os/file.h"
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/tap.h"

enum { KILLED_15 = 15, STRANGER = 60 };

static struct sampler *sampler;
static int pid; /* of the member that is to end */

static void nobody(void)
{
}

static void member_told(void)
{
	int told = fake_fork(FAKE_ROOT)->id.pid;
	fake_says_start(told);
	fake_says_exit(told, 0);
	fake_end(told, 0);
}

static void child_lives(void)
{
	(void)fake_fork(pid);
	fake_tick(sampler);
}

static void stranger_came_and_went(void)
{
	fake_end(fake_fork(STRANGER)->id.pid, 0);
}

static void child_came_and_went(void)
{
	int child = fake_fork(pid)->id.pid;
	int grandchild = fake_fork(child)->id.pid;
	fake_end(child, 0);
	fake_end(grandchild, 0);
}

static void stranger_lives(void)
{
	(void)fake_fork(STRANGER);
}

/* It may have been a member's child. */
static void orphan_lives(void)
{
	(void)fake_fork(FAKE_INIT);
}

static void many_were_born(void)
{
	for (int i = 0; i < 300; i++)
		member_told();
}

static void time_passed(void)
{
	fake_pass(10 * FAKE_SECOND);
}

static void list_fails(void)
{
	fake_faults.list_error = OS_ERROR_DENIED;
}

static void others_unread(void)
{
	fake_faults.read_error = OS_ERROR_NO_MEMORY;
	(void)fake_fork(STRANGER);
	fake_tick(sampler);
	fake_faults.read_error = 0;
}

static void list_failed(void)
{
	fake_faults.list_error = OS_ERROR_DENIED;
	(void)fake_fork(STRANGER);
	fake_tick(sampler);
	fake_faults.list_error = 0;
}

static void has_reaped(void)
{
	int child = fake_fork(pid)->id.pid;
	fake_end(child, 0);
	fake_process(pid)->used[COUNTER_USER_NS] += FAKE_MS;
	fake_tick(sampler);
}

/* Between two ticks nobody looks where nobody has run. */
static void glance(void)
{
	fake_process(FAKE_ROOT)->used[COUNTER_USER_NS] += FAKE_MS;
	sampler_pulse(sampler);
}

static void thread_was_seen(void)
{
	fake_begin_thread();
	glance();
	fake_end_thread();
}

static void thread_came_and_went(void)
{
	fake_begin_thread();
	fake_end_thread();
	glance();
}

static void helper_came_and_went(void)
{
	int between = fake_fork(FAKE_ROOT)->id.pid;
	int helper = fake_fork(between)->id.pid;
	sampler_set_helper(sampler, SAMPLER_HELPER_GUARD, helper);
	sampler_explain(sampler, between);
	sampler_set_helper(sampler, SAMPLER_HELPER_GUARD, 0);
	fake_end(between, 0);
	fake_end(helper, 0);
}

static void no_tally(void)
{
	fake_clocks = false;
}

static const struct {
	void (*happens)(void); /* in the tick in which the member ends */
	double left;
	const char *what;
} cases[] = {
	{nobody, 0, "nobody was born"},
	{member_told, 0, "a member came, told of itself and went"},
	{child_lives, 1, "a child of it lives on"},
	{stranger_lives, 0, "a stranger was born whose parent lives"},
	{stranger_came_and_went, UNKNOWN, "somebody came and went"},
	{child_came_and_went, UNKNOWN, "a child of it left a child, and both are gone"},
	{orphan_lives, UNKNOWN, "a stranger is there without a parent of its own"},
	{many_were_born, UNKNOWN, "more were born than are looked for"},
	{time_passed, UNKNOWN, "so much time has passed that pids may have started anew"},
	{list_fails, UNKNOWN, "the list of processes cannot be read"},
	{list_failed, UNKNOWN, "it could not be read in the tick before"},
	{others_unread, UNKNOWN, "a process could not be read in the tick before"},
	{thread_was_seen, 0, "a thread came and went, and was seen"},
	{thread_came_and_went, UNKNOWN, "... and was not"},
	{helper_came_and_went, 0, "a helper of ours came and went"},
	{has_reaped, UNKNOWN, "it had reaped somebody before, who may have left others"},
	{no_tally, UNKNOWN, "the system does not tell the last pid"},
};

static void check(size_t number)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	fake_clocks = true;
	(void)fake_fork_as(STRANGER, FAKE_SELF);
	pid = fake_fork(FAKE_ROOT)->id.pid;
	fake_process(pid)->used[COUNTER_USER_NS] = 100 * FAKE_MS;
	fake_tick(sampler);
	fake_tick(sampler);
	cases[number].happens();
	fake_end(pid, KILLED_15);
	fake_tick(sampler);
	fake_faults.list_error = 0;
	fake_tick(sampler);
	int row = fake_row_of(TABLE_exit, pid);
	printf("# %s\n", cases[number].what);
	ok(row >= 0, "  it has ended");
	is_number(row < 0 ? -1 : fake_cell(TABLE_exit, row, EXIT_children_left), cases[number].left,
		"  how many children it has left");
	(void)sampler_finish(sampler, 0, 0, false);
	is_number(fake_run_says("\"births_known\": 1"), number_known(cases[number].left), "  whether all are known");
}

/* A run that a keeper takes over so long after the root's last tick. */
static void check_keeper(int64_t after_ns, double known, const char *what)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	fake_clocks = true;
	fake_tick(sampler);
	(void)sampler_hand_over(sampler);
	member_told();
	fake_pass(after_ns);
	sampler = fake_run_open(SAMPLER_IN_KEEPER);
	fake_tick(sampler);
	fake_end(FAKE_ROOT, 0);
	fake_tick(sampler);
	(void)sampler_finish(sampler, 0, 0, false);
	is_number(fake_run_says("\"births_known\": 1"), known, what);
}

/* Another image of a root that has lived for so many ticks: who was born before it is not known, unless none of their
 * pids can have been given again. */
static void check_image(int ticks, double known, const char *what)
{
	fake_reset();
	sampler = fake_run_begin(SAMPLER_IN_ROOT, NULL);
	fake_clocks = true;
	for (int i = 0; i < ticks; i++)
		fake_tick(sampler);
	(void)sampler_hand_over(sampler);
	(void)os_remove(OS_HERE, FAKE_RUN "/" SPOOL_STATE_FILE);
	sampler = fake_run_open(SAMPLER_IN_ROOT);
	fake_tick(sampler);
	(void)sampler_finish(sampler, 0, 0, false);
	is_number(fake_run_says("\"births_known\": 1"), known, what);
}

int main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check(i);
	check_keeper(0, 1, "whom the root knew its keeper knows");
	check_keeper(10 * FAKE_SECOND, 0, "... unless pids may have started anew meanwhile");
	check_image(1, 1, "a young root's next image knows who was born since the root was");
	check_image(10, 0, "... and an old one's does not");
	fake_reset();
	return done();
}
