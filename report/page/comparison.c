/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a comparison as a page: one file without JavaScript. */
#include "report/page/page_file.h"

#include "core/columns.h"
#include "report/compare/compare.h"
#include "report/compare/curve.h"
#include "report/model/outcome.h"
#include "report/page/elements.h"
#include "report/page/run_page.h"
#include "report/page/spark.h"
#include "report/say/alloc.h"
#include "report/say/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_SHOWN = 50 };

static void write_side(FILE *out, const char *name, const struct side *side)
{
	const struct run *run = &side->run;
	char *labels = run_labels_line(run);

	markup_write(out, "<p><strong>%s: %-s</strong> ", name, run->job);
	if (side->runs > 1)
		markup_write(out, "median of %zu runs up to ", side->runs);
	markup_write(out, "<code>%-s</code> %s%s%-s%s%-s</p>\n", run->id, outcome_word(side->model.outcome),
		*run->host ? " on " : "", run->host, *labels ? "; " : "", labels);
	free(labels);
}

static void begin_table(FILE *out, const char *title, const char *what)
{
	char heads[64];

	snprintf(heads, sizeof heads, "%s|#A|#B|#Change|#Percent", what);
	markup_write(out, "<section class=\"commands\"><h2>%s</h2>\n", title);
	table_begin(out, title, heads);
}

static void end_table(FILE *out)
{
	table_end(out, "");
	markup_write(out, "</section>\n");
}

static void write_row(void *context, const struct compare_row *row)
{
	FILE *out = context;

	markup_write(out, "<tr><th scope=\"row\" class=\"name%s\">%-s</th>", row->name[0] == ' ' ? " part" : "",
		row->name + strspn(row->name, " "));
	cell_write(out, compare_figure(row->measure, row->a).text);
	cell_write(out, compare_figure(row->measure, row->b).text);
	cell_write(out, row->instead ? row->instead : compare_change(row->measure, 0, row->change).text);
	cell_write(out, row->instead || row->few ? "" : compare_percent(row->a, row->b).text);
	markup_write(out, "</tr>\n");
}

/* Writes why a difference may be due to chance. */
static void write_noise(FILE *out, const struct comparison *comparison)
{
	char why[200];

	for (int i = 0; i < MEASURE_COUNT; i++)
		if (compare_explain(comparison, (enum measure_id)i, why, sizeof why))
			markup_write(out, "<p class=\"note\">%s may be unchanged: %-s.</p>\n",
				compare_label((enum measure_id)i), why);
}

static void write_code(FILE *out, const struct comparison *comparison)
{
	bool lines = comparison->by && strcmp(comparison->by, "line") == 0;

	if (!comparison->by)
		return;
	if (comparison->code.count == 0) {
		markup_write(out, "<p class=\"note\">No lines of code in either run.</p>\n");
		return;
	}
	begin_table(out, lines ? "CPU time by line" : "CPU time by function", lines ? "Line" : "Function");
	compare_each_code(comparison, CODE_SHOWN, write_row, out);
	end_table(out);
}

static void write_tables(FILE *out, const struct comparison *comparison)
{
	begin_table(out, "Figures", "Figure");
	for (int i = 0; i < MEASURE_COUNT; i++) {
		double a = comparison->a.figures[i];
		double b = comparison->b.figures[i];
		const struct compare_row row = {compare_label((enum measure_id)i), (enum measure_id)i, a, b, b - a,
			compare_is_noise(comparison, (enum measure_id)i) ? "within the spread" : NULL, false};
		if (number_known(a) || number_known(b))
			write_row(out, &row);
	}
	end_table(out);
	write_noise(out, comparison);
	if (compare_has_parts(comparison)) {
		begin_table(out, "Parts", "Figure");
		compare_each_part(comparison, write_row, out);
		end_table(out);
	}
	begin_table(out, "CPU time by program", "Program");
	for (size_t i = 0; i < comparison->program_count; i++) {
		const struct program_change *change = &comparison->programs[i];
		const struct label name = compare_program_label(change);
		const struct compare_row row = {name.text, MEASURE_cpu_seconds,
			change->a ? change->a->cpu_seconds : UNKNOWN, change->b ? change->b->cpu_seconds : UNKNOWN,
			change->cpu_seconds, NULL, false};
		write_row(out, &row);
	}
	end_table(out);
	write_code(out, comparison);
}

