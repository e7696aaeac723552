/* SPDX-License-Identifier: Apache-2.0 */
/* otlp+http://HOST[:PORT][/PATH], and otlp+https://: metrics of OpenTelemetry, in JSON over HTTP (OTLP 1.x).
 *
 * Each row of process.csv and system.csv becomes a data point of each column's metric, at its own time; counters are
 * cumulative sums since the start of the run. The run is the resource. After the last row come the totals, as
 * rtrack.run.KEY. Of failures, only 429, 502, 503 and 504 are tried again, as the protocol says. */
#define _GNU_SOURCE
#include "report/fleet/otlp.h"

#include "core/number.h"
#include "report/fleet/batch.h"
#include "report/fleet/target.h"
#include "report/model/model.h"
#include "report/say/alloc.h"
#include "report/spool/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MORE_HEADERS_MAX = 4, BATCH_BYTES = 1 << 15 /* of a file */ };

struct otlp {
	char *url;                       /* address for metrics; owned */
	char *headers[MORE_HEADERS_MAX]; /* headers from the environment; owned */
};

/* -- opening --------------------------------------------------------------------------------------- */

/* Parses two hexadecimal digits. Returns the byte, or -1. */
static int read_byte(const char *digits)
{
	unsigned byte;

	if (strspn(digits, "0123456789abcdefABCDEF") < 2 || sscanf(digits, "%2x", &byte) != 1)
		return -1;
	return (int)byte;
}

/* Converts "key=value", in which %XX is a byte, to "key: value". Returns NULL if the key is missing. */
static char *make_header(struct text pair)
{
	size_t equals = text_find(pair, '=', 0), length = 0;

	if (equals == 0 || equals == pair.length)
		return NULL;
	char *header = xmalloc(pair.length + 2);
	for (size_t i = 0; i < pair.length; i++) {
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
	header[length] = '\0';
	return header;
}

/* Reads OTEL_EXPORTER_OTLP_METRICS_HEADERS or OTEL_EXPORTER_OTLP_HEADERS: key=value,key=value. */
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
	const char *url = target->url + sizeof "otlp+" - 1;
	const char *host = strstr(url, "://") + 3;
	size_t length = strcspn(host, "/?#");
	bool bare = host[length] == '\0' || strcmp(host + length, "/") == 0;

	if (length == 0) {
		(void)target_refuse(target, "expected otlp+http://HOST[:PORT][/PATH]");
		return -1;
	}
	struct otlp *otlp = xcalloc(1, sizeof *otlp);
	otlp->url = bare ? xasprintf("%.*s/v1/metrics", (int)(host + length - url), url) : xstrdup(url);
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

/* -- points ---------------------------------------------------------------------------------------- */

/* Returns the number of the line that ends at a byte offset of a file. */
static uint64_t line_at(const struct files *files, enum table_id table, uint64_t byte)
{
	struct lines lines;
	struct line line;
	uint64_t at = 0, number = 0;

	int file = files_get(files, tables[table].file);
	if (file < 0)
		return 0;
	lines_take(&lines, file, "");
	while (at < byte && lines_next(&lines, &line)) {
		number = line.number;
		at += line.length + 1;
		if (line.cut)
			break;
	}
	lines_close(&lines);
	return number;
}

static void take_row(struct otlp_points *points, struct reader *reader, double *sums, bool kept)
{
	double *values = points->values[points->rows];

	for (size_t i = 0; i < points->table->count; i++) {
		double value = reader_number(reader, (int)i);
		bool counter = table_columns(points->table)[i].kind == KIND_COUNTER;
		if (counter && number_known(value))
			value = sums[i] += value;
		if (kept)
			values[i] = value;
	}
	points->rows += kept;
}

/* Reads the rows between two byte offsets of a table's file, at most OTLP_ROWS_MAX. It also reads the rows before them
 * for their sums, so that a sender that replaces a killed one sends the same sums. Returns NULL with errno if the file
 * cannot be read. */
static struct otlp_points *read_points(const struct files *files, enum table_id table, uint64_t from, uint64_t end)
{
	double sums[COLUMNS_MAX] = {0};
	struct reader reader;

	if (reader_open(&reader, files, table) != 0)
		return NULL;
	struct otlp_points *points = xmalloc(sizeof *points);
	points->table = &tables[table];
	points->rows = 0;
	reader.quiet = true;
	uint64_t before = line_at(files, table, from), last = line_at(files, table, end);
	while (points->rows < OTLP_ROWS_MAX && reader_next(&reader) && reader.line.number <= last)
		take_row(points, &reader, sums, reader.line.number > before);
	reader_close(&reader);
	return points;
}

/* -- sending --------------------------------------------------------------------------------------- */

/* Sends a body, which it frees. */
static enum sent post(struct target *target, const struct shipment *shipment, char *body)
{
	const struct otlp *otlp = target->own;
	struct http_request request = {.method = "POST",
		.url = otlp->url,
		.headers = {"Content-Type: application/json", "Content-Encoding: gzip", otlp->headers[0],
			otlp->headers[1], otlp->headers[2], otlp->headers[3]}};
	struct batch batch = batch_of_text(text_of(body));
	enum sent sent = target_ask(target, shipment, &request, (struct text){batch.data, batch.length});
	int status = request.status;
	bool temporary = status == 0 || status == 429 || status == 502 || status == 503 || status == 504;

	http_request_free(&request);
	free(batch.data);
	free(body);
	return sent == SENT_NOT_YET && !temporary ? SENT_REFUSED : sent;
}

static enum sent send_rows(struct target *target, struct shipment *shipment, enum table_id id)
{
	const struct sent_log *log = &shipment->log;
	struct otlp_points *points = read_points(&shipment->run.files, id, log->sent[id], log->begun[id]);

	if (!points)
		return target_failed(target, tables[id].file);
	uint64_t rows = points->rows;
	enum sent sent = rows > 0 ? post(target, shipment, otlp_body_of_points(&shipment->run, points)) : SENT_PART;
	free(points);
	return sent == SENT_PART ? target_arrived(target, shipment, id, rows) : sent;
}

static enum sent send_totals(struct target *target, struct shipment *shipment)
{
	struct model model;

	if (*sent_log_noted(&shipment->log, NOTE_TOTALS))
		return SENT_ALL;
	model_read(&model, &shipment->run, &(struct model_wish){.sections = 0});
	enum sent sent = post(target, shipment, otlp_body_of_totals(&shipment->run, &model.totals));
	model_free(&model);
	if (sent != SENT_PART)
		return sent;
	shipment->batches++;
	return target_note(target, shipment, NOTE_TOTALS, "sent");
}

static enum sent otlp_send(struct target *target, struct shipment *shipment)
{
	enum table_id id;
	enum sent next =
		target_next_batch(target, shipment, 1U << TABLE_process | 1U << TABLE_system, BATCH_BYTES, &id);

	if (next != SENT_ALL)
		return next == SENT_PART ? send_rows(target, shipment, id) : next;
	return shipment->over && !shipment->run.problem ? send_totals(target, shipment) : SENT_ALL;
}

const struct target_kind otlp_target = {"otlp+http://", otlp_open, otlp_send, otlp_close};
const struct target_kind otlp_secure_target = {"otlp+https://", otlp_open, otlp_send, otlp_close};
