/* SPDX-License-Identifier: Apache-2.0 */
/* Elements that all sections of a page share: headings with a note, tables, and bars. */
#ifndef RTRACK_REPORT_PAGE_ELEMENTS_H
#define RTRACK_REPORT_PAGE_ELEMENTS_H

#include "report/advice/resources.h"
#include "report/page/help_popover.h"
#include "report/say/markup.h"
#include "report/say/units.h"

/* Begins a section with a heading and a note. All arguments are trusted markup. `more` is the documentation paragraph
 * that the button "More" opens. If `more` is NULL, the <p> of the note stays open. `note` may be NULL. */
void section_begin(FILE *out, const char *class, const char *id, const char *title, const char *note, const char *more);

/* Begins a table in a scrollable frame. If `label` is not NULL, the frame is a section with this label. `heads` has the
 * titles of the columns, separated by '|'. A '#' before a title marks a column of numbers, a '=' a column of bars. A
 * title may be empty. */
void table_begin(FILE *out, const char *label, const char *heads);
void table_end(FILE *out, const char *label);

/* Begins a table without a frame: writes only "<table>" and the headings. */
void table_begin_plain(FILE *out, const char *heads);

/* Write a table cell with a number, which is given as text or as a value with a unit. */
void cell_write(FILE *out, const char *figure);
void cell_figure(FILE *out, enum unit unit, double value);

/* Writes a bar of `percent` of the width. `of` completes its description, such as "of the largest". */
void bar_write(FILE *out, double percent, const char *of);

/* Writes "3 CPUs, 4 GiB, 1 GPU": the resources above 0, separated by the markup `separator`. */
void resources_write(FILE *out, const struct resources *resources, const char *separator);

/* Writes a time as a <time> element. `class` is "" or a class attribute. If the class is "short", page.js omits a date
 * that equals the previous one. */
void time_write(FILE *out, const char *class, double seconds);

#endif
