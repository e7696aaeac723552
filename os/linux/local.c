/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a file that need no network; implements os_file_facts.
 *
 * statfs(2) reports the type of a file system, but contacts the server of a network file system, and hangs if the
 * server is gone. The mount table also has the type. It is searched by the path before any access. Because links may
 * lead elsewhere, it is then searched by the file's device number. Device numbers of local disks have a nonzero major
 * number. */
#include "core/pattern.h"
#include "core/spool.h"
#include "os/file.h"
#include "os/linux/error.h"
#include "os/linux/parse.h"
#include "os/linux/sys.h"
#include "os/self.h"

#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/stat.h>

enum { MODE_TYPE = 0170000, MODE_REGULAR = 0100000, MODE_DIRECTORY = 0040000 };

static bool is_network(struct text type)
{
	static const char local[] = "fuseblk,fuse.fuse-overlayfs,fuse.overlayfs";
	return parse_is_network(type) && !pattern_list_match(TEXT(local), type);
}

/* Returns the length of the mount point if the absolute `path` is below it, otherwise 0. */
static size_t covered(struct text point, struct text path)
{
	char plain[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(plain);

	parse_unescape(point, &out);
	if (out.full || out.length > path.length)
		return 0;
	if (!text_equal((struct text){plain, out.length}, (struct text){path.data, out.length}))
		return 0;
	bool whole = out.length == path.length || path.data[out.length] == '/' || out.length == 1;
	return whole ? out.length : 0;
}

/* Returns the type of the file system that contains a path. Symbolic links are not followed. If several file systems
 * are mounted at the same point, only the last one is visible, so its type is returned. */
static struct text type_of_path(struct text mounts, struct text path)
{
	struct text line;
	struct text type = {NULL, 0};
	struct mount mount;
	size_t most = 0;

	for (size_t start = 0; parse_line(mounts, &start, &line);) {
		if (parse_mount(line, &mount) != 0)
			continue;
		size_t length = covered(mount.point, path);
		if (length > 0 && length >= most) {
			most = length;
			type = mount.type;
		}
	}
	return type;
}

static struct text type_of_device(struct text mounts, uint32_t major, uint32_t minor)
{
	char number[32];
	struct buffer out = BUFFER(number);
	struct text line;
	struct mount mount;

	buffer_unsigned(&out, major);
	buffer_byte(&out, ':');
	buffer_unsigned(&out, minor);
	for (size_t start = 0; parse_line(mounts, &start, &line);)
		if (parse_mount(line, &mount) == 0 && text_equal(mount.device, (struct text){number, out.length}))
			return mount.type;
	return (struct text){NULL, 0};
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
	return out.full || is_network(type_of_path(mounts, (struct text){whole, out.length}));
}

static bool any_network(struct text mounts)
{
	struct text line;
	struct mount mount;

	for (size_t start = 0; parse_line(mounts, &start, &line);)
		if (parse_mount(line, &mount) == 0 && is_network(mount.type))
			return true;
	return false;
}

int64_t os_mounts(char *data, size_t capacity)
{
	int64_t length = os_read(OS_HERE, "/proc/self/mountinfo", data, capacity);
	if (length < 0 || length == (int64_t)capacity)
		return length;
	return any_network((struct text){data, (size_t)length}) ? length : 0;
}

int os_file_facts(struct text mounts, const char *path, struct file_facts *facts)
{
	struct statx status;

	if (mounts.length > 0 && is_far(mounts, path))
		return OS_ERROR_REMOTE;
	long result = SYS_CALL5(__NR_statx, AT_FDCWD, path, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC,
		STATX_TYPE | STATX_SIZE | STATX_INO, &status);
	if (result < 0)
		return error_of(result);
	if (mounts.length > 0 && status.stx_dev_major == 0 &&
		is_network(type_of_device(mounts, status.stx_dev_major, status.stx_dev_minor)))
		return OS_ERROR_REMOTE;
	*facts = (struct file_facts){
		.kind = (status.stx_mode & MODE_TYPE) == MODE_REGULAR     ? FILE_REGULAR
			: (status.stx_mode & MODE_TYPE) == MODE_DIRECTORY ? FILE_DIRECTORY
									  : FILE_OTHER,
		.bytes = status.stx_size,
		.place = {(uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor, status.stx_ino},
	};
	return 0;
}

int64_t os_output(int descriptor, char *data, size_t capacity, uint64_t *at)
{
	const unsigned wanted = STATX_TYPE | STATX_SIZE | STATX_NLINK;
	char link[32];
	struct buffer out = BUFFER(link);
	struct statx status;
	long flags = SYS_CALL2(__NR_fcntl, descriptor, F_GETFL);
	long offset = SYS_CALL3(__NR_lseek, descriptor, 0, SEEK_CUR);

	if (flags < 0 || offset < 0 || SYS_CALL5(__NR_statx, descriptor, "", AT_EMPTY_PATH, wanted, &status) < 0 ||
		(status.stx_mode & MODE_TYPE) != MODE_REGULAR || status.stx_nlink == 0)
		return OS_ERROR_UNSUPPORTED;
	*at = flags & O_APPEND ? status.stx_size : (uint64_t)offset;
	buffer_string(&out, "/proc/self/fd/");
	buffer_unsigned(&out, (uint64_t)descriptor);
	return os_read_link(OS_HERE, buffer_terminate(&out), data, capacity);
}
