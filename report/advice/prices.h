/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the cheapest server for a request, and computes the cost of a run, its cost on that server, and the saving.
 *
 * Prices come from a user's catalog or the Keeper API (RTRACK_KEEPER_URL). The API gets two concurrent requests with a
 * time limit of 2 s, and answers are cached for an hour. If anything fails, a note is added and the request has no
 * server. */
#ifndef RTRACK_REPORT_ADVICE_PRICES_H
#define RTRACK_REPORT_ADVICE_PRICES_H

#include "report/advice/recommend.h"

enum prices_source {
	PRICES_kept,    /* use only answers that were cached within the last hour */
	PRICES_network, /* query the API if the cache has no answer */
	PRICES_offline, /* like PRICES_kept, but add a note if nothing is cached */
};

struct price_question {
	enum prices_source source;
	const char *catalog; /* catalog file that replaces the Keeper API, or NULL */
	const char *vendor;  /* only servers of this vendor, region and architecture; NULL for any */
	const char *region;
	const char *architecture;
};

/* Adds the server, the cost and notes to a recommendation for `run`, which took `seconds`. Returns 0, or -1 after a
 * message if the catalog cannot be read. */
int prices_find(struct recommendation *recommendation, const struct run *run, double seconds,
	const struct price_question *question);

/* The cloud server on which a run ran. The strings belong to the run's JSON. Unknown strings are "". */
struct price_place {
	const char *vendor;
	const char *server;
	const char *region;
};

struct price_place place_of(const struct run *run);

/* The best servers among those that were passed to choice_offer. */
struct price_choice {
	const struct resources *needs;
	const struct price_question *question;
	struct price_place place;
	struct server best; /* cheapest suitable server; its id is "" if there is none */
	/* server that the run used, preferably in its region; its id is "" if it was not offered */
	struct server here;
	char currency[8];      /* currency of the first suitable server */
	size_t other_currency; /* number of suitable servers with another currency */
};

/* Callback for catalog_read. `choice` points to a struct price_choice. */
void choice_offer(void *choice, const struct server *server);

/* Reads an hourly price from the Keeper API's price list of one server: the on-demand price for Linux in `region`, or
 * otherwise in the first region. Returns 0 with UNKNOWN if there is no such price, or -1 if the text is not a price
 * list. `currency` has room for 8 bytes. */
int prices_read(const char *text, size_t length, const char *region, double *price, char *currency);

/* -- catalog.c --------------------------------------------------------------------------------------- */

/* Reads servers and prices from a user's catalog or an answer of the Keeper API.
 *
 * The format is CSV with a header, or JSON: an array of objects, or an object with such an array as "servers". Both
 * formats accept our names and those of the Keeper API, so that an API answer can be saved as a catalog. Memory is in
 * MiB, prices are per hour. Entries without server, vCPUs, memory or price are skipped. */
/* catalog_read calls this function for each server. */
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

/* Like catalog_read, but reads a file and prints a message about skipped entries. Returns 0, or -1 after a message. */
int catalog_read_file(const char *path, catalog_take *take, void *context);

#endif