/* -- curves ---------------------------------------------------------------------------------------- */

enum { PART_WIDTH = 4, HEIGHT = 100 };

static double height_of(double value, double greatest)
{
	return HEIGHT - 1 - (HEIGHT - 2) * value / greatest;
}

static void write_curve(FILE *out, const double *values, double greatest, const char *kind)
{
	char pen = 'M';

	markup_write(out, "<path class=\"%s\" d=\"", kind);
	for (int i = 0; i < CURVE_PARTS; i++) {
		if (number_known(values[i]))
			markup_write(
				out, "%c%d %.1f", pen, i * PART_WIDTH + PART_WIDTH / 2, height_of(values[i], greatest));
		pen = number_known(values[i]) ? 'L' : 'M';
	}
	markup_write(out, "\"/>");
}

static void write_band(FILE *out, const struct curve *curve, double greatest, const char *kind)
{
	int end = 0;

	while (end < CURVE_PARTS && number_known(curve->least[end]))
		end++;
	if (end == 0)
		return;
	markup_write(out, "<path class=\"spread %s\" d=\"M", kind);
	for (int i = 0; i < end; i++)
		markup_write(out, "%d %.1f ", i * PART_WIDTH + PART_WIDTH / 2, height_of(curve->greatest[i], greatest));
	for (int i = end; i-- > 0;)
		markup_write(out, "%d %.1f ", i * PART_WIDTH + PART_WIDTH / 2, height_of(curve->least[i], greatest));
	markup_write(out, "Z\"/>");
}

/* Maps the times of both sides to one time axis, which ends with the longest run. */
static void find_courses(struct course courses[2], const struct comparison *comparison)
{
	double seconds =
		fmax(comparison->a.greatest[MEASURE_wall_seconds], comparison->b.greatest[MEASURE_wall_seconds]);

	courses[0] = courses[1] = (struct course){.seconds = seconds};
	if (!comparison->by_phase)
		return;
	pairs_course(&courses[0], &comparison->pairs, false, comparison->a.run.start_time);
	pairs_course(&courses[1], &comparison->pairs, true, comparison->b.run.start_time);
}

/* Draws a vertical line at the start of each phase except the first. */
static void write_borders(FILE *out, const struct comparison *comparison, double seconds)
{
	double at = 0;

	for (size_t i = 0; comparison->by_phase && i + 1 < comparison->pairs.count; i++) {
		const struct phase_pair *pair = &comparison->pairs.items[i];
		at += pairs_width(pair);
		markup_write(out, "<path class=\"border\" d=\"M%.1f 0V%d\"/>", CURVE_PARTS * PART_WIDTH * at / seconds,
			HEIGHT);
	}
}

static void write_axis_note(FILE *out, const struct comparison *comparison, size_t left_out)
{
	if (comparison->by_phase)
		markup_write(out, ", phase beside phase, each as long as in the run where it took longer");
	else
		markup_write(out, ", from the start of each");
	if (comparison->a.runs > 1 || comparison->b.runs > 1)
		markup_write(out, "; pale: between the least and the greatest of its runs");
	if (left_out > 0)
		markup_write(out, ", but for %zu with other phases", left_out);
}

