/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of os/. They are an enum, so that callers do not depend on the error numbers of a kernel. A function of
 * os/ that returns an integer returns a result of 0 or more, or one of these negative values. */
#ifndef RTRACK_OS_ERROR_H
#define RTRACK_OS_ERROR_H

/* Position of each error in errors.def, starting at 1. */
enum os_error_row {
	OS_ERROR_ROW_none,
#define OS_ERROR(id, number, text) OS_ERROR_ROW_##id,
#include "os/errors.def"
	OS_ERROR_ROWS
};

enum os_error {
#define OS_ERROR(id, number, text) OS_ERROR_##id = -(int)OS_ERROR_ROW_##id,
#include "os/errors.def"
};

/* Returns the text of an error. Only the programs use it, because the library prints nothing. */
const char *os_error_text(int error);

#endif
