/* Programs that end unheard; see unheard.h.
 *
 * A program that ends by its C library passes by a hook of ours. What the linker of Go made does not, nor does a static
 * one; nor one that has the instructions for it itself, which are looked for: the number of the call as a constant, and
 * closely behind it the instruction that calls the kernel. Of 867 programs of Debian these are in those of Go only. */
#define _GNU_SOURCE
#include "report/spool/unheard.h"

#include "core/base.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of an ELF file of 64 bits in this machine's order of bytes (elf(5)): where the figures stand that are needed. */
enum {
	ELF_CLASS = 4,
	ELF_CLASS_64 = 2,
	ELF_MACHINE = 18,
	ELF_TABLE = 32,
	ELF_ENTRY_SIZE = 54,
	ELF_ENTRIES = 56,
	ENTRY_FLAGS = 4,
	ENTRY_OFFSET = 8,
	ENTRY_SIZE = 32,
	ENTRY_MIN = 56,
	ENTRY_LOAD = 1,
	ENTRY_INTERPRETER = 3,
	ENTRY_NOTE = 4,
	FLAG_EXECUTE = 1,
	NOTE_HEAD = 12,
	X86_64 = 62,
	AARCH64 = 183,
	RISCV = 243,
	HEAD_MAX = 1 << 16 /* the table and the notes are at the beginning of a file */,
	PIECE = 1 << 16,
	REACH = 48 /* bytes from the number to the call */
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

/* Whether one of the notes is the Go linker's. */
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

/* Whether the instruction there loads the number of a call that ends a process, or makes another program of it. */
static bool loads_number(uint64_t machine, struct text code, uint64_t offset)
{
	uint64_t word = number_at(code, offset, 4);

	switch (machine) {
	case X86_64: { /* mov $231, %eax: one of two ways, of which the second has the same last byte before the number
			*/
		uint64_t kind = number_at(code, offset, 1), number = number_at(code, offset + 1, 4);
		return (kind == 0xb8 || kind == 0xc0) &&
		       (number == 60 || number == 231 || number == 59 || number == 322);
	}
	case AARCH64: /* mov x8, #94, or w8 */
		word = (word & 0x7fe0001f) == 0x52800008 ? word >> 5 & 0xffff : 0;
		break;
	case RISCV: /* li a7, 94 */
		word = (word & 0xfffff) == 0x00893 ? word >> 20 : 0;
		break;
	default:
		return false;
	}
	return word == 93 || word == 94 || word == 221 || word == 281;
}

static struct text calling_kernel(uint64_t machine)
{
	switch (machine) {
	case X86_64:
		return (struct text){"\x0f\x05", 2};
	case AARCH64:
		return (struct text){"\x01\0\0\xd4", 4};
	case RISCV:
		return (struct text){"\x73\0\0\0", 4};
	default:
		return TEXT("");
	}
}

static bool has_call_in(uint64_t machine, struct text code)
{
	struct text call = calling_kernel(machine);
	uint64_t step = machine == X86_64 ? 1 : machine == AARCH64 ? 4 : 2;
	const char *at = code.data, *end = code.data + code.length;

	while (call.length > 0 && (at = memmem(at, (size_t)(end - at), call.data, call.length))) {
		uint64_t here = (uint64_t)(at++ - code.data);
		for (uint64_t back = step; back <= REACH && back <= here; back += step)
			if (loads_number(machine, code, here - back))
				return true;
	}
	return false;
}

/* Looks into the code of a segment, piece by piece. */
static bool has_call(int file, uint64_t machine, uint64_t offset, uint64_t size)
{
	static char piece[REACH + PIECE];
	size_t kept = 0;

	for (uint64_t read_so_far = 0; read_so_far < size;) {
		uint64_t left = size - read_so_far;
		ssize_t length =
			pread(file, piece + kept, left < PIECE ? (size_t)left : PIECE, (off_t)(offset + read_so_far));
		if (length <= 0)
			return false;
		size_t filled = kept + (size_t)length;
		if (has_call_in(machine, (struct text){piece, filled}))
			return true;
		/* A multiple of all instructions' lengths, so that each stays where one begins. */
		kept = filled < REACH ? filled : REACH;
		memmove(piece, piece + filled - kept, kept);
		read_so_far += (uint64_t)length;
	}
	return false;
}

static bool ends_by_itself(int file_number, struct text file)
{
	uint64_t table = number_at(file, ELF_TABLE, 8);
	uint64_t size = number_at(file, ELF_ENTRY_SIZE, 2), count = number_at(file, ELF_ENTRIES, 2);
	uint64_t machine = number_at(file, ELF_MACHINE, 2);
	bool is_static = true, by_itself = false;

	if (!text_starts(file, "\177ELF") || number_at(file, ELF_CLASS, 1) != ELF_CLASS_64 || size < ENTRY_MIN ||
		count == 0 || table >= file.length || count * size > file.length - table)
		return false;
	for (uint64_t entry = table; count-- > 0; entry += size) {
		uint64_t kind = number_at(file, entry, 4);
		is_static &= kind != ENTRY_INTERPRETER;
		uint64_t offset = number_at(file, entry + ENTRY_OFFSET, 8),
			 length = number_at(file, entry + ENTRY_SIZE, 8);
		bool code = kind == ENTRY_LOAD && (number_at(file, entry + ENTRY_FLAGS, 4) & FLAG_EXECUTE);
		by_itself = by_itself || (kind == ENTRY_NOTE && has_note_of_go(file, offset, length)) ||
			    (code && has_call(file_number, machine, offset, length));
	}
	return is_static || by_itself;
}

/* Whether all that a program does is to become another: where that one left no row, it is none of ours. */
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

bool unheard_is(const char *path)
{
	static char last[4096];
	static char head[HEAD_MAX];
	static bool unheard;

	if (*path && strcmp(path, last) == 0)
		return unheard;
	int file = path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	ssize_t length = file < 0 ? -1 : read(file, head, sizeof head);

	unheard = (length > 0 && ends_by_itself(file, (struct text){head, (size_t)length})) || only_executes(path);
	if (file >= 0)
		close(file);
	snprintf(last, sizeof last, "%s", path);
	return unheard;
}
