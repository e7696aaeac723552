/* SPDX-License-Identifier: Apache-2.0 */
/* Elements that all sections of a page share. */
#include "report/page/elements.h"

#include <math.h>
#include <string.h>

void section_begin(FILE *out, const char *class, const char *id, const char *title, const char *note, const char *more)
{
	markup_write(out, "<section class=\"%s\" aria-labelledby=\"%s\"><h3 id=\"%s\">%s</h3>\n", class, id, id, title);
	if (note)
		markup_write(out, "<p class=\"note\">%s", note);
	if (more)
		markup_more(out, more);
}

static void write_head(FILE *out, struct text title)
{
	const char *kind = text_starts(title, "#")   ? " class=\"number\""
			   : text_starts(title, "=") ? " class=\"shares\""
						     : "";
	size_t skipped = *kind ? 1 : 0;

	if (title.length == 0)
		markup_write(out, "<td></td>");
	else
		fprintf(out, "<th scope=\"col\"%s>%.*s</th>", kind, (int)(title.length - skipped),
			title.data + skipped);
}

void table_begin_plain(FILE *out, const char *heads)
{
	struct text all = text_of(heads);

	markup_write(out, "<table>\n<thead><tr>");
	for (size_t from = 0, end; from <= all.length; from = end + 1) {
		end = text_find(all, '|', from);
		write_head(out, (struct text){heads + from, end - from});
	}
	markup_write(out, "</tr></thead>\n<tbody>\n");
}

void table_begin(FILE *out, const char *label, const char *heads)
{
	if (label)
		markup_write(out, "<section class=\"scroll\" tabindex=\"0\" aria-label=\"%s\">", label);
	else
		markup_write(out, "<div class=\"scroll\" tabindex=\"0\">");
	table_begin_plain(out, heads);
}

void table_end(FILE *out, const char *label)
{
	markup_write(out, "</tbody></table></%s>", label ? "section" : "div");
}

void cell_write(FILE *out, const char *figure)
{
	markup_write(out, "<td class=\"number\">%s</td>", figure);
}

void cell_figure(FILE *out, enum unit unit, double value)
{
	cell_write(out, units_figure(unit, value).text);
}

void bar_write(FILE *out, double percent, const char *of)
{
	markup_write(out,
		"<svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"%.0f %% "
		"%s\"><rect width=\"%.1f\" height=\"8\"/></svg>",
		percent, of, fmin(percent, 100));
}

void resources_write(FILE *out, const struct resources *resources, const char *separator)
{
	const char *before = "";

	if (resources->cpu > 0) {
		markup_write(out, "%.0f CPU%s", resources->cpu, resources->cpu > 1 ? "s" : "");
		before = separator;
	}
	if (resources->memory_mib > 0) {
		markup_write(out, "%s%s", before, units_figure(UNIT_mib, resources->memory_mib).text);
		before = separator;
	}
	if (resources->gpu > 0)
		markup_write(out, "%s%.0f GPU%s", before, resources->gpu, resources->gpu > 1 ? "s" : "");
}

void time_write(FILE *out, const char *class, double seconds)
{
	struct figure machine = units_time(seconds, true), shown = units_time(seconds, false);

	if (strcmp(shown.text, "–") == 0)
		markup_write(out, "–");
	else
		markup_write(out, "<time%s datetime=\"%s\">%s</time>", class, machine.text, shown.text);
}
