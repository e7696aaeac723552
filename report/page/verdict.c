/* SPDX-License-Identifier: Apache-2.0 */
/* The first screen of the page: what ran and how it ended. The error of a failed run comes first, then the request and
 * at most two warnings. It is plain HTML, so it is also readable without JavaScript, in a mail and on paper. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/group.h"
#include "report/model/inner_jobs.h"
#include "report/model/nest.h"
#include "report/model/output.h"
#include "report/page/elements.h"
#include "report/page/site.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Returns the class of page.css for the status of a run. The status itself is not used, because run.json may contain
 * any text. */
static const char *status_of(const struct run *run)
{
	static const char *const known[] = {"finished", "failed", "killed", "running", "interrupted"};

	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		if (strcmp(run->status, known[i]) == 0)
			return known[i];
	return "unknown";
}

const char *page_outcome(const struct page *page)
{
	return *page->model->run->ends ? "not all finished" : outcome_word(page->model->outcome);
}

bool page_has_machines(const struct page *page)
{
	return page->model->group && page->model->group->host_count > 1;
}

double page_server(const struct page *page, const char *key)
{
	return json_double(cJSON_GetObjectItemCaseSensitive(page->model->run->json, "server"), key);
}

/* Returns true if the first screen begins with a block on how the run failed. */
static bool first_screen_has_failure(const struct page *page)
{
	const char *status = status_of(page->model->run);

	return page->model->postmortem.found || strcmp(status, "failed") == 0 || strcmp(status, "killed") == 0;
}

void page_write_outcome(FILE *out, const struct page *page)
{
	const struct model *model = page->model;
	struct figure duration = units_duration(model->end_seconds);
	const char *status = status_of(model->run);
	char what[256], silence[64], rest[300], failure[FAILURE_SIZE];

	outcome_describe(model->outcome, model->run, what, sizeof what);
	outcome_describe_silence(model->run, silence, sizeof silence);
	outcome_describe_rest(model->run, model->end_seconds, model->totals.wall_seconds, model->totals.still_running,
		rest, sizeof rest);
	if (strcmp(status, "finished") == 0)
		markup_write(out, "Finished in <strong>%s</strong>%s", duration.text, rest);
	else if (strcmp(status, "running") == 0)
		markup_write(out, "Still running: <strong>%s</strong> so far%s", duration.text, silence);
	else if (strcmp(what, status) == 0 && (strcmp(status, "interrupted") == 0 || strcmp(status, "unknown") == 0))
		markup_write(out, "The record ends after <strong>%s</strong>; how the job ended is not known",
			duration.text);
	else {
		char first[] = {(char)toupper((unsigned char)*what), '\0'};
		markup_write(out, "%-s%-s %s <strong>%s</strong>", first, what + 1, outcome_preposition(model->outcome),
			duration.text);
		if (*failure_describe(model->failed, &model->processes, &model->parts, failure)) {
			/* In "`cc -c x.c` ended with status 1", write the command as <code>. */
			const char *begin = failure + (*failure == '`'), *end = strrchr(failure, '`');
			markup_write(out, ": <code>");
			markup_write_text(out, (struct text){begin, (size_t)(end - begin)});
			markup_write(out, "</code>%-s", end + 1);
		}
		markup_write(out, "%s", rest);
	}
}

/* Writes the run that contains this run. */
static void write_outer(FILE *out, const struct page *page)
{
	const char *parent = page->model->group ? "" : nest_parent(page->model->run);

	if (!*parent)
		return;
	markup_write(out, " · inside ");
	page_write_run(out, page->place ? page->place->around : NULL, parent);
}

void page_write_header(FILE *out, const struct page *page)
{
	const struct run *run = page->model->run;

	markup_write(out,
		"<div class=\"title\"><h1 title=\"%-s\"><bdi>%-s</bdi></h1><span class=\"badge %s\">%s</span></div>\n",
		run->job, run->job, status_of(run), page_outcome(page));
	if (*page->command)
		markup_write(out, "<p class=\"meta\"><code>%-s</code></p>\n", page->command);
	markup_write(out, "<div class=\"meta\">");
	if (!first_screen_has_failure(page)) {
		markup_write(out, "<p class=\"lead\">");
		page_write_outcome(out, page);
		markup_write(out, ".</p>\n");
	}
	markup_write(out, "<p class=\"where\">%-s%s%-s%s%-s", page->labels, *page->labels ? " · " : "", run->user,
		*run->user ? " on " : "", run->host);
	if (number_known(run->start_time)) {
		markup_write(out, " · ");
		time_write(out, "", run->start_time);
	}
	write_outer(out, page);
	markup_write(out, "</p></div>");
}

