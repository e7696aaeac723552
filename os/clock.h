/* The clocks; see file.h for the blanket conditions. They are the kernel's own: a library in the host that changes the
 * time which the C library tells (libfaketime) does not change these. */
#ifndef RTRACK_OS_CLOCK_H
#define RTRACK_OS_CLOCK_H

#include <stdint.h>

int64_t os_now_ns(void);        /* since the epoch */
int64_t os_since_boot_ns(void); /* for differences; counts suspended time */
void os_sleep(int64_t ns);

#endif
