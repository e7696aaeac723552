/* SPDX-License-Identifier: Apache-2.0 */
/* The recommendation that a command shows, with a server and prices as its options want them. */
#ifndef RTRACK_REPORT_COMMANDS_ADVICE_H
#define RTRACK_REPORT_COMMANDS_ADVICE_H

#include "report/advice/allowance.h"
#include "report/advice/prices.h"
#include "report/commands/options.h"
#include "report/model/group.h"

/* Makes the recommendation. `recommend` asks for prices unless --offline was given; every other command only with
 * --prices, and else shows what is cached. The model has what recommend_wish names. Returns 0, or
 * -1 after a message. */
int advice_make(struct recommendation *recommendation, const struct options *options, const struct model *model);
/* The same by these earlier runs; if `earlier` is NULL, they are read. */
int advice_make_by(struct recommendation *recommendation, const struct options *options, const struct model *model,
	const struct uses *earlier);

/* Makes the request for each machine of a group, by the machine that used the most. */
void advice_of_group(
	struct recommendation *recommendation, const struct group *group, const struct allowance_wish *wish);

/* Where prices come from, by the options: `recommend` asks for them unless --offline was given; every other command
 * only with --prices, and else takes what is cached. */
struct price_question advice_prices(const struct options *options);

/* Reads the options of the rule: how many runs it may use, its aim, the next input, and whether it is the classic rule.
 * Returns 0, or -1 after a message. */
int advice_wish(const struct options *options, struct allowance_wish *wish, bool *classic);

/* The size of --for-input in bytes, or UNKNOWN without it. Returns 0, or -1 after a message. */
int advice_input(const struct options *options, double *input);

/* The tool of --for if only its lines are printed, else NULL. The lines name no server, so no service is asked for one.
 */
const char *advice_tool(const struct options *options);

#endif
