/* The figures that are read of a process, and where each has its column: rows COUNTER and GAUGE of columns.def.
 *
 * The readers in os/, the ledger, the rows of the series and the records all index their arrays by these enums, so a
 * new figure is one row and no new code between them. */
#ifndef RTRACK_CORE_FIGURES_H
#define RTRACK_CORE_FIGURES_H

#include "core/row.h"

/* A counter only grows. */
enum counter {
#define COUNTER(id, name, per, member, exit) COUNTER_##id,
#include "core/columns.def"
	COUNTER_COUNT
};

/* A gauge is true of its instant. */
enum gauge {
#define GAUGE(id, name, per, member) GAUGE_##id,
#include "core/columns.def"
	GAUGE_COUNT
};

#define GAUGE_UNKNOWN UINT64_MAX /* the system does not tell it, or it was not read */

/* The tables in which a process' figures have a column. */
enum figure_table { FIGURES_process, FIGURES_member, FIGURES_exit, FIGURES_TABLES };

struct figure_place {
	int16_t column[FIGURES_TABLES]; /* -1: the table has none */
	double per;                     /* how many of what is read make one of the column's unit */
};

extern const struct figure_place counter_figures[COUNTER_COUNT];
extern const struct figure_place gauge_figures[GAUGE_COUNT];

/* Takes what the tracker used out of the figures of a root that hosts it, or did. The kernel divides CPU time between
 * user and system by samples, and for a process otherwise than for its threads. Therefore the tracker may have more of
 * one of the two than the process. The rest is taken from the other. */
void figures_take_out(uint64_t counters[COUNTER_COUNT], const uint64_t tracker[COUNTER_COUNT]);

/* Writes the counters for which the table has a column into the cells of a row. */
void figures_write_counters(struct cell *cells, enum figure_table table, const uint64_t counters[COUNTER_COUNT]);

/* Reads counters back from the cells of a row. A cell that is unknown, negative or out of range is 0. */
void figures_read_counters(const struct cell *cells, enum figure_table table, uint64_t counters[COUNTER_COUNT]);

/* Writes gauges into the cells of a row; GAUGE_UNKNOWN is an empty cell. */
void figures_write_gauges(struct cell *cells, enum figure_table table, const uint64_t gauges[GAUGE_COUNT]);

/* Adds the gauges of one process to the sums of others. A gauge that is unknown is not added; a sum to which nothing
 * was added stays unknown. */
void figures_add_gauges(uint64_t sums[GAUGE_COUNT], const uint64_t gauges[GAUGE_COUNT]);

/* `value` times `unit` as a whole number; 0 for what is unknown, negative or out of range. */
uint64_t figures_whole(double value, double unit);

/* CPU time, user and system, of which the kernel divides only the sum truly. */
static inline uint64_t figures_cpu_ns(const uint64_t counters[COUNTER_COUNT])
{
	return counters[COUNTER_USER_NS] + counters[COUNTER_SYSTEM_NS];
}

static inline uint64_t figures_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* How much `a` is above `b`; 0 where it is not, as of two readings that lag behind each other. */
static inline uint64_t figures_above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
