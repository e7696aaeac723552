/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the price of resources that were requested but not used. */
#ifndef RTRACK_REPORT_ADVICE_WASTE_PRICE_H
#define RTRACK_REPORT_ADVICE_WASTE_PRICE_H

#include "report/advice/prices.h"
#include "report/history/waste.h"

struct waste_money {
	double between; /* cost of the request minus cost of the usage; UNKNOWN if one of them is unknown */
	char currency[8];
};

/* Compares the costs of two servers over the hours of all runs: the cheapest server for the largest request, and the
 * cheapest server for the largest usage. A resource that was not requested is replaced by its usage. If `quiet` is set,
 * messages about the catalog are suppressed, because an earlier call printed them. Returns 0, or -1 after a message if
 * the catalog cannot be read. */
int waste_price(
	struct waste_money *money, const struct waste *waste, const struct price_question *question, bool quiet);

/* Stores the hourly price of the cheapest server for the largest request, or UNKNOWN. Returns 0, or -1 after a message
 * if the catalog cannot be read. */
int waste_price_hour(double *price, char currency[8], const struct waste *waste, const struct price_question *question);

#endif
