/* SPDX-License-Identifier: Apache-2.0 */
/* Translates the kernel's error numbers to enum os_error. */
#ifndef RTRACK_OS_LINUX_ERROR_H
#define RTRACK_OS_LINUX_ERROR_H

#include <stdint.h>

/* Returns the enum os_error for a negative errno. */
int error_of(long kernel);

/* Converts the return value of a system call to a result or a negative enum os_error. */
static inline int64_t result_of(long kernel)
{
	return kernel < 0 ? error_of(kernel) : kernel;
}

#endif
