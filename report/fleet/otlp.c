/* Metrics of OpenTelemetry over HTTP; see otlp.h. By the OpenTelemetry Protocol specification 1.x: of failures, 429,
 * 502, 503 and 504 are tried again, and no other answer. */
#define _GNU_SOURCE
#include "report/fleet/otlp.h"

#include "report/model/model.h"
#include "report/fleet/batch.h"
#include "report/fleet/otlp_body.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MORE_HEADERS_MAX = 4 };

struct otlp {
	char *url;                       /* of the metrics; owned */
	char *headers[MORE_HEADERS_MAX]; /* of the environment; owned */
};

/* -- opening --------------------------------------------------------------------------------------- */

/* The byte that two hexadecimal digits are; -1: they are none. */
static int read_byte(const char *digits)
{
	unsigned byte;
	int used = 0;

	if (strspn(digits, "0123456789abcdefABCDEF") < 2 || sscanf(digits, "%2x%n", &byte, &used) != 1 || used != 2)
		return -1;
	return (int)byte;
}

/* "key=value" with %XX as "key: value"; NULL: it is none, or no memory. */
static char *make_header(struct text pair)
{
	size_t equals = text_find(pair, '=', 0);
	char *header = equals > 0 && equals < pair.length ? malloc(pair.length + 2) : NULL;
	size_t length = 0;

	for (size_t i = 0; header && i < pair.length; i++) {
		char byte = pair.data[i];
		int coded = byte == '%' && i + 2 < pair.length ? read_byte(pair.data + i + 1) : -1;
		if (coded >= 0) {
			byte = (char)coded;
			i += 2;
		} else if (i == equals) {
			header[length++] = ':';
			byte = ' ';
		}
		if ((unsigned char)byte >= ' ')
			header[length++] = byte;
	}
	if (header)
		header[length] = '\0';
	return header;
}

/* As OTEL_EXPORTER_OTLP_METRICS_HEADERS or OTEL_EXPORTER_OTLP_HEADERS has them: key=value,key=value. */
static void read_headers(struct otlp *otlp)
{
	const char *given = getenv("OTEL_EXPORTER_OTLP_METRICS_HEADERS");
	int count = 0;

	if (!given || !*given)
		given = getenv("OTEL_EXPORTER_OTLP_HEADERS");
	while (given && *given && count < MORE_HEADERS_MAX) {
		given += strspn(given, ", ");
		struct text pair = {given, strcspn(given, ",")};
		otlp->headers[count] = make_header(pair);
		count += otlp->headers[count] != NULL;
		given += pair.length;
	}
}

static int otlp_open(struct target *target)
{
	struct otlp *otlp = calloc(1, sizeof *otlp);
	const char *url = target->url + sizeof "otlp+" - 1;
	const char *host = strstr(url, "://") + 3;
	size_t length = strcspn(host, "/?#");
	bool bare = host[length] == '\0' || strcmp(host + length, "/") == 0;

	if (length == 0 || !otlp ||
		asprintf(&otlp->url, "%.*s%s", (int)(bare ? host + length - url : (int)strlen(url)), url,
			bare ? "/v1/metrics" : "") < 0) {
		(void)snprintf(target->why, sizeof target->why, "expected otlp+http://HOST[:PORT][/PATH]");
		free(otlp);
		return -1;
	}
	read_headers(otlp);
	target_set_name(target, target->url, "");
	target->own = otlp;
	return 0;
}

static void otlp_close(struct target *target)
{
	struct otlp *otlp = target->own;

	for (size_t i = 0; otlp && i < MORE_HEADERS_MAX; i++)
		free(otlp->headers[i]);
	free(otlp ? otlp->url : NULL);
}

/* -- sending --------------------------------------------------------------------------------------- */

/* Sends a body, which it frees. */
static enum sent post(struct target *target, const struct shipment *shipment, char *body)
{
	static const int passing[] = {429, 502, 503, 504};
	const struct otlp *otlp = target->own;
	struct http_request request = {.method = "POST",
		.url = otlp->url,
		.headers = {"Content-Type: application/json", "Content-Encoding: gzip", otlp->headers[0],
			otlp->headers[1], otlp->headers[2], otlp->headers[3]}};
	struct batch batch;

	if (!body || batch_of_text(&batch, text_of(body)) != 0) {
		free(body);
		errno = ENOMEM;
		return target_failed(target, otlp->url);
	}
	enum sent sent = target_ask(target, shipment, &request, (struct text){batch.data, batch.length});
	bool again = request.status == 0;
	for (size_t i = 0; i < ARRAY_LENGTH(passing); i++)
		again = again || request.status == passing[i];
	http_request_free(&request);
	batch_free(&batch);
	free(body);
	return sent == SENT_NOT_YET && !again ? SENT_REFUSED : sent;
}

static enum sent send_rows(struct target *target, struct shipment *shipment, enum table_id id)
{
	struct ledger *ledger = &shipment->ledger;
	struct points *points = points_read(shipment->run.directory, id, ledger->sent[id], ledger->meant[id]);

	if (!points)
		return target_failed(target, tables[id].file);
	enum sent sent =
		points->rows > 0 ? post(target, shipment, otlp_body_of_points(&shipment->run, points)) : SENT_PART;
	if (sent == SENT_PART && ledger_arrived(ledger, id) != 0)
		sent = target_failed(target, ledger->path);
	if (sent == SENT_PART) {
		shipment->rows += points->rows;
		shipment->batches += points->rows > 0;
	}
	free(points);
	return sent;
}

static enum sent send_totals(struct target *target, struct shipment *shipment)
{
	struct model model;

	if (*ledger_noted(&shipment->ledger, LEDGER_TOTALS))
		return SENT_ALL;
	model_read(&model, &shipment->run, &(struct model_wish){.sections = 0});
	enum sent sent = post(target, shipment, otlp_body_of_totals(&shipment->run, &model.totals));
	model_free(&model);
	if (sent != SENT_PART)
		return sent;
	shipment->batches++;
	return ledger_note(&shipment->ledger, LEDGER_TOTALS, "sent") == 0
		       ? SENT_ALL
		       : target_failed(target, shipment->ledger.path);
}

static enum sent otlp_send(struct target *target, struct shipment *shipment)
{
	const unsigned series = 1U << TABLE_process | 1U << TABLE_system;
	enum table_id id;
	enum sent next = target_next_batch(target, shipment, series, POINTS_BYTES, &id);

	if (next != SENT_ALL)
		return next == SENT_PART ? send_rows(target, shipment, id) : next;
	return shipment->over && !shipment->run.problem ? send_totals(target, shipment) : SENT_ALL;
}

const struct target_kind otlp_target = {"otlp+http://", otlp_open, otlp_send, otlp_close};
const struct target_kind otlp_secure_target = {"otlp+https://", otlp_open, otlp_send, otlp_close};
