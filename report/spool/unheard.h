/* Programs whose end the library does not hear.
 *
 * A program that ends by its C library passes by a hook of the library, which leaves an exit record: a root that is
 * gone without one was killed. Some end by a system call of their own instead, and leave what a killed one leaves:
 * those that Go links, with cgo too, and static ones. Some are there to become another program (`env -i job`), and of
 * that one a row would be there if the library were in it. Nobody can tell then how such a root ended. (Nor of a shell
 * that became a static program by exec: that leaves no row, and the root is taken for what it was before.) */
#ifndef RTRACK_REPORT_SPOOL_UNHEARD_H
#define RTRACK_REPORT_SPOOL_UNHEARD_H

#include "os/process.h"

#include <stdbool.h>

/* Whether the last program that the root of the run in directory `run` was is such a one. False where it cannot be read
 * any more. */
bool unheard_is(const char *run, struct process_id root);

#endif
