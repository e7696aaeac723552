/* SPDX-License-Identifier: Apache-2.0 */
/* Reads facts about a file without using the network (os_file_facts).
 *
 * The table of mounts has the mount point of each file system that is not local, one per line. A path below one of
 * these mount points is not accessed. A symbolic link may lead below such a mount point: the kernel then contacts the
 * server, but the result is discarded. */
#include "core/spool.h"
#include "os/darwin/calls.h"
#include "os/darwin/error.h"
#include "os/file.h"
#include "os/self.h"

#include <sys/mount.h>
#include <sys/stat.h>

static void take_mount(void *context, const struct darwin_mount *mount)
{
	struct buffer *out = context;

	if (mount->is_local)
		return;
	buffer_string(out, mount->point);
	buffer_byte(out, '\n');
}

int64_t os_mounts(char *data, size_t capacity)
{
	struct buffer out = {data, 0, capacity, false};

	darwin_mounts(take_mount, &out);
	return (int64_t)(out.full ? capacity : out.length);
}

static bool is_below(struct text path, struct text point)
{
	return path.length >= point.length && text_equal((struct text){path.data, point.length}, point) &&
	       (path.length == point.length || path.data[point.length] == '/');
}

static bool is_far(struct text mounts, const char *path)
{
	char whole[2 * SPOOL_PATH_MAX];
	struct buffer out = BUFFER(whole);

	if (path[0] != '/') {
		if (os_working_directory(whole, SPOOL_PATH_MAX) != 0)
			return true;
		out.length = text_length(whole);
		buffer_byte(&out, '/');
	}
	buffer_string(&out, path);
	for (size_t at = 0; at < mounts.length;) {
		size_t end = text_find(mounts, '\n', at);
		if (end > at && is_below((struct text){whole, out.length}, (struct text){mounts.data + at, end - at}))
			return true;
		at = end + 1;
	}
	return out.full;
}

int os_file_facts(struct text mounts, const char *path, struct file_facts *facts)
{
	struct stat status;
	struct statfs system;

	if (mounts.length > 0 && is_far(mounts, path))
		return OS_ERROR_REMOTE;
	int result = (int)RESULT_OF(stat(path, &status));
	if (result < 0)
		return result;
	if (mounts.length > 0 && RESULT_OF(statfs(path, &system)) == 0 && !(system.f_flags & MNT_LOCAL))
		return OS_ERROR_REMOTE;
	*facts = (struct file_facts){
		.kind = S_ISREG(status.st_mode)   ? FILE_REGULAR
			: S_ISDIR(status.st_mode) ? FILE_DIRECTORY
						  : FILE_OTHER,
		.bytes = (uint64_t)status.st_size,
		.place = {(uint64_t)status.st_dev, status.st_ino},
	};
	return 0;
}
