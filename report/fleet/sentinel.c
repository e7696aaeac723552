/* Spare Cores Sentinel; see sentinel.h. */
#define _GNU_SOURCE
#include "report/fleet/sentinel.h"

#include "report/fleet/bucket.h"
#include "report/fleet/sentinel_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char public_url[] = "https://api.sentinel.sparecores.net";
static const char sentinel_region[] = "eu-central-1";

/* Words of the ledger. */
static const char note_id[] = "id", note_place[] = "place", note_ending[] = "ending", note_ended[] = "ended";

enum { SHORT_SECONDS = 60, ROWS_MAX = 3600, URL_SIZE = 1024 };

struct sentinel {
	char url[URL_SIZE]; /* without a '/' at its end */
	char authorization[KEYS_TOKEN_SIZE];
	struct bucket bucket;
	bool open; /* the bucket is that of `shipment` */
	struct target *target;
	const struct shipment *shipment; /* that is being sent */
	int status;                      /* of the last answer */
};

static int sentinel_open(struct target *target)
{
	const char *url = getenv("SENTINEL_API_URL");
	const char *token = getenv("SENTINEL_API_TOKEN");
	struct sentinel *sentinel = calloc(1, sizeof *sentinel);

	if (!token || !*token)
		token = getenv("SENTINEL_API_KEY");
	url = url && *url ? url : public_url;
	if (!sentinel || !token || !*token || strlen(url) >= URL_SIZE || strcmp(target->url, "sentinel:") != 0) {
		(void)snprintf(target->why, sizeof target->why, "%s",
			sentinel && token && *token
				? "the URL must be `sentinel:`; set SENTINEL_API_URL for another address"
				: "SENTINEL_API_TOKEN is not set");
		free(sentinel);
		return -1;
	}
	(void)snprintf(
		sentinel->url, sizeof sentinel->url, "%.*s", (int)strlen(url) - (url[strlen(url) - 1] == '/'), url);
	(void)snprintf(sentinel->authorization, sizeof sentinel->authorization, "Authorization: Bearer %s", token);
	sentinel->target = target;
	target_set_name(target, target->url, sentinel->url);
	target->own = sentinel;
	return 0;
}

/* -- the API --------------------------------------------------------------------------------------- */

/* Posts an object, which it frees (NULL: an empty body), to the path. *answer, if any is wanted, is to be freed. */
static enum sent post_object(struct sentinel *sentinel, const char *path, cJSON *object, cJSON **answer)
{
	char *body = object ? cJSON_PrintUnformatted(object) : NULL;
	char url[2 * URL_SIZE];
	struct http_request request = {
		.method = "POST", .url = url, .headers = {sentinel->authorization, "Content-Type: application/json"}};

	(void)snprintf(url, sizeof url, "%s%s", sentinel->url, path);
	enum sent sent = target_ask(sentinel->target, sentinel->shipment, &request, text_of(body ? body : ""));
	sentinel->status = request.status;
	if (answer)
		*answer = sent == SENT_PART ? cJSON_Parse(request.body) : NULL;
	http_request_free(&request);
	cJSON_free(body);
	cJSON_Delete(object);
	return sent;
}

/* A text that the service knows under `key`, if there is one. */
static void add_text(cJSON *object, const char *key, const char *value)
{
	if (*value)
		cJSON_AddStringToObject(object, key, value);
}

static void add_known(cJSON *object, const char *key, double value)
{
	if (number_known(value))
		cJSON_AddNumberToObject(object, key, value);
}

/* Keys that the service does not know are refused, so that only these are sent. */
static cJSON *describe(const struct run *run)
{
	static const char *const labels[][2] = {{"project_name", "project"}, {"stage_name", "stage"},
		{"task_name", "task"}, {"container_image", "container_image"}, {"env", "env"}, {"language", "language"},
		{"orchestrator", "orchestrator"}, {"executor", "executor"}, {"team", "team"}};
	const cJSON *of_run = cJSON_GetObjectItemCaseSensitive(run->json, "labels");
	const cJSON *server = cJSON_GetObjectItemCaseSensitive(run->json, "server");
	const cJSON *cloud = cJSON_GetObjectItemCaseSensitive(run->json, "cloud");
	const char *external = json_string(of_run, "external_run_id");
	char *command = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(run->json, "command"));
	cJSON *object = cJSON_CreateObject();

	add_text(object, "job_name", run->job);
	for (size_t i = 0; i < ARRAY_LENGTH(labels); i++)
		add_text(object, labels[i][0], json_string(of_run, labels[i][1]));
	add_text(object, "external_run_id", *external ? external : run->id);
	add_text(object, "command", command ? command : "");
	cJSON_AddItemToObject(
		object, "tags", cJSON_IsObject(of_run) ? cJSON_Duplicate(of_run, true) : cJSON_CreateObject());
	add_text(object, "host_hostname", run->host);
	add_known(object, "host_vcpus", run->vcpus);
	add_known(object, "host_memory_mib", run->machine_memory_mib);
	add_text(object, "host_cpu_model", json_string(server, "cpu_model"));
	add_text(object, "cloud_vendor_id", json_string(cloud, "vendor"));
	add_text(object, "cloud_region_id", json_string(cloud, "region"));
	add_text(object, "cloud_instance_type", json_string(cloud, "instance_type"));
	cJSON_free(command);
	return object;
}

