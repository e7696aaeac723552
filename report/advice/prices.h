/* SPDX-License-Identifier: Apache-2.0 */
/* The cheapest server for a request, and what a run cost, cost there, and could have saved.
 *
 * Prices are those of a catalog of the user's, or of the Keeper API (RTRACK_KEEPER_URL): two questions side by side,
 * answered within 2 s or not at all, kept for an hour. Whatever goes wrong there is a note, and the request stands
 * without a server. */
#ifndef RTRACK_REPORT_ADVICE_PRICES_H
#define RTRACK_REPORT_ADVICE_PRICES_H

#include "report/advice/recommend.h"

enum prices_source {
	PRICES_kept,    /* only what was asked for less than an hour ago */
	PRICES_network, /* and what was not */
	PRICES_offline, /* as PRICES_kept, and a note says so when there is nothing */
};

struct price_question {
	enum prices_source source;
	const char *catalog; /* a file to take them from instead; NULL: none */
	const char *vendor;  /* only servers of this; NULL: of any, and so on */
	const char *region;
	const char *architecture;
};

/* Adds the server, the cost and notes to a recommendation for `run`, which took `seconds`. Returns 0; or -1 after a
 * message when there is a catalog that cannot be read. */
int prices_find(struct recommendation *recommendation, const struct run *run, double seconds,
	const struct price_question *question);

/* -- choosing: prices_choose.c ---------------------------------------------------------------------- */

/* Where a run ran. Texts are of its run.json; "" is unknown. */
struct price_place {
	const char *vendor;
	const char *server;
	const char *region;
};

struct price_place place_of(const struct run *run);

/* The best of the servers offered so far. */
struct price_choice {
	const struct resources *needs;
	const struct price_question *question;
	struct price_place place;
	struct server best;    /* the cheapest that has what is needed; id "": none */
	struct server here;    /* the one at `place`, its region if it is offered; id "": none */
	char currency[8];      /* of the first that fitted */
	size_t other_currency; /* those that fitted but have another */
};

/* A catalog_take; the context is a struct price_choice. */
void choice_offer(void *choice, const struct server *server);

/* The price of an hour in a list of the Keeper API's prices of one server: on demand, Linux, in `region` or else the
 * first of all. Returns 0 with UNKNOWN if there is none; or -1 when it is no list of prices. `currency` has 8 bytes. */
int prices_read(const char *text, size_t length, const char *region, double *price, char *currency);

#endif
