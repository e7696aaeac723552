/* SPDX-License-Identifier: Apache-2.0 */
/* Writes fewer rows if the spool's file system is slow.
 *
 * The sampler waits for each of its writes. During a write, rtrack-run cannot forward signals, and a root that ends
 * must wait for its sampling thread. After a write of more than 200 ms, the sampler therefore pauses ten times as long,
 * up to a minute. The first row after a pause covers the whole pause. */
#include "sampler/state.h"

#define REST_TIMES 10
#define REST_MAX_NS 60000000000

bool backoff_is_on(const struct sampler *sampler)
{
	return sampler->backoff.until_ns > os_since_boot_ns();
}

/* Reads how long the thread has waited for a CPU. This is done once per tick, because it costs more than most
 * writes. */
void backoff_begin(struct sampler *sampler)
{
	sampler->backoff.queued_ns = thread_queued_ns();
}

/* Starts a pause if the spool was slow. The time in which the thread waited for a CPU is subtracted. */
void backoff_judge(struct sampler *sampler, int64_t before_ns)
{
	struct backoff *backoff = &sampler->backoff;
	int64_t now_ns = os_since_boot_ns();
	int64_t waited_ns = now_ns - before_ns;

	if (waited_ns <= SPOOL_SLOW_NS)
		return;
	int64_t queued_ns = thread_queued_ns();
	waited_ns -= queued_ns - backoff->queued_ns;
	bool known = queued_ns >= 0 && backoff->queued_ns >= 0;
	backoff->queued_ns = queued_ns;
	if (!known || waited_ns <= SPOOL_SLOW_NS)
		return;
	if (!backoff->pause_marked)
		os_mark_slow(sampler->files.system, OS_MODE_TABLE);
	backoff->pause_marked = true;
	int64_t from_ns = backoff->until_ns > now_ns ? backoff->until_ns : now_ns;
	int64_t until_ns = from_ns + REST_TIMES * waited_ns;
	backoff->until_ns = until_ns < now_ns + REST_MAX_NS ? until_ns : now_ns + REST_MAX_NS;
}

int64_t backoff_write(struct sampler *sampler, int file, struct text rows)
{
	int64_t before_ns = os_since_boot_ns();
	int64_t written = os_write(file, rows);

	backoff_judge(sampler, before_ns);
	return written;
}

void backoff_leave_out(struct sampler *sampler)
{
	if (!sampler->backoff.loss_marked)
		os_mark_slow(sampler->files.start, OS_MODE_TABLE);
	sampler->backoff.loss_marked = true;
}
