/* SPDX-License-Identifier: Apache-2.0 */
/* Interposes the calls that end a process without exit handlers. dyld reads the pairs of functions
 * (mach-o/dyld-interposing.h).
 *
 * macOS has no quick_exit. If a later macOS or a program has a quick_exit, it calls _Exit, which is interposed. The
 * functions of librtrack.c have other names on macOS, so that the library itself can still call libSystem's
 * functions. */
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
