/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the memory that a job needs. The limits of rtrack-run, totals and requests all use this rule.
 *
 * When memory is short, the kernel drops pages of files and reads them again later. Programs use some of these pages
 * all the time, so file pages count up to 16 MiB, or a tenth of the rest if that is more. Locked file pages cannot be
 * dropped, so they count. Swap and page tables count, though resident memory does not include them. Pages freed with
 * MADV_FREE do not count: the kernel reclaims them before it kills a process. Files on tmpfs count until they are
 * removed. */
#ifndef RTRACK_CORE_NEEDED_H
#define RTRACK_CORE_NEEDED_H

#include "core/number.h"

#define NEEDED_FILE_MIB 16.0
#define NEEDED_FILE_PART 0.1
/* Size of the page tables as a fraction of the resident memory: 8 bytes for each page of 4 KiB. */
#define NEEDED_TABLES_PART (1.0 / 512)

/* Memory of a process or a job at one instant, in MiB. `memory` is always known; the other fields may be UNKNOWN. */
struct needed_parts {
	double memory; /* resident memory, which includes the next three */
	double file;
	double locked; /* memory locked with mlock(2), anonymous or of files */
	double lazy_free;
	double swap;
	double page_tables; /* page tables of the processes for which they were read */
	double rss;         /* sum of the resident sets, which includes a shared page once per process */
	double tmpfs;       /* files on tmpfs that no process maps */
};

/* Returns the file pages that the kernel can drop, or UNKNOWN if the amount of file pages is unknown. */
static inline double needed_droppable_mib(double file_mib, double locked_mib)
{
	double locked = known_first(locked_mib, 0);

	return file_mib > locked ? file_mib - locked : file_mib > 0 ? 0 : file_mib;
}

/* Returns the size of the page tables, or 0 if no page tables were read. Often only the page tables of some processes
 * were read. The result is therefore at least the size that `rss_mib` of resident memory needs. */
static inline double needed_tables_mib(double read_mib, double rss_mib)
{
	return number_known(read_mib) ? known_larger(read_mib, rss_mib * NEEDED_TABLES_PART) : 0;
}

/* Returns the needed memory, excluding the file pages that the kernel can drop. */
static inline double needed_rest_mib(const struct needed_parts *parts)
{
	double droppable = known_first(needed_droppable_mib(parts->file, parts->locked), 0);
	double rest = parts->memory - droppable - known_first(parts->lazy_free, 0);

	return (rest > 0 ? rest : 0) + known_first(parts->swap, 0) + needed_tables_mib(parts->page_tables, parts->rss) +
	       known_first(parts->tmpfs, 0);
}

/* Returns the needed memory: `rest_mib` from needed_rest_mib, plus a limited amount of file pages. `file_mib` is the
 * size of the file pages that the kernel can drop, or UNKNOWN. */
static inline double needed_mib(double rest_mib, double file_mib)
{
	double part_mib = rest_mib * NEEDED_FILE_PART;
	double most_mib = part_mib > NEEDED_FILE_MIB ? part_mib : NEEDED_FILE_MIB;

	return rest_mib + (file_mib > most_mib ? most_mib : known_first(file_mib, 0));
}

static inline double needed_of(const struct needed_parts *parts)
{
	return needed_mib(needed_rest_mib(parts), needed_droppable_mib(parts->file, parts->locked));
}

#endif
