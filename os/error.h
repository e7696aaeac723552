/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of os/. They are an enum, so that no caller depends on a kernel's error numbers.
 *
 * An integer function of os/ returns a result (0 or more) or one of these negative values. */
#ifndef RTRACK_OS_ERROR_H
#define RTRACK_OS_ERROR_H

/* Position of each row in errors.def, starting at 1. */
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

/* Returns the error's text, for the programs that report it. The library prints nothing. */
const char *os_error_text(int error);

#endif
