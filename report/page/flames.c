/* The flame graph of lines of code, as a picture that needs no script.
 *
 * Places are parts of the width, so that the picture fits any page. A name is cut where its frame ends; page.js cuts it
 * with an ellipsis, and enlarges a frame. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/flame.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/say/units.h"

enum { LEVEL_HEIGHT = 22, FRAMES_MOST = 200 /* some 40 KB */ };

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

/* "job.py:7: 83 % of CPU time, 1.87 s; 5.8 s in 24 looks; grew 12 MiB" */
static void write_title(FILE *out, const struct page *page, const struct flame_node *node, const char *name)
{
	double share = code_share(&page->model->code.lines, &node->sum);

	markup_write(out, "<title>");
	markup_write_text(out, text_of(name));
	if (number_known(share))
		markup_write(out, ": %s of CPU time, %s", units_whole_percent(share).text,
			units_duration(node->sum.cpu_seconds).text);
	else
		markup_write(out, ": %s of CPU time", units_duration(node->sum.cpu_seconds).text);
	markup_write(out, "; %s in %.0f look%s", units_duration(node->sum.seconds).text, node->sum.samples,
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
	markup_write(out, "<rect width=\"100%%\" height=\"100%%\"/><text x=\"4\" y=\"15\">");
	markup_write_text(out, text_of(name));
	markup_write(out, "</text></svg>");
}

static void write_picture(FILE *out, const struct page *page, const struct flame *flame, double least)
{
	size_t levels = flame->nodes[flame->count - 1].depth + 1;

	markup_write(out,
		"<div class=\"flame\" role=\"group\" aria-label=\"Flame graph\" aria-describedby=\"flames-say\">"
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

	/* The shares of few looks are too rough to draw. */
	if (page->model->code.lines.samples < CODE_SAMPLES_LEAST || flame_make(&flame, page->model) != 0)
		return;
	if (flame.count > 0) {
		while (count_from(&flame, least) > FRAMES_MOST)
			least *= 2;
		size_t left_out = flame.count - count_from(&flame, least);
		markup_write(out,
			"<section class=\"listing flames\" aria-labelledby=\"flames\"><h3 id=\"flames\">Flame "
			"graph</h3>\n"
			"<p class=\"note\" id=\"flames-say\">Each frame is as wide as its CPU time. From the top down: "
			"program, file, line, and the function that was found there.");
		if (left_out > 0)
			markup_write(out, " Not drawn: %zu frame%s below %s %% of the width.", left_out,
				left_out == 1 ? "" : "s", json_shortest(100 * least).text);
		markup_more(out, "report.md#flame-graph");
		write_picture(out, page, &flame, least);
		markup_write(out, "</section>\n");
	}
	flame_free(&flame);
}
