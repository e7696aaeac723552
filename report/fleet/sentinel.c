/* SPDX-License-Identifier: Apache-2.0 */
/* sentinel: Spare Cores Sentinel. This service is notified when a run begins and ends, and assigns each run a prefix in
 * a bucket for its rows.
 *
 * SENTINEL_API_URL has the address of the service; the default is its public address. SENTINEL_API_TOKEN or
 * SENTINEL_API_KEY identifies the user. A batch has rows of system.csv and process.csv side by side, in the format of
 * `export --to csv`. Batches are named 0001.csv.gz, 0002.csv.gz and so on. The rows of a run shorter than a minute are
 * sent in the request that ends the run. */
#define _GNU_SOURCE
#include "report/fleet/batch.h"
#include "report/fleet/bucket.h"
#include "report/fleet/rows_out.h"
#include "report/fleet/target.h"
#include "report/say/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char public_url[] = "https://api.sentinel.sparecores.net";
static const char sentinel_region[] = "eu-central-1";

/* names of the notes in the log */
static const char note_id[] = "id", note_place[] = "place", note_ending[] = "ending", note_ended[] = "ended";

enum { SHORT_SECONDS = 60, ROWS_MAX = 3600, URL_SIZE = 1024 };

struct sentinel {
	char url[URL_SIZE]; /* without a '/' at the end */
	char authorization[KEYS_TOKEN_SIZE];
	struct bucket bucket;
	bool open; /* whether `bucket` is open for `shipment` */
	struct target *target;
	const struct shipment *shipment; /* the run that is being sent */
	int status;                      /* HTTP status of the last answer */
};

static int sentinel_open(struct target *target)
{
	const char *url = getenv("SENTINEL_API_URL"), *token = getenv("SENTINEL_API_TOKEN");

	if (!token || !*token)
		token = getenv("SENTINEL_API_KEY");
	url = url && *url ? url : public_url;
	bool has_token = token && *token;
	if (!has_token || strlen(url) >= URL_SIZE || strcmp(target->url, "sentinel:") != 0) {
		(void)target_refuse(
			target, has_token ? "the URL must be `sentinel:`; set SENTINEL_API_URL for another address"
					  : "SENTINEL_API_TOKEN is not set");
		return -1;
	}
	struct sentinel *sentinel = xcalloc(1, sizeof *sentinel);
	(void)snprintf(
		sentinel->url, sizeof sentinel->url, "%.*s", (int)strlen(url) - (url[strlen(url) - 1] == '/'), url);
	(void)snprintf(sentinel->authorization, sizeof sentinel->authorization, "Authorization: Bearer %s", token);
	sentinel->target = target;
	target_set_name(target, target->url, sentinel->url);
	target->own = sentinel;
	return 0;
}

/* -- the API --------------------------------------------------------------------------------------- */

/* Posts a JSON object and frees it; NULL stands for an empty body. If `answer` is not NULL, the caller frees *answer.
 */
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
	free(body);
	cJSON_Delete(object);
	return sent;
}

static void add_known(cJSON *object, const char *key, double value)
{
	if (number_known(value))
		cJSON_AddNumberToObject(object, key, value);
}

/* Makes the description of a run. The service rejects unknown keys, so only the following keys are sent. */
static cJSON *describe(const struct run *run)
{
	static const struct {
		/* `key` gets the value of the key `from` in the object `object` of run.json, or in run.json itself if
		 * `object` is NULL */
		const char *key, *object, *from;
	} texts[] = {{"job_name", NULL, "job"}, {"project_name", "labels", "project"},
		{"stage_name", "labels", "stage"}, {"task_name", "labels", "task"},
		{"container_image", "labels", "container_image"}, {"env", "labels", "env"},
		{"language", "labels", "language"}, {"orchestrator", "labels", "orchestrator"},
		{"executor", "labels", "executor"}, {"team", "labels", "team"}, {"host_hostname", NULL, "host"},
		{"host_cpu_model", "server", "cpu_model"}, {"cloud_vendor_id", "cloud", "vendor"},
		{"cloud_region_id", "cloud", "region"}, {"cloud_instance_type", "cloud", "instance_type"}};
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run->json, "labels");
	const char *external = json_string(labels, "external_run_id");
	char *command = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(run->json, "command"));
	cJSON *object = cJSON_CreateObject();

	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		const cJSON *from =
			texts[i].object ? cJSON_GetObjectItemCaseSensitive(run->json, texts[i].object) : run->json;
		if (*json_string(from, texts[i].from))
			cJSON_AddStringToObject(object, texts[i].key, json_string(from, texts[i].from));
	}
	if (!cJSON_HasObjectItem(object, "job_name") && *run->job)
		cJSON_AddStringToObject(object, "job_name", run->job);
	cJSON_AddStringToObject(object, "external_run_id", *external ? external : run->id);
	if (command)
		cJSON_AddStringToObject(object, "command", command);
	cJSON_AddItemToObject(
		object, "tags", cJSON_IsObject(labels) ? cJSON_Duplicate(labels, true) : cJSON_CreateObject());
	add_known(object, "host_vcpus", run->vcpus);
	add_known(object, "host_memory_mib", run->machine_memory_mib);
	free(command);
	return object;
}

