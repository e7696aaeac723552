/* SPDX-License-Identifier: Apache-2.0 */
/* What lies between what was asked for and what was used, in money. */
#ifndef RTRACK_REPORT_ADVICE_WASTE_PRICE_H
#define RTRACK_REPORT_ADVICE_WASTE_PRICE_H

#include "report/advice/prices.h"
#include "report/history/waste.h"

struct waste_money {
	double between; /* UNKNOWN: there is no price for one of the two */
	char currency[8];
};

/* Two servers are compared over all the hours: the cheapest that has the most that was asked for, and the cheapest that
 * has the most that was used. Both need what was used of a resource that was not requested. `quiet`: the catalog was
 * read before, so what is wrong with it is not said again. Returns 0; or -1 after a message when a catalog cannot be
 * read. */
int waste_price(
	struct waste_money *money, const struct waste *waste, const struct price_question *question, bool quiet);

/* The price of an hour of the cheapest server that has the most that was asked for; UNKNOWN: there is none. As above.
 */
int waste_price_hour(double *price, char currency[8], const struct waste *waste, const struct price_question *question);

#endif
