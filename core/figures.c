/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of per-process figures, generated from columns.def. */
#include "core/figures.h"

#define COLUMN_IF_YES(column) column
#define COLUMN_IF_NO(column) (-1)

const struct figure_place counter_figures[COUNTER_COUNT] = {
#define COUNTER(id, name, per, member, exit)                                                                           \
	{{PROCESS_##name, COLUMN_IF_##member(MEMBER_##name), COLUMN_IF_##exit(EXIT_##name)}, per},
#include "core/columns.def"
};

const struct figure_place gauge_figures[GAUGE_COUNT] = {
#define GAUGE(id, name, per, member) {{PROCESS_##name, COLUMN_IF_##member(MEMBER_##name), -1}, per},
#include "core/columns.def"
};

uint64_t figures_whole(double value, double unit)
{
	return value > 0 && value * unit < 9e18 ? (uint64_t)(value * unit + 0.5) : 0;
}

void figures_take_out(uint64_t counters[COUNTER_COUNT], const uint64_t tracker[COUNTER_COUNT])
{
	uint64_t left = figures_above(figures_cpu_ns(counters), figures_cpu_ns(tracker));

	for (int i = 0; i < COUNTER_COUNT; i++)
		counters[i] = figures_above(counters[i], tracker[i]);
	if (counters[COUNTER_SYSTEM_NS] > left)
		counters[COUNTER_SYSTEM_NS] = left;
	counters[COUNTER_USER_NS] = left - counters[COUNTER_SYSTEM_NS];
}

void figures_write_counters(struct cell *cells, enum figure_table table, const uint64_t counters[COUNTER_COUNT])
{
	for (int i = 0; i < COUNTER_COUNT; i++) {
		int column = counter_figures[i].column[table];
		if (column >= 0)
			cells[column].number = (double)counters[i] / counter_figures[i].per;
	}
}

void figures_read_counters(const struct cell *cells, enum figure_table table, uint64_t counters[COUNTER_COUNT])
{
	for (int i = 0; i < COUNTER_COUNT; i++) {
		int column = counter_figures[i].column[table];
		counters[i] = column >= 0 ? figures_whole(cells[column].number, counter_figures[i].per) : 0;
	}
}

void figures_write_gauges(struct cell *cells, enum figure_table table, const uint64_t gauges[GAUGE_COUNT])
{
	for (int i = 0; i < GAUGE_COUNT; i++) {
		int column = gauge_figures[i].column[table];
		if (column >= 0 && gauges[i] != GAUGE_UNKNOWN)
			cells[column].number = (double)gauges[i] / gauge_figures[i].per;
	}
}

void figures_add_gauges(uint64_t sums[GAUGE_COUNT], const uint64_t gauges[GAUGE_COUNT])
{
	for (int i = 0; i < GAUGE_COUNT; i++)
		if (gauges[i] != GAUGE_UNKNOWN)
			sums[i] = sums[i] == GAUGE_UNKNOWN ? gauges[i] : sums[i] + gauges[i];
}
