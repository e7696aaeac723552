/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that a job needs: what a limit counts. One rule for the limits of rtrack-run, totals and requests.
 *
 * When memory is short, the kernel drops pages of files and reads them again later. Pages of programs are used all the
 * time. Therefore file pages count up to 16 MiB, or up to a tenth of the rest where that is more. Locked file pages
 * cannot be dropped. Swap and page tables count, though the resident memory does not include them. Memory that was
 * given back by MADV_FREE does not count: the kernel takes it before it kills. */
#ifndef RTRACK_CORE_NEEDED_H
#define RTRACK_CORE_NEEDED_H

#include "core/number.h"

#define NEEDED_FILE_MIB 16.0
#define NEEDED_FILE_PART 0.1
/* A page table has 8 bytes for each resident page of 4 KiB. */
#define NEEDED_TABLES_PART (1.0 / 512)

/* Memory of a process or a job at one instant, in MiB. Each but `memory` may be UNKNOWN. */
struct needed_parts {
	double memory; /* resident; the next three are parts of it */
	double file;
	double locked; /* of files and of other memory */
	double lazy_free;
	double swap;
	double page_tables; /* as far as they were read */
	double rss;         /* the sum over processes; pages that they share count for each */
};

/* File pages that the kernel can drop, or UNKNOWN if file pages are not known apart. */
static inline double needed_droppable_mib(double file_mib, double locked_mib)
{
	double locked = known_first(locked_mib, 0);

	return file_mib > locked ? file_mib - locked : file_mib > 0 ? 0 : file_mib;
}

/* Page tables. They may have been read of some processes only, so the resident memory gives a lower bound of all. 0 if
 * none were read. */
static inline double needed_tables_mib(double read_mib, double rss_mib)
{
	return number_known(read_mib) ? known_larger(read_mib, rss_mib * NEEDED_TABLES_PART) : 0;
}

/* What is needed besides the file pages that the kernel can drop. */
static inline double needed_rest_mib(const struct needed_parts *parts)
{
	double droppable = known_first(needed_droppable_mib(parts->file, parts->locked), 0);
	double rest = parts->memory - droppable - known_first(parts->lazy_free, 0);

	return (rest > 0 ? rest : 0) + known_first(parts->swap, 0) + needed_tables_mib(parts->page_tables, parts->rss);
}

/* `rest_mib`: as needed_rest_mib returns it. `file_mib`: file pages that the kernel can drop, or UNKNOWN. */
static inline double needed_mib(double rest_mib, double file_mib)
{
	double part_mib = rest_mib * NEEDED_FILE_PART;
	double most_mib = part_mib > NEEDED_FILE_MIB ? part_mib : NEEDED_FILE_MIB;

	return rest_mib + (file_mib > most_mib ? most_mib : known_first(file_mib, 0));
}

/* The needed memory of all parts. */
static inline double needed_of(const struct needed_parts *parts)
{
	return needed_mib(needed_rest_mib(parts), needed_droppable_mib(parts->file, parts->locked));
}

#endif
