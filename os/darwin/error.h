/* SPDX-License-Identifier: Apache-2.0 */
/* Translates errno to enum os_error. */
#ifndef RTRACK_OS_DARWIN_ERROR_H
#define RTRACK_OS_DARWIN_ERROR_H

#include <errno.h>
#include <stdint.h>

/* Returns the enum os_error for a value of errno. */
int error_of(int number);

/* Evaluates a call of libSystem, and restores errno. The value is the result of the call, or a negative enum
 * os_error. */
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
