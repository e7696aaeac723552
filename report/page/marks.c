/* What the job marked: a list, and lines in the charts. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/say/units.h"
#include "report/spool/marks.h"

static void write_mark(FILE *out, const struct page *page, const struct mark *mark)
{
	markup_write(out, "<tr><th scope=\"row\" class=\"number\">%s</th><td><bdi>",
		units_duration(mark->time - page->model->run->start_time).text);
	markup_write_text(out, text_of(mark->label));
	markup_write(out, "</bdi></td><td class=\"number\">");
	if (number_known(mark->pid))
		markup_write(out, "%.0f", mark->pid);
	markup_write(out, "</td><td class=\"number\"><time class=\"short\" datetime=\"%s\">%s</time></td></tr>\n",
		units_time(mark->time, true).text, units_time(mark->time, false).text);
}

void page_write_marks(FILE *out, const struct page *page)
{
	const struct marks *marks = &page->model->marks;

	if (!marks || marks->count == 0)
		return;
	markup_write(out, "<section class=\"listing marks\" aria-labelledby=\"marks\"><h3 id=\"marks\">Marks</h3>\n"
			  "<p class=\"note\">What the job marked (<code>rtrack_mark</code>).");
	if (marks->count < marks->total)
		markup_write(out, " The first %zu of %zu.", marks->count, marks->total);
	markup_more(out, "spool.md#markcsv");
	markup_write(out, "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>"
			  "<th scope=\"col\" class=\"number\">After</th><th scope=\"col\">Mark</th>"
			  "<th scope=\"col\" class=\"number\">Process</th>"
			  "<th scope=\"col\" class=\"number\">Time</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < marks->count; i++)
		write_mark(out, page, &marks->items[i]);
	markup_write(out, "</tbody></table></div></section>");
}

void page_write_marks_data(FILE *out, const struct page *page)
{
	const struct marks *marks = &page->model->marks;

	markup_write(out, "\"marks\":[");
	for (size_t i = 0; marks && number_known(page->model->run->start_time) && i < marks->count; i++) {
		markup_write(out, "%s[%.3f,", i > 0 ? "," : "", marks->items[i].time - page->model->run->start_time);
		markup_write_json(out, text_of(marks->items[i].label));
		markup_write(out, "]");
	}
	markup_write(out, "],\n");
}
