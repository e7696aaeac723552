/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "report/fleet/target.h"

#include "core/number.h"
#include "core/spool.h"
#include "report/fleet/batch.h"
#include "report/say/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MAX = 65536, ANSWER_SECONDS = 60 };

static const struct target_kind *const kinds[] = {&s3_target, &otlp_target, &otlp_secure_target, &pushgateway_target,
	&pushgateway_secure_target, &sentinel_target};

/* -- opening --------------------------------------------------------------------------------------- */

int target_open(struct target *target, const char *url)
{
	const char *host = strstr(url, "://");
	/* A URL with "user:password@" is refused, because other users can read it in the command line. */
	bool user = host && memchr(host + 3, '@', strcspn(host + 3, "/?#")), control = false;

	for (const char *at = url; *at; at++)
		control |= (unsigned char)*at < ' ' || *at == 0x7f;
	*target = (struct target){.url = url, .wait = UNKNOWN};
	http_forbid_core();
	(void)snprintf(target->said, sizeof target->said, "%.*s", (int)strcspn(url, user ? ":" : "?#"), url);
	(void)target_refuse(target, user ? "the URL must not hold a user or a password: set them in the environment"
					 : "expected s3://BUCKET/PREFIX, otlp+http://HOST:PORT, "
					   "pushgateway+http://HOST:PORT or sentinel:");
	for (size_t i = 0; i < ARRAY_LENGTH(kinds) && !user && !control; i++) {
		if (strncmp(url, kinds[i]->scheme, strlen(kinds[i]->scheme)) != 0)
			continue;
		target->kind = kinds[i];
		if (!http_library())
			(void)target_refuse(target, "this rtrack-report was built without libcurl");
		else if (kinds[i]->open(target) == 0)
			return 0;
	}
	target_close(target);
	return -1;
}

void target_close(struct target *target)
{
	if (target->kind && target->kind->close)
		target->kind->close(target);
	free(target->own);
	target->own = NULL;
	target->kind = NULL;
}

uint64_t target_hash(const char *one, const char *other)
{
	return hash_fnv1a(hash_fnv1a(hash_fnv1a(HASH_FNV1A, text_of(one)), TEXT("\n")), text_of(other));
}

void target_set_name(struct target *target, const char *one, const char *other)
{
	(void)snprintf(target->name, sizeof target->name, "%016llx", (unsigned long long)target_hash(one, other));
}

/* -- asking ---------------------------------------------------------------------------------------- */

enum sent target_refuse(struct target *target, const char *why)
{
	(void)snprintf(target->why, sizeof target->why, "%s", why);
	return SENT_REFUSED;
}

enum sent target_failed(struct target *target, const char *what)
{
	(void)snprintf(target->why, sizeof target->why, "%s: %s", what, strerror(errno));
	return SENT_NOT_YET;
}

static bool is_temporary(int status)
{
	static const int temporary[] = {408, 425, 429, 500, 502, 503, 504};

	for (size_t i = 0; i < ARRAY_LENGTH(temporary); i++)
		if (status == temporary[i])
			return true;
	return false;
}

/* Sets target->why to the HTTP status and the error name of S3. Other parts of the answer are omitted, because they may
 * contain secrets. */
static void say_status(struct target *target, const struct http_request *request)
{
	const char *code = request->body ? strstr(request->body, "<Code>") : NULL;
	char word[48] = "";

	if (code)
		(void)snprintf(word, sizeof word, " (%.*s)", (int)strcspn(code + 6, "< \n"), code + 6);
	(void)snprintf(target->why, sizeof target->why, "the server answered %d%s", request->status, word);
}

enum sent target_ask(
	struct target *target, const struct shipment *shipment, struct http_request *request, struct text body)
{
	struct http *http = http_open(ANSWER_SECONDS);

	target->wait = UNKNOWN;
	if (!http) {
		errno = ENOMEM;
		return target_failed(target, "libcurl");
	}
	request->body_max = ANSWER_MAX;
	request->sent = body;
	request->proxy = true;
	request->rate = shipment->rate;
	http_add(http, request);
	http_run(http);
	http_close(http);
	if (request->reason) {
		(void)target_refuse(target, request->reason);
		return SENT_NOT_YET;
	}
	if (request->status / 100 == 2)
		return SENT_PART;
	say_status(target, request);
	target->wait = request->retry_after;
	return is_temporary(request->status) ? SENT_NOT_YET : SENT_REFUSED;
}

/* -- batches --------------------------------------------------------------------------------------- */

bool target_reached(const struct shipment *shipment, enum table_id id)
{
	return !shipment->over && (shipment->reached & 1U << id) != 0;
}

enum sent target_next_batch(
	struct target *target, struct shipment *shipment, unsigned wanted, size_t most, enum table_id *id)
{
	struct sent_log *log = &shipment->log;

	for (*id = 0; *id < TABLE_COUNT; ++*id) {
		if (!(wanted & 1U << *id))
			continue;
		if (log->begun[*id] > log->sent[*id])
			return SENT_PART;
		if (target_reached(shipment, *id))
			continue;
		uint64_t end = batch_end(&shipment->run.files, *id, log->sent[*id], most);
		bool full = end - log->sent[*id] + SPOOL_ROW_MAX > most;
		shipment->reached |= full ? 0 : 1U << *id;
		if (end > log->sent[*id])
			return sent_log_begin(log, *id, end) == 0 ? SENT_PART : target_failed(target, log->path);
	}
	return SENT_ALL;
}

enum sent target_arrived(struct target *target, struct shipment *shipment, enum table_id id, uint64_t rows)
{
	if (sent_log_arrived(&shipment->log, id) != 0)
		return target_failed(target, shipment->log.path);
	shipment->rows += rows;
	shipment->batches += rows > 0;
	return SENT_PART;
}

enum sent target_note(struct target *target, struct shipment *shipment, const char *word, const char *value)
{
	return sent_log_note(&shipment->log, word, value) == 0 ? SENT_ALL : target_failed(target, shipment->log.path);
}
