/* Views of all tables of many runs, as SQL for an engine. */
#ifndef RTRACK_REPORT_FLEET_VIEWS_H
#define RTRACK_REPORT_FLEET_VIEWS_H

#include "report/fleet/engine.h"

/* Writes the views runs, totals, and one for each table of a run, over all places together. */
void views_write(FILE *out, const struct engine *engine, const struct place *places, size_t count);

#endif
