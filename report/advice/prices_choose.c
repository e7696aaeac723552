/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the cheapest server that satisfies a request. */
#include "report/advice/prices.h"

#include <string.h>
#include <strings.h>

/* Synonyms of architectures; the first is the Keeper API's. */
static const char *const architectures[][2] = {{"x86_64", "amd64"}, {"arm64", "aarch64"}};

static const char *architecture_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(architectures); i++)
		if (strcasecmp(name, architectures[i][1]) == 0)
			return architectures[i][0];
	return name;
}

static bool same_or_any(const char *wanted, const char *name)
{
	return !wanted || strcasecmp(architecture_name(wanted), architecture_name(name)) == 0;
}

static bool fits(const struct price_choice *choice, const struct server *server)
{
	const struct resources *needs = choice->needs;
	const struct price_question *question = choice->question;

	return !(server->vcpus < needs->cpu) && !(server->memory_mib < needs->memory_mib) &&
	       !(server->gpu < needs->gpu) && !(server->vram_mib < needs->vram_mib) &&
	       same_or_any(question->vendor, server->vendor) && same_or_any(question->region, server->region) &&
	       same_or_any(question->architecture, server->architecture);
}

static bool is_here(const struct price_choice *choice, const struct server *server)
{
	const struct price_place *place = &choice->place;
	return *place->server && strcasecmp(place->vendor, server->vendor) == 0 &&
	       (strcmp(place->server, server->id) == 0 || strcmp(place->server, server->name) == 0);
}

void choice_offer(void *context, const struct server *server)
{
	struct price_choice *choice = context;

	if (is_here(choice, server) && (!*choice->here.id || strcmp(server->region, choice->place.region) == 0))
		choice->here = *server;
	if (!fits(choice, server))
		return;
	if (!*choice->currency)
		memcpy(choice->currency, server->currency, sizeof choice->currency);
	if (strcmp(choice->currency, server->currency) != 0)
		choice->other_currency++;
	else if (!*choice->best.id || server->price < choice->best.price)
		choice->best = *server;
}

/* -- location of the run --------------------------------------------------------------------------- */

static const char *known_text(const cJSON *object, const char *key)
{
	const char *text = json_string(object, key);
	return strcmp(text, "unknown") == 0 ? "" : text;
}

struct price_place place_of(const struct run *run)
{
	const cJSON *cloud = cJSON_GetObjectItemCaseSensitive(run->json, "cloud");
	struct price_place place = {
		known_text(cloud, "vendor"), known_text(cloud, "instance_type"), known_text(cloud, "region")};

	if (!*place.vendor)
		place.server = "";
	return place;
}

/* -- prices of one server -------------------------------------------------------------------------- */

/* Only hourly on-demand prices for Linux are comparable with those in the list of servers. */
static double hourly_price(const cJSON *item)
{
	double price = json_double(item, "price");
	const char *unit = json_string(item, "unit");
	bool usual = strcasecmp(json_string(item, "allocation"), "ondemand") == 0 &&
		     strcasecmp(json_string(item, "operating_system"), "linux") == 0;
	return usual && price > 0 && (!*unit || strcasecmp(unit, "hour") == 0) ? price : UNKNOWN;
}

int prices_read(const char *text, size_t length, const char *region, double *price, char *currency)
{
	cJSON *json = cJSON_ParseWithLength(text, length);
	const cJSON *found = NULL;
	const cJSON *item;

	if (!cJSON_IsArray(json)) {
		cJSON_Delete(json);
		return -1;
	}
	cJSON_ArrayForEach(item, json)
	{
		if (!number_known(hourly_price(item)))
			continue;
		bool right = strcmp(json_string(item, "region_id"), region) == 0;
		if (!found || right)
			found = item;
		if (right)
			break;
	}
	*price = found ? hourly_price(found) : UNKNOWN;
	const char *word = found ? json_string(found, "currency") : "";
	size_t size = strlen(word);
	if (size > 7)
		size = 7;
	memcpy(currency, word, size);
	currency[size] = '\0';
	cJSON_Delete(json);
	return 0;
}
