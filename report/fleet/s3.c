/* SPDX-License-Identifier: Apache-2.0 */
/* Sends runs to s3://BUCKET/PREFIX. Each batch is an object:
 *
 *   PREFIX/TABLE/date=YYYY-MM-DD/run=ID/OFFSET.csv.gz     OFFSET: offset of the batch in the table's file
 *   PREFIX/runs/date=YYYY-MM-DD/run=ID/run.json.gz        sent last, when the run has ended
 *
 * Engines that support such partitions show the day and the run as columns. */
#define _GNU_SOURCE
#include "report/fleet/batch.h"
#include "report/fleet/bucket.h"
#include "report/fleet/run_source.h"
#include "report/fleet/target.h"
#include "report/model/model.h"
#include "report/say/alloc.h"
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
	struct bucket *bucket = xmalloc(sizeof *bucket);
	const char *why = bucket_open(bucket, target->url + sizeof scheme - 1);

	target->own = bucket;
	if (why) {
		(void)target_refuse(target, why);
		return -1;
	}
	target_set_name(target, target->url, bucket->endpoint);
	return 0;
}

/* Uploads a batch to TABLE/date=DAY/run=ID/, and frees it. */
static enum sent put(struct target *target, const struct shipment *shipment, const char *table, const char *file,
	struct batch *batch)
{
	const struct run *run = &shipment->run;
	char key[BUCKET_KEY_SIZE], day[16] = "unknown";
	bool known = fabs(run->start_time) < 1e15;
	time_t start = known ? (time_t)run->start_time : 0;
	struct tm tm;

	if (known && gmtime_r(&start, &tm))
		(void)strftime(day, sizeof day, "%Y-%m-%d", &tm);
	(void)snprintf(
		key, sizeof key, "%s/date=%s/run=%s/%s", table, day, text_basename(text_of(run->directory)).data, file);
	enum sent sent = bucket_put(target->own, target, shipment, key, (struct text){batch->data, batch->length});
	free(batch->data);
	return sent;
}

/* Sends the batch whose end the log has recorded. */
static enum sent send_batch(struct target *target, struct shipment *shipment, enum table_id id)
{
	const struct sent_log *log = &shipment->log;
	char file[64];
	struct batch batch;

	if (batch_make(&batch, &shipment->run.files, id, log->sent[id], log->begun[id]) != 0)
		return target_failed(target, tables[id].file);
	(void)snprintf(file, sizeof file, "%012llu.csv.gz", (unsigned long long)log->sent[id]);
	enum sent sent = put(target, shipment, tables[id].name, file, &batch);
	return sent == SENT_PART ? target_arrived(target, shipment, id, batch.rows) : sent;
}

static enum sent put_json(
	struct target *target, const struct shipment *shipment, size_t view, const char *file, const char *text)
{
	struct batch batch = batch_of_text(text_of(text));

	return put(target, shipment, view_name(view), file, &batch);
}

/* Sends the totals and run.json. If run.json has changed after that, sends them again. */
static enum sent send_run(struct target *target, struct shipment *shipment)
{
	char *text = cJSON_PrintUnformatted(shipment->run.json);
	char hash[HASH_BASE64_SIZE];
	struct model model;

	hash_base64(text_of(text), hash);
	if (strcmp(sent_log_noted(&shipment->log, note_of_run), hash) == 0) {
		free(text);
		return SENT_ALL;
	}
	model_read(&model, &shipment->run, &(struct model_wish){.sections = 0});
	char *totals = model_totals_text(&model);
	model_free(&model);
	enum sent sent = put_json(target, shipment, VIEW_TOTALS, TOTALS_OBJECT, totals);
	free(totals);
	if (sent == SENT_PART)
		sent = put_json(target, shipment, VIEW_RUNS, SPOOL_RUN_FILE ".gz", text);
	free(text);
	if (sent != SENT_PART)
		return sent;
	shipment->batches++;
	return target_note(target, shipment, note_of_run, hash);
}

static enum sent s3_send(struct target *target, struct shipment *shipment)
{
	enum table_id id;
	enum sent next = target_next_batch(target, shipment, (1U << TABLE_COUNT) - 1, BATCH_MAX, &id);

	if (next != SENT_ALL)
		return next == SENT_PART ? send_batch(target, shipment, id) : next;
	return shipment->over && !shipment->run.problem ? send_run(target, shipment) : SENT_ALL;
}

const struct target_kind s3_target = {scheme, s3_open, s3_send, NULL};
