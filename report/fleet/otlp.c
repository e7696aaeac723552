/* SPDX-License-Identifier: Apache-2.0 */
/* otlp+http://HOST[:PORT][/PATH], and otlp+https://: metrics of OpenTelemetry, in JSON over HTTP (OTLP 1.x).
 *
 * The run is the resource. Each column is a metric, and each row of process.csv and system.csv is a data point with its
 * own timestamp. Counters are cumulative sums since the start of the run. After the last row, the totals are sent as
 * metrics named rtrack.run.KEY. As the protocol requires, requests are repeated only after the statuses 429, 502, 503
 * and 504.
 *
 * Columns in the table `known` have metric names of OpenTelemetry's semantic conventions. All others are named
 * rtrack.TABLE.COLUMN. */
#define _GNU_SOURCE
#include "core/columns.h"
#include "core/figures.h"
#include "core/number.h"
#include "report/fleet/batch.h"
#include "report/fleet/target.h"
#include "report/model/model.h"
#include "report/say/alloc.h"
#include "report/spool/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MORE_HEADERS_MAX = 4, BATCH_BYTES = 1 << 15 /* maximum number of bytes of a table's file in one request */ };

struct otlp {
	char *url;                       /* URL to which the metrics are sent; owned */
	char *headers[MORE_HEADERS_MAX]; /* headers from the environment; owned */
};

enum { OTLP_ROWS_MAX = 500 };

struct otlp_points {
	const struct table *table;
	size_t rows;
	/* values of each row, or UNKNOWN; the value of a counter is the sum up to this row */
	double values[OTLP_ROWS_MAX][COLUMNS_MAX];
};

/* -- bodies of requests ---------------------------------------------------------------------------- */

enum kind { SUM, UPDOWN, GAUGE };
enum { CUMULATIVE = 2 }; /* value of AggregationTemporality; OTLP's JSON encodes enums as numbers */

struct metric {
	const char *table;
	const char *column;
	const char *name;
	const char *unit;
	const char *key, *value; /* key and value of the metric's attribute, or NULL */
	double scale;
	enum kind kind;
};

static const struct metric known[] = {
	{"process", "utime", "process.cpu.time", "s", "cpu.mode", "user", 1, SUM},
	{"process", "stime", "process.cpu.time", "s", "cpu.mode", "system", 1, SUM},
	{"process", "memory_mib", "process.memory.usage", "By", NULL, NULL, 1 << 20, UPDOWN},
	{"process", "disk_read_bytes", "process.disk.io", "By", "disk.io.direction", "read", 1, SUM},
	{"process", "disk_write_bytes", "process.disk.io", "By", "disk.io.direction", "write", 1, SUM},
	{"process", "threads", "process.thread.count", "{thread}", NULL, NULL, 1, UPDOWN},
	{"system", "utime", "system.cpu.time", "s", "cpu.mode", "user", 1, SUM},
	{"system", "stime", "system.cpu.time", "s", "cpu.mode", "system", 1, SUM},
	{"system", "memory_used_mib", "system.memory.usage", "By", "system.memory.state", "used", 1 << 20, UPDOWN},
	{"system", "memory_free_mib", "system.memory.usage", "By", "system.memory.state", "free", 1 << 20, UPDOWN},
	{"system", "net_recv_bytes", "system.network.io", "By", "network.io.direction", "receive", 1, SUM},
	{"system", "net_sent_bytes", "system.network.io", "By", "network.io.direction", "transmit", 1, SUM},
	{"system", "disk_read_bytes", "system.disk.io", "By", "disk.io.direction", "read", 1, SUM},
	{"system", "disk_write_bytes", "system.disk.io", "By", "disk.io.direction", "write", 1, SUM},
};

struct body {
	FILE *out;
	char *text;
	size_t length;
	const char *comma; /* separator to write before the next metric */
};

/* -- pieces ---------------------------------------------------------------------------------------- */

