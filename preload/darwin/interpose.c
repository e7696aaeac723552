/* SPDX-License-Identifier: Apache-2.0 */
/* Interposes the calls that end a process at once, with pairs that dyld reads (mach-o/dyld-interposing.h).
 *
 * The C library of macOS has no quick_exit; a later one, or one in a program, would end in _Exit. The functions are
 * those of librtrack.c under other names, so that our own calls still reach libSystem's. */
#include <stdlib.h>
#include <unistd.h>

_Noreturn void rtrack_exit(int status);
_Noreturn void rtrack_Exit(int status);

static const struct {
	void (*ours)(int status);
	void (*theirs)(int status);
} interposed[] __attribute__((used, section("__DATA,__interpose"))) = {
	{rtrack_exit, _exit},
	{rtrack_Exit, _Exit},
};
