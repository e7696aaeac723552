/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's clocks, read without the C library. A library that fakes the time for the host (libfaketime) therefore
 * does not affect them. As in all of os/, no function changes errno, allocates or retries. */
#ifndef RTRACK_OS_CLOCK_H
#define RTRACK_OS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

int64_t os_now_ns(void);        /* nanoseconds since the epoch */
int64_t os_since_boot_ns(void); /* nanoseconds since boot, including suspended time; used for differences */
void os_sleep(int64_t ns);

/* Determines how far the boot clock of this time namespace (`unshare --time`) is from the machine's. From then on,
 * os_since_boot_ns() and process start times (os/process.h) use the machine's clock. Returns false if the offset is
 * unknown, or is not a multiple of the unit of process start times. Call it again after setns, and in a child of a
 * process that has created a time namespace: only the child is in it. */
bool os_learn_time(void);
/* Returns whether this process's boot clock differs from the machine's. os_learn_time must have been called before. */
bool os_time_is_apart(void);

#endif