static void put_attribute(FILE *out, const char *comma, const char *key, const char *value)
{
	fprintf(out, "%s{\"key\":\"%s\",\"value\":{\"stringValue\":", comma, key);
	json_put_string(out, value);
	fputs("}}", out);
}

static void put_time(FILE *out, const char *key, double seconds)
{
	fprintf(out, ",\"%s\":\"%" PRIu64 "000000\"", key, figures_whole(seconds, 1000));
}

static void put_labels(FILE *out, const struct run *run)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/";
	const cJSON *label;
	char key[160];

	cJSON_ArrayForEach(label, cJSON_GetObjectItemCaseSensitive(run->json, "labels"))
	{
		if (label->string[strspn(label->string, plain)] != '\0' || !cJSON_IsString(label))
			continue;
		(void)snprintf(key, sizeof key, "rtrack.label.%.128s", label->string);
		put_attribute(out, ",", key, label->valuestring);
	}
}

static void begin_body(struct body *body, const struct run *run)
{
	const char *group = json_string(run->json, "group");
	FILE *out = xopen_memstream(&body->text, &body->length);

	body->out = out;
	body->comma = "";
	fputs("{\"resourceMetrics\":[{\"resource\":{\"attributes\":[", out);
	put_attribute(out, "", "service.name", run->job);
	put_attribute(out, ",", "host.name", run->host);
	put_attribute(out, ",", "rtrack.run.id", run->id);
	put_attribute(out, ",", "rtrack.user", run->user);
	if (*group)
		put_attribute(out, ",", "rtrack.group", group);
	put_labels(out, run);
	fputs("]},\"scopeMetrics\":[{\"scope\":{\"name\":\"rtrack\",\"version\":\"" RTRACK_VERSION "\"},\"metrics\":[",
		out);
}

static char *end_body(const struct body *body)
{
	fputs("]}]}]}", body->out);
	xclose_memstream(body->out);
	return body->text;
}

/* -- points ---------------------------------------------------------------------------------------- */

/* Returns the metric of a column. `space` is the buffer for a name that is not in `known`. */
static struct metric metric_of(const struct table *table, size_t position, char space[96])
{
	const struct column *column = &table_columns(table)[position];
	const char *unit = column_unit(column);

	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		if (strcmp(known[i].table, table->name) == 0 && strcmp(known[i].column, column_name(column)) == 0)
			return known[i];
	(void)snprintf(space, 96, "rtrack.%s.%s", table->name, column_name(column));
	return (struct metric){table->name, column_name(column), space, strcmp(unit, "B") == 0 ? "By" : unit, NULL,
		NULL, 1, column->kind == KIND_COUNTER ? SUM : GAUGE};
}

static bool has_name(const struct table *table, size_t position, const char *name)
{
	char space[96];

	return strcmp(metric_of(table, position, space).name, name) == 0;
}

/* Returns whether a metric of the column exists: the column is a counter, or is a gauge with a value in at least one
 * row. */
static bool has_values(const struct otlp_points *points, size_t position)
{
	const struct column *column = &table_columns(points->table)[position];

	for (size_t row = 0; row < points->rows; row++)
		if (number_known(points->values[row][position]))
			return column->kind == KIND_COUNTER || column->kind == KIND_GAUGE;
	return false;
}

/* Writes the points of one column. Returns the separator before the next point. */
static const char *put_points(
	FILE *out, const struct run *run, const struct otlp_points *points, size_t position, const char *comma)
{
	char space[96];
	const struct metric metric = metric_of(points->table, position, space);

	for (size_t row = 0; row < points->rows; row++) {
		double value = points->values[row][position], time = points->values[row][0];
		if (!number_known(value) || !number_known(time))
			continue;
		fprintf(out, "%s{\"attributes\":[", comma);
		if (metric.key)
			put_attribute(out, "", metric.key, metric.value);
		fputs("]", out);
		if (metric.kind != GAUGE)
			put_time(out, "startTimeUnixNano", run->start_time);
		put_time(out, "timeUnixNano", time);
		/* asDouble is used instead of asInt, because a collector (rotel 0.0.1a15) reads the text of asInt as 0.
		 * A double is exact up to 2^53. */
		fprintf(out, ",\"asDouble\":%.*f}",
			metric.scale == 1 ? table_columns(points->table)[position].digits : 0, value * metric.scale);
		comma = ",";
	}
	return comma;
}