/* Reads keys, and a region if present, from an answer. Returns NULL, or an error message. */
static const char *take_keys(struct bucket *bucket, const cJSON *answer)
{
	const cJSON *given = cJSON_GetObjectItemCaseSensitive(answer, "upload_credentials");
	const cJSON *keys = given ? given : answer;
	const char *expire = json_string(keys, "expires_at");

	if (*json_string(answer, "region"))
		(void)snprintf(bucket->region, sizeof bucket->region, "%s", json_string(answer, "region"));
	return keys_set(&bucket->keys, json_string(keys, "access_key"), json_string(keys, "secret_key"),
		       json_string(keys, "session_token"), *expire ? expire : json_string(keys, "expiration"))
		       ? NULL
		       : "Sentinel gave no keys";
}

/* Renews the keys of the bucket. If the service returns no keys, the old keys are kept, because they may still be
 * valid. */
static const char *ask_for_keys(struct bucket *bucket)
{
	struct sentinel *sentinel = bucket->context;
	const struct sent_log *log = &sentinel->shipment->log;
	char path[SENT_LOG_VALUE_SIZE + 64];
	cJSON *answer;

	(void)snprintf(path, sizeof path, "/runs/%s/refresh-credentials", sent_log_noted(log, note_id));
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
	const char *place = sent_log_noted(&shipment->log, note_place);
	const char *why = strncmp(place, "s3://", 5) == 0 ? bucket_open(&sentinel->bucket, place + 5)
							  : "Sentinel gave no place in a bucket";

	(void)snprintf(sentinel->bucket.region, sizeof sentinel->bucket.region, "%s", sentinel_region);
	sentinel->bucket.renew = ask_for_keys;
	sentinel->bucket.context = sentinel;
	sentinel->open = !why;
	return why ? target_refuse(sentinel->target, why) : SENT_PART;
}

/* Registers the run. If the answer is lost, the next attempt registers the run again, and the service keeps the first
 * entry without rows. Its API has no way to mark a repeated registration. */
static enum sent begin(struct sentinel *sentinel, struct shipment *shipment)
{
	cJSON *answer;
	enum sent sent = post_object(sentinel, "/runs", describe(&shipment->run), &answer);
	const char *id = json_string(answer, "run_id");
	const char *place = json_string(answer, "upload_uri_prefix");

	if (sent == SENT_PART && (!*id || strlen(id) >= SENT_LOG_VALUE_SIZE || strpbrk(id, " \t\r\n/?#%")))
		sent = target_refuse(sentinel->target, "Sentinel gave no run_id");
	if (sent == SENT_PART && (sent_log_note(&shipment->log, note_place, *place ? place : "-") != 0 ||
					 sent_log_note(&shipment->log, note_id, id) != 0))
		sent = target_failed(sentinel->target, shipment->log.path);
	if (sent == SENT_PART && *place && open_bucket(sentinel, shipment) == SENT_PART)
		sentinel->bucket.has_keys = !take_keys(&sentinel->bucket, answer);
	cJSON_Delete(answer);
	return sent;
}

/* -- rows ------------------------------------------------------------------------------------------ */

/* Returns the number of rows that system.csv and process.csv both have. */
static uint64_t count_rows(const struct files *files)
{
	struct rows_out system, process;

	rows_out_open(&system, files, TABLE_system);
	rows_out_open(&process, files, TABLE_process);
	bool both = system.open && process.open;
	uint64_t count = system.rows < process.rows ? system.rows : process.rows;
	rows_out_close(&system);
	rows_out_close(&process);
	return both ? count : 0;
}

struct stretch {
	const struct files *files;
	uint64_t first, last; /* rows from `first` up to, but not including, `last` */
};

static void write_rows(const void *context, gzFile out)
{
	const struct stretch *stretch = context;

	rows_out_csv(out, stretch->files, stretch->first, stretch->last);
}

/* Sends the next batch. The log of this target has row numbers of process.csv instead of byte offsets. */
static enum sent send_batch(struct sentinel *sentinel, struct shipment *shipment)
{
	const struct sent_log *log = &shipment->log;
	const struct stretch stretch = {&shipment->run.files, log->sent[TABLE_process], log->begun[TABLE_process]};
	char key[32];
	struct batch rows;

