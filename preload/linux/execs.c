/* Calls by which the host becomes another program, in which there may be nothing of ours.
 *
 * A program that has the library takes sampling up again. One that has it not, since it is static or LD_PRELOAD is gone
 * or names another library, would be sampled by nobody, and nobody would hear of its end: therefore a root leaves
 * sampling to a keeper before it becomes one. (execl and its like call what is their C library's own, and are not
 * seen.) And what is taken out of LD_PRELOAD where a mount hides the library may be back by now: firejail puts its
 * environment together anew for the program that it executes. */
#include "core/spool.h"
#include "os/file.h"
#include "os/self.h"
#include "preload/host.h"
#include "preload/member.h"
#include "preload/root.h"

#include <elf.h>
#include <link.h>

#define EXPORT __attribute__((visibility("default")))

/* LD_PRELOAD may name other libraries, and ours by any path. */
SELDOM static bool has_library(char *const *environment)
{
	const char *path = host_library_path();
	const char *name = path ? text_basename(text_of(path)).data : "";

	for (; environment && *environment; environment++) {
		struct text text = text_of(*environment);
		for (bool names = text_starts(text, "LD_PRELOAD="); names && text.length > 0;
			text.data++, text.length--)
			if (text_starts(text, name))
				return true;
	}
	return false;
}

/* A program that a loader loads says so before its first segment (gABI, "Program Header"); where its headers are
 * elsewhere than behind the first, as nowhere, it is taken for one. `found`: set where there is such a file. */
SELDOM_APART static bool is_static(const char *path, bool *found)
{
	enum { ENTRIES = 4 };
	struct {
		ElfW(Ehdr) head;
		ElfW(Phdr) entries[ENTRIES];
	} file;
	size_t i = 0;
	int64_t length = os_read(OS_HERE, path, (char *)&file, sizeof file);

	*found = length >= 0;
	if (length != sizeof file || file.head.e_ident[0] != ELFMAG0)
		return false;
	while (i < ENTRIES && file.entries[i].p_type != PT_INTERP && file.entries[i].p_type != PT_LOAD)
		i++;
	return i < ENTRIES && file.entries[i].p_type == PT_LOAD;
}

/* The same of what execvp finds by a name that is no path: in the first folder of PATH that has it. */
SELDOM_APART static bool is_found_static(const char *name, char *const *environment)
{
	struct text path = text_of(environment_get(environment, "PATH"));
	bool found = false, result = is_static(name, &found);

	found |= text_find(text_of(name), '/', 0) < text_length(name);
	for (size_t start = 0; start < path.length && !found;) {
		char file[SPOOL_PATH_MAX / 8];
		struct buffer out = BUFFER(file);
		size_t end = text_find(path, ':', start);
		buffer_text(&out, (struct text){path.data + start, end - start});
		buffer_byte(&out, '/');
		buffer_string(&out, name);
		result = is_static(buffer_terminate(&out), &found);
		start = end + 1;
	}
	return result;
}

/* A keeper may see only that the root is gone, and in a host that gets orphans as children there is none, as it would
 * become one. The mark is there so that nobody takes the end of the next program for a kill. */
SELDOM_APART static void part(void)
{
	int directory = os_open_directory(OS_HERE, root_directory());
	(void)os_create(directory, SPOOL_PARTED_FILE, TEXT(""));
	os_close(directory);
	if (!os_keeps_orphans())
		root_leave();
}

EACH_PROCESS static void before_exec(const char *path, char *const *environment)
{
	host_forget_hidden_library();
	if (root_hosts() && member_is_current() && (!has_library(environment) || is_found_static(path, environment)))
		part();
}

EXPORT EACH_PROCESS int execve(const char *path, char *const *arguments, char *const *environment);
EXPORT EACH_PROCESS int execve(const char *path, char *const *arguments, char *const *environment)
{
	before_exec(path, environment);
	return host_execve_through(path, arguments, environment);
}

EXPORT EACH_PROCESS int execv(const char *path, char *const *arguments);
EXPORT EACH_PROCESS int execv(const char *path, char *const *arguments)
{
	return execve(path, arguments, host_environment());
}

EXPORT int execvp(const char *name, char *const *arguments);
EXPORT int execvp(const char *name, char *const *arguments)
{
	union {
		void *address;
		int (*call)(const char *, char *const *);
	} real = {host_find_next("execvp")};

	before_exec(name, host_environment());
	return real.address ? real.call(name, arguments) : -1;
}
