/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and replaces run.json of an existing run. */
#include "sampler/run/file.h"

#include "core/number.h"
#include "core/settings.h"
#include "core/spool.h"
#include "os/file.h"
#include "os/memory.h"

static int64_t read_run(const char *directory, char *text)
{
	int at = os_open_directory(OS_HERE, directory);
	if (at < 0)
		return at;
	int64_t length = os_read(at, SPOOL_RUN_FILE, text, RUN_TEXT_MAX);
	os_close(at);
	return length;
}

struct text run_value(struct text line, const char *key)
{
	size_t at = 0;
	while (at < line.length && line.data[at] == ' ')
		at++;
	struct text rest = {line.data + at, line.length - at};
	size_t length = text_length(key);
	if (rest.length < length + 4 || rest.data[0] != '"' ||
		!text_equal((struct text){rest.data + 1, length}, text_of(key)) || rest.data[length + 1] != '"')
		return (struct text){NULL, 0};
	rest = (struct text){rest.data + length + 4, rest.length - length - 4};
	if (rest.length > 0 && rest.data[rest.length - 1] == ',')
		rest.length--;
	return rest;
}

int run_facts(const char *directory, struct run_facts *facts)
{
	static const char keys[][sizeof "baseline_utime"] = {
		"interval", "start_time", "baseline_utime", "baseline_stime", "start_ticks"};
	double values[ARRAY_LENGTH(keys)] = {1, 0, 0, 0, 0};
	bool launched = false, lacks_ray_job = false;
	char *text = os_map(RUN_TEXT_MAX);
	if (!text)
		return OS_ERROR_NO_MEMORY;
	int64_t length = read_run(directory, text);
	struct text file = {text, length > 0 ? (size_t)length : 0};
	for (size_t start = 0; start < file.length;) {
		size_t end = text_find(file, '\n', start);
		struct text line = {file.data + start, end - start};
		for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
			struct text value = run_value(line, keys[i]);
			if (value.length > 0)
				(void)number_read(value, &values[i]);
		}
		launched |= text_is(run_value(line, "mode"), "\"launcher\"");
		lacks_ray_job |= text_is(run_value(line, "job"), "\"" RAY_NO_JOB "\"");
		start = end + 1;
	}
	os_unmap(text, RUN_TEXT_MAX);
	if (length < 0)
		return (int)length;
	/* The job can write to run.json, and the sampler divides by the interval, so the value must be checked. */
	const struct setting *setting = &settings_table[SETTING_ID_INTERVAL];
	bool may_be = values[0] >= setting->minimum && values[0] <= setting->maximum;
	*facts = (struct run_facts){.interval = may_be ? values[0] : 1,
		.start_time = values[1],
		.baseline_ns = {(int64_t)(values[2] * 1e9), (int64_t)(values[3] * 1e9)},
		.root_start = values[4] > 0 && values[4] < 1e18 ? (uint64_t)values[4] : 0,
		.launched = launched,
		.lacks_ray_job = lacks_ray_job};
	return 0;
}

static int replace(int at, const struct buffer *content)
{
	(void)os_remove(at, SPOOL_RUN_FILE_NEW);
	int result = content->full ? OS_ERROR_TOO_LONG
				   : os_create(at, SPOOL_RUN_FILE_NEW, (struct text){content->data, content->length});
	if (result == 0)
		result = os_rename(at, SPOOL_RUN_FILE_NEW, SPOOL_RUN_FILE);
	if (result != 0)
		(void)os_remove(at, SPOOL_RUN_FILE_NEW);
	return result;
}

int run_rewrite(int at, int (*change)(struct buffer *out, struct text file, const void *how), const void *how)
{
	char *space = os_map(2 * (size_t)RUN_TEXT_MAX);
	if (!space)
		return OS_ERROR_NO_MEMORY;
	int64_t length = os_read(at, SPOOL_RUN_FILE, space, RUN_TEXT_MAX);
	int result = length < 0 ? (int)length : 0;
	if (result == 0) {
		struct buffer out = {space + RUN_TEXT_MAX, 0, RUN_TEXT_MAX, false};
		result = change(&out, (struct text){space, (size_t)length}, how);
		if (result == 0)
			result = replace(at, &out);
	}
	os_unmap(space, 2 * (size_t)RUN_TEXT_MAX);
	return result;
}
