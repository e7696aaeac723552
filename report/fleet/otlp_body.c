/* Metrics of OpenTelemetry; see otlp_body.h.
 *
 * Names are those of its semantic conventions where they have one, which a row of `known` says; any other column is
 * rtrack.TABLE.COLUMN.
 */
#define _GNU_SOURCE
#include "report/fleet/otlp_body.h"

#include "core/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SUM, UPDOWN, GAUGE };
enum { CUMULATIVE = 2 }; /* of AggregationTemporality; names of enums are no OTLP */

struct metric {
	const char *table;
	const char *column;
	const char *name;
	const char *unit;
	const char *key, *value; /* of an attribute; NULL: it has none */
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

static void begin_body(FILE *out, const struct run *run)
{
	const cJSON *label;
	char key[160];

	fputs("{\"resourceMetrics\":[{\"resource\":{\"attributes\":[", out);
	put_attribute(out, "", "service.name", run->job);
	put_attribute(out, ",", "host.name", run->host);
	put_attribute(out, ",", "rtrack.run.id", run->id);
	put_attribute(out, ",", "rtrack.user", run->user);
	if (*json_string(run->json, "group"))
		put_attribute(out, ",", "rtrack.group", json_string(run->json, "group"));
	cJSON_ArrayForEach(label, cJSON_GetObjectItemCaseSensitive(run->json, "labels"))
	{
		bool plain = label->string[strspn(label->string, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
								 "0123456789_.-/")] == '\0';
		if (!plain || !cJSON_IsString(label))
			continue;
		(void)snprintf(key, sizeof key, "rtrack.label.%.128s", label->string);
		put_attribute(out, ",", key, label->valuestring);
	}
	fputs("]},\"scopeMetrics\":[{\"scope\":{\"name\":\"rtrack\",\"version\":\"" RTRACK_VERSION "\"},\"metrics\":[",
		out);
}

static char *end_body(FILE *out, char **text)
{
	fputs("]}]}]}", out);
	if (fclose(out) == 0)
		return *text;
	free(*text);
	return NULL;
}

/* -- points ---------------------------------------------------------------------------------------- */

/* What a column is called; `space` holds names that are made. */
static struct metric metric_of(const struct table *table, size_t position, char *space, size_t size)
{
	const struct column *column = &table_columns(table)[position];

	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		if (strcmp(known[i].table, table->name) == 0 && strcmp(known[i].column, column_name(column)) == 0)
			return known[i];
	(void)snprintf(space, size, "rtrack.%s.%s", table->name, column_name(column));
	const char *unit = column_unit(column);
	return (struct metric){table->name, column_name(column), space, strcmp(unit, "B") == 0 ? "By" : unit, NULL,
		NULL, 1, column->kind == KIND_COUNTER ? SUM : GAUGE};
}

/* The points of one column; returns what goes before the next. */
static const char *put_points(FILE *out, const struct run *run, const struct points *points, size_t position,
	const struct metric *metric, const char *comma)
{
	for (size_t row = 0; row < points->rows; row++) {
		double value = points->values[row][position];
		if (!number_known(value) || !number_known(points->values[row][0]))
			continue;
		fprintf(out, "%s{\"attributes\":[", comma);
		if (metric->key)
			put_attribute(out, "", metric->key, metric->value);
		fputs("]", out);
		if (metric->kind != GAUGE)
			put_time(out, "startTimeUnixNano", run->start_time);
		put_time(out, "timeUnixNano", points->values[row][0]);
		/* No asInt: a collector (rotel 0.0.1a15) reads its text as 0, and a double holds whole numbers to 2^53.
		 */
		fprintf(out, ",\"asDouble\":%.*f}",
			metric->scale == 1 ? table_columns(points->table)[position].digits : 0, value * metric->scale);
		comma = ",";
	}
	return comma;
}

static bool is_figure(const struct column *column)
{
	return column->kind == KIND_COUNTER || column->kind == KIND_GAUGE;
}

static bool has_values(const struct points *points, size_t position)
{
	for (size_t row = 0; row < points->rows; row++)
		if (number_known(points->values[row][position]))
			return true;
	return false;
}

/* Columns of one name are one metric, which the first of them begins. */
static void put_metric(FILE *out, const struct run *run, const struct points *points, size_t first, const char *comma)
{
	char space[96], other_space[96];
	const struct metric metric = metric_of(points->table, first, space, sizeof space);
	const char *between = "";

	fprintf(out, "%s{\"name\":\"%s\",\"unit\":\"%s\",\"%s\":{", comma, metric.name, metric.unit,
		metric.kind == GAUGE ? "gauge" : "sum");
	if (metric.kind != GAUGE)
		fprintf(out, "\"aggregationTemporality\":%d,\"isMonotonic\":%s,", CUMULATIVE,
			metric.kind == SUM ? "true" : "false");
	fputs("\"dataPoints\":[", out);
	for (size_t i = first; i < points->table->count; i++) {
		const struct metric other = metric_of(points->table, i, other_space, sizeof other_space);
		if (is_figure(&table_columns(points->table)[i]) && strcmp(other.name, metric.name) == 0)
			between = put_points(out, run, points, i, &other, between);
	}
	fputs("]}}", out);
}

/* Whether a column before it, with values, has the same name. */
static bool is_begun(const struct points *points, size_t position)
{
	char space[96], other_space[96];
	const struct metric metric = metric_of(points->table, position, space, sizeof space);

	for (size_t i = 1; i < position; i++)
		if (has_values(points, i) &&
			strcmp(metric_of(points->table, i, other_space, sizeof other_space).name, metric.name) == 0)
			return true;
	return false;
}

char *otlp_body_of_points(const struct run *run, const struct points *points)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	const char *comma = "";

	if (!out)
		return NULL;
	begin_body(out, run);
	for (size_t i = 1; i < points->table->count; i++) {
		if (!is_figure(&table_columns(points->table)[i]) || !has_values(points, i) || is_begun(points, i))
			continue;
		put_metric(out, run, points, i, comma);
		comma = ",";
	}
	return end_body(out, &text);
}

/* -- totals ---------------------------------------------------------------------------------------- */

static void put_total(FILE *out, const struct run *run, const char *comma, const char *key, double value)
{
	double time = number_known(run->stop_time) ? run->stop_time : run->start_time;

	fprintf(out, "%s{\"name\":\"rtrack.run.%s\",\"gauge\":{\"dataPoints\":[{\"attributes\":[]", comma, key);
	put_time(out, "timeUnixNano", time);
	fprintf(out, ",\"asDouble\":%s}]}}", json_shortest(value).text);
}

char *otlp_body_of_totals(const struct run *run, const struct totals *totals)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	begin_body(out, run);
	put_total(out, run, "", "succeeded", strcmp(run->status, "finished") == 0);
	if (number_known(run->exit_code))
		put_total(out, run, ",", "exit_code", run->exit_code);
	for (int i = 0; totals && i < TOTAL_COUNT; i++) {
		double value = total_value(totals, (enum total_id)i);
		if (number_known(value))
			put_total(out, run, ",", total_table[i].name, value);
	}
	return end_body(out, &text);
}
