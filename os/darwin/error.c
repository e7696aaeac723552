/* errno as the errors of os/error.h; see error.h. */
#include "os/darwin/error.h"

#include "core/base.h"
#include "os/error.h"

int error_of(int number)
{
	static const struct {
		int number;
		int error;
	} reasons[] = {
		{ENOENT, OS_ERROR_MISSING},
		{ESRCH, OS_ERROR_NO_PROCESS},
		{EEXIST, OS_ERROR_EXISTS},
		{EACCES, OS_ERROR_DENIED},
		{EPERM, OS_ERROR_NOT_OURS},
		{ENOTDIR, OS_ERROR_NOT_DIRECTORY},
		{EISDIR, OS_ERROR_IS_DIRECTORY},
		{ENOTEMPTY, OS_ERROR_NOT_EMPTY},
		{ELOOP, OS_ERROR_LINK},
		{ENAMETOOLONG, OS_ERROR_TOO_LONG},
		{EFBIG, OS_ERROR_TOO_LARGE},
		{ENOSPC, OS_ERROR_FULL},
		{EDQUOT, OS_ERROR_QUOTA},
		{EROFS, OS_ERROR_READ_ONLY},
		{ENOMEM, OS_ERROR_NO_MEMORY},
		{EMFILE, OS_ERROR_NO_DESCRIPTOR},
		{ENFILE, OS_ERROR_NO_SYSTEM_DESCRIPTOR},
		{EAGAIN, OS_ERROR_BUSY},
		{EINTR, OS_ERROR_INTERRUPTED},
		{ENODATA, OS_ERROR_NO_DATA},
		{EINVAL, OS_ERROR_INVALID},
		{EBADF, OS_ERROR_BAD_DESCRIPTOR},
		{EIO, OS_ERROR_INPUT_OUTPUT},
		{ENOSYS, OS_ERROR_UNSUPPORTED},
		{ENOTSUP, OS_ERROR_UNSUPPORTED},
		{ESTALE, OS_ERROR_STALE},
		{EREMOTE, OS_ERROR_REMOTE},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(reasons); i++)
		if (reasons[i].number == number)
			return reasons[i].error;
	return OS_ERROR_OTHER;
}
