/* SPDX-License-Identifier: Apache-2.0 */
/* CPython's line tables, which map a position in a function's bytecode to a line of its file.
 *
 * CPython has had three formats. Each consists of ranges of bytecode, with the line difference from the previous range.
 * The table comes from the memory of another process, so decoding must terminate for any content. */
#ifndef RTRACK_SAMPLER_LINES_TABLE_H
#define RTRACK_SAMPLER_LINES_TABLE_H

#include "core/base.h"

enum line_table {
	LINE_TABLE_LNOTAB,    /* co_lnotab, up to 3.9 */
	LINE_TABLE_RANGES,    /* co_linetable of 3.10 (PEP 626) */
	LINE_TABLE_LOCATIONS, /* co_linetable since 3.11 (PEP 657) */
};

/* Returns the line of the instruction at byte offset `place`, or 0 if it has none. `first`: co_firstlineno. */
int32_t line_table_find(enum line_table format, const uint8_t *table, size_t length, int32_t first, int64_t place);

#endif
