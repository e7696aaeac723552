/* SPDX-License-Identifier: Apache-2.0 */
/* Translates errno to enum os_error. */
#include "os/darwin/error.h"

#include "core/base.h"
#include "os/error.h"

int error_of(int number)
{
	static const int numbers[OS_ERROR_ROWS] = {
#define OS_ERROR(id, number, text) [OS_ERROR_ROW_##id] = (number),
#include "os/errors.def"
	};
	for (int row = 1; row < OS_ERROR_ROWS; row++)
		if (numbers[row] == number)
			return -row;
	/* For some errors, macOS returns ENOTSUP where other systems return ENOSYS. */
	return number == ENOTSUP ? OS_ERROR_UNSUPPORTED : OS_ERROR_OTHER;
}
