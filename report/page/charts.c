/* SPDX-License-Identifier: Apache-2.0 */
/* The charts of the page: HTML with their values, and JSON with their lines. charts.def and the chart column of
 * core/columns.def define the charts and lines. In the JSON, each point of a line is an integer, the difference from
 * the previous point. Its unit is a power of ten with which the line's maximum has four digits. A unit is smaller than
 * a pixel, and an hour of two dozen lines takes about 80 KB. */
#include "report/page/charts.h"

#include "core/number.h"
#include "report/advice/recommend.h"
#include "report/page/downsample.h"
#include "report/page/elements.h"
#include "report/page/process_timeline.h"
#include "report/page/program_bands.h"
#include "report/page/spark.h"
#include "report/say/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum chart_id {
#define CHART(id, title, unit, says) CHART_##id,
#include "report/page/charts.def"
	CHART_COUNT
};

enum { CHART_MAIN = CHART_gpu + 1 }; /* the first CHART_MAIN charts are on the first screen */

enum line_style { PLAIN, DASHED, FILLED, PART };

static const struct chart {
	const char *id, *title, *says;
	enum unit unit;
} chart_table[] = {
#define CHART(id, title, unit, says) {#id, title, says, UNIT_##unit},
#include "report/page/charts.def"
};

struct chart_line {
	int chart; /* enum chart_id, or CHART_none if no chart shows the column */
	enum table_id table;
	int column;
	const char *label, *color;
	enum line_style style;
	bool unless_0; /* the line is omitted if all of its values are 0 */
};

enum { CHART_none = -1 };

