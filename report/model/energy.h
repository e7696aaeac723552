/* SPDX-License-Identifier: Apache-2.0 */
/* The energy that a run used, where the hardware counts it.
 *
 * The job's share of a GPU's energy is its share of the usage, or of the memory if no process used the GPU. Energy
 * counters of processor packages do not distinguish processes, so the job's share is its share of the CPU time. This is
 * an estimate: an idle package draws power, and cores differ in speed. Where the system counts energy by process
 * (macOS), the exit rows of the job's processes supply it. */
#ifndef RTRACK_REPORT_MODEL_ENERGY_H
#define RTRACK_REPORT_MODEL_ENERGY_H

#include "report/model/total.h"
#include "report/spool/gpus.h"
#include "report/spool/processes.h"
#include "report/spool/series.h"

/* Columns of system.csv that the caller must load; energy_make loads the others itself if there is energy to divide. */
#define ENERGY_SYSTEM_COLUMNS SERIES_COLUMN(SYSTEM_package_energy_wh)

/* Sets the energy totals. */
void energy_make(struct totals *totals, const struct files *files, const struct gpus *gpus,
	const struct series *process, const struct series *system, const struct processes *processes);

/* Grams of CO2 for `wh`, by RTRACK_CARBON_G_PER_KWH; UNKNOWN if that is unset or outside 0 to 10,000. */
double energy_carbon_g(double wh);

/* Whether RTRACK_CARBON_G_PER_KWH is unset, empty or a valid factor. Prints a message to stderr otherwise. */
bool energy_carbon_is_right(void);

/* Adds co2_g to `totals` if it is known. This is a separate function because stored totals must not depend on the
 * environment. */
void energy_write_carbon(double wh, cJSON *totals);

#endif
