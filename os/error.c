/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the errors in errors.def. */
#include "os/error.h"

const char *os_error_text(int error)
{
	static const char *const texts[OS_ERROR_ROWS] = {
		[OS_ERROR_ROW_none] = "Success",
#define OS_ERROR(id, number, text) [OS_ERROR_ROW_##id] = (text),
#include "os/errors.def"
	};
	return error <= 0 && -error < OS_ERROR_ROWS ? texts[-error] : texts[OS_ERROR_ROW_OTHER];
}
