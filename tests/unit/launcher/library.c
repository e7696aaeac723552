/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how the launcher finds the library and its related programs, and how it passes the library to the command.
 * The tests run copies of this program, which search relative to their own location. */
#define _GNU_SOURCE
#include "launcher/library.h"

#include "core/spool.h"
#include "launcher/preload.h"
#include "os/self.h"
#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- what a copy of this program prints -- */

static int say_library(void)
{
	char path[SPOOL_PATH_MAX];
	(void)puts(library_find(path) ? path : "none");
	return 0;
}

static int say_program(const char *name)
{
	char path[SPOOL_PATH_MAX];
	(void)puts(library_find_program(path, name));
	return 0;
}

/* Prints the variable after the library was added for `command`. */
static int say_variable(const char *variable, const char *before, const char *command)
{
	if (before[0] != '\0')
		(void)setenv(variable, before, 1);
	else
		(void)unsetenv(variable);
	preload_library(command);
	(void)puts(getenv(variable) ? getenv(variable) : "none");
	return 0;
}

/* -- running a copy -- */

static void copy_self(const char *name)
{
	static char bytes[1 << 16];
	char path[SPOOL_PATH_MAX];
	char own[SPOOL_PATH_MAX];
	size_t length;
	int64_t own_length = os_executable(own, sizeof own - 1);
	own[own_length > 0 ? own_length : 0] = '\0';
	(void)snprintf(path, sizeof path, "%s/%s", scratch_directory(), name);
	FILE *from = fopen(own, "r");
	FILE *to = fopen(path, "w");
	while (from && to && (length = fread(bytes, 1, sizeof bytes, from)) > 0)
		(void)fwrite(bytes, 1, length, to);
	ok(from && to && fclose(from) == 0 && fclose(to) == 0 && chmod(path, 0700) == 0, "a copy is made");
}

/* Runs a copy of this program. Returns its output without a leading scratch directory, valid until the next call. */
static const char *ask(const char *copy, const char *words)
{
	static char line[2 * SPOOL_PATH_MAX];
	char command[2 * SPOOL_PATH_MAX];
	const char *root = scratch_directory();
	(void)snprintf(command, sizeof command, "cd '%s' && './%s' %s", root, copy, words);
	FILE *answer = popen(command, "r");
	if (!answer || !fgets(line, sizeof line, answer))
		line[0] = '\0';
	if (answer)
		(void)pclose(answer);
	line[strcspn(line, "\n")] = '\0';
	return strncmp(line, root, strlen(root)) == 0 ? line + strlen(root) : line;
}

static void check_join(void)
{
	char path[SPOOL_PATH_MAX];
	static char longer[SPOOL_PATH_MAX];

	ok(library_join(path, "/opt/bin", false, "x"), "the path of a file in a directory");
	is_text(path, "/opt/bin/x", "  in a directory");
	ok(library_join(path, "/opt/bin", true, "lib/x"), "the path of a file in a sibling directory");
	is_text(path, "/opt/lib/x", "  next to the directory");
	ok(library_join(path, "/bin", true, "lib/x"), "the path of a sibling of a top directory");
	is_text(path, "/lib/x", "  below /");
	ok(library_join(path, "", false, "x"), "the path of a file below /");
	is_text(path, "/x", "  below /");
	memset(longer, 'd', sizeof longer - 1);
	ok(!library_join(path, longer, false, "x"), "a path that is too long");
}

static void check_places(void)
{
	(void)scratch_make("bin");
	(void)scratch_make("lib");
	(void)scratch_make("lib/rtrack");
	copy_self("bin/copy");
	ok(strncmp(ask("bin/copy", "library"), "/lib", 4) != 0, "no library is found");
	scratch_write("lib/rtrack/librtrack.so", "");
	is_text(ask("bin/copy", "library"), "/lib/rtrack/librtrack.so", "one in lib/rtrack is found");
	scratch_write("lib/librtrack.so", "");
	is_text(ask("bin/copy", "library"), "/lib/librtrack.so", "one in lib takes precedence");
	scratch_write("bin/librtrack.so", "");
	is_text(ask("bin/copy", "library"), "/bin/librtrack.so", "one next to the launcher takes precedence over both");
	is_text(ask("bin/copy", "program rtrack-nothing"), "rtrack-nothing", "a missing program is searched in PATH");
	is_text(ask("bin/copy", "program copy"), "/bin/copy", "a program next to the launcher is used");
}

static void check_preload(void)
{
	char words[2 * SPOOL_PATH_MAX];
	char expected[2 * SPOOL_PATH_MAX];
	char library[SPOOL_PATH_MAX];

	(void)snprintf(library, sizeof library, "%s/bin/librtrack.so", scratch_directory());
	is_text(ask("bin/copy", "variable LD_PRELOAD '' true"), "/bin/librtrack.so",
		"LD_PRELOAD becomes the library alone");
	(void)snprintf(expected, sizeof expected, "/bin/librtrack.so:libother.so");
	is_text(ask("bin/copy", "variable LD_PRELOAD libother.so true"), expected,
		"the library comes before other libraries");
	(void)snprintf(words, sizeof words, "variable LD_PRELOAD '%s:libother.so' true", library);
	is_text(ask("bin/copy", words), expected, "the library is not added twice");
	(void)snprintf(words, sizeof words, "variable LD_PRELOAD '%s libother.so' true", library);
	is_text(ask("bin/copy", words), "/bin/librtrack.so libother.so",
		"the library is not added twice to a list with blanks");
	(void)snprintf(words, sizeof words, "variable LD_PRELOAD '%sx' true", library);
	(void)snprintf(expected, sizeof expected, "/bin/librtrack.so:%sx", library);
	is_text(ask("bin/copy", words), expected, "a library whose name only begins alike is another one");
	(void)scratch_make("a b");
	copy_self("a b/copy");
	scratch_write("a b/librtrack.so", "");
	is_text(ask("a b/copy", "variable LD_PRELOAD libother.so true"), "libother.so",
		"a path with a blank is left out of LD_PRELOAD, because blanks separate paths");
}

/* gcc's libasan must be the first library. */
static void check_libasan(void)
{
	static const char needing[] = "\177ELF and so on\0libasan.so.8\0";

	scratch_write_bytes("bin/needing", needing, sizeof needing);
	scratch_write("bin/talking", "#!/bin/sh\necho libasan.so\n");
	is_text(ask("bin/copy", "variable ASAN_OPTIONS '' bin/needing"), "verify_asan_link_order=0",
		"ASAN_OPTIONS lets libasan accept another first library");
	is_text(ask("bin/copy", "variable ASAN_OPTIONS 'a=1' bin/needing"), "a=1:verify_asan_link_order=0",
		"the option is appended to existing ones");
	is_text(ask("bin/copy", "variable ASAN_OPTIONS 'a=1' bin/talking"), "a=1",
		"a script that contains libasan's name does not need libasan");
	is_text(ask("bin/copy", "variable ASAN_OPTIONS 'a=1' bin/nothing"), "a=1",
		"a missing program does not need libasan");
}

int main(int count, char **arguments)
{
	const char *what = count > 1 ? arguments[1] : "";
	if (strcmp(what, "library") == 0)
		return say_library();
	if (strcmp(what, "program") == 0)
		return say_program(arguments[2]);
	if (strcmp(what, "variable") == 0)
		return say_variable(arguments[2], arguments[3], arguments[4]);
	check_join();
	check_places();
	check_preload();
	check_libasan();
	return done();
}
