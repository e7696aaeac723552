/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the end of a process on macOS with kqueue(2) and EVFILT_PROC, for os/process.h. NOTE_EXITSTATUS reports the
 * exit status to every process that may signal the ended process, even if its parent reaps it. */
#include "os/process.h"

#include "os/darwin/error.h"
#include "os/file.h"

#include <signal.h>
#include <sys/event.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static int open_queue(void)
{
	return (int)RESULT_OF(kqueue());
}

int process_open_io(int pid)
{
	(void)pid;
	return OS_ERROR_UNSUPPORTED;
}

void process_read_io(int file, struct process_reading *reading)
{
	(void)file, (void)reading;
}

int process_follow(int pid)
{
	struct kevent64_s change;
	int queue = open_queue();

	if (queue < 0)
		return queue;
	EV_SET64(&change, (uint64_t)pid, EVFILT_PROC, EV_ADD, NOTE_EXIT | NOTE_EXITSTATUS, 0, 0, 0, 0);
	int result = (int)RESULT_OF(kevent64(queue, &change, 1, NULL, 0, 0, NULL));
	if (result >= 0)
		return queue;
	os_close(queue);
	return result;
}

/* The status is kept, because the kernel reports it only once. */
int process_wait_status(int followed, uint32_t *wait_status)
{
	const struct timespec now = {0, 0};
	struct kevent64_s event;

	if (followed < 0 || RESULT_OF(kevent64(followed, NULL, 0, &event, 1, 0, &now)) != 1 ||
		!(event.fflags & NOTE_EXITSTATUS))
		return -1;
	*wait_status = (uint32_t)event.data;
	return 0;
}

/* If the process is a zombie or does not exist, kqueue returns an event with an error. */
int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns)
{
	enum { COUNT_MAX = 16 };
	struct kevent64_s changes[COUNT_MAX], events[COUNT_MAX];
	const struct timespec left = {at_most_ns / 1000000000, at_most_ns % 1000000000};
	int queue = open_queue();

	if (queue < 0)
		return OS_ERROR_UNSUPPORTED;
	count = count < COUNT_MAX ? count : COUNT_MAX;
	for (size_t i = 0; i < count; i++)
		EV_SET64(&changes[i], (uint64_t)pids[i], EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, 0, 0, 0);
	long heard = at_most_ns > 0 ? RESULT_OF(kevent64(queue, changes, (int)count, events, COUNT_MAX, 0, &left)) : 0;
	os_close(queue);
	return heard > 0;
}

/* macOS has no descriptors for processes. The pid may therefore be reused between the check and the signal. */
int process_signal(struct process_id id, int signal)
{
	struct process_reading reading;
	int result = process_read(id.pid, false, &reading);

	if (result == 0 && !process_is(reading.id, id))
		result = OS_ERROR_NO_PROCESS;
	return result == 0 ? (int)RESULT_OF(kill(id.pid, signal)) : result;
}
