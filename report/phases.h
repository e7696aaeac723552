/* The phases of a run: loading, then training; where what the job uses of CPUs, memory and GPUs changes for good.
 *
 * They are looked for with report/segments.h, in the mean of every so many ticks; what each of them used is of every
 * tick. A run whose usage does not change clearly, or all the time, has none. */
#ifndef RTRACK_REPORT_PHASES_H
#define RTRACK_REPORT_PHASES_H

#include "report/html_units.h"
#include "report/recommend.h"
#include "report/segments.h"

/* Figures are those of process.csv between two times; UNKNOWN: not measured. */
struct phase {
	double start, stop; /* seconds since 1970 */
	double cpu_seconds, mean_cpu, peak_cpu;
	double mean_memory_mib, peak_memory_mib;
	double read_bytes, write_bytes;
	double mean_gpu, peak_gpu, peak_vram_mib;
	struct resources needs; /* by the rule of recommend.h, of this phase alone */
};

struct phases {
	size_t count; /* 0, or at least 2 */
	struct phase items[SEGMENTS_MAX];
};

/* What a job for each phase would reserve less than one job that is no slower, which asks for the most that any phase
 * needs as long as it runs. In resources × seconds; 0 where nothing is known. */
struct split {
	double cpu_seconds, cpu_percent;
	double gib_seconds, memory_percent;
	double gpu_seconds, gpu_percent;
	bool worth_it; /* a tenth of one of them, and no phase is shorter than a minute */
};

/* The columns of process.csv that phases_find needs, as a mask for series_load. */
uint64_t phases_columns(void);

/* `start`: of the run, or UNKNOWN. Returns 0, or -1 with errno when there is no
 * memory. */
int phases_find(struct phases *phases, const struct series *process, double start);

struct split phases_split(const struct phases *phases);

/* -- in words: phases_text.c ------------------------------------------------------------------------ */

/* "CPUs: 1; from 11 min 5.6; from 51 min 1.4" */
void phases_describe(const struct phases *phases, char *text, size_t size);

/* "1.5 core-hours (25 %), 20 GiB-minutes (12 %)": those resources of which it saves something; or without the per cent.
 */
void phases_describe_split(const struct split *split, bool percent, char *text, size_t size);

/* -- JSON ------------------------------------------------------------------------------------------ */

/* "phases" and "split" of an object. */
void phases_write_json(const struct phases *phases, cJSON *object);

#endif