/* Takes keys, and a region if there is one, of an answer; NULL, or what is wrong. */
static const char *take_keys(struct bucket *bucket, const cJSON *answer)
{
	const cJSON *given = cJSON_GetObjectItemCaseSensitive(answer, "upload_credentials");
	const cJSON *of = given ? given : answer;
	const char *expire = json_string(of, "expires_at");
	struct keys *keys = &bucket->keys;

	if (!*expire)
		expire = json_string(of, "expiration");
	int access = snprintf(keys->access, sizeof keys->access, "%s", json_string(of, "access_key"));
	int secret = snprintf(keys->secret, sizeof keys->secret, "%s", json_string(of, "secret_key"));
	int token = snprintf(keys->token, sizeof keys->token, "%s", json_string(of, "session_token"));
	keys->expire = keys_time(expire);
	if (*json_string(answer, "region"))
		(void)snprintf(bucket->region, sizeof bucket->region, "%s", json_string(answer, "region"));
	bool whole = access > 0 && secret > 0 && access < (int)sizeof keys->access &&
		     secret < (int)sizeof keys->secret && token < (int)sizeof keys->token;
	return whole ? NULL : "Sentinel gave no keys";
}

/* Of the bucket: asks for other keys. Where none come, those that there are may do. */
static const char *ask_for_keys(struct bucket *bucket)
{
	struct sentinel *sentinel = bucket->context;
	const struct ledger *ledger = &sentinel->shipment->ledger;
	char path[LEDGER_VALUE_SIZE + 64];
	cJSON *answer;

	(void)snprintf(path, sizeof path, "/runs/%s/refresh-credentials", ledger_noted(ledger, note_id));
	enum sent sent = post_object(sentinel, path, NULL, &answer);
	struct bucket fresh = *bucket;
	const char *why = sent == SENT_PART ? take_keys(&fresh, answer) : "Sentinel gave no keys";
	cJSON_Delete(answer);
	if (!why)
		*bucket = fresh;
	return bucket->has_keys ? NULL : why;
}

static enum sent open_bucket(struct sentinel *sentinel, const struct shipment *shipment)
{
	const char *place = ledger_noted(&shipment->ledger, note_place);
	const char *why = strncmp(place, "s3://", 5) == 0 ? bucket_open(&sentinel->bucket, place + 5)
							  : "Sentinel gave no place in a bucket";

	(void)snprintf(sentinel->bucket.region, sizeof sentinel->bucket.region, "%s", sentinel_region);
	sentinel->bucket.renew = ask_for_keys;
	sentinel->bucket.context = sentinel;
	sentinel->open = !why;
	if (!why)
		return SENT_PART;
	(void)snprintf(sentinel->target->why, sizeof sentinel->target->why, "%s", why);
	return SENT_REFUSED;
}

static bool is_word(const char *text)
{
	return *text && strlen(text) < LEDGER_VALUE_SIZE && !strpbrk(text, " \t\r\n/?#%");
}

/* Registers the run. An answer that is lost leaves a run there that nothing follows: the service gives no way to say
 * that it is the same. */
static enum sent begin(struct sentinel *sentinel, struct shipment *shipment)
{
	cJSON *answer;
	enum sent sent = post_object(sentinel, "/runs", describe(&shipment->run), &answer);
	const char *id = json_string(answer, "run_id");
	const char *place = json_string(answer, "upload_uri_prefix");

	if (sent == SENT_PART && !is_word(id)) {
		(void)snprintf(sentinel->target->why, sizeof sentinel->target->why, "Sentinel gave no run_id");
		sent = SENT_REFUSED;
	}
	if (sent == SENT_PART && (ledger_note(&shipment->ledger, note_place, *place ? place : "-") != 0 ||
					 ledger_note(&shipment->ledger, note_id, id) != 0))
		sent = target_failed(sentinel->target, shipment->ledger.path);
	if (sent == SENT_PART && *place && open_bucket(sentinel, shipment) == SENT_PART)
		sentinel->bucket.has_keys = !take_keys(&sentinel->bucket, answer);
	cJSON_Delete(answer);
	return sent;
}

/* -- rows ------------------------------------------------------------------------------------------ */

/* The ledger's places of process.csv are rows here. */
static enum sent send_inline(struct sentinel *sentinel, struct shipment *shipment)
{
	struct ledger *ledger = &shipment->ledger;
	const uint64_t first = ledger->sent[TABLE_process], last = ledger->meant[TABLE_process];
	char key[32];
	struct batch rows;

