/* SPDX-License-Identifier: Apache-2.0 */
/* Translates the kernel's error numbers to enum os_error. */
#include "os/linux/error.h"

#include "os/error.h"

#include <linux/errno.h>

int error_of(long kernel)
{
	static const uint8_t numbers[OS_ERROR_ROWS] = {
#define OS_ERROR(id, number, text) [OS_ERROR_ROW_##id] = (number),
#include "os/errors.def"
	};
	for (int row = 1; row < OS_ERROR_ROWS; row++)
		if (numbers[row] == -kernel)
			return -row;
	return OS_ERROR_OTHER;
}
