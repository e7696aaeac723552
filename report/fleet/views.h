/* Views of all tables of many runs, as SQL for an engine. */
#ifndef RTRACK_REPORT_FLEET_VIEWS_H
#define RTRACK_REPORT_FLEET_VIEWS_H

#include "report/fleet/engine.h"

/* Writes the views runs, totals, and one for each table of a run, over all places together. */
void views_write(FILE *out, const struct engine *engine, const struct place *places, size_t count);

/* Writes what the view of a table is of, a selection, for an engine that has no need of variables before it. */
void views_write_selection(FILE *out, const struct engine *engine, const struct place *place, size_t table);

#endif
