/* The last lines of a failed run; see show_head.h. */
#include "report/text/show_head.h"

#include "report/model/output.h"

#include <string.h>

void show_output(const struct show_view *view)
{
	const struct terminal *terminal = &view->terminal;
	static struct output output;

	if (view->model->group)
		return;
	output_find(&output, view->run);
	if (!output.stream)
		return;
	terminal_colour(terminal, COLOUR_dim);
	fprintf(terminal->out, "Last lines of %s: ", output.stream);
	terminal_text(terminal, output.path, terminal->width, 0);
	terminal_colour(terminal, COLOUR_plain);
	fputc('\n', terminal->out);
	for (char *line = output.text; *line;) {
		size_t length = strcspn(line, "\n");
		char *next = line + length + (line[length] == '\n');
		line[length] = '\0';
		fputs("  ", terminal->out);
		terminal_text(terminal, line, terminal->width > 4 ? terminal->width - 2 : 2, 0);
		fputc('\n', terminal->out);
		line = next;
	}
	fputc('\n', terminal->out);
}
