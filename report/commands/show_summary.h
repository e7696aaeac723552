/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of `show` without -v. */
#ifndef RTRACK_REPORT_COMMANDS_SHOW_SUMMARY_H
#define RTRACK_REPORT_COMMANDS_SHOW_SUMMARY_H

#include "report/advice/recommend.h"
#include "report/text/show.h"

/* Writes at most twelve lines. `selector` is the RUN of the command line, or NULL. */
void show_summary(const struct show_view *view, const struct recommendation *next, const char *selector);

enum { SHOW_TEXT_SIZE = 640 };

/* Formats the request as "2 CPUs, 640 MiB, 2 min" with `separator` between its parts, or "" if there is none. Returns
 * `text`. */
const char *show_describe_request(const struct recommendation *next, const char *separator, char text[SHOW_TEXT_SIZE]);

/* Formats the requested resources as "16 CPUs, 64 GiB", or "" if nothing was requested. Returns `text`. */
const char *show_describe_requested(const struct asked *asked, char text[SHOW_TEXT_SIZE]);

/* Formats the recommended server, its price and the saving as ", m6i.large (AWS) at $0.096 an hour: saves 30 %".
 * Formats "" if no server was recommended and no saving is known. */
void show_describe_price(const struct recommendation *next, char *text, size_t size);

#endif
