/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that the tracker's usage is subtracted from its host's figures, however the kernel divides the CPU time of each
 * into user and system time. */
#include "core/figures.h"
#include "tests/unit/lib/tap.h"

static void check_taken_out(void)
{
	enum { USER = COUNTER_USER_NS, SYSTEM = COUNTER_SYSTEM_NS, READ = COUNTER_DISK_READ };
	static const struct {
		uint64_t host[3], tracker[3], left[3];
		const char *name;
	} rows[] = {
		{{100, 50, 4096}, {10, 20, 96}, {90, 30, 4000}, "user and system time are subtracted separately"},
		{{100, 5, 0}, {10, 20, 0}, {75, 0, 0}, "excess system time of the tracker is taken from user time"},
		{{5, 100, 0}, {20, 10, 0}, {0, 75, 0}, "excess user time of the tracker is taken from system time"},
		{{10, 10, 10}, {20, 30, 40}, {0, 0, 0}, "a tracker that used more than the host leaves 0"},
		{{7, 0, 0}, {0, 0, 0}, {7, 0, 0}, "a tracker that used nothing changes nothing"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		uint64_t host[COUNTER_COUNT] = {[USER] = rows[i].host[0], rows[i].host[1], rows[i].host[2]};
		uint64_t tracker[COUNTER_COUNT] = {[USER] = rows[i].tracker[0], rows[i].tracker[1], rows[i].tracker[2]};
		figures_take_out(host, tracker);
		bool left = true;
		for (int k = 0; k < 3; k++)
			left &= host[k] == rows[i].left[k];
		ok(left, rows[i].name);
	}
}

int main(void)
{
	check_taken_out();
	return done();
}
