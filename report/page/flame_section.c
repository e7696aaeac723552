/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph in the section "Code".
 *
 * flame.js draws the graph from the data that this file writes, because the graph follows the time range of the charts.
 * Readers without JavaScript see a table of functions instead. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/flame_graph.h"
#include "report/page/elements.h"
#include "report/page/run_page.h"
#include "report/say/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_HEIGHT = 22 /* pixels */ };

static const double CPU_STEP = 0.0001; /* seconds */

/* -- data for flame.js ------------------------------------------------------------------------------ */

enum origin { ORIGIN_UNKNOWN, ORIGIN_OWN, ORIGIN_LIBRARY }; /* flame.js has the same numbers */

static enum origin origin_of(const struct flame_frame *frame)
{
	if (!frame->called || !frame->file)
		return ORIGIN_UNKNOWN;
	return frame->own ? ORIGIN_OWN : ORIGIN_LIBRARY;
}

/* Returns the file of a function as readers see it, or "" if the frame is not a function. */
static const char *file_of(const struct flame_frame *frame)
{
	if (!frame->function || !frame->file)
		return "";
	const char *slash = strrchr(frame->file, '/');
	if (origin_of(frame) == ORIGIN_LIBRARY)
		return code_library_file(frame->file);
	return slash ? slash + 1 : frame->file;
}

/* Writes the name, the file and the origin of each distinct frame. Sets the number of each node's frame. */
static void write_frames(FILE *out, const struct flame_graph *graph, double *numbers)
{
	char name[CODE_NAME_SIZE], file[CODE_NAME_SIZE];
	double count = 0;

	markup_write(out, "\"frames\":[");
	for (size_t i = 1; i < graph->count; i++) {
		const struct flame_frame *frame = &graph->nodes[i].frame;
		size_t first = 1;
		while (first < i && !flame_is_same(&graph->nodes[first].frame, frame))
			first++;
		numbers[i] = first < i ? numbers[first] : count;
		if (first < i)
			continue;
		snprintf(file, sizeof file, "%.200s", file_of(frame));
		markup_write(out, "%s[", count++ > 0 ? ",\n" : "");
		markup_write_json(out, text_of(flame_name(frame, name)));
		markup_write(out, ",");
		markup_write_json(out, text_of(file));
		markup_write(out, ",%d]", (int)origin_of(frame));
	}
	markup_write(out, "]");
}

/* Writes the nodes without the root: the number of the frame, the depth and the line of each. */
static void write_nodes(FILE *out, const struct flame_graph *graph)
{
	double *points = xcalloc(graph->count, sizeof *points);

	write_frames(out, graph, points);
	markup_write(out, ",\n\"nodes\":{\"frame\":");
	markup_write_points(out, points + 1, graph->count - 1, 0, 1);
	for (size_t i = 0; i < graph->count; i++)
		points[i] = (double)graph->nodes[i].depth;
	markup_write(out, ",\"depth\":");
	markup_write_points(out, points + 1, graph->count - 1, 0, 1);
	for (size_t i = 0; i < graph->count; i++)
		points[i] = graph->nodes[i].frame.called ? graph->nodes[i].line : UNKNOWN;
	markup_write(out, ",\"line\":");
	markup_write_points(out, points + 1, graph->count - 1, 0, 1);
	markup_write(out, "}");
	free(points);
}

/* Writes the cells. CPU time and samples are written as sums over all cells so far. Therefore the rounding errors of
 * adjacent cells cancel, and the CPU time of each frame, whose cells are adjacent, has an error of at most CPU_STEP. */
static void write_cells(FILE *out, const struct flame_graph *graph)
{
	static const char *const names[] = {"node", "process", "interval", "samples", "cpu"};
	enum { FIELDS = ARRAY_LENGTH(names), CPU = FIELDS - 1 };
	double *points = xcalloc(graph->cell_count, sizeof *points);

	markup_write(out, "\"cells\":{");
	for (int field = 0; field < FIELDS; field++) {
		double samples = 0, cpu_seconds = 0;
		for (size_t i = 0; i < graph->cell_count; i++) {
			const struct flame_cell *cell = &graph->cells[i];
			samples += cell->samples;
			cpu_seconds += cell->cpu_seconds;
			const double values[FIELDS] = {(double)cell->node, (double)cell->process,
				(double)cell->interval, samples, cpu_seconds};
			points[i] = values[field];
		}
		markup_write(out, "%s\n\"%s\":", field > 0 ? "," : "", names[field]);
		markup_write_points(out, points, graph->cell_count, 0, field == CPU ? CPU_STEP : 1);
	}
	markup_write(out, "}");
	free(points);
}

