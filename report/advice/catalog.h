/* SPDX-License-Identifier: Apache-2.0 */
/* Reads servers and prices from a user's catalog or an answer of the Keeper API.
 *
 * The format is CSV with a header, or JSON: an array of objects, or an object with such an array as "servers". Both
 * formats accept our names and those of the Keeper API, so that an API answer can be saved as a catalog. Memory is in
 * MiB, prices are per hour. Entries without server, vCPUs, memory or price are skipped. */
#ifndef RTRACK_REPORT_ADVICE_CATALOG_H
#define RTRACK_REPORT_ADVICE_CATALOG_H

#include "report/advice/recommend.h"

/* Callback for each server. */
typedef void catalog_take(void *context, const struct server *server);

struct catalog_result {
	size_t servers;
	size_t left_out;
	size_t first_left_out; /* line number or array index of the first skipped entry, counted from 1 */
	bool json;
};

/* Calls take(context, server) for each server in `text`, which is modified. Returns 0, or -1 if the text is not a list
 * of servers. */
int catalog_read(char *text, size_t length, catalog_take *take, void *context, struct catalog_result *result);

/* Like catalog_read for a file, and reports skipped entries. Returns 0, or -1 after a message. */
int catalog_read_file(const char *path, catalog_take *take, void *context);

#endif
