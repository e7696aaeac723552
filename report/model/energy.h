/* SPDX-License-Identifier: Apache-2.0 */
/* The energy that a run used, if the hardware measures energy.
 *
 * The job's part of a GPU's energy is its part of the GPU usage or, if no process used the GPU, of the GPU memory.
 * Energy counters of processor packages do not distinguish processes, so the job's part is its part of the CPU time.
 * This is an estimate, because an idle package draws power too, and cores differ in speed. On macOS, the system
 * measures the energy of each process, and exit rows contain it. */
#ifndef RTRACK_REPORT_MODEL_ENERGY_H
#define RTRACK_REPORT_MODEL_ENERGY_H

#include "report/model/total.h"
#include "report/spool/gpus.h"
#include "report/spool/processes.h"
#include "report/spool/series.h"

/* Columns of system.csv that the caller must load. energy_make loads more columns itself if the energy of the
 * packages is known. */
#define ENERGY_SYSTEM_COLUMNS SERIES_COLUMN(SYSTEM_package_energy_wh)

/* Sets the energy totals. */
void energy_make(struct totals *totals, const struct files *files, const struct gpus *gpus,
	const struct series *process, const struct series *system, const struct processes *processes);

/* Returns the grams of CO2 for `wh`, or UNKNOWN if RTRACK_CARBON_G_PER_KWH is unset or not from 0 to 10,000. */
double energy_carbon_g(double wh);

/* Returns true if RTRACK_CARBON_G_PER_KWH is unset, empty or a valid number. Otherwise prints a message and returns
 * false. */
bool energy_carbon_is_right(void);

/* Adds "co2_g" to `totals` if it is known. It is not part of struct totals, because stored totals must not depend on
 * the environment. */
void energy_write_carbon(double wh, cJSON *totals);

#endif