static void write_curves(FILE *out, const struct comparison *comparison, int column, const char *title, enum unit unit)
{
	struct course courses[2];
	struct curve a, b;

	find_courses(courses, comparison);
	double seconds = courses[0].seconds;
	if (!(seconds > 0))
		return;
	curve_make(&a, &comparison->a, column, &courses[0]);
	curve_make(&b, &comparison->b, column, &courses[1]);
	double greatest = fmax(a.peak, b.peak);
	if (!(greatest > 0))
		return;
	markup_write(out,
		"<figure><figcaption><h2>%s</h2><p class=\"keys\"><span class=\"key\">"
		"<span class=\"swatch second\"></span>A</span> <span class=\"key\">"
		"<span class=\"swatch job\"></span>B</span></p></figcaption>\n"
		"<p class=\"note\">Means of %s",
		title, units_duration(seconds / CURVE_PARTS).text);
	write_axis_note(out, comparison, a.left_out + b.left_out);
	markup_write(out, ".</p>\n");
	spark_begin_axes(out, unit, greatest);
	markup_write(out,
		"<svg class=\"spark\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"%s of A and B %s\">",
		CURVE_PARTS * PART_WIDTH, HEIGHT, title, comparison->by_phase ? "by phase" : "over time");
	write_borders(out, comparison, seconds);
	if (comparison->a.runs > 1)
		write_band(out, &a, greatest, "second");
	if (comparison->b.runs > 1)
		write_band(out, &b, greatest, "job");
	write_curve(out, a.run, greatest, "second");
	write_curve(out, b.run, greatest, "job");
	markup_write(out, "</svg>");
	spark_end_axes(out, seconds);
	markup_write(out, "</figure>\n");
}

static void write_conditions(FILE *out, const struct comparison *comparison)
{
	if (comparison->conditions->count == 0)
		return;
	markup_write(out, "<section><h2>Conditions</h2>\n<ul>\n");
	for (size_t i = 0; i < comparison->conditions->count; i++) {
		markup_write(out, "<li><code>");
		markup_write_text(out, comparison->conditions->items[i].text);
		markup_write(out, "</code>: %s</li>\n",
			comparison->holds[i] < 0   ? "not measured"
			: comparison->holds[i] > 0 ? "<strong>holds</strong>"
						   : "does not hold");
	}
	markup_write(out, "</ul></section>\n");
}

static void write_page(FILE *out, const struct comparison *comparison)
{
	char *title = xasprintf("%s and %s", comparison->a.run.job, comparison->b.run.job);

	page_write_head(out, NULL, title);
	free(title);
	markup_write(out, "<header class=\"top\"><h1>What changed</h1>\n");
	write_side(out, "A", &comparison->a);
	write_side(out, "B", &comparison->b);
	markup_write(out, "</header>\n<main>\n");
	write_conditions(out, comparison);
	markup_write(out, "<div class=\"charts\">\n");
	write_curves(out, comparison, PROCESS_cpu_usage, "CPUs", UNIT_cpus);
	write_curves(out, comparison, PROCESS_memory_mib, "Memory", UNIT_mib);
	write_curves(out, comparison, PROCESS_gpu_usage, "GPUs", UNIT_gpus);
	markup_write(out, "</div>\n");
	if (comparison->by_phase) {
		begin_table(out, "Phases", "Figure");
		compare_each_phase(comparison, write_row, out);
		end_table(out);
	}
	write_tables(out, comparison);
	markup_write(out, "</main>\n<footer><p class=\"note\">Made by rtrack-report " RTRACK_VERSION
			  ".</p></footer>\n</body>\n</html>\n");
}

int page_write_comparison(const struct comparison *comparison, const char *path)
{
	bool to_stdout = strcmp(path, "-") == 0;
	FILE *out = to_stdout ? stdout : fopen(path, "w");

	if (out) {
		write_page(out, comparison);
		bool failed = fflush(out) != 0 || ferror(out) != 0;
		if (to_stdout) /* main() checks stdout for write errors */
			return 0;
		if (fclose(out) == 0 && !failed)
			return 0;
	}
	(void)message_cannot_write(path);
	return -1;
}
