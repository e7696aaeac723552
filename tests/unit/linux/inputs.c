/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of os/inputs.h on Linux: which files count as input of a run, and that network mounts are not accessed. */
#include "os/inputs.h"

#include "core/number.h"
#include "os/clock.h"
#include "os/file.h"
#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>
#include <unistd.h>

static double named(const char *text)
{
	return inputs_measure(&(struct inputs_wish){.named = text_of(text)});
}

static void names(void)
{
	is_number(named("a"), 10, "a file");
	is_number(named("a,b\nc.csv"), 111, "several files, separated by commas or newlines");
	is_number(named("\na\nb,c.csv"), 10, "in a text that begins with a newline, only newlines separate");
	is_number(named("a,./a,link"), 10, "a file that is named three times counts once");
	is_number(named("deep"), 3000, "a directory counts its own files, hidden ones included");
	is_number(named("deep/"), 3000, "a directory with a trailing slash");
	is_number(named("deep-link"), 3000, "a link to a directory");
	is_number(named("deep/*"), 1000, "a glob, without hidden files");
	is_number(named("*.csv,?"), 111, "globs in the current directory");
	is_number(named("none"), UNKNOWN, "a missing file");
	is_number(named("none,a"), 10, "missing files do not count");
	is_number(named(""), UNKNOWN, "no names");
	is_number(named("/dev/null"), UNKNOWN, "a device is not a file");
	is_number(named("empty"), 0, "an empty file has 0 bytes");
}

static double of_command(char *const *arguments)
{
	int count = 0;
	while (arguments[count])
		count++;
	return inputs_measure(&(struct inputs_wish){
		.arguments = arguments, .count = count, .script = {count > 1 ? arguments[1] : NULL, 1}});
}

#define COMMAND(...) of_command((char *[]){__VA_ARGS__, NULL})

static void commands(void)
{
	char a[] = "a", b[] = "b", option[] = "--in=c.csv", out[] = "--output=c.csv", o[] = "-o", of[] = "of=b",
	     plain[] = "if=b", script[] = "script", deep[] = "deep", long_out[] = "--out", number[] = "5";

	is_number(COMMAND(a, script, b), 1, "the program and the script do not count");
	is_number(COMMAND(a, script, a, b), 11, "the program's file counts if it is also an argument");
	is_number(COMMAND(a, script, option, plain), 101, "files after '='");
	is_number(COMMAND(a, script, out, o, b, of, long_out, b), UNKNOWN, "output files do not count");
	is_number(COMMAND(a, script, deep, number), UNKNOWN, "a directory in a command does not count");
	is_number(COMMAND(a), UNKNOWN, "no arguments");
}

static int facts_of(const char *type, const char *point, const char *path)
{
	char mounts[4096];
	struct file_facts facts;

	(void)snprintf(mounts, sizeof mounts,
		"21 1 8:1 / / rw - ext4 /dev/sda1 rw\n35 21 0:32 / %s rw,relatime shared:1 - %s server:/x rw\n", point,
		type);
	return os_file_facts(text_of(mounts), path, &facts);
}

static void networks(void)
{
	char whole[4096];
	char below[4200];
	static const char *const far[] = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "ceph", "lustre", "gpfs",
		"beegfs", "autofs", "virtiofs", "afs"};
	static const char *const near[] = {
		"ext4", "xfs", "btrfs", "overlay", "tmpfs", "zfs", "fuseblk", "fuse.fuse-overlayfs"};

	(void)snprintf(whole, sizeof whole, "%s/a", scratch_directory());
	(void)snprintf(below, sizeof below, "%sx", scratch_directory());
	for (size_t i = 0; i < ARRAY_LENGTH(far); i++)
		is_number(facts_of(far[i], scratch_directory(), whole), OS_ERROR_REMOTE, far[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(near); i++)
		is_number(facts_of(near[i], scratch_directory(), whole), 0, near[i]);
	is_number(facts_of("nfs4", scratch_directory(), "a"), OS_ERROR_REMOTE, "a relative path on a network mount");
	is_number(facts_of("nfs4", scratch_directory(), "none"), OS_ERROR_REMOTE,
		"a network server is not asked whether a file exists");
	is_number(facts_of("nfs4", "/mnt", whole), 0, "a network mount elsewhere");
	is_number(facts_of("nfs4", below, whole), 0, "a mount whose name begins alike");
	is_number(facts_of("nfs4", "/", whole), OS_ERROR_REMOTE, "a machine whose root is on the network");
}

static void bounds(void)
{
	char name[32];
	(void)scratch_make("many");
	for (int i = 0; i < INPUTS_FILES_MAX + 10; i++) {
		(void)snprintf(name, sizeof name, "many/%d", i);
		scratch_write(name, "x");
	}
	is_number(named("many"), UNKNOWN, "with too many files, the sum is unknown");
	is_number(named("many/1,many/2"), 2, "a few of these files are counted");
	is_number(inputs_measure(&(struct inputs_wish){.named = TEXT("many/1"), .limit_ns = 1}), UNKNOWN,
		"after the time limit, the sum is unknown");
}

int main(void)
{
	char path[4096];

	scratch_write("a", "0123456789");
	scratch_write("b", "1");
	scratch_write("empty", "");
	scratch_write_bytes("c.csv", (char[100]){0}, 100);
	scratch_write("script", "a long script");
	(void)scratch_make("deep");
	(void)scratch_make("deep/deeper");
	scratch_write_bytes("deep/one", (char[1000]){0}, 1000);
	scratch_write_bytes("deep/.hidden", (char[2000]){0}, 2000);
	scratch_write_bytes("deep/deeper/two", (char[4000]){0}, 4000);
	(void)snprintf(path, sizeof path, "%s", scratch_directory());
	if (chdir(path) != 0 || symlink("a", "link") != 0 || symlink("deep", "deep-link") != 0)
		return 1;
	names();
	commands();
	networks();
	bounds();
	if (chdir("/") != 0)
		return 1;
	return done();
}
