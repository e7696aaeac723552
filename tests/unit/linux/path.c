/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of os/linux/path.c: resolving links in a path, compared with the C library's realpath. */
#include "os/self.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <unistd.h>

static const char *place;

static const char *under(const char *name)
{
	static char path[4096];
	(void)snprintf(path, sizeof path, "%s/%s", place, name);
	return path;
}

static void link_to(const char *target, const char *name)
{
	if (symlink(target, under(name)) != 0)
		abort();
}

/* Returns the resolved `path`, or "" on error. */
static const char *resolved(const char *path, const char *known)
{
	static char data[512];
	int64_t length = os_executable_by_name(data, sizeof data - 1, path, text_of(known));
	data[length > 0 ? length : 0] = '\0';
	return data;
}

static void is_real(const char *name, const char *what)
{
	char path[4096];
	char real[4096];
	(void)snprintf(path, sizeof path, "%s", under(name));
	if (ok(realpath(path, real) != NULL, "the test's own file exists"))
		is_text(resolved(path, ""), real, what);
}

static void links(void)
{
	is_real("usr/bin/tool", "a path without links");
	is_real("bin/tool", "a directory is a link");
	is_real("usr/bin/name", "a link to a sibling file");
	is_real("bin/name", "both");
	is_real("usr/bin/over", "a link through the parent directory");
	is_real("usr/bin/far", "a link through two parent directories");
	is_real("usr/bin/absolute", "an absolute link");
	is_real("usr/bin/.hidden", "a name that begins with a dot");
	is_real("usr/bin/..two", "a name that begins with two dots");
}

static void known(void)
{
	char path[4096];
	char beside[4096];
	(void)snprintf(path, sizeof path, "%s", under("usr/bin/tool"));
	(void)snprintf(beside, sizeof beside, "%s", under("usr/bin/other"));
	is_text(resolved(path, path), path, "a known path is returned without a check");
	is_text(resolved(under("missing/tool"), under("missing/tool")), under("missing/tool"),
		"a known path need not even exist");
	is_text(resolved(path, beside), path, "a known sibling proves the directory, not the file");
	(void)snprintf(path, sizeof path, "%s", under("usr/bin/name"));
	(void)snprintf(beside, sizeof beside, "%s", under("usr/bin/tool"));
	is_text(resolved(path, under("usr/bin/na")), beside,
		"a known path that is only the beginning of a name proves nothing");
}

static void refusals(void)
{
	static const char *const names[] = {"", "tool", "./tool", "/", "/usr/bin/", "/usr//bin/true", "/usr/./bin/true",
		"/usr/../usr/bin/true", "/usr/bin/.", "/usr/bin/..", "/proc/self/exe", "/dev/fd/3"};
	char name[2048];

	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		is_text(resolved(names[i], ""), "", names[i]);
	is_text(resolved(under("usr/bin/gone"), ""), "", "a dangling link");
	is_text(resolved(under("usr/bin/round"), ""), "", "a link to itself");
	memset(name, 'x', sizeof name - 1);
	name[0] = '/';
	name[sizeof name - 1] = '\0';
	is_text(resolved(name, ""), "", "a name that is too long");
	is_text(resolved(under("usr/bin/wide"), ""), "", "a link that makes the path too long");
}

int main(void)
{
	char wide[500];
	char absolute[4096];

	memset(wide, 'y', sizeof wide - 1);
	wide[sizeof wide - 1] = '\0';
	place = scratch_directory();
	(void)scratch_make("usr");
	(void)scratch_make("usr/bin");
	(void)scratch_make("usr/lib");
	(void)scratch_make("opt");
	scratch_write("usr/bin/tool", "");
	scratch_write("usr/bin/.hidden", "");
	scratch_write("usr/bin/..two", "");
	scratch_write("usr/lib/tool", "");
	scratch_write("opt/tool", "");
	link_to("usr/bin", "bin");
	link_to("tool", "usr/bin/name");
	link_to("../lib/tool", "usr/bin/over");
	link_to("../../opt/tool", "usr/bin/far");
	link_to("nowhere", "usr/bin/gone");
	link_to("round", "usr/bin/round");
	link_to(wide, "usr/bin/wide");
	(void)snprintf(absolute, sizeof absolute, "%s", under("opt/tool"));
	link_to(absolute, "usr/bin/absolute");
	links();
	known();
	refusals();
	return done();
}
