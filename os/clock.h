/* The clocks; see file.h for the blanket conditions. They are the kernel's own: a library in the host that changes the
 * time which the C library tells (libfaketime) does not change these. */
#ifndef RTRACK_OS_CLOCK_H
#define RTRACK_OS_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

int64_t os_now_ns(void);        /* since the epoch */
int64_t os_since_boot_ns(void); /* for differences; counts suspended time */
void os_sleep(int64_t ns);

/* Learns by how much the clock since boot is ahead of the machine's here, in a time namespace (`unshare --time`). From
 * then on os_since_boot_ns(), and each start of a process that is read (os/process.h), are the machine's, in every
 * namespace. False: that cannot be told, or is not a whole number of the units that starts have. To be called again
 * after setns, and by a child of a process that has made such a namespace: a process may be in one, and its children in
 * another. */
bool os_learn_time(void);
/* Whether that was learnt of this process, and it is another clock. */
bool os_time_is_apart(void);

#endif
