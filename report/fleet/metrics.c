/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fleet/metrics.h"

#include "report/say/json.h"
#include "report/say/utf8.h"
#include "report/spool/series.h"
#include "report/spool/unit.h"

#include <ctype.h>
#include <string.h>

enum { NAME_SIZE = 96 };

/* Writes a label. Prometheus requires UTF-8, so other bytes of the value become U+FFFD. */
static void write_label(gzFile out, const char *name, const char *value, bool first)
{
	uint32_t code;

	gzprintf(out, "%s%s=\"", first ? "" : ",", name);
	while (*value) {
		size_t length = utf8_decode(value, &code);
		if (*value == '"' || *value == '\\')
			gzprintf(out, "\\%c", *value);
		else if (*value == '\n')
			gzputs(out, "\\n");
		else if (length == 0)
			gzputs(out, "\xEF\xBF\xBD");
		else
			gzwrite(out, value, (unsigned)length);
		value += length > 0 ? length : 1;
	}
	gzputc(out, '"');
}

static void write_run_labels(gzFile out, const struct run *run, bool of_run)
{
	write_label(out, "job", run->job, true);
	write_label(out, "user", run->user, false);
	write_label(out, "host", run->host, false);
	if (of_run)
		write_label(out, "run", run->id, false);
}

static void write_labels(gzFile out, const struct run *run, bool of_run)
{
	gzputc(out, '{');
	write_run_labels(out, run, of_run);
	gzputc(out, '}');
}

static void write_head(gzFile out, const char *name, const char *type, const char *unit, const char *label)
{
	gzprintf(out, "# HELP %s %s%s%s%s\n# TYPE %s %s\n", name, label, *unit ? " (" : "", unit, *unit ? ")" : "",
		name, type);
}

/* Writes a column as a gauge or a counter. Counters in the spool are increments, but Prometheus needs cumulative
 * values. Therefore the written values are sums that begin with 0 at the start of the run. */
static void write_column(gzFile out, const struct run *run, const struct series *series, int position)
{
	const struct column *column = &table_columns(series->table)[position];
	bool counter = column->kind == KIND_COUNTER;
	double sum = 0;
	bool any = false;
	char name[NAME_SIZE];

	snprintf(name, sizeof name, "rtrack_%s_%s", series->table->name, column_name(column));
	for (size_t row = 0; row < series->rows; row++) {
		double value = series_value(series, position, row);
		double time = series_value(series, 0, row);
		if (!number_known(value) || !number_known(time))
			continue;
		if (!any)
			write_head(out, name, counter ? "counter" : "gauge", column_unit(column), column_label(column));
		any = true;
		sum += value;
		gzprintf(out, "%s%s", name, counter ? "_total" : "");
		write_labels(out, run, true);
		gzprintf(out, " %.*f %.3f\n", column->digits, counter ? sum : value, time);
	}
}

/* Makes the name "label_KEY", in which every character other than a letter or digit becomes '_'. */
static void name_own_label(char name[NAME_SIZE], const cJSON *label)
{
	snprintf(name, NAME_SIZE, "label_%s", label->string);
	for (size_t i = 0; name[i] != '\0'; i++)
		if (!isalnum((unsigned char)name[i]))
			name[i] = '_';
}

/* Writes a label of the run, unless an earlier label has the same name, because Prometheus rejects duplicates. */
static void write_own_label(gzFile out, const cJSON *labels, const cJSON *label)
{
	char name[NAME_SIZE], earlier[NAME_SIZE];

	name_own_label(name, label);
	for (const cJSON *other = labels->child; other != label; other = other->next) {
		name_own_label(earlier, other);
		if (strcmp(name, earlier) == 0)
			return;
	}
	write_label(out, name, label->valuestring, false);
}

/* Writes an info metric: a gauge with the constant value 1 whose labels are the group, the rank and the labels of the
 * run. The time is omitted if `time` is UNKNOWN. */
