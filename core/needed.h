/* Memory that a job needs, as opposed to memory that it merely occupies. The limits of rtrack-run, the totals and the
 * requests share this rule.
 *
 * The kernel can drop file pages when memory is short, and reads them again. The file pages of running programs are
 * needed all the time. Therefore file pages count up to 16 MiB, or up to a tenth of the other memory if that is
 * more. */
#ifndef RTRACK_CORE_NEEDED_H
#define RTRACK_CORE_NEEDED_H

#include "core/number.h"

#define NEEDED_FILE_MIB 16.0
#define NEEDED_FILE_PART 0.1

/* Returns the needed memory. `rest_mib`: anonymous memory, shared memory and huge pages. `file_mib`: file pages, or
 * UNKNOWN. */
static inline double needed_mib(double rest_mib, double file_mib)
{
	double part_mib = rest_mib * NEEDED_FILE_PART;
	double most_mib = part_mib > NEEDED_FILE_MIB ? part_mib : NEEDED_FILE_MIB;

	return rest_mib + (file_mib > most_mib ? most_mib : known_first(file_mib, 0));
}

/* Returns the needed part of `all_mib`, which includes `file_mib` of file pages. */
static inline double needed_of_all(double all_mib, double file_mib)
{
	double file = file_mib < all_mib ? file_mib : all_mib;

	return number_known(file_mib) ? needed_mib(all_mib - file, file) : all_mib;
}

#endif
