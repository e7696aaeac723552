/* SPDX-License-Identifier: Apache-2.0 */
/* The button "More", which opens a paragraph of the documentation. */
#include "report/page/help_popover.h"

#include "report/say/markup.h"

#include <string.h>

#ifndef MARKUP_DOCS
#define MARKUP_DOCS ""
#endif

void markup_more(FILE *out, const char *place)
{
	static const char docs[] = MARKUP_DOCS;
	const struct markup_more_text *more = markup_more_texts;

	while (more->place && strcmp(more->place, place) != 0)
		more++;
	if (more->place) {
		markup_write(out,
			" <button type=\"button\" class=\"more\" popovertarget=\"%s\">More</button>"
			"<span popover id=\"%s\">%s",
			more->id, more->id, more->text);
		if (*docs)
			markup_write(out, " <a href=\"%s%s\">All of it</a>", docs, place);
		markup_write(out, "</span>");
	}
	markup_write(out, "</p>\n");
}
