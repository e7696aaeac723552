/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the script of functions that a program has sent to its workers. */
#include "report/model/dynamic_code.h"

#include "report/model/label.h"
#include "report/say/array.h"

#include <stdlib.h>
#include <string.h>

static bool is_dynamic(const char *file)
{
	return strcmp(file, "<dynamic-code>") == 0;
}

/* Sets `label` to the script of the nearest ancestor of a process. Returns false if no ancestor runs a .py file. */
static bool find_script(const struct processes *processes, double pid, struct label *label)
{
	const struct process *process = NULL;

	for (size_t i = 0; i < processes->count; i++)
		if (processes->items[i].id.pid == pid)
			process = &processes->items[i];
	while (process && (process = process_first_parent(process))) {
		*label = process_label(process);
		if (text_ends(text_of(label->text), ".py"))
			return true;
	}
	return false;
}

/* Returns the path of a script. If a file in the rows has the same name, the result is its path, because CPython stores
 * absolute paths. Otherwise, the script is assumed to be in `cwd`. */
static const char *path_of(struct code_rows *rows, const struct label *script, const char *cwd)
{
	for (size_t i = 0; i < rows->text_room; i++) {
		struct text file = text_of(rows->texts[i] ? rows->texts[i] : "");
		if (file.length > 0 && file.data[0] == '/' && text_is(text_basename(file), script->text))
			return rows->texts[i];
	}
	char *path = xasprintf("%s/%s", cwd, script->text);
	const char *kept = code_rows_text(rows, text_of(path));
	free(path);
	return kept;
}

static bool has_dynamic(const struct code_line *line)
{
	for (size_t i = 0; line->stack && i < line->stack->count; i++)
		if (is_dynamic(line->stack->frames[i].file))
			return true;
	return is_dynamic(line->file);
}

static bool any_dynamic(const struct code_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		if (has_dynamic(&rows->items[i].line))
			return true;
	return false;
}

static int by_pid_then_position(const void *first, const void *second)
{
	const struct code_row *a = first, *b = second;
	int order = ORDER(a->pid, b->pid);
	return order != 0 ? order : ORDER(a->position, b->position);
}

void dynamic_code_resolve(struct code_rows *rows, const struct processes *processes, const char *cwd)
{
	const char *path = NULL;
	double pid = -1;

	if (!any_dynamic(rows))
		return;
	/* The rows of a process become adjacent, so its script is searched only once. */
	array_sort(rows->items, rows->count, by_pid_then_position);
	for (size_t i = 0; i < rows->count; i++) {
		struct code_row *row = &rows->items[i];
		struct label script;
		if (!has_dynamic(&row->line))
			continue;
		if (row->pid != pid)
			path = find_script(processes, row->pid, &script) ? path_of(rows, &script, cwd) : NULL;
		pid = row->pid;
		for (size_t j = 0; path && row->line.stack && j < row->line.stack->count; j++)
			if (is_dynamic(row->line.stack->frames[j].file))
				row->line.stack->frames[j].file = path;
		if (path && is_dynamic(row->line.file))
			row->line.file = path;
	}
}
