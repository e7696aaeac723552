/* The recommendation that a command shows; see advice.h. */
#include "report/commands/advice.h"

#include "report/advice/dialects.h"
#include "report/advice/prices.h"
#include "report/history/history.h"
#include "report/say/message.h"

static struct price_question question_of(const struct options *options)
{
	bool asks = options->command == COMMAND_recommend ? !options_given(options, OPTION_offline)
							  : options_given(options, OPTION_prices);
	return (struct price_question){
		.source = asks                                    ? PRICES_network
			  : options->command == COMMAND_recommend ? PRICES_offline
								  : PRICES_kept,
		.catalog = options->text[OPTION_catalog],
		.vendor = options->text[OPTION_vendor],
		.region = options->text[OPTION_region],
		.architecture = options->text[OPTION_arch],
	};
}

const char *advice_tool(const struct options *options)
{
	const char *word = options->json ? NULL : options->text[OPTION_for];
	return word && dialect_find(word) != DIALECT_text ? word : NULL;
}

int advice_make(struct recommendation *recommendation, const struct options *options, const struct run *run,
	const struct summary *summary)
{
	struct price_question question = question_of(options);
	double runs = options->number[OPTION_runs];

	if (recommend_make(recommendation, run, summary, number_known(runs) ? (size_t)runs : HISTORY_RUNS) != 0) {
		message_print("no memory");
		return -1;
	}
	if (advice_tool(options))
		return 0;
	return prices_find(recommendation, run, summary->totals.wall_seconds, &question);
}
