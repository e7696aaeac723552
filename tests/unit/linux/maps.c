/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of os/linux/maps.c: the mappings of a process, read with buffers of several sizes, are compared with
 * /proc/self/maps. */
#define _GNU_SOURCE
#include "os/linux/proc.h"

#include "tests/unit/lib/tap.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAPPINGS = 300, PAGES = 3 };

/* Adjacent mappings differ in protection, so that the kernel does not merge them. */
static void map_many(void)
{
	for (int i = 0; i < MAPPINGS; i++) {
		int kind = i % 3 == 0 ? MAP_SHARED : MAP_PRIVATE;
		int access = i % 2 == 0 ? PROT_READ : PROT_READ | PROT_WRITE;
		if (mmap(NULL, (size_t)(PAGES * sysconf(_SC_PAGESIZE)), access, kind | MAP_ANONYMOUS, -1, 0) ==
			MAP_FAILED)
			abort();
	}
}

static char ours[1 << 16], whole[1 << 16], file[1 << 18];

/* Appends "from-to shared inode" to the text. This function must not map memory. */
static void append(char *text, uint64_t from, uint64_t to, bool shared, struct text inode)
{
	size_t length = strlen(text);
	(void)snprintf(text + length, sizeof ours - length, "%" PRIx64 "-%" PRIx64 " %d %.*s\n", from, to, shared,
		(int)inode.length, inode.data);
}

static void read_by_room(size_t room)
{
	static char data[8192];
	struct mappings mappings;
	struct mapping mapping;

	*ours = '\0';
	proc_open_mappings(&mappings, (int)getpid(), buffer_over(data, room));
	while (proc_next_mapping(&mappings, &mapping))
		append(ours, mapping.from, mapping.to, mapping.shared, mapping.inode);
	(void)close(mappings.file);
}

static void read_whole(void)
{
	int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t length = 0;

	*whole = '\0';
	for (ssize_t got; (got = read(maps, file + length, sizeof file - 1 - length)) > 0;)
		length += (size_t)got;
	file[length] = '\0';
	(void)close(maps);
	for (char *line = file, *end; (end = strchr(line, '\n')); line = end + 1) {
		char mode[8], inode[32];
		uint64_t from, to;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %31s", &from, &to, mode, inode) == 4)
			append(whole, from, to, mode[3] == 's', (struct text){inode, strlen(inode)});
	}
}

int main(void)
{
	static const size_t rooms[] = {300, 700, 1024, 2048, 2050, 4096, 8192};
	char what[80];

	map_many();
	read_by_room(2048); /* The first call of a function may map memory, so it is made here. */
	read_whole();
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		read_by_room(rooms[i]);
		read_whole();
		(void)snprintf(what, sizeof what, "with a buffer of %zu bytes, each mapping is correct", rooms[i]);
		is_text(ours, whole, what);
	}
	ok(strlen(whole) > MAPPINGS * 20, "there are many mappings");
	return done();
}
