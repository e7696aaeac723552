/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the cheapest server and computes the saving. */
#include "report/advice/prices.h"

#include "report/say/alloc.h"
#include "report/services/cache.h"
#include "report/services/http.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { TIME_LIMIT = 2, KEPT_FOR = 3600, ANSWER_MAX = 1 << 20, OFFERS = 10 };
enum { WAIT_USUAL = 60, WAIT_MOST = 3600 };

static const char keeper[] = "https://keeper.sparecores.net";

/* -- selection of servers ------------------------------------------------------------------------- */

/* Two names of each architecture. The Keeper API uses the first one. */
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

/* -- requests -------------------------------------------------------------------------------------- */

struct question {
	char *url; /* owned, or NULL if there is nothing to request */
	struct http_request request;
	char *answer; /* the answer's body; owned, or NULL */
	bool kept;    /* whether the answer is from the cache */
};

struct asking {
	char *base; /* URL of the service without a trailing '/'; owned */
	struct question servers;
	struct question here; /* request for the prices of the server that the run used */
	char problem[200];    /* error message if there is no list of servers, otherwise "" */
};

/* Writes `before` and the percent-encoded `word` into a URL. Unreserved characters (RFC 3986, section 2.3) are not
 * encoded. */
static void write_word(FILE *out, const char *before, const char *word)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

	fputs(before, out);
	for (; *word; word++)
		fprintf(out, strchr(unreserved, *word) ? "%c" : "%%%02X", (unsigned char)*word);
}

static void write_number(FILE *out, const char *before, double value, int digits)
{
	if (value > 0)
		fprintf(out, "%s%.*f", before, digits, value);
}

/* Builds the URL of the server list. Memory is in GiB with decimals, because a request may be as small as 128 MiB. */
static char *servers_url(const char *base, const struct resources *needs, const struct price_question *question)
{
	char *url = NULL;
	size_t length;
	FILE *out = xopen_memstream(&url, &length);

	fprintf(out, "%s/servers?order_by=min_price_ondemand&order_dir=asc&only_active=true&limit=%d", base, OFFERS);
	write_number(out, "&vcpus_min=", needs->cpu, 0);
	write_number(out, "&memory_min=", needs->memory_mib / 1024, 3);
	write_number(out, "&gpu_min=", needs->gpu, 0);
	write_number(out, "&gpu_memory_total=", needs->vram_mib / 1024, 3);
	if (question->vendor)
		write_word(out, "&vendor=", question->vendor);
	if (question->region)
		write_word(out, "&regions=", question->region);
	if (question->architecture)
		write_word(out, "&architecture=", question->architecture);
	xclose_memstream(out);
	return url;
}

static char *here_url(const char *base, const struct price_place *place)
{
	char *url = NULL;
	size_t length;

	if (!*place->server)
		return NULL;
	FILE *out = xopen_memstream(&url, &length);
	fprintf(out, "%s/server", base);
	write_word(out, "/", place->vendor);
	write_word(out, "/", place->server);
	fputs("/prices?currency=USD", out);
	xclose_memstream(out);
	return url;
}

static char *keeper_base(void)
{
	const char *chosen = getenv("RTRACK_KEEPER_URL");
	char *base = xstrdup(chosen && *chosen ? chosen : keeper);

	for (size_t length = strlen(base); length > 0 && base[length - 1] == '/'; length--)
		base[length - 1] = '\0';
	return base;
}

/* -- sending --------------------------------------------------------------------------------------- */

/* Returns the key under which the cache keeps the end of the service's Retry-After time. Later commands read it and do
 * not contact the service before that time. */
static char *wait_key(const char *base)
{
	return xasprintf("wait %s", base);
}

static double seconds_to_wait(const char *base)
{
	char *key = wait_key(base);
	char *text = cache_read(key, WAIT_MOST);
	double left = text ? strtod(text, NULL) - (double)time(NULL) : 0;

	free(text);
	free(key);
	return left > 0 && left <= WAIT_MOST ? left : 0;
}

static void leave_alone(struct asking *asking, double seconds)
{
	char text[64];
	char *key = wait_key(asking->base);

	if (!(seconds > 0))
		seconds = WAIT_USUAL;
	if (seconds > WAIT_MOST)
		seconds = WAIT_MOST;
	snprintf(text, sizeof text, "%.0f", (double)time(NULL) + seconds);
	cache_write(key, text);
	free(key);
	snprintf(asking->problem, sizeof asking->problem, "it asks to wait for %.0f s", seconds);
}

static void ask(struct http *http, struct question *question)
{
	if (!question->url || question->answer)
		return;
	question->request = (struct http_request){
		.url = question->url,
		.headers = {"X-Application-ID: rtrack", "Accept: application/json"},
		.body_max = ANSWER_MAX,
		.proxy = true,
	};
	http_add(http, &question->request);
}

/* Stores the body of a successful response as the answer. Otherwise stores the reason for the failure in `problem`. */
static void take_answer(struct asking *asking, struct question *question, char *problem, size_t size)
{
	struct http_request *request = &question->request;

	if (!question->url || question->answer)
		return;
	if (request->status == 200 && request->body && strlen(request->body) == request->length) {
		question->answer = request->body;
		return;
	}
	if (request->status == 429 || request->status == 503)
		leave_alone(asking, request->retry_after);
	else if (request->status > 0)
		snprintf(problem, size, "it answered with status %d", request->status);
	else
		snprintf(problem, size, "%s", request->reason ? request->reason : "no answer in time");
	http_request_free(request);
}

