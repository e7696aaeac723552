/* The phases of a run, such as loading, then training: where what the job uses of CPUs, memory and GPUs changes for
 * good.
 *
 * report/figures/segments.h finds them in means over several ticks; the figures of each phase are then taken from every
 * tick. A run whose usage does not change clearly, or changes all the time, has none. */
#ifndef RTRACK_REPORT_FIGURES_PHASES_H
#define RTRACK_REPORT_FIGURES_PHASES_H

#include "report/figures/segments.h"
#include "report/say/json.h"
#include "report/spool/series.h"

/* Figures are those of process.csv between two times; UNKNOWN: not measured. */
struct phase {
	double start, stop; /* seconds since 1970 */
	double cpu_seconds, mean_cpu, peak_cpu;
	double mean_memory_mib, peak_memory_mib;
	double read_bytes, write_bytes;
	double mean_gpu, peak_gpu, peak_vram_mib;
};

struct phases {
	size_t count; /* 0, or at least 2 */
	struct phase items[SEGMENTS_MAX];
};

/* The columns of process.csv that phases_find needs, as a mask for series_load. */
uint64_t phases_columns(void);

/* `start`: of the run, or UNKNOWN. Returns 0, or -1 with errno when there is no
 * memory. */
int phases_find(struct phases *phases, const struct series *process, double start);

/* -- in words: phases_text.c ------------------------------------------------------------------------ */

/* "CPUs: 1; from 11 min 5.6; from 51 min 1.4" */
void phases_describe(const struct phases *phases, char *text, size_t size);

/* -- JSON ------------------------------------------------------------------------------------------ */

/* "phases" of an object. */
void phases_write_json(const struct phases *phases, cJSON *object);

#endif
