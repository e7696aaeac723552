/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the recommendation that a command shows, with server and prices according to its options. */
#ifndef RTRACK_REPORT_COMMANDS_ADVICE_H
#define RTRACK_REPORT_COMMANDS_ADVICE_H

#include "report/advice/allowance.h"
#include "report/advice/prices.h"
#include "report/commands/options.h"
#include "report/model/group.h"
#include "report/model/inner_jobs.h"

/* Makes the recommendation. `recommend` queries prices unless --offline is given. Other commands query them only with
 * --prices, and otherwise use cached answers. The model must have the parts of recommend_wish. Returns 0, or -1 after a
 * message. */
int advice_make(struct recommendation *recommendation, const struct options *options, const struct model *model);
/* Like advice_make, but uses the given earlier runs. If `earlier` is NULL, reads them from the spool. */
int advice_make_by(struct recommendation *recommendation, const struct options *options, const struct model *model,
	const struct uses *earlier);

/* Makes the request for each machine of a group, based on the machine with the largest usage. */
void advice_of_group(
	struct recommendation *recommendation, const struct group *group, const struct allowance_wish *wish);

/* Sets the number of ranks per machine and in total, including ranks that left no run, and the CPUs of each rank. */
void advice_set_ranks(struct resources *resources, const struct group *group);

/* Returns the source of prices and the filters that the options select. */
struct price_question advice_prices(const struct options *options);

/* Sets the price of each job if the options ask for prices: the hourly price of the cheapest server for the largest
 * request of its runs, or for their largest usage, times their durations. Returns 0, or -1 after a message. */
int advice_price_jobs(struct inner_jobs *jobs, const struct options *options);

/* Reads the options that select the rule: the number of runs, the aim, the next input size, and whether the classic
 * rule is used. Returns 0, or -1 after a message. */
int advice_wish(const struct options *options, struct allowance_wish *wish, bool *classic);

/* Stores the size of --for-input in bytes, or UNKNOWN without that option. Returns 0, or -1 after a message. */
int advice_input(const struct options *options, double *input);

/* Returns the tool of --for if only the lines for that tool are printed, otherwise NULL. These lines do not name a
 * server, so prices are not needed. */
const char *advice_tool(const struct options *options);

#endif
