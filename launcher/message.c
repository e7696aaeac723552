/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the messages of rtrack-run.
 *
 * Each line is written by one write(2), so that lines of the command and rtrack-run do not mix. stdio is not used,
 * because a forked child would write the text in its buffer a second time. */
#define _GNU_SOURCE
#include "launcher/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MESSAGE_PREFIX "rtrack-run: "

enum { MESSAGE_MAX = 4096 };

static void write_line(int descriptor, const char *format, va_list values)
{
	char line[MESSAGE_MAX] = MESSAGE_PREFIX;
	size_t prefix = sizeof MESSAGE_PREFIX - 1;

	int wanted = vsnprintf(line + prefix, sizeof line - prefix - 1, format, values);
	size_t length = strlen(line);
	if (wanted < 0)
		return;
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 127)
			line[i] = '?';
	line[length++] = '\n';
	ssize_t ignored = write(descriptor, line, length);
	(void)ignored;
}

void message_print(const char *format, ...)
{
	int saved = errno;
	va_list values;
	va_start(values, format);
	write_line(STDERR_FILENO, format, values);
	va_end(values);
	errno = saved;
}

int message_open_debug(const char *path)
{
	struct stat status;

	if (path[0] == '\0')
		return -1;
	int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	if (file < 0 || (fstat(file, &status) == 0 && status.st_uid == geteuid()))
		return file;
	(void)close(file);
	return -1;
}

void message_debug(const char *path, const char *format, ...)
{
	int descriptor = message_open_debug(path);
	if (descriptor < 0)
		return;
	va_list values;
	va_start(values, format);
	write_line(descriptor, format, values);
	va_end(values);
	(void)close(descriptor);
}
