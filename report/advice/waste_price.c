/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the price of resources that were requested but not used. */
#include "report/advice/waste_price.h"

#include "core/number.h"
#include "report/say/message.h"

#include <math.h>
#include <string.h>

static double most(const struct waste_sum *sum, bool asked)
{
	return asked && sum->runs > 0 ? sum->asked_most : sum->used_most;
}

static int price_of(struct server *server, const struct waste *waste, bool asked, const struct price_question *question)
{
	const struct run nowhere = {.json = NULL};
	struct recommendation wanted = {
		.resources = {.cpu = fmax(1, ceil(most(&waste->of[WASTE_CPU], asked))),
			.memory_mib = most(&waste->of[WASTE_MEMORY], asked),
			.gpu = most(&waste->of[WASTE_GPU], asked),
			.vram_mib = UNKNOWN,
			.seconds = UNKNOWN},
	};

	if (prices_find(&wanted, &nowhere, UNKNOWN, question) != 0)
		return -1;
	*server = wanted.server;
	if (!wanted.has_server)
		*server = (struct server){.price = UNKNOWN};
	return 0;
}

int waste_price(struct waste_money *money, const struct waste *waste, const struct price_question *question, bool quiet)
{
	struct server asked, used;

	*money = (struct waste_money){.between = UNKNOWN};
	bool earlier = message_quiet(quiet);
	int result = price_of(&asked, waste, true, question);
	message_quiet(true);
	result = result == 0 ? price_of(&used, waste, false, question) : -1;
	message_quiet(earlier);
	if (result != 0)
		return -1;
	if (!number_known(asked.price) || !number_known(used.price) || strcmp(asked.currency, used.currency) != 0)
		return 0;
	money->between = fmax(0, asked.price - used.price) * waste->hours;
	memcpy(money->currency, asked.currency, sizeof money->currency);
	return 0;
}

int waste_price_hour(double *price, char currency[8], const struct waste *waste, const struct price_question *question)
{
	struct server server;

	if (price_of(&server, waste, true, question) != 0)
		return -1;
	*price = server.price;
	memcpy(currency, server.currency, sizeof server.currency);
	return 0;
}
