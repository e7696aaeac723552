/* Where runs are sent to; see target.h. */
#define _GNU_SOURCE
#include "report/fleet/target.h"

#include "core/number.h"
#include "core/spool.h"
#include "report/fleet/batch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ANSWER_MAX = 65536, ANSWER_SECONDS = 60 };

/* FNV-1a: two targets of one name would each be taken for the other, which 64 bits leave to no chance. */
uint64_t target_hash(const char *one, const char *other)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	const char *texts[] = {one, "\n", other};

	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		for (const char *at = texts[i]; *at; at++)
			hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
	return hash;
}

void target_set_name(struct target *target, const char *one, const char *other)
{
	(void)snprintf(target->name, sizeof target->name, "%016llx", (unsigned long long)target_hash(one, other));
}

/* -- asking ---------------------------------------------------------------------------------------- */

enum sent target_failed(struct target *target, const char *what)
{
	(void)snprintf(target->why, sizeof target->why, "%s: %s", what, strerror(errno));
	return SENT_NOT_YET;
}

static bool may_be_tried_again(int status)
{
	static const int passing[] = {408, 425, 429, 500, 502, 503, 504};

	for (size_t i = 0; i < ARRAY_LENGTH(passing); i++)
		if (status == passing[i])
			return true;
	return false;
}

/* S3's word for it, which is a name without any secret. */
static void say_status(struct target *target, const struct http_request *request)
{
	static const char begin[] = "<Code>";
	const char *code = request->body ? strstr(request->body, begin) : NULL;
	char word[48] = "";

	if (code)
		(void)snprintf(word, sizeof word, " (%.*s)", (int)strcspn(code + sizeof begin - 1, "< \n"),
			code + sizeof begin - 1);
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
		(void)snprintf(target->why, sizeof target->why, "%s", request->reason);
		return SENT_NOT_YET;
	}
	if (request->status / 100 == 2)
		return SENT_PART;
	say_status(target, request);
	target->wait = request->retry_after;
	return may_be_tried_again(request->status) ? SENT_NOT_YET : SENT_REFUSED;
}

bool target_reached(const struct shipment *shipment, enum table_id id)
{
	return !shipment->over && (shipment->reached & 1U << id) != 0;
}

enum sent target_next_batch(
	struct target *target, struct shipment *shipment, unsigned wanted, size_t most, enum table_id *id)
{
	struct ledger *ledger = &shipment->ledger;

	for (*id = 0; *id < TABLE_COUNT; ++*id) {
		if (!(wanted & 1U << *id))
			continue;
		if (ledger->meant[*id] > ledger->sent[*id])
			return SENT_PART;
		if (target_reached(shipment, *id))
			continue;
		uint64_t end = batch_end(shipment->run.directory, *id, ledger->sent[*id], most);
		bool full = end - ledger->sent[*id] + SPOOL_ROW_MAX > most;
		shipment->reached |= full ? 0 : 1U << *id;
		if (end > ledger->sent[*id])
			return ledger_mean(ledger, *id, end) == 0 ? SENT_PART : target_failed(target, ledger->path);
	}
	return SENT_ALL;
}
