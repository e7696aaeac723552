/* The files of the page, as scripts/embed puts them into the program: build/page.c defines these. */
#ifndef RTRACK_REPORT_PAGE_ASSETS_H
#define RTRACK_REPORT_PAGE_ASSETS_H

#include "core/base.h"

extern const struct text page_template; /* report/page/assets/page.html */
extern const struct text page_style;    /* the chart library's style, then ours */
extern const struct text page_script;   /* the chart library, then ours */
extern const struct text page_license;  /* the chart library's licence, which must go where it goes */

#endif
