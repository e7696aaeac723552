/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the ledger, which sums the usage of all processes. In each scenario, processes start, work, end and are
 * reaped. The run's expected sum is checked after each step. All usage is counted once, whatever the kernel has
 * reported so far, and in any order. */
#include "sampler/ledger.h"
#include "tests/unit/lib/fake_os.h"
#include "tests/unit/lib/tap.h"

enum action {
	END_OF_SCENARIO,
	ADD,      /* a process is first seen; `own` is its parent */
	READ,     /* a reading: own CPU time, CPU time including reaped children, I/O including them */
	MOVED,    /* a reading after its parent ended; the new parent is not part of the run */
	EXIT,     /* its own record at its end: its own CPU time and I/O */
	ZOMBIE,   /* it ended without a record, and was read before it was reaped: figures including reaped children */
	GONE,     /* it ended without a record, and nothing more is known */
	ORPHANED, /* it ended, and then its parent ended without reaping it */
	TICK,     /* a row was written */
	REAPED    /* usage of an ended process and its reaped children from wait4 */
};

enum { INIT = 99, STEPS_MAX = 12 };

/* CPU time in milliseconds, I/O in bytes written. */
struct step {
	enum action action;
	int pid;
	unsigned own;
	unsigned inclusive;
	unsigned io;
	unsigned total; /* expected CPU time of the run after this step */
	unsigned total_io;
};

#define BEGIN(pid, parent)                                                                                             \
	{                                                                                                              \
		ADD, pid, parent, 0, 0, 0, 0                                                                           \
	}

