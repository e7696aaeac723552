/* SPDX-License-Identifier: Apache-2.0 */
/* Implements os/watch.h with kqueue(2), which reports that a directory has changed, but not which entry has changed. */
#include "os/watch.h"

#include "os/darwin/error.h"
#include "os/file.h"

#include <sys/event.h>
#include <time.h>
#include <unistd.h>

/* Returns a queue. The directory's descriptor is never closed, because the queue needs it. */
int os_watch(const char *directory)
{
	struct kevent64_s change;
	int watched = os_open_directory(OS_HERE, directory);
	int queue = watched < 0 ? watched : (int)RESULT_OF(kqueue());

	if (queue < 0) {
		os_close(watched);
		return queue;
	}
	EV_SET64(&change, (uint64_t)watched, EVFILT_VNODE, EV_ADD | EV_CLEAR, NOTE_WRITE, 0, 0, 0, 0);
	int result = (int)RESULT_OF(kevent64(queue, &change, 1, NULL, 0, 0, NULL));
	if (result >= 0)
		return queue;
	os_close(queue);
	os_close(watched);
	return result;
}

/* Returns true after any change in the directory. The caller must check whether its file exists. */
bool os_watch_heard(int watched, const char *name)
{
	const struct timespec now = {0, 0};
	struct kevent64_s event;

	(void)name;
	return RESULT_OF(kevent64(watched, NULL, 0, &event, 1, 0, &now)) > 0;
}
