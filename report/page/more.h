/* What stands behind "More" at the end of a sentence that says what is measured: a paragraph of the documents, in the
 * page itself. A page is mailed, kept and read where no documents are and no network, so that a link would lead
 * nowhere. */
#ifndef MARKUP_MORE_H
#define MARKUP_MORE_H

#include <stdio.h>

struct markup_more_text {
	const char *place; /* "FILE#HEADING" in docs/; NULL: behind the last */
	const char *id;    /* of the element that holds it */
	const char *text;  /* markup of ours, made by scripts/more */
};
extern const struct markup_more_text markup_more_texts[];

/* Writes it, and the end of the paragraph; only that where there were no documents when this was built. `make
 * DOCS=https://…/` puts a link to the document behind it. */
void markup_more(FILE *out, const char *place);

#endif
