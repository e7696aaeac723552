/* Reading the text of a kept digest, which any program may have written; see digest.h. */
#include "report/history/digest.h"

#include <stdlib.h>
#include <string.h>

/* The next line of *rest, or NULL when that has no whole one. */
static char *take_line(char **rest)
{
	char *line = *rest;
	char *end = strchr(line, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	*rest = end + 1;
	return line;
}

/* A text that may hold line ends: its length, a space, and the text. */
static char *take_text(char **rest)
{
	char *start;
	size_t left = strlen(*rest);
	unsigned long length = strtoul(*rest, &start, 10);
	if (start == *rest || *start != ' ' || length >= left - (size_t)(start - *rest) - 1 ||
		start[1 + length] != '\n')
		return NULL;
	start[1 + length] = '\0';
	*rest = start + 1 + length + 1;
	return start + 1;
}

int digest_parse(struct digest *digest, char *text)
{
	char *rest = text;
	const char *id = take_text(&rest);
	const char *job = id ? take_text(&rest) : NULL;
	const char *parent = job ? take_text(&rest) : NULL;
	const char *group = parent ? take_text(&rest) : NULL;
	const char *host = group ? take_text(&rest) : NULL;
	const char *user = host ? take_text(&rest) : NULL;
	const char *unit = user ? take_text(&rest) : NULL;
	const char *allocation = unit ? take_text(&rest) : NULL;
	const char *account = allocation ? take_text(&rest) : NULL;
	const char *status = account ? take_line(&rest) : NULL;
	const char *script = status ? take_line(&rest) : NULL;
	const char *script_time = script ? take_line(&rest) : NULL;
	const char *start = script_time ? take_line(&rest) : NULL;
	const char *rows = start ? take_line(&rest) : NULL;
	const char *totals = rows ? take_line(&rest) : NULL;
	const char *stats = totals ? take_line(&rest) : NULL;
	const char *use_text = stats ? take_line(&rest) : NULL;

	if (!use_text || strcmp(rest, "end\n") != 0)
		return -1;
	digest->id = id;
	digest->job = job;
	digest->parent = parent;
	digest->group = group;
	digest->host = host;
	digest->user = user;
	digest->unit = unit;
	digest->allocation = allocation;
	digest->account = account;
	digest->status = status;
	digest->script = script;
	digest->script_time = *script_time ? strtod(script_time, NULL) : UNKNOWN;
	digest->start_time = *start ? strtod(start, NULL) : UNKNOWN;
	digest->has_rows = strcmp(rows, "1") == 0;
	digest->totals = totals;
	digest->stats = stats;
	digest->use_text = use_text;
	return 0;
}
