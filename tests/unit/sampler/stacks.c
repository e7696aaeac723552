/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the table of distinct call stacks. */
#include "sampler/stacks.h"

#include "tests/unit/lib/tap.h"

#include <string.h>

static struct stacks stacks;

/* -- ids -- */

#define FRAME(path, number, name, users)                                                                               \
	{                                                                                                              \
		.file = {path, sizeof path - 1}, .line = number, .function = {name, sizeof name - 1}, .own = users     \
	}

static const struct {
	const char *what;
	struct place_frame frames[3];
} different[] = {
	{"a stack", {FRAME("/job.py", 1, "f", true)}},
	{"another line", {FRAME("/job.py", 2, "f", true)}},
	{"a line that differs in the second byte", {FRAME("/job.py", 257, "f", true)}},
	{"another function", {FRAME("/job.py", 1, "g", true)}},
	{"another file", {FRAME("/job2.py", 1, "f", true)}},
	{"a library's frame", {FRAME("/job.py", 1, "f", false)}},
	{"texts of the same letters", {FRAME("/job.p", 1, "yf", true)}},
	{"a caller", {FRAME("/job.py", 1, "f", true), FRAME("/job.py", 2, "g", true)}},
	{"the same frames in another order", {FRAME("/job.py", 2, "g", true), FRAME("/job.py", 1, "f", true)}},
	{"recursion", {FRAME("/job.py", 1, "f", true), FRAME("/job.py", 1, "f", true)}},
};

static uint64_t hash_of(size_t row)
{
	uint64_t hash = STACK_NONE;

	for (size_t i = 0; i < ARRAY_LENGTH(different[row].frames) && different[row].frames[i].line > 0; i++)
		hash = stack_hash(hash, &different[row].frames[i]);
	return hash;
}

static void check_ids(void)
{
	uint64_t ids[ARRAY_LENGTH(different)];
	bool is_new;

	memset(&stacks, 0, sizeof stacks);
	for (size_t i = 0; i < ARRAY_LENGTH(different); i++) {
		ids[i] = stacks_add(&stacks, hash_of(i), &is_new);
		ok(is_new && ids[i] > STACK_OTHER && ids[i] < UINT64_C(1) << 48, different[i].what);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(different); i++)
		ok(stacks_add(&stacks, hash_of(i), &is_new) == ids[i] && !is_new,
			"a known stack has the same id again");
	memset(&stacks, 0, sizeof stacks);
	is_number((double)stacks_add(&stacks, hash_of(0), &is_new), (double)ids[0], "and in another run");
}

static void check_bound(void)
{
	int new = 0;
	bool is_new;

	memset(&stacks, 0, sizeof stacks);
	for (uint64_t i = 0; i < STACKS_MAX - 1; i++) {
		(void)stacks_add(&stacks, 1000 + i, &is_new);
		new += is_new;
	}
	is_number(new, STACKS_MAX - 1, "there is room for 4,095 stacks");
	is_number((double)stacks_add(&stacks, 9999, &is_new), STACK_OTHER, "further stacks share an id");
	ok(is_new, "which is new once");
	is_number((double)stacks_add(&stacks, 9998, &is_new), STACK_OTHER, "all of them");
	ok(!is_new, "and not new again");
	is_number((double)stacks_add(&stacks, 1000, &is_new), 1000, "an earlier stack keeps its id");
	for (uint64_t hash = 0; hash <= STACK_OTHER; hash++)
		ok(stacks_add(&(struct stacks){.count = 0}, hash, &is_new) > STACK_OTHER, "reserved ids are not used");
}

/* -- frames of deep stacks -- */

static const struct {
	size_t count, own_from, own_to; /* frames [own_from, own_to) are the user's; frame 0 is the innermost */
	size_t kept, kept_own, last;    /* how many are kept, how many of them are the user's, and the outermost one */
	const char *what;
} deep[] = {
	{64, 0, 0, 64, 0, 63, "64 frames are kept"},
	{65, 0, 0, 63, 0, 62, "of 65 frames, the innermost 63 are kept"},
	{100, 90, 100, 63, 10, 99, "the outermost frames are kept if they are the user's"},
	{128, 0, 128, 63, 63, 62, "of a deep recursion, the innermost frames are kept"},
	{128, 28, 128, 63, 63, 90, "the innermost frames of the user come before a library's"},
	{0, 0, 0, 0, 0, 0, "an empty stack"},
};

static void check_deep(void)
{
	for (size_t row = 0; row < ARRAY_LENGTH(deep); row++) {
		bool own[128] = {false}, kept[128] = {false};
		size_t all = 0, users = 0, last = 0;
		for (size_t i = deep[row].own_from; i < deep[row].own_to; i++)
			own[i] = true;
		bool cut = stack_choose(own, kept, deep[row].count);
		for (size_t i = 0; i < deep[row].count; i++) {
			all += kept[i];
			users += kept[i] && own[i];
			last = kept[i] ? i : last;
		}
		ok(all == deep[row].kept && users == deep[row].kept_own && last == deep[row].last &&
				cut == (deep[row].count > STACK_FRAMES_MAX),
			deep[row].what);
	}
}

int main(void)
{
	check_ids();
	check_bound();
	check_deep();
	return done();
}
