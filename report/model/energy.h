/* SPDX-License-Identifier: Apache-2.0 */
/* What a run cost in energy, as far as it was counted.
 *
 * The job has a part of a GPU's energy: its part of the usage, or of the memory where no process used the GPU. Counters
 * of processor packages know nothing of processes. Therefore the job has its part of the CPU time: an estimate, since a
 * package draws power while it idles, and cores are not equally fast. Where the system counts for each process (macOS),
 * the job has what its processes' exit rows say. */
#ifndef RTRACK_REPORT_MODEL_ENERGY_H
#define RTRACK_REPORT_MODEL_ENERGY_H

#include "report/model/total.h"
#include "report/spool/gpus.h"
#include "report/spool/processes.h"
#include "report/spool/series.h"

/* What energy_make needs of system.csv besides the columns that it reads itself where there is anything to share. */
#define ENERGY_SYSTEM_COLUMNS SERIES_COLUMN(SYSTEM_package_energy_wh)

/* Fills the totals of energy. */
void energy_make(struct totals *totals, const char *directory, const struct gpus *gpus, const struct series *process,
	const struct series *system, const struct processes *processes);

/* Grams of CO2 by RTRACK_CARBON_G_PER_KWH; UNKNOWN without a factor from 0 to 10,000. */
double energy_carbon_g(double wh);

/* Whether RTRACK_CARBON_G_PER_KWH is unset, empty, or such a factor; else there was a message on stderr. */
bool energy_carbon_is_right(void);

/* Adds those grams as co2_g, where they are known. Apart from the others, since what is kept of a run goes by no
 * variable. */
void energy_write_carbon(double wh, cJSON *totals);

#endif
