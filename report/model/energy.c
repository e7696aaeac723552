/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the energy that a run used, if the hardware measures energy. */
#include "report/model/energy.h"

#include "report/say/message.h"

#include <errno.h>
#include <stdlib.h>

enum { DIGITS = 6 };

static const char CARBON_VARIABLE[] = "RTRACK_CARBON_G_PER_KWH";
/* largest accepted value, in g of CO2 per kWh; coal plants emit about 1,000 */
static const double FACTOR_MOST = 10000;

/* Returns the job's part of the energy of the processor packages. Matches rows of the two files by timestamp,
 * because either file may lack rows. */
static double share_packages(const struct series *process, const struct series *system, const struct series *times)
{
	double sum = UNKNOWN;
	size_t row = 0;

	for (size_t i = 0; i < system->rows && i < times->rows; i++) {
		double time = series_value(system, SYSTEM_timestamp, i);
		double all = series_value(times, SYSTEM_utime, i) + series_value(times, SYSTEM_stime, i);
		while (row < process->rows && series_value(process, PROCESS_timestamp, row) < time)
			row++;
		if (row == process->rows || series_value(process, PROCESS_timestamp, row) > time)
			continue;
		double own = series_value(process, PROCESS_utime, row) + series_value(process, PROCESS_stime, row);
		double part = own <= all ? own / all : own > 0 ? 1 : 0;
		known_add(&sum, series_value(system, SYSTEM_package_energy_wh, i) * (all > 0 || own > 0 ? part : 0));
	}
	return sum;
}

static void take_parts(struct totals *totals, const struct files *files, const struct gpus *gpus,
	const struct series *process, const struct series *system, const struct processes *processes)
{
	struct series times;

	for (size_t i = 0; i < processes->count; i++)
		known_add(&totals->process_energy_wh, processes->items[i].energy_wh);
	for (size_t i = 0; i < gpus->count; i++) {
		known_add(&totals->gpu_energy_wh, gpus->items[i].job_energy_wh);
		known_add(&totals->machine_gpu_energy_wh, gpus->items[i].energy_wh);
	}
	totals->machine_package_energy_wh = series_sum(system, SYSTEM_package_energy_wh);
	if (!number_known(totals->machine_package_energy_wh))
		return;
	if (series_load(&times, files, TABLE_system, SERIES_COLUMN(SYSTEM_utime) | SERIES_COLUMN(SYSTEM_stime)) != 0)
		return;
	totals->package_energy_wh = share_packages(process, system, &times);
	series_free(&times);
}

void energy_make(struct totals *totals, const struct files *files, const struct gpus *gpus,
	const struct series *process, const struct series *system, const struct processes *processes)
{
	take_parts(totals, files, gpus, process, system, processes);

	totals->energy_wh = totals->gpu_energy_wh;
	known_add(&totals->energy_wh, known_first(totals->process_energy_wh, totals->package_energy_wh));
}

void energy_write_carbon(double wh, cJSON *totals)
{
	double carbon_g = energy_carbon_g(wh);

	if (number_known(carbon_g))
		json_add_number(totals, "co2_g", carbon_g, DIGITS);
}

static double carbon_factor(const char *text)
{
	double factor = UNKNOWN;

	return text && number_read(text_of(text), &factor) == 0 && factor >= 0 && factor <= FACTOR_MOST ? factor
													: UNKNOWN;
}

double energy_carbon_g(double wh)
{
	return wh / 1000 * carbon_factor(getenv(CARBON_VARIABLE));
}

bool energy_carbon_is_right(void)
{
	const char *text = getenv(CARBON_VARIABLE);

	if (!text || !*text || number_known(carbon_factor(text)))
		return true;
	message_print("%s '%s': expected grams from 0 to %.0f", CARBON_VARIABLE, text, FACTOR_MOST);
	return false;
}
