/* SPDX-License-Identifier: Apache-2.0 */
/* Per-process figures, and the column of each in each table: rows COUNTER and GAUGE of columns.def.
 *
 * Readers, writers and records index their arrays by these enums. A new figure is therefore one row, and needs no new
 * code between its reader and its writer. */
#ifndef RTRACK_CORE_FIGURES_H
#define RTRACK_CORE_FIGURES_H

#include "core/row.h"

/* A counter never decreases. */
enum counter {
#define COUNTER(id, name, per, member, exit) COUNTER_##id,
#include "core/columns.def"
	COUNTER_COUNT
};

/* A gauge is a value at one instant. */
enum gauge {
#define GAUGE(id, name, per, member) GAUGE_##id,
#include "core/columns.def"
	GAUGE_COUNT
};

#define GAUGE_UNKNOWN UINT64_MAX /* the system does not report it, or it was not read */

/* The tables that have columns for per-process figures. */
enum figure_table { FIGURES_process, FIGURES_member, FIGURES_exit, FIGURES_TABLES };

struct figure_place {
	int16_t column[FIGURES_TABLES]; /* column index, or -1 if the table lacks this figure */
	double per;                     /* divisor from the unit as read to the unit of the column */
};

extern const struct figure_place counter_figures[COUNTER_COUNT];
extern const struct figure_place gauge_figures[GAUGE_COUNT];

/* Subtracts the tracker's usage from the figures of a process that hosts it or hosted it. The kernel estimates the
 * split into user and system time, and for a process it estimates otherwise than for its threads. The tracker's user or
 * system time may therefore exceed the process's. The excess is subtracted from the other one. */
void figures_take_out(uint64_t counters[COUNTER_COUNT], const uint64_t tracker[COUNTER_COUNT]);

/* Writes those counters that are columns of the table. */
void figures_write_counters(struct cell *cells, enum figure_table table, const uint64_t counters[COUNTER_COUNT]);

/* Reads the counters of a row. A cell that is unknown, negative or out of range gives 0. */
void figures_read_counters(const struct cell *cells, enum figure_table table, uint64_t counters[COUNTER_COUNT]);

/* Writes gauges into the cells of a row. GAUGE_UNKNOWN gives an empty cell. */
void figures_write_gauges(struct cell *cells, enum figure_table table, const uint64_t gauges[GAUGE_COUNT]);

/* Adds the gauges of one process to sums. Unknown gauges are skipped. A sum without any known gauge stays unknown. */
void figures_add_gauges(uint64_t sums[GAUGE_COUNT], const uint64_t gauges[GAUGE_COUNT]);

/* Returns `value` times `unit` as an integer, or 0 if it is unknown, negative or out of range. */
uint64_t figures_whole(double value, double unit);

/* Returns CPU time, user plus system. Only the sum is accurate, because the kernel estimates the split. */
static inline uint64_t figures_cpu_ns(const uint64_t counters[COUNTER_COUNT])
{
	return counters[COUNTER_USER_NS] + counters[COUNTER_SYSTEM_NS];
}

static inline uint64_t figures_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns a - b, or 0 if `a` is smaller. An older reading can make `a` smaller. */
static inline uint64_t figures_above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