/* Writes the metric of a column, with the points of all columns that have the same metric name. Writes nothing if an
 * earlier column has already begun the metric. */
static void put_metric(struct body *body, const struct run *run, const struct otlp_points *points, size_t first)
{
	char space[96];
	const struct metric metric = metric_of(points->table, first, space);
	const char *between = "";

	for (size_t i = 1; i < first; i++)
		if (has_values(points, i) && has_name(points->table, i, metric.name))
			return;
	fprintf(body->out, "%s{\"name\":\"%s\",\"unit\":\"%s\",\"%s\":{", body->comma, metric.name, metric.unit,
		metric.kind == GAUGE ? "gauge" : "sum");
	if (metric.kind != GAUGE)
		fprintf(body->out, "\"aggregationTemporality\":%d,\"isMonotonic\":%s,", CUMULATIVE,
			metric.kind == SUM ? "true" : "false");
	fputs("\"dataPoints\":[", body->out);
	for (size_t i = first; i < points->table->count; i++)
		if (has_values(points, i) && has_name(points->table, i, metric.name))
			between = put_points(body->out, run, points, i, between);
	fputs("]}}", body->out);
	body->comma = ",";
}

/* Returns the JSON body of a request. The caller must free it. */
static char *body_of_points(const struct run *run, const struct otlp_points *points)
{
	struct body body;

	begin_body(&body, run);
	for (size_t i = 1; i < points->table->count; i++)
		if (has_values(points, i))
			put_metric(&body, run, points, i);
	return end_body(&body);
}

/* -- totals ---------------------------------------------------------------------------------------- */

static void put_total(struct body *body, const struct run *run, const char *key, double value)
{
	if (!number_known(value))
		return;
	fprintf(body->out, "%s{\"name\":\"rtrack.run.%s\",\"gauge\":{\"dataPoints\":[{\"attributes\":[]", body->comma,
		key);
	put_time(body->out, "timeUnixNano", known_first(run->stop_time, run->start_time));
	fprintf(body->out, ",\"asDouble\":%s}]}}", json_shortest(value).text);
	body->comma = ",";
}

static char *body_of_totals(const struct run *run, const struct totals *totals)
{
	struct body body;

	begin_body(&body, run);
	put_total(&body, run, "succeeded", strcmp(run->status, "finished") == 0);
	put_total(&body, run, "exit_code", run->exit_code);
	for (int i = 0; i < TOTAL_COUNT; i++)
		put_total(&body, run, total_table[i].name, total_value(totals, (enum total_id)i));
	return end_body(&body);
}

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

/* Reads "key=value,key=value" from OTEL_EXPORTER_OTLP_METRICS_HEADERS, or from OTEL_EXPORTER_OTLP_HEADERS. */
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

/* Reads the rows between two byte offsets of a table's file, at most OTLP_ROWS_MAX. Earlier rows are also read, to
 * compute the sums. A sender that replaces a killed sender therefore sends the same sums. Returns NULL with errno if
 * the file cannot be read. */
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

/* Sends a body to the collector and frees it. */
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
	enum sent sent = rows > 0 ? post(target, shipment, body_of_points(&shipment->run, points)) : SENT_PART;
	free(points);
	return sent == SENT_PART ? target_arrived(target, shipment, id, rows) : sent;
}

static enum sent send_totals(struct target *target, struct shipment *shipment)
{
	struct model model;

	if (*sent_log_noted(&shipment->log, NOTE_TOTALS))
		return SENT_ALL;
	model_read(&model, &shipment->run, &(struct model_wish){.sections = 0});
	enum sent sent = post(target, shipment, body_of_totals(&shipment->run, &model.totals));
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
