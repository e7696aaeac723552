/* SPDX-License-Identifier: Apache-2.0 */
/* The button "More" behind a sentence on what is measured. It shows a paragraph of the documents, which the page holds:
 * a page is mailed, kept and read where there is no network. */
#ifndef RTRACK_REPORT_PAGE_HELP_POPOVER_H
#define RTRACK_REPORT_PAGE_HELP_POPOVER_H

#include <stdio.h>

/* Made by scripts/more; the last has no place. */
struct markup_more_text {
	const char *place; /* "FILE#HEADING" in docs/ */
	const char *id;    /* of the element that holds the text */
	const char *text;  /* markup */
};
extern const struct markup_more_text markup_more_texts[];

/* Writes the button and ends the paragraph. Without documents at build time there is no button. `make DOCS=https://…/`
 * adds a link to the document. */
void markup_more(FILE *out, const char *place);

#endif