/* -- how the run failed ---------------------------------------------------------------------------- */

enum { ERROR_LINES = 6 /* maximum number of lines of output on the first screen */ };

/* Returns the last line that describes an error. "Execution halted" is the last line of every failed R script. */
static struct text error_line(const char *text)
{
	struct text line = {text, 0};

	for (const char *at = text; *at;) {
		struct text next = {at, strcspn(at, "\n")};
		if (next.length > strspn(at, " \t\r") && !text_is(next, "Execution halted"))
			line = next;
		at += next.length + (at[next.length] != '\0');
	}
	return line;
}

/* Returns the beginning of the last ERROR_LINES lines of a text. */
static const char *last_lines(const char *text)
{
	const char *end = text + strlen(text), *at = end;
	size_t lines = 0;

	while (at > text && (at[-1] != '\n' || at == end || ++lines < ERROR_LINES))
		at--;
	return at;
}

/* Writes " at fail.py:5 in load" from the last line of a Python traceback such as
 *   File "/home/me/fail.py", line 5, in load
 * Writes nothing if the text has no such line. */
static void write_traceback_place(FILE *out, const char *text)
{
	static const char mark[] = "File \"";
	char file[256], function[128];
	int line;
	bool found = false;

	for (const char *at = strstr(text, mark); at; at = strstr(at + 1, mark))
		found |= sscanf(at, "File \"%255[^\"\n]\", line %d, in %127[^\n]", file, &line, function) == 3;
	if (found) {
		const char *slash = strrchr(file, '/');
		markup_write(
			out, " at <code>%-s:%d</code> in <code>%-s</code>", slash ? slash + 1 : file, line, function);
	}
}

/* Writes the last lines of output. Earlier lines are folded. */
static void write_output(FILE *out, const struct output *output)
{
	const char *shown = last_lines(output->text);

	markup_write(out, "<div class=\"tail\"><p class=\"note\">Last lines of %s: <code>%-s</code></p>\n",
		output->stream, output->path);
	if (shown > output->text) {
		markup_write(out, "<details><summary>Earlier lines</summary><pre>");
		markup_write_lines(out, (struct text){output->text, (size_t)(shown - output->text)});
		markup_write(out, "</pre></details>\n");
	}
	markup_write(out, "<pre>");
	markup_write_lines(out, text_of(shown));
	markup_write(out, "</pre></div>\n");
}

/* Writes how a run failed. For a pipeline, writes how its task failed, and the output of the task. */
static void write_failure(FILE *out, const struct page *page)
{
	static struct output output;
	const struct inner_failure *first = &page->inner_jobs->failure;
	struct text error = {NULL, 0};

	output = first->output;
	if (!first->id && !page->model->group)
		output_find(&output, page->model->run);
	if (output.stream)
		error = error_line(output.text);
	markup_write(out, "<section class=\"card failure\" aria-label=\"How it failed\">\n");
	if (page->model->postmortem.found) {
		page_write_lack(out, page);
	} else if (error.length > 0) {
		markup_write(out, "<p class=\"error\">");
		markup_write_text(out, error);
		markup_write(out, "</p>\n");
	}
	if (!page->model->postmortem.found) {
		markup_write(out, "<p class=\"%slead\">", error.length > 0 ? "" : "error ");
		page_write_outcome(out, page);
		if (output.stream)
			write_traceback_place(out, output.text);
		markup_write(out, ".</p>\n");
	}
	if (first->id) {
		markup_write(out, "<p>First failure: ");
		page_write_run(out, site_inner_run(page->site, page->place, first->id), first->text);
		markup_write(out, ".</p>\n");
	}
	if (output.stream && !page->model->postmortem.found)
		write_output(out, &output);
	markup_write(out, "</section>\n");
}

void page_write_process_count(FILE *out, const struct page *page, double count)
{
	bool more = !page->model->totals.exact_processes;
	bool one = !more && !(count > 1 || count < 1);

	markup_write(
		out, "%s%s process%s", units_figure(UNIT_count, count).text, more ? " or more" : "", one ? "" : "es");
}

/* -- warnings -------------------------------------------------------------------------------------- */

enum { WARNINGS_MAX = 2 };

/* Writes the most important warnings. The others are in Details or History. */
static void write_warnings(FILE *out, const struct page *page)
{
	size_t written = 0;

	written += page_write_outlived(out, page);
	written += page_write_waits(out, page);
	if (written < WARNINGS_MAX)
		page_write_unusual(out, page);
}

void page_write_verdict(FILE *out, const struct page *page)
{
	if (first_screen_has_failure(page))
		write_failure(out, page);
	page_write_next(out, page);
	write_warnings(out, page);
}
