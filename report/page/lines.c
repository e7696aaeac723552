/* Lines of code: a table with the text of each line, where its file is as it was. Its rows sum to those of line.csv. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/source.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/say/units.h"

#include <math.h>

static void write_figures(FILE *out, const struct code_list *list, const struct code_line *line)
{
	markup_write(out, "<td class=\"number\">%s</td><td class=\"number\">%s</td>",
		units_duration(line->cpu_seconds).text, units_whole_percent(code_share(list, line)).text);
	markup_write(out, "<td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n",
		units_figure(UNIT_mib, code_growth(line)).text, units_duration(line->seconds).text);
}

static void write_line(FILE *out, const struct page *page, const struct code_line *line)
{
	char name[CODE_NAME_SIZE], text[SOURCE_TEXT_SIZE];

	markup_write(out, "<tr><th scope=\"row\" class=\"name\"><bdi>");
	markup_write_text(out, text_of(code_name(line, name)));
	markup_write(out, "</bdi>");
	/* Files of a group are of several machines. */
	if (!page->model->group && *source_text(page->model->run, line, text)) {
		markup_write(out, "<code>");
		markup_write_text(out, text_of(text));
		markup_write(out, "</code>");
	}
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
	if (!*text)
		return;
	markup_write(out, "<p>By line: <strong>");
	markup_write_text(out, text_of(text));
	markup_write(out, "</strong>.</p>\n");
}

/* `what` is trusted; a job can name a function as it likes. */
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
		write_place(out, page, &separator, code->death.time, "death", &code->death.at, "bad");
	markup_write(out, "%s", *separator == ',' && separator[1] == '\0' ? "]" : "");
}

void page_write_lines(FILE *out, const struct page *page)
{
	const struct code *code = &page->model->code;
	size_t shown = code->lines.count < PAGE_LINES_SHOWN ? code->lines.count : PAGE_LINES_SHOWN;

	if (code->lines.count == 0)
		return;
	markup_write(out,
		"<section class=\"listing lines\" aria-labelledby=\"lines\"><h3 id=\"lines\">Lines of code</h3>\n"
		"<p class=\"note\">Where the programs were when rtrack looked. CPU time and growth of memory "
		"between two looks are those of the line that the second one found.");
	markup_more(out, "report.md#lines-of-code");
	page_write_moment(out, &code->peak, "at the peak");
	markup_write(out, "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Line</th>"
			  "<th scope=\"col\" class=\"number\">CPU time</th>"
			  "<th scope=\"col\" class=\"number\">Share</th>"
			  "<th scope=\"col\" class=\"number\">Memory grew</th>"
			  "<th scope=\"col\" class=\"number\">Time</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < shown; i++)
		write_line(out, page, &code->lines.items[i]);
	if (shown < code->lines.count)
		write_others(out, code, shown);
	markup_write(out, "</tbody></table></div></section>\n");
}
