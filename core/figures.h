/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of one process, and the column that holds each figure in each table. They are the COUNTER and GAUGE rows of
 * columns.def.
 *
 * Readers and writers index their arrays by these enums. A new figure therefore needs only a new row and the code that
 * reads it. */
#ifndef RTRACK_CORE_FIGURES_H
#define RTRACK_CORE_FIGURES_H

#include "core/row.h"

/* Figures that never decrease. */
enum counter {
#define COUNTER(id, name, per, member, exit) COUNTER_##id,
#include "core/columns.def"
	COUNTER_COUNT
};

/* Figures that hold for one instant. */
enum gauge {
#define GAUGE(id, name, per, member) GAUGE_##id,
#include "core/columns.def"
	GAUGE_COUNT
};

#define GAUGE_UNKNOWN UINT64_MAX /* the system does not report this gauge, or the gauge was not read */

/* The tables that have columns for per-process figures. */
enum figure_table { FIGURES_process, FIGURES_member, FIGURES_exit, FIGURES_TABLES };

struct figure_place {
	int16_t column[FIGURES_TABLES]; /* column index, or -1 if the table lacks this figure */
	double per;                     /* number by which a value is divided to convert it to the column's unit */
};

extern const struct figure_place counter_figures[COUNTER_COUNT];
extern const struct figure_place gauge_figures[GAUGE_COUNT];

/* Subtracts the tracker's usage from the figures of a process that hosts the tracker. The kernel only estimates how CPU
 * time is split into user and system time. The tracker's user or system time may therefore exceed that of the process.
 * The excess is then subtracted from the other of the two. */
void figures_take_out(uint64_t counters[COUNTER_COUNT], const uint64_t tracker[COUNTER_COUNT]);

/* Writes each counter that has a column in the table. */
void figures_write_counters(struct cell *cells, enum figure_table table, const uint64_t counters[COUNTER_COUNT]);

/* Reads the counters of a row. A counter is 0 if its cell is unknown, negative or out of range. */
void figures_read_counters(const struct cell *cells, enum figure_table table, uint64_t counters[COUNTER_COUNT]);

/* Writes gauges into the cells of a row. The cell of an unknown gauge stays empty. */
void figures_write_gauges(struct cell *cells, enum figure_table table, const uint64_t gauges[GAUGE_COUNT]);

/* Adds the gauges of one process to the sums, and skips unknown gauges. A sum stays unknown until a known gauge is
 * added. */
void figures_add_gauges(uint64_t sums[GAUGE_COUNT], const uint64_t gauges[GAUGE_COUNT]);

/* Returns `value` times `unit` as an integer, or 0 if `value` is unknown, negative or too large. */
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

/* Returns a - b, or 0 if `a` is smaller. `a` can be smaller if it was read earlier than `b`. */
static inline uint64_t figures_above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
