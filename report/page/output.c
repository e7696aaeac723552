/* The last lines of a failed run on the page. */
#include "report/model/output.h"
#include "report/page/page.h"
#include "report/say/markup.h"

void page_write_output(FILE *out, const struct page *page)
{
	static struct output output;

	if (page->model->group)
		return;
	output_find(&output, page->model->run);
	if (!output.stream)
		return;
	markup_write(
		out, "<section class=\"output\">\n<h2>Last lines of %s</h2>\n<p class=\"note\"><code>", output.stream);
	markup_write_text(out, text_of(output.path));
	markup_write(out, "</code></p>\n<pre>");
	markup_write_lines(out, text_of(output.text));
	markup_write(out, "</pre>\n</section>");
}
