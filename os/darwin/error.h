/* SPDX-License-Identifier: Apache-2.0 */
/* Translates errno to enum os_error. */
#ifndef RTRACK_OS_DARWIN_ERROR_H
#define RTRACK_OS_DARWIN_ERROR_H

#include <errno.h>
#include <stdint.h>

/* Returns the enum os_error of an errno. */
int error_of(int number);

/* Converts the return value of a libSystem function: the result, or an enum os_error if it is negative. Restores the
 * host's errno. */
#define RESULT_OF(call)                                                                                                \
	({                                                                                                             \
		int before_ = errno;                                                                                   \
		int64_t result_ = (call);                                                                              \
		if (result_ < 0)                                                                                       \
			result_ = error_of(errno);                                                                     \
		errno = before_;                                                                                       \
		result_;                                                                                               \
	})

#endif
