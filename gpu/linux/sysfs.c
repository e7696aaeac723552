/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/linux/sysfs.h"

#include "os/file.h"

#include <stdio.h>
#include <string.h>

struct text sysfs_text(const char *path, char *data, size_t capacity)
{
	int64_t length = os_read(OS_HERE, path, data, capacity);
	struct text text = {data, length > 0 ? (size_t)length : 0};

	while (text.length > 0 && (unsigned char)text.data[text.length - 1] <= ' ')
		text.length--;
	return text;
}

double sysfs_number(const char *path)
{
	char data[64];
	double number = UNKNOWN;

	return number_read(sysfs_text(path, data, sizeof data), &number) == 0 ? number : UNKNOWN;
}

bool sysfs_link(const char *path, char *name, size_t capacity)
{
	char target[SYSFS_PATH_MAX];
	int64_t length = os_read_link(OS_HERE, path, target, sizeof target);
	struct text last = text_basename((struct text){target, length > 0 ? (size_t)length : 0});

	if (last.length == 0 || last.length >= capacity)
		return false;
	memcpy(name, last.data, last.length);
	name[last.length] = '\0';
	return true;
}

bool sysfs_join(char path[SYSFS_PATH_MAX], const char *directory, const char *name)
{
	int length = snprintf(path, SYSFS_PATH_MAX, "%s/%s", directory, name);
	return length > 0 && length < SYSFS_PATH_MAX;
}
