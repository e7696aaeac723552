/* SPDX-License-Identifier: Apache-2.0 */
/* The table of code lines in the section "Code". The table shows the text of each line whose file has not changed since
 * the run. Its rows sum to the totals of line.csv. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/source.h"
#include "report/page/elements.h"

#include <math.h>

static void write_figures(FILE *out, const struct code_list *list, const struct code_line *line)
{
	cell_figure(out, UNIT_seconds, line->cpu_seconds);
	cell_write(out, units_whole_percent(code_share(list, line)).text);
	cell_figure(out, UNIT_mib, code_growth(line));
	cell_figure(out, UNIT_seconds, line->seconds);
	markup_write(out, "</tr>\n");
}

static void write_line(FILE *out, const struct page *page, const struct code_line *line)
{
	char name[CODE_NAME_SIZE], text[SOURCE_TEXT_SIZE];

	markup_write(out, "<tr><th scope=\"row\" class=\"name\"><bdi>%-s</bdi>", code_name(line, name));
	/* A group has no source text, because its source files may be on other machines. */
	if (!page->model->group && *source_text(page->model->run, line, text))
		markup_write(out, "<code>%-s</code>", text);
	markup_write(out, "</th>");
	write_figures(out, &page->model->code.lines, line);
}

static void write_others(FILE *out, const struct code *code, size_t from)
{
	struct code_line rest = {.samples = 0};

	for (size_t i = from; i < code->lines.count; i++) {
		rest.samples += code->lines.items[i].samples;
		rest.cpu_seconds += code->lines.items[i].cpu_seconds;
		rest.seconds += code->lines.items[i].seconds;
		rest.growth_mib += code->lines.items[i].growth_mib;
	}
	markup_write(out, "<tr><th scope=\"row\" class=\"name\">all others</th>");
	write_figures(out, &code->lines, &rest);
}

void page_write_moment(FILE *out, const struct code_moment *of, const char *moment)
{
	char text[CODE_DESCRIBED_SIZE];

	code_describe(of, moment, text, sizeof text);
	if (*text)
		markup_write(out, "<p>By line: <strong>%-s</strong>.</p>\n", text);
}

/* Writes the label of a code line in the memory chart. `what` is trusted markup; the function's name is untrusted. */
static void write_place(FILE *out, const struct page *page, const char **separator, double time, const char *what,
	const struct code_line *line, const char *color)
{
	char name[CODE_NAME_SIZE], label[CODE_NAME_SIZE + 64];

	snprintf(label, sizeof label, "%s %s", what, code_name(line, name));
	markup_write(out, "%s[%.3f,", *separator, fmax(time - page->model->run->start_time, 0));
	markup_write_json(out, text_of(label));
	markup_write(out, ",\"%s\"]", color);
	*separator = ",";
}

void page_write_places(FILE *out, const struct page *page)
{
	const struct code *code = &page->model->code;
	const struct code_moment *grown = code->death.known ? &code->death : &code->peak;
	const char *separator = ",\"places\":[";
	char grew[80];

	if (!number_known(page->model->run->start_time))
		return;
	if (grown->known && number_known(grown->step.time)) {
		snprintf(grew, sizeof grew, "+%s", units_figure(UNIT_mib, grown->step.line.growth_mib).text);
		write_place(out, page, &separator, grown->step.time, grew, &grown->step.line, "text");
	}
	if (code->peak.known)
		write_place(out, page, &separator, code->peak.time, "peak", &code->peak.at, "text");
	if (code->death.known)
		write_place(out, page, &separator, code->death.time, "end", &code->death.at, "bad");
	markup_write(out, "%s", *separator == ',' && separator[1] == '\0' ? "]" : "");
}

void page_write_lines(FILE *out, const struct page *page)
{
	const struct code *code = &page->model->code;
	size_t shown = code->lines.count < PAGE_LINES_SHOWN ? code->lines.count : PAGE_LINES_SHOWN;

	if (code->lines.count == 0)
		return;
	section_begin(out, "listing lines", "lines", "Lines of code",
		"CPU time and growth of memory between two samples count for the line of the second sample.",
		"report.md#lines-of-code");
	page_write_moment(out, &code->peak, "at the peak");
	table_begin(out, NULL, "Line|#CPU time|#Share|#Memory grew|#Time");
	for (size_t i = 0; i < shown; i++)
		write_line(out, page, &code->lines.items[i]);
	if (shown < code->lines.count)
		write_others(out, code, shown);
	table_end(out, NULL);
	markup_write(out, "</section>\n");
}
