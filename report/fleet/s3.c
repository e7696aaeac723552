/* Runs into a bucket; see s3.h. */
#define _GNU_SOURCE
#include "report/fleet/s3.h"

#include "report/fleet/batch.h"
#include "report/fleet/bucket.h"
#include "report/fleet/run_source.h"
#include "report/model/model.h"
#include "report/say/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char scheme[] = "s3://";
static const char note_of_run[] = "runs";

static int s3_open(struct target *target)
{
	struct bucket *bucket = malloc(sizeof *bucket);
	const char *why = bucket ? bucket_open(bucket, target->url + sizeof scheme - 1) : "out of memory";

	if (why) {
		(void)snprintf(target->why, sizeof target->why, "%s", why);
		free(bucket);
		return -1;
	}
	target_set_name(target, target->url, bucket->endpoint);
	target->own = bucket;
	return 0;
}

static void make_key(char *key, size_t size, const struct run *run, const char *table, const char *file)
{
	char day[16] = "unknown";
	bool told = fabs(run->start_time) < 1e15;
	time_t start = told ? (time_t)run->start_time : 0;
	struct tm tm;

	if (told && gmtime_r(&start, &tm))
		(void)strftime(day, sizeof day, "%Y-%m-%d", &tm);
	(void)snprintf(
		key, size, "%s/date=%s/run=%s/%s", table, day, text_basename(text_of(run->directory)).data, file);
}

/* Sends the batch that the ledger has as meant. */
static enum sent send_batch(struct target *target, struct shipment *shipment, enum table_id id)
{
	struct ledger *ledger = &shipment->ledger;
	char key[BUCKET_KEY_SIZE], file[64];
	struct batch batch;

	if (batch_make(&batch, shipment->run.directory, id, ledger->sent[id], ledger->meant[id]) != 0)
		return target_failed(target, tables[id].file);
	(void)snprintf(file, sizeof file, "%012llu.csv.gz", (unsigned long long)ledger->sent[id]);
	make_key(key, sizeof key, &shipment->run, tables[id].name, file);
	enum sent sent = bucket_put(target->own, target, shipment, key, (struct text){batch.data, batch.length});
	if (sent == SENT_PART && ledger_arrived(ledger, id) != 0)
		sent = target_failed(target, ledger->path);
	if (sent == SENT_PART) {
		shipment->rows += batch.rows;
		shipment->batches++;
	}
	batch_free(&batch);
	return sent;
}

static enum sent put_text(
	struct target *target, struct shipment *shipment, const char *text, const char *table, const char *file)
{
	char key[BUCKET_KEY_SIZE];
	struct batch batch;

	if (!text || batch_of_text(&batch, text_of(text)) != 0)
		return target_failed(target, file);
	make_key(key, sizeof key, &shipment->run, table, file);
	enum sent sent = bucket_put(target->own, target, shipment, key, (struct text){batch.data, batch.length});
	batch_free(&batch);
	return sent;
}

static enum sent put_totals(struct target *target, struct shipment *shipment)
{
	struct model model;

	model_read(&model, &shipment->run, &(struct model_wish){.sections = 0});
	char *text = model_totals_text(&model);
	enum sent sent = put_text(target, shipment, text, view_name(VIEW_TOTALS), TOTALS_OBJECT);
	cJSON_free(text);
	model_free(&model);
	return sent;
}

/* The totals and run.json, as far as its run is known; again if more became known of how it ended. */
static enum sent send_run(struct target *target, struct shipment *shipment)
{
	char *text = cJSON_PrintUnformatted(shipment->run.json);
	char hash[HASH_BASE64_SIZE] = "";

	if (text)
		hash_base64(text_of(text), hash);
	if (text && strcmp(ledger_noted(&shipment->ledger, note_of_run), hash) == 0) {
		cJSON_free(text);
		return SENT_ALL;
	}
	enum sent sent = put_totals(target, shipment);
	if (sent == SENT_PART)
		sent = put_text(target, shipment, text, note_of_run, SPOOL_RUN_FILE ".gz");
	cJSON_free(text);
	if (sent == SENT_PART && ledger_note(&shipment->ledger, note_of_run, hash) != 0)
		sent = target_failed(target, shipment->ledger.path);
	shipment->batches += sent == SENT_PART;
	return sent == SENT_PART ? SENT_ALL : sent;
}

static enum sent s3_send(struct target *target, struct shipment *shipment)
{
	const unsigned all = (1U << TABLE_COUNT) - 1;
	enum table_id id;
	enum sent next = target_next_batch(target, shipment, all, BATCH_MAX, &id);

	if (next != SENT_ALL)
		return next == SENT_PART ? send_batch(target, shipment, id) : next;
	return shipment->over && !shipment->run.problem ? send_run(target, shipment) : SENT_ALL;
}

const struct target_kind s3_target = {scheme, s3_open, s3_send, NULL};
