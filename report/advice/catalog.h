/* SPDX-License-Identifier: Apache-2.0 */
/* Servers and prices as texts: a catalog of the user's, or an answer of the Keeper API.
 *
 * CSV with a header, or JSON: an array of objects, also as "servers" of an object. Both take the same names, and both
 * take the Keeper API's names for the same things, so that an answer of it can be kept as a catalog. Memory is in MiB,
 * prices are for an hour; what has no server, no vCPUs, no memory or no price is left out. */
#ifndef RTRACK_REPORT_ADVICE_CATALOG_H
#define RTRACK_REPORT_ADVICE_CATALOG_H

#include "report/advice/recommend.h"

/* What becomes of each server. */
typedef void catalog_take(void *context, const struct server *server);

struct catalog_result {
	size_t servers;
	size_t left_out;
	size_t first_left_out; /* its line, or its place in the array, from 1 on */
	bool json;
};

/* Gives each server of `text`, which is changed, to take(context, server). Returns 0; or -1 when it is no list of
 * servers at all. */
int catalog_read(char *text, size_t length, catalog_take *take, void *context, struct catalog_result *result);

/* The same for a file. Returns 0; or -1 after a message; says what was left out. */
int catalog_read_file(const char *path, catalog_take *take, void *context);

#endif