static void ask_all(struct asking *asking)
{
	char unimportant[sizeof asking->problem];
	double wait = seconds_to_wait(asking->base);

	if (wait > 0) {
		snprintf(asking->problem, sizeof asking->problem, "it asks to wait for %.0f s", wait);
		return;
	}
	struct http *http = http_open(TIME_LIMIT);
	ask(http, &asking->servers);
	ask(http, &asking->here);
	http_run(http);
	http_close(http);
	take_answer(asking, &asking->here, unimportant, sizeof unimportant);
	take_answer(asking, &asking->servers, asking->problem, sizeof asking->problem);
}

static void take_kept(struct question *question)
{
	question->answer = question->url ? cache_read(question->url, KEPT_FOR) : NULL;
	question->kept = question->answer != NULL;
}

/* -- answers --------------------------------------------------------------------------------------- */

/* Caches an answer. Call it only after the answer was parsed, so that an invalid answer is never cached. */
static void keep(const struct question *question)
{
	if (!question->kept)
		cache_write(question->url, question->answer);
}

static void read_servers(struct asking *asking, struct price_choice *choice)
{
	const char *region = choice->question->region;
	struct catalog_result result;
	char *text = asking->servers.answer;

	if (!text)
		return;
	/* The servers in the answer have no region, because the request already selected the region. Therefore
	 * choice_offer must not compare regions. */
	struct price_question question = *choice->question;
	const struct price_question *whole = choice->question;
	question.region = NULL;
	choice->question = &question;
	int status = text[strspn(text, " \t\r\n")] == '['
			     ? catalog_read(text, strlen(text), choice_offer, choice, &result)
			     : -1;
	choice->question = whole;
	if (status != 0)
		snprintf(asking->problem, sizeof asking->problem, "its answer is not a list of servers");
	else
		keep(&asking->servers);
	if (status == 0 && region && *choice->best.id)
		snprintf(choice->best.region, sizeof choice->best.region, "%s", region);
}

static void read_here(const struct asking *asking, struct price_choice *choice)
{
	struct server *here = &choice->here;
	const char *text = asking->here.answer;
	double price;

	if (!text || prices_read(text, strlen(text), choice->place.region, &price, here->currency) != 0)
		return;
	keep(&asking->here);
	here->price = price;
	if (number_known(price))
		snprintf(here->id, sizeof here->id, "%s", choice->place.server);
}

static void ask_keeper(struct recommendation *recommendation, struct price_choice *choice)
{
	const struct price_question *question = choice->question;
	struct asking asking = {.base = keeper_base()};

	asking.servers.url = servers_url(asking.base, choice->needs, question);
	asking.here.url = here_url(asking.base, &choice->place);
	take_kept(&asking.servers);
	take_kept(&asking.here);
	if (question->source == PRICES_network)
		ask_all(&asking);
	read_servers(&asking, choice);
	read_here(&asking, choice);
	if (!asking.servers.answer && question->source == PRICES_offline)
		recommend_note(recommendation, "No server: prices were not asked for (--offline).");
	else if (*asking.problem)
		recommend_note(recommendation, "No server: the price service could not be asked: %s.", asking.problem);
	else if (asking.servers.answer && !*choice->best.id)
		recommend_note(recommendation, "No server: the price service knows none that has this.");
	free(asking.base);
	free(asking.servers.url);
	free(asking.servers.answer);
	free(asking.here.url);
	free(asking.here.answer);
}

/* -- cost ------------------------------------------------------------------------------------------ */

static double cost_of(double price, double seconds)
{
	return price / 3600 * seconds;
}

static void add_cost(struct recommendation *recommendation, const struct price_choice *choice, double seconds)
{
	struct cost *cost = &recommendation->cost;
	const struct server *best = &choice->best;
	const struct server *here = &choice->here;
	bool comparable = *best->id && *here->id && strcmp(best->currency, here->currency) == 0;

	*cost = (struct cost){UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, ""};
	if (*best->id) {
		cost->run = cost_of(best->price, seconds);
		cost->spot = cost_of(best->spot_price, seconds);
	}
	if (*here->id && (comparable || !*best->id))
		cost->current = cost_of(here->price, seconds);
	if (comparable) {
		cost->saving = cost->current - cost->run;
		cost->saving_percent = 100 * (here->price - best->price) / here->price;
	}
	memcpy(cost->currency, *best->id ? best->currency : here->currency, sizeof cost->currency);
	recommendation->has_cost = number_known(cost->run) || number_known(cost->current);
	if (*best->id && *here->id && !comparable)
		recommend_note(
			recommendation, "The price of this run's server is in %s: not compared.", here->currency);
}

int prices_find(struct recommendation *recommendation, const struct run *run, double seconds,
	const struct price_question *question)
{
	struct price_choice choice = {
		.needs = &recommendation->resources, .question = question, .place = place_of(run)};

	if (!question->catalog)
		ask_keeper(recommendation, &choice);
	else if (catalog_read_file(question->catalog, choice_offer, &choice) != 0)
		return -1;
	else if (!*choice.best.id)
		recommend_note(recommendation, "No server: the catalog has none that fits.");
	if (choice.other_currency > 0)
		recommend_note(recommendation, "Only prices in %s are compared; %zu in others are left out.",
			choice.currency, choice.other_currency);
	recommendation->has_server = *choice.best.id != '\0';
	recommendation->server = choice.best;
	add_cost(recommendation, &choice, seconds);
	return 0;
}