	if (!sentinel->open && open_bucket(sentinel, shipment) != SENT_PART)
		return SENT_REFUSED;
	if (batch_of_written(&rows, log, true, write_rows, &stretch) != 0)
		return target_failed(sentinel->target, shipment->run.directory);
	(void)snprintf(key, sizeof key, "%04llu.csv.gz", (unsigned long long)log->number[TABLE_process] + 1);
	enum sent sent =
		bucket_put(&sentinel->bucket, sentinel->target, shipment, key, (struct text){rows.data, rows.length});
	free(rows.data);
	return sent == SENT_PART
		       ? target_arrived(sentinel->target, shipment, TABLE_process, stretch.last - stretch.first)
		       : sent;
}

static void add_places(cJSON *object, const struct sent_log *log)
{
	cJSON *places = cJSON_AddArrayToObject(object, "data_uris");
	const char *place = sent_log_noted(log, note_place);
	size_t length = strlen(place);
	char uri[SENT_LOG_VALUE_SIZE + 32];

	while (length > 0 && place[length - 1] == '/')
		length--;
	for (uint64_t i = 1; i <= log->number[TABLE_process]; i++) {
		(void)snprintf(uri, sizeof uri, "%.*s/%04llu.csv.gz", (int)length, place, (unsigned long long)i);
		cJSON_AddItemToArray(places, cJSON_CreateString(uri));
	}
}

static enum sent finish(struct sentinel *sentinel, struct shipment *shipment)
{
	struct sent_log *log = &shipment->log;
	const struct run *run = &shipment->run;
	bool within = log->number[TABLE_process] == 0;
	cJSON *object = cJSON_CreateObject();
	struct batch rows = {0};
	uint64_t count = within ? count_rows(&run->files) : 0;
	char path[SENT_LOG_VALUE_SIZE + 64];

	add_known(object, "exit_code", number_known(run->exit_code) ? run->exit_code : 128 + run->exit_signal);
	cJSON_AddStringToObject(object, "run_status", strcmp(run->status, "finished") == 0 ? "finished" : "failed");
	cJSON_AddStringToObject(object, "data_source", within ? "inline" : "s3");
	if (!within)
		add_places(object, log);
	else if (batch_of_written(&rows, log, false, write_rows, &(struct stretch){&run->files, 0, count}) == 0)
		cJSON_AddStringToObject(object, "data_csv", rows.data);
	free(rows.data);
	(void)snprintf(path, sizeof path, "/runs/%s/finish", sent_log_noted(log, note_id));
	bool told = *sent_log_noted(log, note_ending);
	if (!told && sent_log_note(log, note_ending, "yes") != 0) {
		cJSON_Delete(object);
		return target_failed(sentinel->target, log->path);
	}
	enum sent sent = post_object(sentinel, path, object, NULL);
	/* The service rejects a run that is already closed. This happens if an earlier sender closed the run but did
	 * not receive the answer. */
	bool closed = sentinel->status == 404 || sentinel->status == 409 || sentinel->status == 410;
	if (sent == SENT_REFUSED && told && closed)
		sent = SENT_PART;
	if (sent != SENT_PART)
		return sent;
	shipment->rows += count;
	shipment->batches++;
	return target_note(sentinel->target, shipment, note_ended, "yes");
}

static enum sent sentinel_send(struct target *target, struct shipment *shipment)
{
	struct sentinel *sentinel = target->own;
	struct sent_log *log = &shipment->log;

	if (sentinel->shipment != shipment || strcmp(sent_log_noted(log, note_id), "") == 0)
		sentinel->open = false;
	sentinel->shipment = shipment;
	if (*sent_log_noted(log, note_ended) || shipment->run.problem)
		return SENT_ALL;
	if (!*sent_log_noted(log, note_id))
		return begin(sentinel, shipment);
	if (log->begun[TABLE_process] <= log->sent[TABLE_process]) {
		uint64_t sent = log->sent[TABLE_process], count = count_rows(&shipment->run.files);
		bool is_short = shipment->over && sent == 0 &&
				!(shipment->run.stop_time - shipment->run.start_time >= SHORT_SECONDS);
		if (count <= sent || is_short || target_reached(shipment, TABLE_process))
			return shipment->over ? finish(sentinel, shipment) : SENT_ALL;
		shipment->reached |= count - sent > ROWS_MAX ? 0 : 1U << TABLE_process;
		if (sent_log_begin(log, TABLE_process, count - sent > ROWS_MAX ? sent + ROWS_MAX : count) != 0)
			return target_failed(target, log->path);
	}
	return send_batch(sentinel, shipment);
}

const struct target_kind sentinel_target = {"sentinel:", sentinel_open, sentinel_send, NULL};