static void write_data(FILE *out, const struct flame_graph *graph)
{
	markup_write(out,
		"<script type=\"application/json\" id=\"stacks\">{\"samplesLeast\":%d,\"interval\":%g,"
		"\"step\":%g,\"pids\":[",
		CODE_SAMPLES_LEAST, graph->interval_seconds, CPU_STEP);
	for (size_t i = 0; i < graph->process_count; i++)
		markup_write(out, "%s%.0f", i > 0 ? "," : "", known_first(graph->pids[i], 0));
	markup_write(out, "],\n");
	write_nodes(out, graph);
	markup_write(out, ",\n");
	write_cells(out, graph);
	markup_write(out, "}</script>\n");
}

/* -- the section ------------------------------------------------------------------------------------ */

static bool any_called(const struct flame_graph *graph)
{
	for (size_t i = 1; i < graph->count; i++)
		if (graph->nodes[i].frame.called)
			return true;
	return false;
}

static void write_graph(FILE *out, const struct flame_graph *graph)
{
	markup_write(out,
		"<section class=\"listing flames\" aria-labelledby=\"flames\"><h3 id=\"flames\">Flame graph</h3>\n"
		"<p class=\"note\" id=\"flames-say\">A frame is as wide as the CPU time of a function and of the "
		"functions that it called. Callers are above.");
	if (graph->folded > 0)
		markup_write(out, " Not drawn: %zu frame%s below %s %% of the CPU time.", graph->folded,
			graph->folded == 1 ? "" : "s", json_shortest(100 * graph->least).text);
	markup_more(out, "report.md#flame-graph");
	markup_write(out, "<p class=\"find\"><input type=\"search\" placeholder=\"Search functions\" "
			  "aria-label=\"Search functions and files in the flame graph\">");
	if (graph->processes > 1)
		markup_write(out, "<button type=\"button\" aria-pressed=\"false\">By process</button>");
	markup_write(out, "<output></output></p>\n");
	if (any_called(graph))
		markup_write(out, "<p class=\"legend\"><span class=\"swatch band own\"></span> your code "
				  "<span class=\"swatch band library\"></span> libraries</p>\n");
	markup_write(out,
		"<p class=\"readout\"></p>\n<div class=\"flame\" role=\"group\" aria-label=\"CPU time by call stack\" "
		"aria-describedby=\"flames-say\"><svg height=\"%zu\" role=\"img\" aria-label=\"Flame "
		"graph\"></svg></div>\n",
		graph->depth * ROW_HEIGHT);
	write_data(out, graph);
	markup_write(out, "</section>\n");
}

static void write_function(FILE *out, const struct code_list *functions, const struct code_line *function)
{
	char name[CODE_NAME_SIZE];

	markup_write(out, "<tr><th scope=\"row\" class=\"name\"><bdi>%-s</bdi></th>", code_name(function, name));
	cell_figure(out, UNIT_seconds, function->cpu_seconds);
	cell_write(out, units_whole_percent(code_share(functions, function)).text);
	cell_figure(out, UNIT_seconds, function->total_cpu_seconds);
	cell_write(out, units_whole_percent(code_total_share(functions, function)).text);
	markup_write(out, "</tr>\n");
}

/* Writes the functions with the most CPU time for readers without JavaScript. */
static void write_functions(FILE *out, const struct code_list *functions)
{
	markup_write(out, "<noscript>");
	section_begin(out, "listing", "functions", "Functions",
		"Self is the CPU time in the function and in libraries that it called. Total also includes your other "
		"functions that it called.</p>\n",
		NULL);
	table_begin(out, NULL, "Function|#Self|#Share|#Total|#Share");
	for (size_t i = 0; i < functions->count && i < PAGE_LINES_SHOWN; i++)
		write_function(out, functions, &functions->items[i]);
	table_end(out, NULL);
	markup_write(out, "</section></noscript>\n");
}

void page_write_flames(FILE *out, const struct page *page)
{
	const struct code *code = &page->model->code;
	struct flame_graph graph;

	/* Shares from few samples are too imprecise, so no graph is drawn. */
	if (code->lines.samples < CODE_SAMPLES_LEAST)
		return;
	flame_graph_make(&graph, page->model);
	if (graph.count > 1) {
		write_graph(out, &graph);
		page_write_script(out, page, PAGE_FLAME_SCRIPT);
		write_functions(out, &code->functions);
	}
	flame_graph_free(&graph);
}
