/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the page. scripts/embed writes their definitions into build/page.c. */
#ifndef RTRACK_REPORT_PAGE_ASSETS_H
#define RTRACK_REPORT_PAGE_ASSETS_H

#include "core/base.h"

extern const struct text page_template; /* report/page/assets/page.html */
extern const struct text page_style;    /* the chart library's style, then ours */
extern const struct text page_script;   /* the chart library, then ours */
extern const struct text page_license;  /* the chart library's licence, which each copy must include */

#endif
