/* The errors of os/: reasons of our own, so that no caller knows a kernel's numbers.
 *
 * A function of os/ that returns an integer returns a result (0 or more) or one of these, which are negative. */
#ifndef RTRACK_OS_ERROR_H
#define RTRACK_OS_ERROR_H

/* Position of each row in errors.def, from 1 on. */
enum os_error_row {
	OS_ERROR_ROW_none,
#define OS_ERROR(id, text) OS_ERROR_ROW_##id,
#include "os/errors.def"
#undef OS_ERROR
	OS_ERROR_ROWS
};

enum os_error {
#define OS_ERROR(id, text) OS_ERROR_##id = -(int)OS_ERROR_ROW_##id,
#include "os/errors.def"
#undef OS_ERROR
};

/* What a person reads; for programs only, the library says nothing to anybody. */
const char *os_error_text(int error);

#endif
