/* SPDX-License-Identifier: Apache-2.0 */
/* The price of requested but unused resources. */
#ifndef RTRACK_REPORT_ADVICE_WASTE_PRICE_H
#define RTRACK_REPORT_ADVICE_WASTE_PRICE_H

#include "report/advice/prices.h"
#include "report/history/waste.h"

struct waste_money {
	double between; /* UNKNOWN if one of the two has no price */
	char currency[8];
};

/* Compares the prices of two servers over all hours: the cheapest one for the largest request, and the cheapest one for
 * the largest usage. For a resource that was not requested, both use the usage. `quiet` suppresses messages about a
 * catalog that was read before. Returns 0, or -1 after a message if the catalog cannot be read. */
int waste_price(
	struct waste_money *money, const struct waste *waste, const struct price_question *question, bool quiet);

/* The hourly price of the cheapest server for the largest request, or UNKNOWN. Returns 0, or -1 after a message if the
 * catalog cannot be read. */
int waste_price_hour(double *price, char currency[8], const struct waste *waste, const struct price_question *question);

#endif