	if (!sentinel->open && open_bucket(sentinel, shipment) != SENT_PART)
		return SENT_REFUSED;
	if (sentinel_rows_read(&rows, shipment->run.directory, first, last, true, ledger) != 0)
		return target_failed(sentinel->target, shipment->run.directory);
	(void)snprintf(key, sizeof key, "%04llu.csv.gz", (unsigned long long)ledger->number[TABLE_process] + 1);
	enum sent sent =
		bucket_put(&sentinel->bucket, sentinel->target, shipment, key, (struct text){rows.data, rows.length});
	batch_free(&rows);
	if (sent == SENT_PART && ledger_arrived(ledger, TABLE_process) != 0)
		sent = target_failed(sentinel->target, ledger->path);
	shipment->rows += sent == SENT_PART ? last - first : 0;
	shipment->batches += sent == SENT_PART;
	return sent;
}

static void add_places(cJSON *object, const struct ledger *ledger)
{
	cJSON *places = cJSON_AddArrayToObject(object, "data_uris");
	const char *place = ledger_noted(ledger, note_place);
	size_t length = strlen(place);
	char uri[LEDGER_VALUE_SIZE + 32];

	while (length > 0 && place[length - 1] == '/')
		length--;
	for (uint64_t i = 1; i <= ledger->number[TABLE_process]; i++) {
		(void)snprintf(uri, sizeof uri, "%.*s/%04llu.csv.gz", (int)length, place, (unsigned long long)i);
		cJSON_AddItemToArray(places, cJSON_CreateString(uri));
	}
}

/* Whether a run is refused because it is closed: its end was told before, by a sender that never heard the answer. */
static bool is_closed(const struct sentinel *sentinel)
{
	return sentinel->status == 404 || sentinel->status == 409 || sentinel->status == 410;
}

static enum sent finish(struct sentinel *sentinel, struct shipment *shipment)
{
	struct ledger *ledger = &shipment->ledger;
	const struct run *run = &shipment->run;
	bool within = ledger->number[TABLE_process] == 0;
	cJSON *object = cJSON_CreateObject();
	struct batch rows = {0};
	uint64_t count = within ? sentinel_rows_count(run->directory) : 0;
	char path[LEDGER_VALUE_SIZE + 64];

	add_known(object, "exit_code", number_known(run->exit_code) ? run->exit_code : 128 + run->exit_signal);
	cJSON_AddStringToObject(object, "run_status", strcmp(run->status, "finished") == 0 ? "finished" : "failed");
	cJSON_AddStringToObject(object, "data_source", within ? "inline" : "s3");
	if (!within)
		add_places(object, ledger);
	else if (sentinel_rows_read(&rows, run->directory, 0, count, false, ledger) == 0)
		cJSON_AddStringToObject(object, "data_csv", rows.data);
	batch_free(&rows);
	(void)snprintf(path, sizeof path, "/runs/%s/finish", ledger_noted(ledger, note_id));
	bool told = *ledger_noted(ledger, note_ending);
	if (!told && ledger_note(ledger, note_ending, "yes") != 0) {
		cJSON_Delete(object);
		return target_failed(sentinel->target, ledger->path);
	}
	enum sent sent = post_object(sentinel, path, object, NULL);
	if (sent == SENT_REFUSED && told && is_closed(sentinel))
		sent = SENT_PART;
	if (sent != SENT_PART)
		return sent;
	shipment->rows += count;
	shipment->batches++;
	return ledger_note(ledger, note_ended, "yes") == 0 ? SENT_ALL : target_failed(sentinel->target, ledger->path);
}

static enum sent sentinel_send(struct target *target, struct shipment *shipment)
{
	struct sentinel *sentinel = target->own;
	struct ledger *ledger = &shipment->ledger;

	if (sentinel->shipment != shipment || strcmp(ledger_noted(ledger, note_id), "") == 0)
		sentinel->open = false;
	sentinel->shipment = shipment;
	if (*ledger_noted(ledger, note_ended) || shipment->run.problem)
		return SENT_ALL;
	if (!*ledger_noted(ledger, note_id))
		return begin(sentinel, shipment);
	if (ledger->meant[TABLE_process] <= ledger->sent[TABLE_process]) {
		uint64_t sent = ledger->sent[TABLE_process], count = sentinel_rows_count(shipment->run.directory);
		bool is_short = shipment->over && sent == 0 &&
				!(shipment->run.stop_time - shipment->run.start_time >= SHORT_SECONDS);
		if (count <= sent || is_short || target_reached(shipment, TABLE_process))
			return shipment->over ? finish(sentinel, shipment) : SENT_ALL;
		shipment->reached |= count - sent > ROWS_MAX ? 0 : 1U << TABLE_process;
		if (ledger_mean(ledger, TABLE_process, count - sent > ROWS_MAX ? sent + ROWS_MAX : count) != 0)
			return target_failed(target, ledger->path);
	}
	return send_inline(sentinel, shipment);
}

const struct target_kind sentinel_target = {"sentinel:", sentinel_open, sentinel_send, NULL};