static const struct {
	const char *what;
	struct step steps[STEPS_MAX];
} scenarios[] = {
	{"a process alone", {BEGIN(1, INIT), {READ, 1, 10, 10, 100, 10, 100}, {READ, 1, 30, 30, 100, 30, 100},
				    {EXIT, 1, 35, 0, 120, 35, 120}}},
	{"a child is reaped after its exit row was read",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 1, 5, 5, 0, 5, 0}, {READ, 2, 20, 20, 0, 25, 0},
			{EXIT, 2, 30, 0, 0, 35, 0}, {READ, 1, 6, 36, 0, 36, 0}, {EXIT, 1, 7, 0, 0, 37, 0}}},
	{"a child is a zombie for a while",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 1, 5, 5, 0, 5, 0}, {READ, 2, 20, 20, 0, 25, 0},
			{ZOMBIE, 2, 30, 30, 0, 35, 0}, {READ, 1, 6, 6, 0, 36, 0}, {READ, 1, 8, 38, 0, 38, 0},
			{EXIT, 1, 9, 0, 0, 39, 0}}},
	{"a child came and went between two ticks, known only by its exit row",
		{BEGIN(1, INIT), {READ, 1, 5, 5, 0, 5, 0}, BEGIN(2, 1), {EXIT, 2, 30, 0, 0, 35, 0},
			{READ, 1, 6, 36, 0, 36, 0}}},
	{"a static child is only in its parent's figure",
		{BEGIN(1, INIT), {READ, 1, 5, 5, 10, 5, 10}, {READ, 1, 6, 46, 70, 46, 70},
			{READ, 1, 9, 49, 70, 49, 70}}},
	{"a parent works on after a static child, until its end",
		{BEGIN(1, INIT), {READ, 1, 5, 5, 0, 5, 0}, {READ, 1, 6, 46, 0, 46, 0}, {EXIT, 1, 16, 0, 0, 56, 0}}},
	{"static children run beside a known child",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 1, 5, 5, 0, 5, 0}, {READ, 2, 20, 20, 0, 25, 0},
			{READ, 1, 5, 45, 0, 65, 0}, {EXIT, 2, 30, 0, 0, 75, 0}, {READ, 1, 5, 75, 0, 75, 0},
			{READ, 1, 5, 85, 0, 85, 0}}},
	{"a child was killed: its parent's figure has the rest",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 1, 5, 5, 0, 5, 0}, {READ, 2, 20, 20, 50, 25, 50},
			{GONE, 2, 0, 0, 0, 25, 50}, {READ, 1, 6, 39, 80, 39, 80}, {EXIT, 1, 6, 0, 0, 39, 80}}},
	{"SIGCHLD is ignored: a parent's figure never includes its child",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 1, 5, 5, 0, 5, 0}, {READ, 2, 20, 20, 0, 25, 0},
			{EXIT, 2, 30, 0, 0, 35, 0}, {READ, 1, 6, 6, 0, 36, 0}, {READ, 1, 50, 50, 0, 80, 0},
			{EXIT, 1, 60, 0, 0, 90, 0}}},
	{"an orphan is reaped by a process that is not a member",
		{BEGIN(1, INIT), BEGIN(2, 1), BEGIN(3, 2), {READ, 3, 10, 10, 0, 10, 0}, {EXIT, 2, 3, 0, 0, 13, 0},
			{MOVED, 3, 20, 20, 0, 23, 0}, {READ, 1, 1, 4, 0, 24, 0}, {EXIT, 3, 40, 0, 0, 44, 0},
			{READ, 1, 2, 5, 0, 45, 0}, {READ, 1, 2, 15, 0, 55, 0}}},
	{"a grandchild's row is read after that of its parent, which had reaped it",
		{BEGIN(1, INIT), BEGIN(2, 1), BEGIN(3, 2), {READ, 1, 5, 5, 0, 5, 0}, {EXIT, 2, 10, 0, 0, 15, 0},
			{EXIT, 3, 20, 0, 0, 35, 0}, {READ, 1, 5, 35, 0, 35, 0}, {READ, 1, 6, 36, 0, 36, 0}}},
	{"I/O of a reaped child is in its parent's figure, and counts once",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 1, 0, 0, 100, 0, 100}, {READ, 2, 0, 0, 40, 0, 140},
			{EXIT, 2, 0, 0, 50, 0, 150}, {READ, 1, 0, 0, 150, 0, 150}, {READ, 1, 0, 0, 180, 0, 180},
			{EXIT, 1, 0, 0, 135, 0, 185}}},
	{"wait4 includes a static grandchild that the exit row does not",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 2, 20, 20, 0, 20, 0}, {EXIT, 2, 30, 0, 0, 30, 0},
			{REAPED, 2, 0, 45, 0, 45, 0}, {REAPED, 2, 0, 45, 0, 45, 0}}},
	{"a zombie's parent ended without reaping it: later static children are not subtracted",
		{BEGIN(1, INIT), BEGIN(2, 1), BEGIN(3, 2), {EXIT, 3, 30, 0, 70, 30, 70}, {EXIT, 2, 5, 0, 0, 35, 70},
			{ORPHANED, 3, 0, 0, 0, 35, 70}, {READ, 1, 1, 6, 0, 36, 70}, {READ, 1, 1, 46, 90, 76, 160},
			{EXIT, 1, 2, 0, 0, 77, 160}}},
	{"a child's row is read before its parent, which is seen later, is known",
		{BEGIN(1, INIT), {READ, 1, 5, 5, 0, 5, 0}, BEGIN(3, 2), {EXIT, 3, 30, 0, 70, 35, 70},
			{TICK, 1, 0, 0, 0, 35, 70}, BEGIN(2, 1), {READ, 2, 10, 40, 90, 45, 90},
			{EXIT, 2, 12, 0, 25, 47, 95}, {READ, 1, 6, 48, 95, 48, 95}}},
	{"a static program that no reading saw: its child's row is included in its parent's figure",
		{BEGIN(1, INIT), {READ, 1, 5, 5, 10, 5, 10}, BEGIN(3, 2), {EXIT, 3, 30, 0, 70, 35, 80},
			{READ, 1, 6, 46, 100, 46, 100}, {READ, 1, 6, 56, 110, 56, 110}}},
	{"a zombie's parent and grandparent ended without reaping it: hidden usage is counted",
		{BEGIN(1, INIT), BEGIN(2, 1), BEGIN(3, 2), {ZOMBIE, 3, 30, 30, 70, 30, 70}, {EXIT, 2, 5, 0, 0, 35, 70},
			{ZOMBIE, 1, 50, 50, 100, 50, 100}, {ORPHANED, 3, 0, 0, 0, 80, 170}}},
	{"a child of an unknown parent that ended without reaping it is not subtracted",
		{BEGIN(1, INIT), BEGIN(3, 2), {EXIT, 3, 30, 0, 70, 30, 70}, {ORPHANED, 3, 0, 0, 0, 30, 70},
			{READ, 1, 5, 45, 100, 75, 170}}},
	{"usage that one parent claims is not claimed by another",
		{BEGIN(1, INIT), BEGIN(2, 1), BEGIN(4, 3), {EXIT, 4, 30, 0, 0, 30, 0}, {READ, 1, 1, 31, 0, 31, 0},
			{READ, 2, 1, 31, 0, 62, 0}}},
	{"a process's own usage is not a child's",
		{BEGIN(1, INIT), {READ, 1, 5, 5, 0, 5, 0}, BEGIN(3, 2), {EXIT, 3, 30, 0, 0, 35, 0},
			{READ, 1, 45, 45, 0, 75, 0}, {READ, 1, 45, 75, 0, 75, 0}}},
	{"usage that no parent claims is forgotten",
		{BEGIN(1, INIT), {READ, 1, 5, 5, 0, 5, 0}, BEGIN(3, 2), {EXIT, 3, 30, 0, 0, 35, 0},
			{TICK, 1, 0, 0, 0, 35, 0}, {READ, 1, 5, 5, 0, 35, 0}, {TICK, 1, 0, 0, 0, 35, 0},
			{READ, 1, 5, 45, 0, 75, 0}}},
	{"usage of an unknown parent's child is assigned once the parent is known",
		{BEGIN(1, INIT), BEGIN(3, 2), {EXIT, 3, 30, 0, 0, 30, 0}, {TICK, 1, 0, 0, 0, 30, 0},
			{TICK, 1, 0, 0, 0, 30, 0}, BEGIN(2, 1), {READ, 2, 5, 5, 0, 35, 0}, {READ, 2, 5, 35, 0, 35, 0},
			{EXIT, 2, 6, 0, 0, 36, 0}, {READ, 1, 0, 36, 0, 36, 0}}},
	{"usage of an unknown parent's child is assigned, and the parent ends without reaping",
		{BEGIN(1, INIT), BEGIN(3, 2), {EXIT, 3, 30, 0, 0, 30, 0}, BEGIN(2, 1), {READ, 2, 5, 5, 0, 35, 0},
			{EXIT, 2, 6, 0, 0, 36, 0}, {ORPHANED, 3, 0, 0, 0, 36, 0}, {READ, 1, 0, 6, 0, 36, 0}}},
	{"usage that waited a tick for its parent is not claimed by another",
		{BEGIN(1, INIT), BEGIN(3, 2), {EXIT, 3, 30, 0, 0, 30, 0}, {TICK, 1, 0, 0, 0, 30, 0},
			{ORPHANED, 3, 0, 0, 0, 30, 0}, {TICK, 1, 0, 0, 0, 30, 0}, {READ, 1, 5, 45, 0, 75, 0}}},
	{"a shell reaps a child after its last record: usage from wait4 counts once",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 2, 140, 140, 0, 140, 0}, {EXIT, 1, 5, 0, 0, 145, 0},
			{GONE, 2, 0, 0, 0, 145, 0}, {REAPED, 1, 0, 235, 0, 235, 0}}},
	{"a shell reaps a child before its last record was read",
		{BEGIN(1, INIT), BEGIN(2, 1), {READ, 2, 140, 140, 0, 140, 0}, {GONE, 2, 0, 0, 0, 140, 0},
			{EXIT, 1, 5, 0, 0, 145, 0}, {REAPED, 1, 0, 235, 0, 235, 0}}},
	{"figures that decrease change nothing",
		{BEGIN(1, INIT), {READ, 1, 50, 50, 90, 50, 90}, {READ, 1, 40, 40, 80, 50, 90},
			{READ, 1, 55, 55, 95, 55, 95}, {EXIT, 1, 52, 0, 0, 55, 95}}},
};

