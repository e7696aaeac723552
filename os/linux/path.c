/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the path of the executable from the name by which it was executed, for os_executable_by_name. The result is the
 * same as that of /proc/self/exe.
 *
 * This is cheaper, because exec has just read the directories of the name. Checking them for links therefore costs a
 * fifth of the first access to /proc/PID. */
#include "os/self.h"

#include "os/file.h"

enum { LINKS_MAX = 8, PATH_BYTES = 512 };

struct path {
	char *data;
	size_t capacity;
	size_t length;
};

/* Returns whether a path is absolute, is outside /proc and /dev, and has no component that is empty, "." or "..". */
static bool is_plain(struct text path)
{
	if (path.length < 2 || path.data[0] != '/' || path.data[path.length - 1] == '/' ||
		text_starts(path, "/proc/") || text_starts(path, "/dev/"))
		return false;
	for (size_t i = 0; i + 1 < path.length; i++) {
		const char *at = path.data + i;
		if (at[0] != '/' || (at[1] != '/' && at[1] != '.'))
			continue;
		size_t dots = at[1] != '.' ? 0 : i + 2 < path.length && at[2] == '.' ? 2 : 1;
		if (i + 1 + dots == path.length || at[1 + dots] == '/')
			return false;
	}
	return true;
}

/* Replaces the symbolic link at [start, end) of the path by its target. No directory before the link is itself a link.
 * Returns false if the new path is too long or not plain. */
static bool put(struct path *path, size_t start, size_t end, struct text target)
{
	char data[PATH_BYTES];
	struct buffer out = BUFFER(data);
	size_t kept = start; /* length of the path up to the slash before the link's name */

	for (; text_starts(target, "../") && kept > 1; target = (struct text){target.data + 3, target.length - 3})
		while (path->data[--kept - 1] != '/')
			;
	if (target.length > 0 && target.data[0] != '/')
		buffer_text(&out, (struct text){path->data, kept});
	buffer_text(&out, target);
	buffer_text(&out, (struct text){path->data + end, path->length - end});
	(void)buffer_terminate(&out);
	if (out.full || out.length >= path->capacity || !is_plain((struct text){data, out.length}))
		return false;
	path->length = out.length;
	for (size_t i = 0; i <= out.length; i++)
		path->data[i] = data[i];
	return true;
}

/* Returns whether the first `length` bytes of a path are equal to `known`, or to a parent directory of `known`. */
static bool is_known(const struct path *path, size_t length, struct text known)
{
	return known.length >= length && (known.length == length || known.data[length] == '/') &&
	       text_equal((struct text){path->data, length}, (struct text){known.data, length});
}

/* Finds the first component of a path that is a symbolic link, and stores the content of the link in `target`. Returns
 * the end of the component, 0 if no component is a link, or a negative os_error. */
static int64_t find_link(struct path *path, struct text known, char *target, size_t capacity, size_t *length)
{
	for (size_t end = 1; end <= path->length; end++) {
		if ((end < path->length && path->data[end] != '/') || is_known(path, end, known))
			continue;
		char next = path->data[end];
		path->data[end] = '\0';
		int64_t result = os_read_link(OS_HERE, path->data, target, capacity);
		path->data[end] = next;
		if (result >= 0) {
			*length = (size_t)result;
			return (int64_t)end;
		}
		if (result != OS_ERROR_INVALID)
			return result;
	}
	return 0;
}

int64_t os_executable_by_name(char *data, size_t capacity, const char *name, struct text known)
{
	struct text text = text_of(name);
	struct path path = {data, capacity, text.length};
	char target[PATH_BYTES / 2];
	size_t length = 0;

	if (text.length >= capacity || text.length >= PATH_BYTES || !is_plain(text))
		return OS_ERROR_INVALID;
	for (size_t i = 0; i <= text.length; i++)
		data[i] = name[i];
	int64_t end = find_link(&path, known, target, sizeof target, &length);
	for (int links = 0; end > 0; links++) {
		size_t start = (size_t)end;
		while (path.data[start - 1] != '/')
			start--;
		if (links == LINKS_MAX || length == sizeof target ||
			!put(&path, start, (size_t)end, (struct text){target, length}))
			return OS_ERROR_INVALID;
		end = find_link(&path, known, target, sizeof target, &length);
	}
	return end < 0 ? end : (int64_t)path.length;
}
