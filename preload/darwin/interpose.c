/* The calls that end a process at once, put before libSystem's: pairs that dyld reads (mach-o/dyld-interposing.h).
 *
 * The C library of macOS has no quick_exit; one that comes, or that a program brings, ends in _Exit. The functions are
 * those of librtrack.c, which make names so that they do not stand for libSystem's in our own calls. */
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