/* Half of the time is system time, the rest is user time. */
static void set(uint64_t counters[COUNTER_COUNT], unsigned cpu_ms, unsigned io)
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		counters[i] = 0;
	counters[COUNTER_SYSTEM_NS] = cpu_ms / 2 * 1000000ull;
	counters[COUNTER_USER_NS] = cpu_ms * 1000000ull - counters[COUNTER_SYSTEM_NS];
	counters[COUNTER_DISK_WRITE] = io;
}

static void take(struct ledger *ledger, const struct step *step)
{
	struct process_reading reading = {
		.id = {step->pid, (uint64_t)step->pid}, .ppid = INIT, .gauge[GAUGE_THREADS] = 1};
	int index = ledger_find(ledger, (struct process_id){step->pid, (uint64_t)step->pid});
	uint64_t figures[COUNTER_COUNT];

	switch (step->action) {
	case END_OF_SCENARIO:
		break;
	case ADD:
		(void)ledger_add(ledger, (struct process_id){step->pid, (uint64_t)step->pid}, (int)step->own);
		break;
	case READ:
		reading.ppid = ledger->members[index].ppid;
		/* fall through */
	case MOVED:
		set(reading.own, step->own, step->io);
		set(reading.inclusive, step->inclusive, step->io);
		ledger_read(ledger, index, &reading);
		break;
	case EXIT:
		set(figures, step->own, step->io);
		ledger_end(ledger, index, figures, NULL);
		break;
	case ZOMBIE:
	case REAPED:
		set(figures, step->inclusive, step->io);
		set(ledger->members[index].reading.inclusive, step->inclusive, step->io);
		ledger_end(ledger, index, NULL, figures);
		break;
	case ORPHANED:
		ledger_move(ledger, index, INIT);
		break;
	case GONE:
		ledger_end(ledger, index, NULL, NULL);
		break;
	case TICK:
		ledger_settle(ledger);
		break;
	}
}

