/* The kernel's error numbers as the errors of os/error.h. */
#ifndef RTRACK_OS_LINUX_ERROR_H
#define RTRACK_OS_LINUX_ERROR_H

#include <stdint.h>

/* The enum os_error of a negative errno. */
int error_of(long kernel);

/* What a system call returned, as os/ returns it: the result, or a negative enum os_error. */
static inline int64_t result_of(long kernel)
{
	return kernel < 0 ? error_of(kernel) : kernel;
}

#endif
