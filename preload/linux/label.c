/* Labels as R's own interface hands them on; see host_label.
 *
 * An object of R is one of a ring of objects: the one behind it says that this one is before it. That is the same since
 * R 3.5, and no text is so by chance. What `.C` hands on was copied into objects of R, behind their heads. */
#include "os/linux/sys.h"
#include "os/self.h"
#include "preload/host.h"

#include <linux/uio.h>

#define WEAK __attribute__((weak, visibility("default")))

extern WEAK void *Rf_asChar(const void *object); /* its first element as a text, whatever it is */
extern WEAK const char *Rf_translateCharUTF8(void *text);

enum { BEHIND = 2, BEFORE = 3, HEAD = 6 }; /* in words */

/* False: there is no such memory, or it may not be asked for. */
static bool read_word(const uintptr_t *from, uintptr_t *word)
{
	struct iovec here = {word, sizeof *word};
	struct iovec there = {(void *)from, sizeof *from};
	return SYS_CALL6(__NR_process_vm_readv, os_pid(), &here, 1, &there, 1, 0) == sizeof *word;
}

static bool is_object(const uintptr_t *place)
{
	uintptr_t behind, before;
	return read_word(place + BEHIND, &behind) && read_word((uintptr_t *)behind + BEFORE, &before) &&
	       before == (uintptr_t)place;
}

const char *host_label(const char *given, bool *is_returned)
{
	uintptr_t first;
	if (!Rf_asChar || !Rf_translateCharUTF8)
		return given;
	*is_returned = is_object((const uintptr_t *)given);
	if (*is_returned)
		return Rf_translateCharUTF8(Rf_asChar(given));
	if (read_word((const uintptr_t *)given, &first) && is_object((const uintptr_t *)first - HEAD))
		return (const char *)first;
	return given;
}
