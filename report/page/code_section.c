/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Code": a table of code lines, and their flame graph.
 *
 * The table shows the text of each line whose file has not changed since the run. Its rows sum to the totals of
 * line.csv. The flame graph needs no script: positions are fractions of its width, so that it fits any page, and a name
 * is clipped at the end of its frame. page.js shortens names with an ellipsis, and enlarges a frame on a click. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/flame.h"
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

/* -- flame graph ----------------------------------------------------------------------------------- */

enum { LEVEL_HEIGHT = 22, FRAMES_MOST = 200 /* maximum number of frames; 200 take about 40 KB */ };

static const double PART_LEAST = 0.005;

static double part_of(const struct flame *flame, size_t node)
{
	return flame->nodes[node].sum.cpu_seconds / flame->cpu_seconds;
}

static size_t count_from(const struct flame *flame, double least)
{
	size_t count = 0;

	for (size_t i = 0; i < flame->count; i++)
		count += part_of(flame, i) >= least;
	return count;
}

/* Writes a frame's tooltip: "job.py:7: 83 % of CPU time, 1.87 s; 5.8 s in 24 samples; grew 12 MiB". */
static void write_title(FILE *out, const struct page *page, const struct flame_node *node, const char *name)
{
	double share = code_share(&page->model->code.lines, &node->sum);
	const struct figure cpu = units_duration(node->sum.cpu_seconds);

	if (number_known(share))
		markup_write(out, "<title>%-s: %s of CPU time, %s", name, units_whole_percent(share).text, cpu.text);
	else
		markup_write(out, "<title>%-s: %s of CPU time", name, cpu.text);
	markup_write(out, "; %s in %.0f sample%s", units_duration(node->sum.seconds).text, node->sum.samples,
		node->sum.samples == 1 ? "" : "s");
	if (number_known(code_growth(&node->sum)))
		markup_write(out, "; grew %s", units_figure(UNIT_mib, code_growth(&node->sum)).text);
	markup_write(out, "</title>");
}

static void write_node(FILE *out, const struct page *page, const struct flame *flame, size_t i)
{
	const struct flame_node *node = &flame->nodes[i];
	char name[CODE_NAME_SIZE];

	flame_name(&node->frame, name);
	markup_write(out, "\n<svg x=\"%.2f%%\" width=\"%.2f%%\">", 100 * node->begin / flame->cpu_seconds,
		100 * part_of(flame, i));
	write_title(out, page, node, name);
	markup_write(out, "<rect width=\"100%%\" height=\"100%%\"/><text x=\"4\" y=\"15\">%-s</text></svg>", name);
}

static void write_picture(FILE *out, const struct page *page, const struct flame *flame, double least)
{
	size_t levels = flame->nodes[flame->count - 1].depth + 1;

	markup_write(out,
		"<div class=\"flame\" role=\"group\" aria-label=\"Lines by CPU time\" aria-describedby=\"flames-say\">"
		"<svg height=\"%zu\" role=\"img\" aria-label=\"CPU time by program, file, line and function\">",
		levels * LEVEL_HEIGHT);
	for (size_t level = 0, i = 0; level < levels; level++) {
		markup_write(out, "<svg y=\"%zu\" height=\"%d\">", level * LEVEL_HEIGHT, LEVEL_HEIGHT - 1);
		for (; i < flame->count && flame->nodes[i].depth == level; i++)
			if (part_of(flame, i) >= least)
				write_node(out, page, flame, i);
		markup_write(out, "</svg>");
	}
	markup_write(out, "</svg></div>\n");
}

void page_write_flames(FILE *out, const struct page *page)
{
	struct flame flame;
	double least = PART_LEAST;

	/* Shares from few samples are too imprecise, so no graph is drawn. */
	if (page->model->code.lines.samples < CODE_SAMPLES_LEAST)
		return;
	flame_make(&flame, page->model);
	if (flame.count > 0) {
		while (count_from(&flame, least) > FRAMES_MOST)
			least *= 2;
		size_t left_out = flame.count - count_from(&flame, least);
		markup_write(out,
			"<section class=\"listing flames\" aria-labelledby=\"flames\"><h3 id=\"flames\">Lines by "
			"CPU time</h3>\n"
			"<p class=\"note\" id=\"flames-say\">Each frame is as wide as its CPU time. From the top down: "
			"program, file, line, and the function that was found there.");
		if (left_out > 0)
			markup_write(out, " Not drawn: %zu frame%s below %s %% of the width.", left_out,
				left_out == 1 ? "" : "s", json_shortest(100 * least).text);
		markup_more(out, "report.md#lines-by-cpu-time");
		write_picture(out, page, &flame, least);
		markup_write(out, "</section>\n");
	}
	flame_free(&flame);
}
