/* errno as the errors of os/error.h. */
#ifndef RTRACK_OS_DARWIN_ERROR_H
#define RTRACK_OS_DARWIN_ERROR_H

#include <errno.h>
#include <stdint.h>

/* The enum os_error of an errno. */
int error_of(int number);

/* What a function of libSystem returns, as os/ returns it: the result, or for a negative one an enum os_error. The
 * host's errno is as it was. */
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
