/* Which runs are meant; see choice.h. */
#include "report/spool/choice.h"

#include <string.h>

/* Whether `labels` have KEY=VALUE. */
static bool has_label(const cJSON *labels, const char *line, size_t length)
{
	const cJSON *label;

	cJSON_ArrayForEach(label, labels)
	{
		const char *value = cJSON_GetStringValue(label);
		size_t key = strlen(label->string);
		if (value && key + 1 + strlen(value) == length && strncmp(line, label->string, key) == 0 &&
			line[key] == '=' && strncmp(line + key + 1, value, strlen(value)) == 0)
			return true;
	}
	return false;
}

static bool has_labels(const char *lines, const struct run *run)
{
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run->json, "labels");

	for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
		length = strcspn(lines, "\n");
		if (!has_label(labels, lines, length))
			return false;
	}
	return true;
}

bool choice_has(const struct choice *choice, const struct run *run)
{
	if (choice->job && strcmp(run->job, choice->job) != 0)
		return false;
	if (choice->group && strcmp(json_string(run->json, "group"), choice->group) != 0)
		return false;
	if (number_known(choice->since) && !(run->start_time >= choice->since))
		return false;
	return has_labels(choice->labels, run);
}

bool choice_needs_run(const struct choice *choice)
{
	return choice->group || *choice->labels;
}
