/* The memory that a job needs, of all that it has: one rule for the limits of rtrack-run, totals and requests.
 *
 * The kernel drops pages of files when memory is short, and reads them again. Those of programs are in use all the
 * time. Therefore file pages count up to 16 MiB, or up to a tenth of the rest where that is more. */
#ifndef RTRACK_CORE_NEEDED_H
#define RTRACK_CORE_NEEDED_H

#include "core/number.h"

#define NEEDED_FILE_MIB 16.0
#define NEEDED_FILE_PART 0.1

/* `rest_mib`: anonymous and shared memory and huge pages. `file_mib`: file pages; UNKNOWN: none are known apart. */
static inline double needed_mib(double rest_mib, double file_mib)
{
	double part_mib = rest_mib * NEEDED_FILE_PART;
	double most_mib = part_mib > NEEDED_FILE_MIB ? part_mib : NEEDED_FILE_MIB;

	return rest_mib + (file_mib > most_mib ? most_mib : known_first(file_mib, 0));
}

/* The same of all memory, of which `file_mib` are file pages. */
static inline double needed_of_all(double all_mib, double file_mib)
{
	double file = file_mib < all_mib ? file_mib : all_mib;

	return number_known(file_mib) ? needed_mib(all_mib - file, file) : all_mib;
}

#endif
