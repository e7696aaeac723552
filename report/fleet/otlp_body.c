/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the bodies of OTLP requests. If a row of `known` has the column, its metric has a name of OpenTelemetry's
 * semantic conventions. Otherwise the name is rtrack.TABLE.COLUMN. */
#define _GNU_SOURCE
#include "report/fleet/otlp.h"

#include "core/figures.h"
#include "report/say/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum kind { SUM, UPDOWN, GAUGE };
enum { CUMULATIVE = 2 }; /* value of AggregationTemporality; OTLP's JSON encodes enums as numbers */

struct metric {
	const char *table;
	const char *column;
	const char *name;
	const char *unit;
	const char *key, *value; /* attribute of the metric, or NULL */
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
	const char *comma; /* separator before the next metric */
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

/* Returns whether a column is a counter or a gauge that has a value in some row. */
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

char *otlp_body_of_points(const struct run *run, const struct otlp_points *points)
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

char *otlp_body_of_totals(const struct run *run, const struct totals *totals)
{
	struct body body;

	begin_body(&body, run);
	put_total(&body, run, "succeeded", strcmp(run->status, "finished") == 0);
	put_total(&body, run, "exit_code", run->exit_code);
	for (int i = 0; i < TOTAL_COUNT; i++)
		put_total(&body, run, total_table[i].name, total_value(totals, (enum total_id)i));
	return end_body(&body);
}
