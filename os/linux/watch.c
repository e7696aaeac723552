/* SPDX-License-Identifier: Apache-2.0 */
/* Linux implementation of os/watch.h with inotify(7). */
#include "os/watch.h"

#include "os/file.h"
#include "os/linux/error.h"
#include "os/linux/sys.h"

#include <linux/fcntl.h>
#include <linux/inotify.h>

int os_watch(const char *directory)
{
	int watched = (int)result_of(SYS_CALL1(__NR_inotify_init1, IN_CLOEXEC | IN_NONBLOCK));
	if (watched < 0)
		return watched;
	long result = SYS_CALL3(__NR_inotify_add_watch, watched, directory, IN_MOVED_TO);
	if (result < 0) {
		os_close(watched);
		return error_of(result);
	}
	return watched;
}

bool os_watch_heard(int watched, const char *name)
{
	char data[4096] __attribute__((aligned(8)));
	bool heard = false;
	long length = SYS_CALL3(__NR_read, watched, data, sizeof data);

	for (long at = 0; at < length;) {
		const struct inotify_event *event = (const void *)(data + at);
		heard |= event->len > 0 && text_is(text_of(event->name), name);
		at += (long)sizeof *event + event->len;
	}
	return heard;
}
