/* What is read of a process, by the names by which readings, the ledger, the rows and the records agree: the figures of
 * columns.def, each with its place in the tables that have a column for it. */
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

#define GAUGE_UNKNOWN UINT64_MAX /* nobody told, or nobody was asked */

/* The tables in which a process' figures have a column. */
enum figure_table { FIGURES_process, FIGURES_member, FIGURES_exit, FIGURES_TABLES };

struct figure_place {
	int8_t column[FIGURES_TABLES]; /* -1: the table has none */
	double per;                    /* so many are one of the column's unit */
};

extern const struct figure_place counter_figures[COUNTER_COUNT];
extern const struct figure_place gauge_figures[GAUGE_COUNT];

/* Writes counters into the cells of a row, those that the table has. */
void figures_write_counters(struct cell *cells, enum figure_table table, const uint64_t counters[COUNTER_COUNT]);

/* Reads them back; what is unknown, negative or out of range is 0. */
void figures_read_counters(const struct cell *cells, enum figure_table table, uint64_t counters[COUNTER_COUNT]);

/* Writes gauges into the cells of a row; GAUGE_UNKNOWN is an empty cell. */
void figures_write_gauges(struct cell *cells, enum figure_table table, const uint64_t gauges[GAUGE_COUNT]);

/* Adds the gauges of a process to those of others: what nobody knows stays unknown. */
void figures_add_gauges(uint64_t sums[GAUGE_COUNT], const uint64_t gauges[GAUGE_COUNT]);

/* `value` times `unit` as a whole number; 0 for what is unknown, negative or out of range. */
uint64_t figures_whole(double value, double unit);

#endif
