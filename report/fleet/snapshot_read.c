/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the predecessor's snapshot. A day of ticks has millions of cells, and a cJSON tree would take ten times as much
 * memory as the text. Therefore the outermost object is scanned by hand, and each row is parsed alone. */
#include "report/fleet/snapshot.h"

#include "report/say/alloc.h"
#include "report/say/bounds.h"
#include "report/say/progress.h"
#include "report/spool/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 100 };

struct scan {
	const char *text;
	size_t length;
	size_t at;
	size_t values; /* number of values that parse_value has read */
};

static void skip_space(struct scan *scan)
{
	while (scan->at < scan->length && memchr(" \t\r\n", scan->text[scan->at], 4))
		scan->at++;
}

static bool take(struct scan *scan, char byte)
{
	skip_space(scan);
	if (scan->at == scan->length || scan->text[scan->at] != byte)
		return false;
	scan->at++;
	return true;
}

static bool skip_string(struct scan *scan)
{
	for (scan->at++; scan->at < scan->length; scan->at++) {
		if (scan->text[scan->at] == '\\')
			scan->at++;
		else if (scan->text[scan->at] == '"') {
			scan->at++;
			return true;
		}
	}
	scan->at = scan->length;
	return false;
}

/* Skips a value without validating its content. Returns false if the text ends within the value. */
static bool skip_value(struct scan *scan)
{
	size_t depth = 0;

	skip_space(scan);
	while (scan->at < scan->length) {
		char byte = scan->text[scan->at];
		if (byte == '"') {
			if (!skip_string(scan))
				return false;
			if (depth == 0)
				return true;
			continue;
		}
		if (depth == 0 && (byte == ',' || byte == ']' || byte == '}'))
			return true;
		depth += byte == '{' || byte == '[';
		depth -= byte == '}' || byte == ']';
		if (depth > DEPTH_MAX)
			return false;
		scan->at++;
		if (depth == 0 && (byte == '}' || byte == ']'))
			return true;
	}
	return false;
}

/* Parses the next value. Returns NULL if the value is malformed, or if the text has more values than allowed. */
static cJSON *parse_value(struct scan *scan)
{
	skip_space(scan);
	size_t start = scan->at;
	if (!skip_value(scan))
		return NULL;
	struct text value = {scan->text + start, scan->at - start};
	scan->values += json_count(value);
	return scan->values > BOUND_JSON_VALUES ? NULL : cJSON_ParseWithLength(value.data, value.length);
}

/* Returns the message for a value that parse_value could not read. */
static const char *problem_of(const struct scan *scan, const char *malformed)
{
	return scan->values > BOUND_JSON_VALUES ? BOUND_MESSAGE(JSON_VALUES) : malformed;
}

static bool take_part(struct snapshot *snapshot, struct scan *scan, const char *key)
{
	static const char *const series[] = {"process_metrics", "system_metrics"};

	skip_space(scan);
	for (size_t i = 0; i < ARRAY_LENGTH(series); i++) {
		if (strcmp(key, series[i]) != 0)
			continue;
		size_t start = scan->at;
		if (!skip_value(scan) || scan->text[start] != '[')
			return false;
		struct scan list = {scan->text, scan->at, start + 1, 0};
		snapshot->rows[i].text = scan->text + start;
		/* A table without rows has no columns, and is not written. */
		snapshot->rows[i].length = take(&list, ']') ? 0 : scan->at - start;
		return true;
	}
	cJSON *value = parse_value(scan);
	if (!value)
		return false;
	if (cJSON_HasObjectItem(snapshot->content, key))
		cJSON_Delete(value);
	else
		cJSON_AddItemToObject(snapshot->content, key, value);
	return true;
}

static const char *read_parts(struct snapshot *snapshot, struct scan *scan)
{
	if (!take(scan, '{'))
		return "it is not a JSON object";
	do {
		cJSON *key = parse_value(scan);
		bool good = cJSON_IsString(key) && take(scan, ':') && take_part(snapshot, scan, key->valuestring);
		cJSON_Delete(key);
		if (!good)
			return problem_of(scan, "it is incomplete, or not the JSON of a snapshot");
	} while (take(scan, ','));
	if (!take(scan, '}'))
		return "it is incomplete, or not the JSON of a snapshot";
	if (!cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(snapshot->content, "metadata")) ||
		(!snapshot->rows[0].text && !snapshot->rows[1].text))
		return "it is not a snapshot: metadata or series are missing";
	return NULL;
}