static void write_info(gzFile out, const struct run *run, double time)
{
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run->json, "labels");
	const char *group = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(run->json, "group"));
	double rank = json_double(cJSON_GetObjectItemCaseSensitive(run->json, "member"), "rank");
	const cJSON *label;
	char text[32], unit[UNIT_NAME_SIZE];

	gzputs(out, "rtrack_run_info{");
	write_run_labels(out, run, number_known(time));
	if (group)
		write_label(out, "group", group, false);
	unit_of(run, unit);
	if (*unit)
		write_label(out, "unit", unit, false);
	snprintf(text, sizeof text, "%.0f", rank);
	if (number_known(rank))
		write_label(out, "rank", text, false);
	cJSON_ArrayForEach(label, labels)
	{
		if (cJSON_IsString(label))
			write_own_label(out, labels, label);
	}
	gzputs(out, "} 1");
	if (number_known(time))
		gzprintf(out, " %.3f", time);
	gzputc(out, '\n');
}

static void write_info_head(gzFile out)
{
	write_head(out, "rtrack_run_info", "gauge", "", "What the run belongs to");
}

void metrics_write_history(gzFile out, const struct run *run)
{
	static const enum table_id ids[] = {TABLE_process, TABLE_system};

	for (size_t i = 0; i < ARRAY_LENGTH(ids); i++) {
		struct series series;
		if (series_load(&series, &run->files, ids[i], SERIES_ALL) != 0)
			continue;
		for (size_t column = 1; column < series.table->count; column++)
			if (table_columns(series.table)[column].kind == KIND_COUNTER ||
				table_columns(series.table)[column].kind == KIND_GAUGE)
				write_column(out, run, &series, (int)column);
		series_free(&series);
	}
	/* The info metric is written at the start and at the end of the run, so that a query over the whole run finds
	 * it. */
	write_info_head(out);
	write_info(out, run, run->start_time);
	if (run->stop_time > run->start_time)
		write_info(out, run, run->stop_time);
	gzputs(out, "# EOF\n");
}

static void write_gauge(gzFile out, const struct run *run, const char *key, const char *meaning, double value)
{
	char name[NAME_SIZE], help[256];

	if (!number_known(value))
		return;
	snprintf(name, sizeof name, "rtrack_run_%s", key);
	snprintf(help, sizeof help, "Of the latest run of the job: %s", meaning);
	write_head(out, name, "gauge", "", help);
	gzputs(out, name);
	write_labels(out, run, false);
	gzprintf(out, " %s\n", json_shortest(value).text);
}

void metrics_write_totals(gzFile out, const struct run *run, const struct totals *totals)
{
	write_info_head(out);
	write_info(out, run, UNKNOWN);
	write_gauge(out, run, "start_time_seconds", "start", run->start_time);
	write_gauge(out, run, "stop_time_seconds", "end", run->stop_time);
	write_gauge(out, run, "exit_code", "exit status of the root process", run->exit_code);
	write_gauge(out, run, "succeeded", "1 if it finished with status 0", strcmp(run->status, "finished") == 0);
	for (int i = 0; i < TOTAL_COUNT; i++)
		write_gauge(
			out, run, total_table[i].name, total_table[i].meaning, total_value(totals, (enum total_id)i));
}

void metrics_begin_jobs(gzFile out, const char *name, const char *meaning)
{
	char whole[NAME_SIZE];

	snprintf(whole, sizeof whole, "rtrack_jobs_%s", name);
	write_head(out, whole, "gauge", "", meaning);
}

void metrics_write_job(
	gzFile out, const char *name, const char *job, const char *user, const char *account, double value)
{
	gzprintf(out, "rtrack_jobs_%s{", name);
	write_label(out, "job", job, true);
	write_label(out, "user", user, false);
	write_label(out, "account", account, false);
	gzprintf(out, "} %s\n", json_shortest(value).text);
}
