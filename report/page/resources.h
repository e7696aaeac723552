/* Resources to ask for, as a reader sees them: "3 CPUs, 4 GiB, 1 GPU". */
#ifndef RTRACK_REPORT_PAGE_RESOURCES_H
#define RTRACK_REPORT_PAGE_RESOURCES_H

#include "report/advice/resources.h"

#include <stdio.h>

/* Writes the parts that are above 0 with `separator`, which is markup, between them; nothing if there is none. */
void page_write_resources(FILE *out, const struct resources *resources, const char *separator);

#endif
