/* SPDX-License-Identifier: Apache-2.0 */
/* Reads mark.csv. */
#include "report/spool/marks.h"

#include "core/number.h"
#include "report/say/array.h"
#include "report/spool/reader.h"

#include <stdlib.h>
#include <string.h>

struct marking {
	struct marks *marks;
	take_mark_row *take;
	void *context;
};

static double mark_time(struct reader *reader, double *latest)
{
	double time = reader_number(reader, MARK_timestamp);

	if (number_known(time))
		time = *latest = known_larger(time, *latest);
	return time;
}

static void take_mark(void *context, struct reader *reader)
{
	const struct marking *marking = context;
	struct marks *marks = marking->marks;
	struct text label = reader_text(reader, MARK_label);
	double time = mark_time(reader, &marks->latest);

	marking->take(marking->context, time, reader);
	marks->total++;
	if (marks->count == MARKS_MAX)
		return;
	array_grow(&marks->items, marks->count, sizeof *marks->items);
	marks->items[marks->count++] = (struct mark){.time = time,
		.pid = reader_number(reader, MARK_pid),
		.label = xstrndup(label.length > 0 ? label.data : "", label.length)};
}

void marks_load(struct marks *marks, const struct files *files, double start, take_mark_row *take, void *context)
{
	*marks = (struct marks){.latest = start};
	reader_all(files, TABLE_mark, take_mark, &(struct marking){marks, take, context});
}

void marks_free(struct marks *marks)
{
	for (size_t i = 0; i < marks->count; i++)
		free(marks->items[i].label);
	free(marks->items);
	*marks = (struct marks){0};
}

void marks_write_json(const struct marks *marks, cJSON *json)
{
	cJSON *array = cJSON_AddArrayToObject(json, "marks");

	for (size_t i = 0; i < marks->count; i++) {
		cJSON *mark = cJSON_CreateObject();
		json_add_number(mark, "time", marks->items[i].time, 3);
		json_add_number(mark, "pid", marks->items[i].pid, 0);
		cJSON_AddStringToObject(mark, "label", marks->items[i].label);
		cJSON_AddItemToArray(array, mark);
	}
}
