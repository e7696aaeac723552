/* The kernel's error numbers as reasons of os/error.h. */
#ifndef RTRACK_OS_LINUX_ERROR_H
#define RTRACK_OS_LINUX_ERROR_H

#include <stdint.h>

/* The reason for a negative errno. */
int error_of(long kernel);

/* What a system call returned: a result, or a reason. */
static inline int64_t result_of(long kernel)
{
	return kernel < 0 ? error_of(kernel) : kernel;
}

#endif
