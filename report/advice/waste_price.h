/* What lies between what was asked for and what was used, in money. */
#ifndef RTRACK_REPORT_ADVICE_WASTE_PRICE_H
#define RTRACK_REPORT_ADVICE_WASTE_PRICE_H

#include "report/advice/prices.h"
#include "report/history/waste.h"

struct waste_money {
	double between; /* UNKNOWN: there is no price for one of the two */
	char currency[8];
};

/* What the cheapest server that has the most that was asked for costs more than the cheapest that has the most that was
 * used, for all the hours. What nobody asked for counts as it was used. `quiet`: the
 * catalog was read before, and what was said of it is not said again. Returns 0; or
 * -1 after a message when there is a catalog that cannot be read. */
int waste_price(
	struct waste_money *money, const struct waste *waste, const struct price_question *question, bool quiet);

#endif
