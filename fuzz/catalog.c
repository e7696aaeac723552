/* SPDX-License-Identifier: Apache-2.0 */
/* Parses any bytes as a list of servers. If the list is accepted, every server in it can be compared and shown. */
#include "fuzz/fuzz.h"
#include "report/advice/prices.h"

static void require_text(const char *text, size_t size)
{
	REQUIRE(memchr(text, '\0', size));
}

static void require_amount(double value, bool known)
{
	REQUIRE(number_known(value) || !known);
	REQUIRE(!(value < 0) && !(value > 1e12));
}

static void take(void *context, const struct server *server)
{
	require_text(server->vendor, sizeof server->vendor);
	require_text(server->id, sizeof server->id);
	require_text(server->name, sizeof server->name);
	require_text(server->architecture, sizeof server->architecture);
	require_text(server->region, sizeof server->region);
	require_text(server->gpu_model, sizeof server->gpu_model);
	require_text(server->currency, sizeof server->currency);
	REQUIRE(*server->id && *server->currency);
	require_amount(server->vcpus, true);
	require_amount(server->memory_mib, true);
	require_amount(server->gpu, true);
	require_amount(server->vram_mib, true);
	require_amount(server->price, true);
	require_amount(server->spot_price, false);
	choice_offer(context, server);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct resources needs = {.cpu = 2, .memory_mib = 512};
	struct price_question question = {.vendor = "aws"};
	struct price_choice choice = {.needs = &needs, .question = &question, .place = {"aws", "big", "here"}};
	struct catalog_result result;
	char *copy = fuzz_copy(data, size, false);

	int status = catalog_read(copy, size, take, &choice, &result);
	REQUIRE(status == 0 || status == -1);
	REQUIRE(result.servers > 0 || (!*choice.best.id && !*choice.here.id));
	REQUIRE((result.left_out > 0) == (result.first_left_out > 0));
	REQUIRE(!*choice.best.id || (choice.best.vcpus >= 2 && choice.best.memory_mib >= 512));
	free(copy);
	return 0;
}