static void check_scenario(const char *what, const struct step *steps)
{
	struct process_entry others[] = {{.id = {2, 3}}, {.id = {INIT - 1, 1}}, {.id = {INIT, 1}}};
	const struct process_list list = {others, ARRAY_LENGTH(others), ARRAY_LENGTH(others)};
	struct ledger ledger = {.free = MEMBER_NONE, .others = &list, .root = {0, 2}};
	bool right = true;

	for (int i = 0; i < STEPS_MAX && steps[i].action != END_OF_SCENARIO; i++) {
		take(&ledger, &steps[i]);
		uint64_t cpu_ns = ledger.delta[COUNTER_USER_NS] + ledger.delta[COUNTER_SYSTEM_NS];
		uint64_t io = ledger.delta[COUNTER_DISK_WRITE];
		if (steps[i].action == ADD || (cpu_ns == steps[i].total * 1000000ull && io == steps[i].total_io))
			continue;
		printf("# after step %d: expected %u ms, %u bytes; seen %.6g ms, %.0f bytes\n", i + 1, steps[i].total,
			steps[i].total_io, (double)cpu_ns / 1e6, (double)io);
		right = false;
	}
	ok(right, what);
	ledger_release(&ledger);
}

/* At each reading, the kernel divides a process's CPU time anew into user and system time. */
static void check_division(void)
{
	static const struct {
		uint64_t user;
		uint64_t system;
		uint64_t sum; /* expected sum so far */
	} readings[] = {{10, 10, 20}, {15, 4, 20}, {15, 10, 25}, {5, 25, 30}, {31, 0, 31}};
	const struct process_list none = {NULL, 0, 0};
	struct ledger ledger = {.free = MEMBER_NONE, .others = &none};
	int index = ledger_add(&ledger, (struct process_id){1, 1}, INIT);

	for (size_t i = 0; i < ARRAY_LENGTH(readings); i++) {
		struct process_reading reading = {.ppid = INIT};
		reading.own[COUNTER_USER_NS] = reading.inclusive[COUNTER_USER_NS] = readings[i].user;
		reading.own[COUNTER_SYSTEM_NS] = reading.inclusive[COUNTER_SYSTEM_NS] = readings[i].system;
		ledger_read(&ledger, index, &reading);
		ok(ledger.delta[COUNTER_USER_NS] + ledger.delta[COUNTER_SYSTEM_NS] == readings[i].sum,
			"time that moves between user and system time counts once");
	}
	ledger_release(&ledger);
}

