/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the page. The script scripts/embed defines them in build/page.c. */
#ifndef RTRACK_REPORT_PAGE_ASSETS_H
#define RTRACK_REPORT_PAGE_ASSETS_H

#include "core/base.h"

extern const struct text page_template; /* content of report/page/assets/page.html */
extern const struct text page_style;    /* style sheet of the chart library, followed by the style sheet of rtrack */
extern const struct text page_script;   /* script of the chart library, followed by the scripts of rtrack */
extern const struct text flame_script;  /* script of the flame graph */
extern const struct text site_script;   /* script of the index of a site, and of the pages of its jobs */
extern const struct text page_license;  /* licence of the chart library, which each copy must include */

#endif
