/* Programs whose end the library does not hear; see unheard.h. */
#include "report/spool/unheard.h"

#include "report/spool/reader.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Of an ELF file of 64 bits in this machine's order of bytes (elf(5)): where the figures stand that are needed. */
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
	HEAD_MAX = 1 << 16 /* the table and the notes are at the beginning of a file */
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

static bool ends_by_itself(struct text file)
{
	uint64_t table = number_at(file, ELF_TABLE, 8);
	uint64_t size = number_at(file, ELF_ENTRY_SIZE, 2), count = number_at(file, ELF_ENTRIES, 2);
	bool is_static = true, go = false;

	if (!text_starts(file, "\177ELF") || number_at(file, ELF_CLASS, 1) != ELF_CLASS_64 || size < ENTRY_MIN ||
		count == 0 || table >= file.length || count * size > file.length - table)
		return false;
	for (uint64_t entry = table; count-- > 0; entry += size) {
		uint64_t kind = number_at(file, entry, 4);
		is_static &= kind != ENTRY_INTERPRETER;
		go = go || (kind == ENTRY_NOTE && has_note_of_go(file, number_at(file, entry + ENTRY_OFFSET, 8),
							  number_at(file, entry + ENTRY_SIZE, 8)));
	}
	return is_static || go;
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

struct program {
	struct process_id root;
	char path[4096];
};

/* The last row of an identity is its last image. */
static int take_image(void *context, struct reader *reader)
{
	struct program *program = context;
	struct text exe = reader_text(reader, START_exe);
	struct process_id id =
		process_id_of(reader_number(reader, START_pid), reader_number(reader, START_start_ticks));

	if (!process_is(id, program->root) || exe.length == 0 || exe.length >= sizeof program->path)
		return 0;
	memcpy(program->path, exe.data, exe.length);
	program->path[exe.length] = '\0';
	return 0;
}

bool unheard_is(const char *run, struct process_id root)
{
	static char head[HEAD_MAX];
	struct program program = {.root = root};
	struct reader reader;

	if (reader_open(&reader, run, TABLE_start) != 0)
		return false;
	reader.quiet = true;
	(void)reader_each(&reader, take_image, &program);
	reader_close(&reader);
	int file = program.path[0] == '/' ? open(program.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	ssize_t length = file < 0 ? -1 : read(file, head, sizeof head);
	if (file >= 0)
		close(file);
	return (length > 0 && ends_by_itself((struct text){head, (size_t)length})) || only_executes(program.path);
}
