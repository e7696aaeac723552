/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the cells of a notebook by the names under which ipykernel compiled them. */
#define _GNU_SOURCE
#include "report/model/notebook_cells.h"

#include "core/number.h"
#include "report/model/source.h"
#include "report/say/array.h"
#include "report/say/json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTEBOOK_MAX = 16 << 20, CELLS_MAX = 10000, VALUES_MAX = 1000000 };

struct notebook_cell {
	uint32_t hash;
	int number;
	char *source; /* owned */
};

struct notebook_cells {
	struct notebook_cell *items;
	size_t count;
};

/* MurmurHash2 with the seed of ipykernel. */
static uint32_t hash_of(struct text text)
{
	const uint32_t factor = 0x5bd1e995;
	const uint8_t *data = (const uint8_t *)text.data;
	uint32_t hash = 0xc70f6907 ^ (uint32_t)text.length;
	size_t left = text.length;

	for (; left >= 4; data += 4, left -= 4) {
		uint32_t word = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
		word *= factor;
		word ^= word >> 24;
		hash = hash * factor ^ word * factor;
	}
	for (size_t i = left; i > 0; i--)
		hash ^= (uint32_t)data[i - 1] << 8 * (i - 1);
	hash = left > 0 ? hash * factor : hash;
	hash = (hash ^ hash >> 13) * factor;
	return hash ^ hash >> 15;
}

/* Returns the hash in the file name of a cell, or UINT64_MAX if the file is no cell. */
static uint64_t cell_hash(const char *file)
{
	static const char folder[] = "/ipykernel_", suffix[] = ".py";
	const char *at = strstr(file, folder), *slash = at ? strchr(at + 1, '/') : NULL;
	uint64_t hash;

	if (!slash || !text_ends(text_of(slash), suffix))
		return UINT64_MAX;
	struct text number = {slash + 1, strlen(slash + 1) - strlen(suffix)};
	return number_read_unsigned(number, &hash) == 0 ? hash : UINT64_MAX;
}

/* Returns the text of a cell, which the caller frees: a string, or lines in an array. */
static char *source_of(const cJSON *cell)
{
	const cJSON *source = cJSON_GetObjectItemCaseSensitive(cell, "source"), *line;
	char *text = xstrdup(cJSON_IsString(source) ? source->valuestring : "");

	if (!cJSON_IsArray(source))
		return text;
	size_t length = 0;
	cJSON_ArrayForEach(line, source) length += cJSON_IsString(line) ? strlen(line->valuestring) : 0;
	free(text);
	char *end = text = xmalloc(length + 1);
	*end = '\0';
	cJSON_ArrayForEach(line, source) if (cJSON_IsString(line)) end = stpcpy(end, line->valuestring);
	return text;
}

static void add_cells(struct notebook_cells *cells, const cJSON *notebook)
{
	const cJSON *cell;
	int position = 0;

	cJSON_ArrayForEach(cell, cJSON_GetObjectItemCaseSensitive(notebook, "cells"))
	{
		if (strcmp(json_string(cell, "cell_type"), "code") != 0 || cells->count == CELLS_MAX)
			continue;
		char *source = source_of(cell);
		position += source[strspn(source, " \t\r\n")] != '\0';
		double number = json_double(cell, "execution_count");
		array_grow(&cells->items, cells->count, sizeof *cells->items);
		cells->items[cells->count++] = (struct notebook_cell){
			hash_of(text_of(source)), number >= 1 && number <= CELLS_MAX ? (int)number : position, source};
	}
}

static void read_notebook(struct notebook_cells *cells, const struct run *run, const char *path)
{
	struct stat status;
	int file = files_get_own(&run->files, path);
	bool fits = file >= 0 && fstat(file, &status) == 0 && status.st_size <= NOTEBOOK_MAX;
	char *data = fits ? xmalloc(NOTEBOOK_MAX) : NULL;
	ssize_t length = data ? read(file, data, NOTEBOOK_MAX) : -1;

	if (length > 0 && json_count((struct text){data, (size_t)length}) <= VALUES_MAX) {
		cJSON *notebook = cJSON_ParseWithLength(data, (size_t)length);
		add_cells(cells, notebook);
		cJSON_Delete(notebook);
	}
	free(data);
	if (file >= 0)
		close(file);
}

/* Reads a notebook, unless another one was read. The path may be relative to the directory of the job. */
static void read_word(struct notebook_cells *cells, const struct run *run, struct text word)
{
	if (cells->count > 0 || !text_ends(word, ".ipynb"))
		return;
	char *path = word.data[0] == '/' ? xasprintf("%.*s", (int)word.length, word.data)
					 : xasprintf("%s/%.*s", run->cwd, (int)word.length, word.data);
	read_notebook(cells, run, path);
	free(path);
}

/* Reads the notebook that the job's name, its command, or the command line of a process names. */
static void find_notebook(struct notebook_cells *cells, const struct processes *processes, const struct run *run)
{
	const cJSON *word;

	read_word(cells, run, text_of(run->job));
	cJSON_ArrayForEach(word, cJSON_GetObjectItemCaseSensitive(run->json, "command")) if (cJSON_IsString(word))
		read_word(cells, run, text_of(word->valuestring));
	for (size_t i = 0; i < processes->count && cells->count == 0; i++) {
		struct text command = text_of(processes->items[i].command ? processes->items[i].command : "");
		for (size_t at = 0, end; at < command.length; at = end + 1) {
			end = text_find(command, ' ', at);
			read_word(cells, run, (struct text){command.data + at, end - at});
		}
	}
}

/* Returns the cell that was compiled under a file name, or NULL. */
static const struct notebook_cell *find_cell(const struct notebook_cells *cells, const char *file)
{
	uint64_t hash = cell_hash(file);

	for (size_t i = 0; i < cells->count; i++)
		if (cells->items[i].hash == hash)
			return &cells->items[i];
	return NULL;
}

/* Sets the cell of a line. Returns the cell, or NULL if the line is in none. */
static const struct notebook_cell *set_cell(
	struct code_rows *rows, const struct notebook_cells *cells, struct code_line *line)
{
	const struct notebook_cell *cell = find_cell(cells, line->file);

	if (cell) {
		char *label = xasprintf("In [%d]", cell->number);
		line->cell = code_rows_text(rows, text_of(label));
		free(label);
	}
	return cell;
}

static bool has_cells(const struct code_list *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		if (cell_hash(lines->items[i].file) != UINT64_MAX)
			return true;
	return false;
}

void notebook_cells_find(struct code *code, const struct processes *processes, const struct run *run)
{
	struct notebook_cells cells = {0};
	struct code_rows *rows = &code->rows;

	if (!has_cells(&code->lines))
		return;
	find_notebook(&cells, processes, run);
	for (size_t i = 0; i < rows->count; i++)
		(void)set_cell(rows, &cells, &rows->items[i].line);
	for (size_t i = 0; i < code->functions.count; i++)
		(void)set_cell(rows, &cells, &code->functions.items[i]);
	for (size_t i = 0; i < code->lines.count; i++) {
		struct code_line *line = &code->lines.items[i];
		const struct notebook_cell *cell = set_cell(rows, &cells, line);
		if (cell)
			line->text = code_rows_text(rows, source_line(text_of(cell->source), line->line));
	}
	for (size_t i = 0; i < cells.count; i++)
		free(cells.items[i].source);
	free(cells.items);
}
