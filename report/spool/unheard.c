/* SPDX-License-Identifier: Apache-2.0 */
/* Detects programs that can end without calling a hook of the library.
 *
 * Most programs end through the C library, which calls a hook of ours. Static programs do not load our library. Go
 * programs load it but end by a direct system call. Of 867 programs in Debian, only Go programs do that. */
#define _GNU_SOURCE
#include "report/spool/ending.h"

#include "core/base.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Offsets in a 64-bit ELF file in native byte order (elf(5)). */
enum {
	ELF_CLASS = 4,
	ELF_CLASS_64 = 2,
	ELF_TABLE = 32,
	ELF_ENTRY_SIZE = 54,
	ELF_ENTRIES = 56,
	ENTRY_OFFSET = 8,
	ENTRY_SIZE = 32,
	ENTRY_MIN = 56,
	ENTRY_INTERPRETER = 3,
	ENTRY_NOTE = 4,
	NOTE_HEAD = 12,
	HEAD_MAX = 1 << 16 /* number of bytes to read; the program headers and notes are at the beginning of a file */,
};

static uint64_t number_at(struct text file, uint64_t offset, size_t size)
{
	uint64_t number = 0;

	if (offset + size <= file.length)
		memcpy(&number, file.data + offset, size);
	return number;
}

static uint64_t padded(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

/* Returns whether one of the ELF notes was written by the Go linker. */
static bool has_note_of_go(struct text file, uint64_t offset, uint64_t size)
{
	uint64_t end = offset + size;

	if (end < offset || end > file.length)
		return false;
	while (offset + NOTE_HEAD < end) {
		uint64_t name = number_at(file, offset, 4), rest = number_at(file, offset + 4, 4);
		if (name == 4 && number_at(file, offset + NOTE_HEAD, 4) == number_at(TEXT("Go\0\0"), 0, 4))
			return true;
		offset += NOTE_HEAD + padded(name) + padded(rest);
	}
	return false;
}

static bool ends_by_itself(struct text file)
{
	uint64_t table = number_at(file, ELF_TABLE, 8);
	uint64_t size = number_at(file, ELF_ENTRY_SIZE, 2), count = number_at(file, ELF_ENTRIES, 2);
	bool is_static = true, is_of_go = false;

	if (!text_starts(file, "\177ELF") || number_at(file, ELF_CLASS, 1) != ELF_CLASS_64 || size < ENTRY_MIN ||
		count == 0 || table >= file.length || count * size > file.length - table)
		return false;
	for (uint64_t entry = table; count-- > 0; entry += size) {
		uint64_t kind = number_at(file, entry, 4);
		is_static &= kind != ENTRY_INTERPRETER;
		is_of_go = is_of_go ||
			   (kind == ENTRY_NOTE && has_note_of_go(file, number_at(file, entry + ENTRY_OFFSET, 8),
							  number_at(file, entry + ENTRY_SIZE, 8)));
	}
	return is_static || is_of_go;
}

/* Returns whether a program only executes another one, as `env` does. If the root's last start row names such a
 * program, the program that it executed has not loaded the library, and may end without a record. */
static bool only_executes(const char *path)
{
	static const char *const names[] = {"chroot", "chrt", "doas", "env", "ionice", "nice", "nohup", "nsenter",
		"numactl", "prlimit", "runuser", "setarch", "setpriv", "setsid", "stdbuf", "su", "sudo", "taskset",
		"unshare"};
	struct text name = text_basename(text_of(path));

	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		if (text_is(name, names[i]))
			return true;
	return false;
}

bool unheard_is(const struct files *files, const char *path)
{
	static char last[4096];
	static char head[HEAD_MAX];
	static bool unheard;

	if (*path && strcmp(path, last) == 0)
		return unheard;
	int file = files_get_outside(files, path);
	ssize_t length = file < 0 ? -1 : read(file, head, sizeof head);

	unheard = (length > 0 && ends_by_itself((struct text){head, (size_t)length})) || only_executes(path);
	if (file >= 0)
		close(file);
	snprintf(last, sizeof last, "%s", path);
	return unheard;
}
