/* SPDX-License-Identifier: Apache-2.0 */
/* Elements that all sections of a page are made of: headings with a note, tables, and bars. */
#ifndef RTRACK_REPORT_PAGE_ELEMENTS_H
#define RTRACK_REPORT_PAGE_ELEMENTS_H

#include "report/advice/resources.h"
#include "report/page/help_popover.h"
#include "report/say/markup.h"
#include "report/say/units.h"

/* Begins a section with a heading and a note; all are trusted markup. `more` is the place that "More" shows. If it is
 * NULL, the note's paragraph stays open. If `note` is NULL, there is none. */
void section_begin(FILE *out, const char *class, const char *id, const char *title, const char *note, const char *more);

/* Begins a table, up to its first row, in a frame that scrolls. A label makes the frame a section of its own.
 *
 * `heads` has the title of each column, separated by '|'. A '#' before a title makes it a column of numbers, a '='
 * one of bars. A column may have no title. */
void table_begin(FILE *out, const char *label, const char *heads);
void table_end(FILE *out, const char *label);

/* The same without a frame, from "<table>" on. */
void table_begin_plain(FILE *out, const char *heads);

/* Writes a cell with a number: as text, or as a figure of a unit. */
void cell_write(FILE *out, const char *figure);
void cell_figure(FILE *out, enum unit unit, double value);

/* A bar of `percent` of the width; `of` completes its description: "of the largest". */
void bar_write(FILE *out, double percent, const char *of);

/* "3 CPUs, 4 GiB, 1 GPU": the resources above 0, with `separator`, which is markup, between them. */
void resources_write(FILE *out, const struct resources *resources, const char *separator);

/* A moment as <time>. `class` is "" or an attribute; with the class "short", page.js omits a day that is as before. */
void time_write(FILE *out, const char *class, double seconds);

#endif
