/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of the processes: the lifetime of each process, and how busy the process was. A build has thousands of
 * processes, which is more than a page can hold. If there are more than LIVES_MAX, only the processes with the most CPU
 * time are shown, and the caption says so. */
#include "report/page/process_timeline.h"

#include "core/number.h"
#include "report/page/elements.h"
#include "report/say/alloc.h"
#include "report/say/array.h"

#include <math.h>
#include <stdlib.h>

enum { LIVES_MAX = 5000, UNKNOWN_SECONDS = -1, NO_PARENT = -1 };

/* Returns the CPU time of a process, or UNKNOWN_SECONDS, which is less than any known time. */
static double seconds_of(const struct process *process)
{
	struct process_figures usage = process_best_usage(process);
	double seconds = UNKNOWN;

	known_add(&seconds, usage.user_seconds);
	known_add(&seconds, usage.system_seconds);
	return known_first(seconds, UNKNOWN_SECONDS);
}

static int by_order(const void *a, const void *b)
{
	const struct life *x = a, *y = b;
	return process_order(x->process, y->process);
}

static int by_cpu(const void *a, const void *b)
{
	const struct life *x = a, *y = b;
	int order = ORDER(y->cpu_seconds, x->cpu_seconds);

	return order ? order : by_order(a, b);
}

static void find_parents(struct lives *lives, const struct processes *processes)
{
	struct life **lives_of = xcalloc(processes->count, sizeof(struct life *));

	for (size_t i = 0; i < lives->count; i++)
		lives_of[lives->items[i].process - processes->items] = &lives->items[i];
	for (size_t i = 0; i < lives->count; i++) {
		const struct process *parent = process_first_parent(lives->items[i].process);
		const struct life *life = parent ? lives_of[parent - processes->items] : NULL;
		if (life)
			lives->items[i].parent = (double)(life - lives->items);
	}
	free(lives_of);
}

void lives_make(struct lives *lives, const struct page *page)
{
	const struct processes *processes = &page->model->processes;
	double begin = page->model->run->start_time, end = begin + page->model->totals.wall_seconds;

	*lives = (struct lives){0};
	if (processes->count == 0 || !number_known(end))
		return;
	lives->items = xcalloc(processes->count, sizeof *lives->items);
	lives->total = lives->count = processes->count;
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		double start = fmin(fmax(process->start_time, begin), end);
		double stop = number_known(process->end_time) ? fmin(process->end_time, end) : end;
		lives->items[i] = (struct life){start - begin, fmax(stop - start, 0), seconds_of(process), NO_PARENT,
			page->model->programs.row_of[i], process};
	}
	qsort(lives->items, lives->count, sizeof *lives->items, by_cpu);
	for (size_t i = 0; i < lives->count && i < LIVES_LISTED; i++)
		lives->listed[lives->listed_count++] = lives->items[i];
	if (lives->count > LIVES_MAX)
		lives->count = LIVES_MAX;
	qsort(lives->items, lives->count, sizeof *lives->items, by_order);
	find_parents(lives, processes);
}

void lives_free(struct lives *lives)
{
	free(lives->items);
	*lives = (struct lives){0};
}

static void write_listed(FILE *out, const struct life *life, const struct page *page)
{
	const struct bill *programs = &page->model->programs;

	markup_write(out, "<tr><th scope=\"row\">%-s</th><td class=\"number\">%d</td>",
		life->program < programs->programs ? bill_label(&programs->rows[life->program]).text : "–",
		life->process->id.pid);
	cell_figure(out, UNIT_seconds, life->start);
	cell_write(out, units_lived(life->length).text);
	cell_figure(out, UNIT_seconds, life->cpu_seconds);
	markup_write(out, "</tr>\n");
}

static void write_table(FILE *out, const struct lives *lives, const struct page *page)
{
	markup_write(out, "<details><summary>");
	if (lives->listed_count < lives->total)
		markup_write(out, "The %zu processes with the most CPU time", lives->listed_count);
	else
		markup_write(out, "As a table");
	markup_write(out, "</summary>\n");
	table_begin(out, NULL, "Program|#Process|#Started after|#Lived for|#CPU time");
	for (size_t i = 0; i < lives->listed_count; i++)
		write_listed(out, &lives->listed[i], page);
	table_end(out, NULL);
	markup_write(out, "</details>\n");
}

void lives_write(FILE *out, const struct lives *lives, const struct page *page)
{
	if (lives->count == 0)
		return;
	markup_write(out, "<figure id=\"timeline\">\n<figcaption><h3>Processes</h3>\n"
			  "<p class=\"says\">One bar for each process. Darker: busier.");
	markup_more(out, "report.md#processes");
	markup_write(out, "<p class=\"figures\" id=\"timeline-figures\">");
	page_write_process_count(out, page, (double)lives->total);
	markup_write(out, ".");
	if (lives->count < lives->total)
		markup_write(out, " The timeline has the %zu of them that used the most CPU time.", lives->count);
	markup_write(out, "</p></figcaption>\n<div class=\"plot\" role=\"group\" aria-label=\"Processes over time\" "
			  "aria-describedby=\"timeline-figures\"></div>\n");
	write_table(out, lives, page);
	markup_write(out, "</figure>\n");
}

enum { FIELDS = 6 };

void lives_write_data(FILE *out, const struct lives *lives, const struct page *page)
{
	static const struct {
		const char *name;
		bool differ; /* true if the page has the difference from the previous process */
	} fields[FIELDS] = {{"start", true}, {"length", false}, {"cpu", false}, {"pid", true}, {"parent", true},
		{"program", false}};

	markup_write(out, "\"programs\":[");
	for (size_t i = 0; i < page->model->programs.programs && i < PAGE_COMMANDS_SHOWN; i++) {
		markup_write(out, "%s", i > 0 ? "," : "");
		markup_write_json(out, text_of(bill_label(&page->model->programs.rows[i]).text));
	}
	markup_write(out, "],\n\"lives\":{");
	for (int field = 0; field < FIELDS; field++) {
		long long last = 0;
		markup_write(out, "%s\n\"%s\":\"", field > 0 ? "," : "", fields[field].name);
		for (size_t i = 0; i < lives->count; i++) {
			const struct life *life = &lives->items[i];
			const double values[FIELDS] = {life->start * 1000, life->length * 1000,
				life->cpu_seconds * 1000, (double)life->process->id.pid, life->parent,
				life->program < PAGE_COMMANDS_SHOWN ? (double)life->program : -1};
			long long now = markup_whole(values[field]);
			markup_write_number(out, now - last);
			last = fields[field].differ ? now : 0;
		}
		markup_write(out, "\"");
	}
	markup_write(out, "}");
}
