/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes R objects among the labels that R passes (host_label).
 *
 * Since R 3.5, R objects form doubly linked lists, so the next object points back to an R object. A text practically
 * never has this property. `.C` passes a copy of the text that lies inside an R object, after the object's header. */
#include "os/linux/sys.h"
#include "os/self.h"
#include "preload/host.h"

#include <linux/uio.h>

#define WEAK __attribute__((weak, visibility("default")))

extern WEAK void *Rf_asChar(const void *object); /* converts the first element of any object to a text */
extern WEAK const char *Rf_translateCharUTF8(void *text);

enum { BEHIND = 2, BEFORE = 3, HEAD = 6 }; /* offsets in an R object, in words */

/* Reads a word of this process's memory. Returns false if the memory is not mapped, or reading is forbidden. */
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
