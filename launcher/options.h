/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of rtrack-run: the flags of settings.def, and some that only rtrack-run has. */
#ifndef RTRACK_LAUNCHER_OPTIONS_H
#define RTRACK_LAUNCHER_OPTIONS_H

#include "core/settings.h"

#include <sys/types.h>

struct options {
	struct settings settings;  /* flags override variables, which override defaults */
	bool given[SETTING_COUNT]; /* whether a flag has set the setting */
	char *made[SETTING_COUNT]; /* allocated values, which are never freed */
	bool summary;
	bool no_preload;
	bool keep_output;
	pid_t attach;          /* pid of --attach; 0 to run a command */
	const char *mark;      /* text of --mark, or NULL */
	const char *report;    /* file of --report, or NULL */
	const char *ship;      /* URL of --ship or RTRACK_SHIP, or NULL */
	double ship_seconds;   /* maximum time to wait, after the command's end, until the run is sent */
	double max_memory_mib; /* UNKNOWN if unlimited; so is max_seconds */
	double max_seconds;
	int retries;    /* number of --retry-on-oom */
	char **command; /* ends with NULL; has one element or more */
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

/* Reads the command line and the environment. On OPTIONS_WRONG, `complaint` contains one line that says what is wrong
 * and what is allowed. Values point into `arguments`, `environment`, the table of settings and options->made. If RTRACK
 * is off, other variables are ignored. */
enum options_result options_read(
	struct options *options, int count, char **arguments, char **environment, struct buffer *complaint);

/* Prints the help to stdout. Returns 0, or -1 with errno set if it could not be written. */
int options_print_help(bool all);

/* Sets variables in this process's environment for the flags that descendants need. */
void options_export(const struct options *options);

#endif