static void check_members(void)
{
	enum { MANY = 1000 };
	const struct process_list none = {NULL, 0, 0};
	struct ledger ledger = {.free = MEMBER_NONE, .others = &none};
	int wrong = 0;

	ok(ledger_find(&ledger, (struct process_id){1, 1}) == MEMBER_NONE &&
			ledger_find_alive(&ledger, 1) == MEMBER_NONE,
		"an empty ledger has no members");
	for (int pid = 1; pid <= MANY; pid++)
		wrong += ledger_add(&ledger, (struct process_id){pid, 5}, pid - 1) == MEMBER_NONE;
	for (int pid = 1; pid <= MANY; pid++)
		wrong += ledger.members[ledger_find(&ledger, (struct process_id){pid, 5})].id.pid != pid;
	is_number(wrong, 0, "each of a thousand members is found");
	is_number((double)ledger.alive, MANY, "all thousand members are alive");
	ok(ledger_find(&ledger, (struct process_id){7, 6}) == MEMBER_NONE, "another start time means another process");

	ledger_end(&ledger, ledger_find(&ledger, (struct process_id){7, 5}), NULL, NULL);
	ok(ledger_find_alive(&ledger, 7) == MEMBER_NONE, "an ended member is not alive");
	is_number((double)ledger.alive, MANY - 1, "an ended member is not counted");
	int again = ledger_add(&ledger, (struct process_id){7, 6}, 6);
	ok(ledger_find_alive(&ledger, 7) == again && ledger_find(&ledger, (struct process_id){7, 5}) != again,
		"a reused pid is another member");

	for (int pid = 1; pid <= MANY; pid += 2)
		ledger_remove(&ledger, ledger_find(&ledger, (struct process_id){pid, 5}));
	for (int pid = 1; pid <= MANY; pid++)
		wrong += (ledger_find(&ledger, (struct process_id){pid, 5}) == MEMBER_NONE) != (pid % 2 == 1);
	is_number(wrong, 0, "half of the members leave, and the other members are still found");
	is_number((double)ledger.alive, MANY / 2 + 1, "the remaining members are counted");
	size_t top = ledger.top;
	for (int pid = 1; pid <= MANY; pid += 2)
		(void)ledger_add(&ledger, (struct process_id){pid, 5}, 0);
	ok(ledger.top == top, "the slots of ended members are reused");
	ledger_release(&ledger);
}

static void check_descent(void)
{
	enum { FIRST = 1, STRANGER = 77, UNSEEN = 78 };
	struct process_entry others[] = {{.id = {FIRST, 1}}, {.id = {STRANGER, 1}}};
	const struct process_list list = {others, ARRAY_LENGTH(others), ARRAY_LENGTH(others)};
	struct ledger ledger = {.free = MEMBER_NONE, .others = &list, .root = {10, 2}};

	(void)ledger_add(&ledger, (struct process_id){10, 1}, FIRST);
	(void)ledger_add(&ledger, (struct process_id){20, 2}, 10);
	(void)ledger_add(&ledger, (struct process_id){30, 3}, 20);
	(void)ledger_add(&ledger, (struct process_id){40, 4}, 50);
	(void)ledger_add(&ledger, (struct process_id){50, 5}, 40);
	ok(ledger_may_descend(&ledger, 30, 10), "a grandchild descends");
	ok(ledger_may_descend(&ledger, 10, 10), "a process descends from itself");
	ok(!ledger_may_descend(&ledger, 10, 30), "a process does not descend from its grandchild");
	ok(!ledger_may_descend(&ledger, 10, 77), "the root does not descend from an unseen process");
	ok(!ledger_may_descend(&ledger, STRANGER, 10), "a stranger does not descend");
	ok(ledger_may_descend(&ledger, UNSEEN, 10), "an unseen process may descend");
	ok(!ledger_may_descend(&ledger, 40, 10), "parents in a circle end the search");
	ledger_end(&ledger, ledger_find(&ledger, (struct process_id){20, 2}), NULL, NULL);
	ok(ledger_may_descend(&ledger, 30, 10), "a process descends through an ended one");
	ledger_release(&ledger);
}

int main(void)
{
	fake_reset();
	for (size_t i = 0; i < ARRAY_LENGTH(scenarios); i++)
		check_scenario(scenarios[i].what, scenarios[i].steps);
	check_division();
	check_members();
	check_descent();
	fake_reset();
	return done();
}