static const struct chart_line composed[] = {
#define LINE(chart, table, column, label, color, style)                                                                \
	{CHART_##chart, TABLE_##table, COLUMN_FAMILY_##table(column), label, #color, style, false},
#include "report/page/charts.def"
};

/* One line for each column of columns.def. list_lines appends the lines that have a chart to those of charts.def. */
static const struct chart_line by_column[] = {
#define COLUMN(table, name, unit, digits, kind, aggregate, chart, label)                                               \
	{CHART_##chart, TABLE_##table, COLUMN_FAMILY_##table(name), label, "third", DASHED, true},
#include "core/columns.def"
};

enum { LINES_MAX = ARRAY_LENGTH(composed) + ARRAY_LENGTH(by_column) };

static struct chart_line line_table[LINES_MAX];
static size_t line_count;

static void list_lines(void)
{
	if (line_count > 0)
		return;
	for (size_t i = 0; i < ARRAY_LENGTH(composed); i++)
		line_table[line_count++] = composed[i];
	for (size_t i = 0; i < ARRAY_LENGTH(by_column); i++)
		if (by_column[i].chart != CHART_none)
			line_table[line_count++] = by_column[i];
}

/* Returns true if a line shows the given column of process.csv. */
static bool is_line_of(size_t line, int column)
{
	return line_table[line].table == TABLE_process && line_table[line].column == column;
}

struct charts {
	const struct page *page;
	double tolerance;
	struct thin_axis axis;
	struct thin_summary summaries[LINES_MAX];
	bool drawn[CHART_COUNT]; /* true if the chart has a known value other than 0 */
	bool measured[CHART_COUNT];
	double *points; /* for each line, the mean at each point, and if ticks are thinned, the minimum and maximum */
	struct stacks stacks;
	struct lives lives;
};

uint64_t charts_columns(enum table_id table)
{
	uint64_t columns = table == TABLE_process ? 1 | SERIES_COLUMN(PROCESS_members) : 1;

	list_lines();
	for (size_t i = 0; i < line_count; i++)
		if (line_table[i].table == table)
			columns |= UINT64_C(1) << line_table[i].column;
	return columns;
}

static struct thin_source source_of(const struct page *page, enum table_id id, int column, enum unit unit)
{
	const struct series *table = id == TABLE_process ? &page->model->process : &page->model->system;
	const struct column *facts = &table_columns(&tables[id])[column];
	struct thin_source source = {
		.times = table->columns[0], .values = table->columns[column], .before = page->model->run->start_time};
	source.averaged = facts->kind == KIND_COUNTER || unit == UNIT_cpus || unit == UNIT_percent;
	if (source.times && source.values)
		source.rows = table->rows;
	/* A last row without processes repeats the gauges of the row before, so it is not drawn. */
	if (source.rows > 1 && !source.averaged && column > 0 && id == TABLE_process &&
		series_value(table, PROCESS_members, source.rows - 1) <= 0)
		source.rows--;
	if (facts->kind == KIND_COUNTER)
		source.rate = unit == UNIT_percent ? 100 : 1; /* CPU seconds per second */
	if (source.averaged)
		source.last = series_rate_at_end(source.times, source.values, source.rows, source.before,
			page->model->run->interval, source.rate);
	return source;
}

static struct thin_source source_of_line(const struct charts *charts, size_t line)
{
	return source_of(charts->page, line_table[line].table, line_table[line].column,
		chart_table[line_table[line].chart].unit);
}

static struct thin_line points_of(const struct charts *charts, size_t line)
{
	size_t count = charts->axis.points, kinds = charts->axis.width > 0 ? 3 : 1;
	double *mean = charts->points + line * kinds * count;

	return kinds == 1 ? (struct thin_line){.mean = mean} : (struct thin_line){mean, mean + count, mean + 2 * count};
}

/* Returns the points that contain the line's peak: the maxima if ticks are thinned, otherwise the values. */
static const double *greatest_of(const struct charts *charts, size_t line)
{
	struct thin_line points = points_of(charts, line);

	return points.greatest ? points.greatest : points.mean;
}

/* Takes the job's mean CPUs and mean memory from the totals, because the totals include CPU time after the last row. */
static void take_means(struct charts *charts)
{
	const struct totals *totals = &charts->page->model->totals;

	for (size_t i = 0; i < line_count; i++) {
		bool cpu = is_line_of(i, PROCESS_cpu_usage), memory = is_line_of(i, PROCESS_memory_mib);
		if (number_known(charts->summaries[i].mean) && (cpu || memory))
			charts->summaries[i].mean = cpu ? totals->mean_cpu_usage : totals->mean_memory_mib;
	}
}

/* Raises the machine's line to the job's line where it is lower. The driver averages a GPU and its processes over
 * different periods, so the job may seem to use more than the machine. */
static void raise_machine(struct charts *charts, size_t machine, size_t job)
{
	struct thin_line of = points_of(charts, machine), by = points_of(charts, job);
	double *to[] = {of.mean, of.least, of.greatest}, *from[] = {by.mean, by.least, by.greatest};

	for (size_t kind = 0; of.mean && by.mean && kind < (of.least && by.least ? 3 : 1); kind++)
		for (size_t i = 0; i < charts->axis.points; i++)
			if (to[kind][i] < from[kind][i])
				to[kind][i] = from[kind][i];
	charts->summaries[machine].mean = fmax(charts->summaries[machine].mean, charts->summaries[job].mean);
	charts->summaries[machine].peak = fmax(charts->summaries[machine].peak, charts->summaries[job].peak);
}

static void raise_gpus(struct charts *charts)
{
	for (size_t i = 0; i + 1 < line_count; i++) {
		const struct chart_line *line = &line_table[i];
		if ((line->chart == CHART_gpu || line->chart == CHART_vram) && line->table == TABLE_system &&
			line[1].chart == line->chart && number_known(charts->summaries[i].peak))
			raise_machine(charts, i, i + 1);
	}
}

struct charts *charts_make(const struct page *page)
{
	struct charts *charts = xcalloc(1, sizeof(*charts));
	bool few_files =
		!number_known(totals_file_pages(&page->model->totals)); /* too few to have a row in the legend */

	list_lines();
	charts->page = page;
	charts->tolerance = number_known(page->model->run->interval) ? page->model->run->interval / 4 : 0;
	struct thin_source process = source_of(page, TABLE_process, 0, UNIT_count);
	struct thin_source system = source_of(page, TABLE_system, 0, UNIT_count);
	thin_axis_make(&charts->axis, &process, &system, charts->tolerance);
	charts->points = xcalloc(3 * line_count * (charts->axis.points + 1), sizeof(*charts->points));
	for (size_t i = 0; i < line_count; i++) {
		struct thin_source source = source_of_line(charts, i);
		charts->summaries[i] = thin_summarize(&source);
		if (line_table[i].style == PART && (few_files || !number_known(charts->summaries[i - 1].peak)))
			charts->summaries[i].peak = UNKNOWN;
		if (number_known(charts->summaries[i].peak))
			charts->measured[line_table[i].chart] = true;
		if (charts->summaries[i].peak > 0)
			charts->drawn[line_table[i].chart] = true;
		struct thin_line points = points_of(charts, i);
		thin_line(&charts->axis, &source, charts->tolerance, &points);
	}
	take_means(charts);
	raise_gpus(charts);
	struct thin_source cpu = source_of(page, TABLE_process, PROCESS_cpu_usage, UNIT_cpus);
	struct thin_source memory = source_of(page, TABLE_process, PROCESS_memory_mib, UNIT_mib);
	stacks_make(&charts->stacks, page, &charts->axis, &cpu, &memory, charts->tolerance);
	lives_make(&charts->lives, page);
	return charts;
}

void charts_free(struct charts *charts)
{
	thin_axis_free(&charts->axis);
	free(charts->points);
	stacks_free(&charts->stacks);
	lives_free(&charts->lives);
	free(charts);
}

/* Returns true if the job's memory peaked between two ticks. The drawn line then stays below the peak that the page
 * states. */
static bool is_below_peak(const struct charts *charts, size_t line)
{
	struct figure drawn = units_figure(UNIT_mib, charts->summaries[line].peak);

	return is_line_of(line, PROCESS_memory_mib) &&
	       strcmp(drawn.text, units_figure(UNIT_mib, charts->page->model->totals.peak_memory_mib).text) != 0;
}

/* Returns true if a line peaked in a short tick. The drawn line then stays below its peak, because a short tick is
 * averaged with its neighbours. */
static bool is_in_short_tick(const struct charts *charts, size_t line)
{
	enum unit unit = chart_table[line_table[line].chart].unit;
	const double *points = greatest_of(charts, line);
	double drawn = 0;

	for (size_t i = 0; i < charts->axis.points; i++)
		drawn = fmax(drawn, points[i]);
	return !(charts->axis.width > 0) && source_of_line(charts, line).averaged &&
	       strcmp(units_figure(unit, drawn).text, units_figure(unit, charts->summaries[line].peak).text) != 0;
}

/* Formats a line's summary: "mean 1.42, peak 6.11", or for a counter "12.3 GiB, peak 145 MiB/s". */
static void write_note(FILE *out, const struct charts *charts, size_t line)
{
	const struct thin_summary *model = &charts->summaries[line];
	enum unit unit = chart_table[line_table[line].chart].unit;
	struct figure peak = units_figure(unit, model->peak);
	const char *where = is_below_peak(charts, line)      ? " in a sample"
			    : is_in_short_tick(charts, line) ? " in a short tick"
							     : "";
	if (source_of_line(charts, line).rate > 0)
		markup_write(out, "%s, peak %s%s",
			unit == UNIT_rate ? units_figure(UNIT_bytes, model->total).text
					  : units_duration(model->total).text,
			peak.text, where);
	else if (model->peak - model->mean <= 1e-9 * model->peak)
		markup_write(out, "%s", peak.text);
	else
		markup_write(out, "mean %s, peak %s%s", units_figure(unit, model->mean).text, peak.text, where);
}

static double start_of_axis(const struct charts *charts)
{
	if (number_known(charts->page->model->run->start_time))
		return charts->page->model->run->start_time;
	return charts->axis.points > 0 ? charts->axis.times[0] : 0;
}

static bool line_shown(const struct charts *charts, size_t line, enum chart_id chart)
{
	double peak = charts->summaries[line].peak;

	return line_table[line].chart == (int)chart && number_known(peak) && (peak > 0 || !line_table[line].unless_0);
}

/* Returns the largest peak of the job's lines in the chart of a line. */
static double peak_of_job(const struct charts *charts, size_t line)
{
	double job = 0;

	for (size_t i = 0; i < line_count; i++)
		if (line_table[i].chart == line_table[line].chart && line_table[i].table == TABLE_process)
			job = fmax(job, charts->summaries[i].peak);
	return job;
}

/* Returns true if a line shows the machine and is hidden at first, because the job's lines would look flat below it. */
static bool line_off(const struct charts *charts, size_t line)
{
	static const double FLAT = 2;
	double job = peak_of_job(charts, line);

	return line_table[line].table == TABLE_system && job > 0 && charts->summaries[line].peak > FLAT * job;
}

/* Returns true if a line such as steal is nearly 0, so that it has no row in the legend of the first screen. */
static bool line_low(const struct charts *charts, size_t line)
{
	static const double NEARLY_0 = 0.02;

	return line_table[line].unless_0 && charts->summaries[line].peak < NEARLY_0 * peak_of_job(charts, line);
}

enum { LEVELS_MAX = 12 };

struct chart_level {
	enum chart_id chart;
	const char *label, *color;
	double near, value;
};

/* Returns the CPUs of the request for all ranks or processes, or UNKNOWN. */
static double requested_cpus(const struct page *page)
{
	const struct recommendation *next = page->recommendation;

	return next && (next->resources.tasks > 1 || !page_has_machines(page)) ? resources_cpus(&next->resources)
									       : UNKNOWN;
}

/* Lists the horizontal levels of all charts: the request, the peak, and the machine's resources. A request that applies
 * to each of several machines is UNKNOWN, because the charts show the sum of all machines. Returns the number of
 * levels. */
static size_t list_levels(const struct page *page, struct chart_level levels[LEVELS_MAX])
{
	const struct recommendation *next = page->recommendation;
	const struct chart_level all[] = {
#define ADVISED(member) (next && !page_has_machines(page) ? next->resources.member : UNKNOWN)
#define LEVEL(chart, label, color, near, value) {CHART_##chart, label, #color, near, value},
#include "report/page/charts.def"
#undef ADVISED
	};

	_Static_assert(ARRAY_LENGTH(all) <= LEVELS_MAX, "more levels than LEVELS_MAX");
	memcpy(levels, all, sizeof all);
	return ARRAY_LENGTH(all);
}

/* Returns the value up to which a chart must reach: the largest value of its visible lines and named levels. */
static double greatest_shown(const struct charts *charts, enum chart_id chart)
{
	struct chart_level levels[LEVELS_MAX];
	size_t count = list_levels(charts->page, levels);
	double greatest = 0;

	for (size_t i = 0; i < line_count; i++)
		if (line_shown(charts, i, chart) && !line_off(charts, i))
			greatest = fmax(greatest, charts->summaries[i].peak);
	for (size_t i = 0; i < count; i++)
		if (levels[i].chart == chart && !(levels[i].near > 0))
			greatest = fmax(greatest, levels[i].value);
	return greatest;
}

/* Draws a chart as SVG for readers without JavaScript. */
static void write_spark(FILE *out, const struct charts *charts, enum chart_id chart)
{
	char title[128];
	double greatest = greatest_shown(charts, chart);
	struct chart_level levels[LEVELS_MAX];
	size_t count = list_levels(charts->page, levels);

	snprintf(title, sizeof(title), "%s over time, up to %s", chart_table[chart].title,
		units_figure(chart_table[chart].unit, greatest).text);
	markup_write(out, "<noscript>");
	spark_begin_axes(out, chart_table[chart].unit, greatest);
	spark_begin(out, title);
	for (size_t i = 0; i < line_count; i++)
		if (line_shown(charts, i, chart) && !line_off(charts, i))
			spark_line(out, &charts->axis, greatest_of(charts, i), start_of_axis(charts),
				charts->page->model->totals.wall_seconds, greatest, line_table[i].color);
	for (size_t i = 0; i < count; i++)
		if (levels[i].chart == chart && !(levels[i].near > 0) && levels[i].value > 0)
			spark_level(out, levels[i].value, greatest);
	spark_end(out);
	spark_end_axes(out, charts->page->model->totals.wall_seconds);
	markup_write(out, "</noscript>\n");
}

/* Returns the caption of a chart: what is measured, and how. The job's memory is PSS, or RSS in a run without PSS. */
static const char *says_of(const struct charts *charts, enum chart_id chart)
{
	return chart == CHART_memory && charts->page->model->memory_is_rss ? "Memory (RSS), by program."
									   : chart_table[chart].says;
}

static void write_figure(FILE *out, const struct charts *charts, enum chart_id chart)
{
	const char *separator = "";
	char anchor[64], place[80];

	markup_anchor(anchor, sizeof anchor, chart_table[chart].title);
	snprintf(place, sizeof place, "report.md#%s", anchor);
	markup_write(out, "<figure%s data-chart=\"%s\">\n<figcaption><h3>%s</h3>\n<p class=\"says\"><span>%s</span>",
		(int)chart < CHART_MAIN ? " class=\"strip\"" : "", chart_table[chart].id, chart_table[chart].title,
		says_of(charts, chart));
	markup_more(out, place);
	markup_write(out, "<p class=\"figures\" id=\"%s-figures\">", chart_table[chart].id);
	for (size_t i = 0; i < line_count; i++) {
		if (!line_shown(charts, i, chart))
			continue;
		markup_write(out, "%s%s: ", separator, line_table[i].label);
		write_note(out, charts, i);
		separator = "; ";
	}
	markup_write(out,
		".</p></figcaption>\n<div class=\"plot\" role=\"group\" aria-label=\"%s over time\" "
		"aria-describedby=\"%s-figures\"></div>\n",
		chart_table[chart].title, chart_table[chart].id);
	write_spark(out, charts, chart);
	markup_write(out, "</figure>\n");
}

/* Writes a sentence such as "Not measured: GPU usage, VRAM." It names the charts that are not drawn and whose flag in
 * charts->measured equals `measured`. */
static void write_absent(FILE *out, const struct charts *charts, const char *introduction, bool measured)
{
	const char *separator = introduction;
	for (size_t i = 0; i < CHART_COUNT; i++) {
		if (charts->drawn[i] || charts->measured[i] != measured)
			continue;
		markup_write(out, "%s%s", separator, chart_table[i].title);
		separator = ", ";
	}
	if (separator != introduction)
		markup_write(out, ".</p>\n");
}

static void write_figures(FILE *out, const struct charts *charts, size_t from, size_t end)
{
	const struct model *model = charts->page->model;

	markup_write(out, "<div class=\"%s\">\n", end == CHART_MAIN ? "strips" : "charts");
	if (end == CHART_MAIN) /* empty rows, which the script fills with phases and parts */
		markup_write(out, "<div id=\"spans\" aria-hidden=\"true\">%s%s</div>\n",
			model->phases.count > 1 ? "<div></div>" : "", model->parts.count > 0 ? "<div></div>" : "");
	for (size_t i = from; i < end; i++)
		if (charts->drawn[i])
			write_figure(out, charts, (enum chart_id)i);
	markup_write(out, "</div>\n");
}

void charts_write_main(FILE *out, const struct page *page)
{
	write_figures(out, page->charts, 0, CHART_MAIN);
}

void charts_write_lives(FILE *out, const struct page *page)
{
	lives_write(out, &page->charts->lives, page);
}

void charts_write(FILE *out, const struct page *page)
{
	write_figures(out, page->charts, CHART_MAIN, CHART_COUNT);
	markup_write(out, "<div class=\"absent\">\n");
	write_absent(out, page->charts, "<p class=\"note\">Always 0: ", true);
	write_absent(out, page->charts, "<p class=\"note\">Not measured: ", false);
	markup_write(out, "</div>");
}

/* Returns true if the minimum and the maximum of any bucket differ by more than half a step. */
static bool ranges(const struct thin_line *points, size_t count, double step)
{
	for (size_t i = 0; i < count; i++)
		if (points->greatest[i] - points->least[i] > step / 2)
			return true;
	return false;
}

/* Returns the unit in which the edges of a pale band are written. The peak is 400 to 1,000 units, so a unit is less
 * than half a pixel. */
static double step_of_edges(double peak)
{
	double step = markup_step(peak, 2);

	return peak < 200 * step ? step / 5 : peak < 500 * step ? step / 2 : step;
}

static void write_line(FILE *out, const struct charts *charts, size_t line)
{
	struct thin_line points = points_of(charts, line);
	double peak = charts->summaries[line].peak;
	double step = markup_step(peak, 3);
	markup_write(out, "{\"label\":\"%s\",\"color\":\"%s\",\"dash\":%s,\"filled\":%s,", line_table[line].label,
		line_table[line].color, line_table[line].style == DASHED ? "true" : "false",
		line_table[line].style == FILLED ? "true" : "false");
	if (line_table[line].style == PART)
		markup_write(out, "\"part\":true,");
	if (line_off(charts, line))
		markup_write(out, "\"off\":true,");
	if (line_low(charts, line))
		markup_write(out, "\"tiny\":true,");
	if (source_of_line(charts, line).rate > 0)
		markup_write(out, "\"total\":true,");
	markup_write(out, "\"note\":\"");
	write_note(out, charts, line);
	markup_write(out, "\",\"step\":%g,\"d\":", step);
	markup_write_points(out, points.mean, charts->axis.points, 0, step);
	if (points.greatest && ranges(&points, charts->axis.points, step)) {
		double edge = step_of_edges(peak);
		markup_write(out, ",\"edge\":%g,\"low\":", edge);
		markup_write_points(out, points.least, charts->axis.points, 0, edge);
		markup_write(out, ",\"high\":");
		markup_write_points(out, points.greatest, charts->axis.points, 0, edge);
	}
	markup_write(out, "}");
}

/* Returns why the job's line stays below its peak, as JSON that follows the value of a level. The text is "" if the
 * level is not the peak, or if the line reaches the peak. */
static const char *where_of_peak(const struct charts *charts, const struct chart_level *level)
{
	for (size_t i = 0; i < line_count && strcmp(level->label, "Peak") == 0; i++) {
		if (line_table[i].chart != (int)level->chart || !number_known(charts->summaries[i].peak))
			continue;
		if (is_line_of(i, PROCESS_memory_mib) && is_below_peak(charts, i))
			return ",\"where\":[\"between\",\"samples\"]";
		if (is_line_of(i, PROCESS_cpu_usage) && is_in_short_tick(charts, i))
			return ",\"where\":[\"(short tick)\"]";
	}
	return "";
}

static void write_levels(FILE *out, const struct charts *charts, enum chart_id chart)
{
	struct chart_level levels[LEVELS_MAX];
	size_t count = list_levels(charts->page, levels);
	const char *separator = "";

	markup_write(out, ",\"levels\":[");
	for (size_t i = 0; i < count; i++) {
		const struct chart_level *level = &levels[i];
		if (level->chart != chart || !(level->value > 0))
			continue;
		markup_write(out, "%s{\"label\":\"%s\",\"color\":\"%s\",\"near\":%g,\"note\":\"%s\",\"value\":%.10g%s}",
			separator, level->label, level->color, level->near,
			units_figure(chart_table[chart].unit, level->value).text, level->value,
			where_of_peak(charts, level));
		separator = ",";
	}
	markup_write(out, "]");
}

static void write_chart(FILE *out, const struct charts *charts, enum chart_id chart)
{
	const char *separator = "";
	markup_write(
		out, "\"%s\":{\"unit\":\"%s\",\"lines\":[", chart_table[chart].id, unit_names[chart_table[chart].unit]);
	for (size_t i = 0; i < line_count; i++) {
		if (!line_shown(charts, i, chart))
			continue;
		markup_write(out, "%s\n", separator);
		write_line(out, charts, i);
		separator = ",";
	}
	markup_write(out, "]");
	if (chart == CHART_cpu)
		stack_write(out, &charts->stacks.cpu, charts->page);
	if (chart == CHART_memory)
		stack_write(out, &charts->stacks.memory, charts->page);
	if (chart == CHART_memory)
		page_write_places(out, charts->page);
	write_levels(out, charts, chart);
	if (chart_table[chart].unit == UNIT_cpus || chart_table[chart].unit == UNIT_percent ||
		chart_table[chart].unit == UNIT_rate)
		markup_write(out, ",\"sums\":true");
	markup_write(out, "}");
}

void charts_write_data(FILE *out, const struct page *page)
{
	const struct charts *charts = page->charts;
	double start = start_of_axis(charts);
	markup_write(out, "{\"job\":");
	markup_write_json(out, text_of(page->model->run->job));
	markup_write(out, ",\"run\":");
	markup_write_json(out, text_of(page->model->run->id));
	markup_write(out, ",\"start\":%.3f,\"duration\":%.3f,\n\"time\":{\"step\":0.001,\"d\":", start,
		page->model->totals.wall_seconds > 0 ? page->model->totals.wall_seconds : 0);
	markup_write_points(out, charts->axis.times, charts->axis.points, start, 0.001);
	markup_write(out, "},\n\"charts\":{");
	const char *separator = "";
	for (size_t i = 0; i < CHART_COUNT; i++) {
		if (!charts->drawn[i])
			continue;
		markup_write(out, "%s\n", separator);
		write_chart(out, charts, (enum chart_id)i);
		separator = ",";
	}
	markup_write(out, "},\n");
	page_write_course_data(out, page);
	lives_write_data(out, &charts->lives, page);
	markup_write(out, "}");
}

void charts_write_note(FILE *out, const struct page *page)
{
	const struct charts *charts = page->charts;

	if (!(charts->axis.width > 0))
		return;
	markup_write(out,
		"<p class=\"note\">The charts show %zu ticks thinned to %d points: of every %s, the mean, the least "
		"and the greatest figure of each line are kept, so no peak is lost. All other figures are of every "
		"tick.</p>\n",
		charts->axis.rows, THIN_BUCKETS, units_duration(charts->axis.width).text);
}
