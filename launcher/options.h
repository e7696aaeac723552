/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of rtrack-run: the flags of settings.def, and some that only the launcher has. */
#ifndef RTRACK_LAUNCHER_OPTIONS_H
#define RTRACK_LAUNCHER_OPTIONS_H

#include "core/settings.h"

#include <sys/types.h>

struct options {
	struct settings settings;  /* flags override variables, which override defaults */
	bool given[SETTING_COUNT]; /* set by a flag */
	char *made[SETTING_COUNT]; /* allocated values, kept until the program ends */
	bool summary;
	bool no_preload;
	bool keep_output;
	pid_t attach;          /* pid from --attach; 0 to run a command */
	const char *mark;      /* text from --mark, or NULL */
	const char *report;    /* file from --report, or NULL */
	const char *ship;      /* URL from --ship or RTRACK_SHIP, or NULL */
	double ship_seconds;   /* maximum time to wait for the sending after the command's end */
	double max_memory_mib; /* UNKNOWN if unlimited, as is max_seconds */
	double max_seconds;
	int retries;    /* from --retry-on-oom */
	char **command; /* NULL-terminated, with at least one element */
	int command_length;
};

enum options_result {
	OPTIONS_RUN,
	OPTIONS_ATTACH,
	OPTIONS_MARK,
	OPTIONS_HELP,
	OPTIONS_HELP_ALL,
	OPTIONS_VERSION,
	OPTIONS_WRONG
};

/* Reads the command line and the environment. On OPTIONS_WRONG, `complaint` describes in one line what is wrong and
 * what is allowed. Values point into `arguments`, `environment`, the table of settings and options->made, which is
 * never freed. Under RTRACK=off, the variables are ignored. */
enum options_result options_read(
	struct options *options, int count, char **arguments, char **environment, struct buffer *complaint);

/* Prints the help to stdout. Returns 0, or -1 with errno set if it could not be written. */
int options_print_help(bool all);

/* Exports the flags that descendants need as variables in the calling process's environment. */
void options_export(const struct options *options);

#endif
