/* SPDX-License-Identifier: Apache-2.0 */
/* The button "More", which opens a paragraph of the documentation. The page contains the paragraph, because pages are
 * mailed and read offline. */
#ifndef RTRACK_REPORT_PAGE_HELP_POPOVER_H
#define RTRACK_REPORT_PAGE_HELP_POPOVER_H

#include <stdio.h>

/* A paragraph of the documentation. scripts/more generates the array, whose last entry has a NULL `place`. */
struct markup_more_text {
	const char *place; /* "FILE#HEADING" within docs/ */
	const char *id;    /* id of the element that contains the text */
	const char *text;  /* paragraph as markup */
};
extern const struct markup_more_text markup_more_texts[];

/* Writes the button "More" and ends the paragraph. Omits the button if rtrack was built without its documentation.
 * `make DOCS=https://…/` adds a link to the document. */
void markup_more(FILE *out, const char *place);

#endif
