/* Line tables of CPython: from the place in a function's byte code to a line of its file.
 *
 * CPython has had three formats. Each is a sequence of stretches of byte code, and each stretch says by how much the
 * line differs from the one before. The bytes come from another process, so every table must end in a bounded time. */
#ifndef RTRACK_SAMPLER_LINES_TABLE_H
#define RTRACK_SAMPLER_LINES_TABLE_H

#include "core/base.h"

enum line_table {
	LINE_TABLE_LNOTAB,    /* co_lnotab, up to 3.9 */
	LINE_TABLE_RANGES,    /* co_linetable of 3.10 (PEP 626) */
	LINE_TABLE_LOCATIONS, /* co_linetable from 3.11 on (PEP 657) */
};

/* The line of the instruction at `place`, in bytes; 0: it has none. `first`: co_firstlineno. */
int32_t line_table_find(enum line_table format, const uint8_t *table, size_t length, int32_t first, int64_t place);

#endif
