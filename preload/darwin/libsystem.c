/* SPDX-License-Identifier: Apache-2.0 */
/* Implements host.h with the host's libSystem and dyld. */
#include "preload/host.h"

#include "core/spool.h"
#include "os/darwin/error.h"
#include "os/memory.h"
#include "os/self.h"

#include <crt_externs.h>
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

char **host_environment(void)
{
	return *_NSGetEnviron();
}

static bool names_the_same(const char *a, const char *b)
{
	while (*a == *b && *a != '=' && *a != '\0')
		a++, b++;
	return *a == '=' && *b == '=';
}

int host_environment_add(char *entry)
{
	char **environment = host_environment();
	size_t count = 0;

	for (; environment && environment[count]; count++)
		if (names_the_same(environment[count], entry)) {
			environment[count] = entry;
			return 0;
		}
	char **copy = os_map((count + 2) * sizeof *copy);
	if (!copy)
		return -1;
	for (size_t i = 0; i < count; i++)
		copy[i] = environment[i];
	copy[count] = entry;
	*_NSGetEnviron() = copy;
	return 0;
}

/* Does nothing. If the library's file is missing, dyld kills every child. This is not prevented, because it is rare:
 * only a privileged program can change its root directory, and macOS has no mount namespaces. */
void host_forget_library(bool always)
{
	(void)always;
}

/* Returns NULL, because the kernel reports the executable's path at low cost. */
const char *host_executable_name(void)
{
	return NULL;
}

bool host_gives_arguments(void)
{
	return true;
}

const char *host_label(const char *given, bool *is_returned)
{
	(void)is_returned;
	return given;
}

void host_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	(void)pthread_atfork(prepare, parent, child);
}

/* Returns false, because the library has no thread in the host on macOS. */
bool host_counts_threads(void)
{
	return false;
}

bool host_can_call_later(void)
{
	return false;
}

int host_call_later(int (*function)(void *unused))
{
	(void)function;
	return -1;
}

bool host_is_privileged(void)
{
	return os_is_privileged();
}

uint32_t host_user(void)
{
	return os_user();
}

/* exit() ends in _exit, which the library interposes even for calls from libSystem. The status is therefore known after
 * all destructors. */
int host_at_exit(void (*handler)(int status, void *unused))
{
	(void)handler;
	return 0;
}

_Noreturn void host_exit_now(int status)
{
	_exit(status);
}

void *host_find_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* Calls libSystem's function directly, because dyld does not interpose the library's own calls. */
_Noreturn void host_exit_through(const char *name, int status)
{
	(void)name;
	_exit(status);
}

void host_find_nexts(void)
{
}

/* -- paths of the library and of rtrack-keeper ----------------------------------------------------------- */

static char library_path[SPOOL_PATH_MAX];

/* Finds the library's absolute path. dyld reports the path in DYLD_INSERT_LIBRARIES, which may be relative to the
 * initial working directory. */
void host_find_library(void)
{
	struct buffer out = BUFFER(library_path);
	Dl_info info;

	if (library_path[0] != '\0' || dladdr((const void *)host_find_library, &info) == 0 || !info.dli_fname)
		return;
	if (info.dli_fname[0] != '/' && os_working_directory(library_path, sizeof library_path) == 0) {
		out.length = text_length(library_path);
		buffer_byte(&out, '/');
	}
	buffer_string(&out, info.dli_fname);
	(void)buffer_terminate(&out);
	if (out.full)
		library_path[0] = '\0';
}

const char *host_library_path(void)
{
	return library_path[0] != '\0' ? library_path : NULL;
}

/* Returns false if DYLD_INSERT_LIBRARIES contains the library's name, because dyld has then loaded the library
 * before main. */
bool host_is_running(void)
{
	const char *inserted = environment_get(host_environment(), "DYLD_INSERT_LIBRARIES");
	struct text list, name;

	host_find_library();
	if (!inserted || library_path[0] == '\0')
		return true;
	list = text_of(inserted);
	name = text_basename(text_of(library_path));
	for (size_t at = 0; at <= list.length;) {
		size_t end = text_find(list, ':', at);
		if (text_equal(text_basename((struct text){list.data + at, end - at}), name))
			return false;
		at = end + 1;
	}
	return true;
}

/* Starts rtrack-keeper. Without attributes and file actions, posix_spawn(2) allocates nothing. rtrack-keeper closes
 * inherited resources, forks the keeper and ends, so that the keeper is not a child of the host. */
int host_start_keeper(const char *directory, const char *settings)
{
	enum { SETTINGS_MAX = 4 };
	static char name[] = "rtrack-keeper";
	char *arguments[] = {name, (char *)(uintptr_t)directory, NULL};
	char *environment[SETTINGS_MAX + 1] = {NULL};
	char data[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(data);
	pid_t pid;
	int before = errno;

	host_find_library();
	struct text library = text_of(library_path);
	buffer_text(&path, (struct text){library.data, library.length - text_basename(library).length});
	buffer_string(&path, name);
	for (int i = 0; i < SETTINGS_MAX && settings[0] != '\0'; settings += text_length(settings) + 1)
		environment[i++] = (char *)(uintptr_t)settings;
	if (library.length == 0 || posix_spawn(&pid, buffer_terminate(&path), NULL, NULL, arguments, environment) != 0)
		return -1;
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	errno = before;
	return 0;
}

/* Returns -1. The keeper runs from the start, so no guard is needed, and rtrack-gpu does not exist on macOS. */
int host_start_guard(const char *directory, const char *settings)
{
	(void)directory, (void)settings;
	return -1;
}

int host_start_gpu(const char *directory, const char *settings, const char *nvml)
{
	(void)directory, (void)settings, (void)nvml;
	return -1;
}