const char *snapshot_read(struct snapshot *snapshot, const char *text, size_t length)
{
	struct scan scan = {text, length, 0, 0};

	*snapshot = (struct snapshot){.content = cJSON_CreateObject()};
	const char *problem = read_parts(snapshot, &scan);
	if (problem)
		snapshot_free(snapshot);
	return problem;
}

void snapshot_free(struct snapshot *snapshot)
{
	cJSON_Delete(snapshot->content);
	*snapshot = (struct snapshot){0};
}

/* -- rows ------------------------------------------------------------------------------------------ */

struct names {
	char *items[READER_FIELDS_MAX];
	int count;
};

static bool has_name(const struct names *names, const char *name)
{
	for (int i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name) == 0)
			return true;
	return false;
}

static const char *add_names(struct names *names, const cJSON *row)
{
	const cJSON *cell;

	cJSON_ArrayForEach(cell, row)
	{
		if (!cell->string || has_name(names, cell->string))
			continue;
		if (names->count == READER_FIELDS_MAX)
			return "it has too many columns";
		names->items[names->count++] = xstrdup(cell->string);
	}
	return NULL;
}

static void write_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc((unsigned char)*text < 0x20 ? ' ' : *text, out);
	}
	fputc('"', out);
}

static void write_cell(FILE *out, const cJSON *cell)
{
	if (cJSON_IsNumber(cell) && isfinite(cell->valuedouble))
		fputs(json_shortest(cell->valuedouble).text, out);
	else if (cJSON_IsBool(cell))
		fputc(cJSON_IsTrue(cell) ? '1' : '0', out);
	else if (cJSON_IsString(cell) && *cell->valuestring)
		write_text(out, cell->valuestring);
}

struct table_writer {
	FILE *out;
	struct names names;
	const cJSON *unknown; /* names of columns whose zeros mean unknown, or NULL */
	bool is_unknown[READER_FIELDS_MAX];
	bool writes; /* false in the first pass, which collects the names */
};

static const char *take_row(struct table_writer *writer, const cJSON *row)
{
	if (!writer->writes)
		return add_names(&writer->names, row);
	const cJSON *cell = row->child;
	for (int i = 0; i < writer->names.count; i++) {
		if (i > 0)
			fputc(',', writer->out);
		/* Most rows have the same keys in the same order, so the cell at the same position is tried first. */
		const cJSON *found = cell && cell->string && strcmp(cell->string, writer->names.items[i]) == 0
					     ? cell
					     : cJSON_GetObjectItemCaseSensitive(row, writer->names.items[i]);
		if (!writer->is_unknown[i])
			write_cell(writer->out, found);
		cell = cell ? cell->next : NULL;
	}
	fputc('\n', writer->out);
	return NULL;
}

static const char *each_row(struct table_writer *writer, struct scan scan, struct progress *progress)
{
	size_t seen = scan.at;

	if (!take(&scan, '['))
		return "its rows are not a list";
	if (take(&scan, ']'))
		return NULL;
	do {
		scan.values = 0;
		cJSON *row = parse_value(&scan);
		const char *problem =
			cJSON_IsObject(row) ? take_row(writer, row) : problem_of(&scan, "a row is not a JSON object");
		cJSON_Delete(row);
		if (problem)
			return problem;
		progress_advance(progress, (double)(scan.at - seen));
		seen = scan.at;
	} while (take(&scan, ','));
	return take(&scan, ']') ? NULL : "its rows are incomplete";
}

static bool is_among(const cJSON *names, const char *name)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, names)
	{
		if (cJSON_IsString(item) && strcmp(item->valuestring, name) == 0)
			return true;
	}
	return false;
}

static void write_header(struct table_writer *writer)
{
	for (int i = 0; i < writer->names.count; i++) {
		if (i > 0)
			fputc(',', writer->out);
		write_text(writer->out, writer->names.items[i]);
		writer->is_unknown[i] = is_among(writer->unknown, writer->names.items[i]);
	}
	fputc('\n', writer->out);
}

const char *snapshot_write_table(FILE *out, const char *text, size_t length, const cJSON *unknown)
{
	struct scan scan = {text, length, 0, 0};
	struct table_writer writer = {.out = out, .unknown = unknown};
	struct progress progress;

	progress_begin(&progress, "writing the series", 2 * (double)length);
	const char *problem = each_row(&writer, scan, &progress);
	if (!problem && writer.names.count > 0 && !has_name(&writer.names, "timestamp"))
		problem = "it has rows without a timestamp";
	if (!problem && writer.names.count > 0) {
		write_header(&writer);
		writer.writes = true;
		problem = each_row(&writer, scan, &progress);
	}
	progress_end(&progress);
	for (int i = 0; i < writer.names.count; i++)
		free(writer.names.items[i]);
	return problem;
}
