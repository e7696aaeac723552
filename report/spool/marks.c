/* What the job marked; see marks.h. */
#include "report/spool/marks.h"

#include "core/number.h"
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

static int take_mark(void *context, struct reader *reader)
{
	const struct marking *marking = context;
	struct marks *marks = marking->marks;
	struct text label = reader_text(reader, MARK_label);
	double time = mark_time(reader, &marks->latest);

	if (marking->take(marking->context, time, reader) != 0)
		return -1;
	if (!marks->items)
		marks->items = calloc(MARKS_MAX, sizeof *marks->items);
	if (!marks->items)
		return -1;
	marks->total++;
	if (marks->count == MARKS_MAX)
		return 0;
	struct mark *mark = &marks->items[marks->count];
	mark->label = strndup(label.length > 0 ? label.data : "", label.length);
	if (!mark->label)
		return -1;
	mark->time = time;
	mark->pid = reader_number(reader, MARK_pid);
	marks->count++;
	return 0;
}

int marks_load(struct marks *marks, const char *directory, double start, take_mark_row *take, void *context)
{
	*marks = (struct marks){.latest = start};
	if (reader_all(directory, TABLE_mark, take_mark, &(struct marking){marks, take, context}) == 0)
		return 0;
	marks_free(marks);
	return -1;
}

void marks_free(struct marks *marks)
{
	for (size_t i = 0; marks->items && i < marks->count; i++)
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
