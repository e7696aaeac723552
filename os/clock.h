/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's clocks. A library in the host that changes the C library's time (libfaketime) does not affect them. As
 * in all of os/, no function changes errno, allocates or retries. */
#ifndef RTRACK_OS_CLOCK_H
#define RTRACK_OS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

int64_t os_now_ns(void);        /* nanoseconds since the epoch */
int64_t os_since_boot_ns(void); /* nanoseconds since boot, including suspended time; for differences */
void os_sleep(int64_t ns);

/* Determines the offset of this time namespace's boot clock (`unshare --time`). From then on, os_since_boot_ns() and
 * the start of each process read (os/process.h) are in the machine's clock, in every namespace. Returns false if the
 * offset cannot be determined, or is not a multiple of the unit of process starts. Call it again after setns, and in a
 * child of a process that has created a time namespace: a process and its children may be in different ones. */
bool os_learn_time(void);
/* Returns whether os_learn_time has found that this process's boot clock differs from the machine's. */
bool os_time_is_apart(void);

#endif
