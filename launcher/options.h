/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of rtrack-run: the flags of settings.def, and some that only rtrack-run has. */
#ifndef RTRACK_LAUNCHER_OPTIONS_H
#define RTRACK_LAUNCHER_OPTIONS_H

#include "core/settings.h"

#include <sys/types.h>

struct options {
	struct settings settings;  /* values of flags, otherwise of environment variables, otherwise defaults */
	bool given[SETTING_COUNT]; /* whether a flag has set this setting */
	char *made[SETTING_COUNT]; /* allocated values, which are never freed */
	bool summary;
	bool no_preload;
	bool keep_output;
	pid_t attach;          /* pid of --attach; 0 to run a command */
	const char *mark;      /* text of --mark, or NULL */
	const char *report;    /* file of --report, or NULL */
	const char *ship;      /* URL of --ship or RTRACK_SHIP, or NULL */
	double ship_seconds;   /* maximum time to wait for --ship after the command's end */
	double max_memory_mib; /* UNKNOWN if memory is not limited */
	double max_seconds;    /* UNKNOWN if time is not limited */
	int retries;           /* number of --retry-on-oom */
	char **command;        /* command and its arguments, at least one element; ends with NULL */
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

/* Reads the command line and the environment. If the result is OPTIONS_WRONG, `complaint` contains one line that
 * says what is wrong and what is valid. The values in `options` point into `arguments`, `environment`, the table of
 * settings and options->made. If RTRACK is off, other variables are ignored. */
enum options_result options_read(
	struct options *options, int count, char **arguments, char **environment, struct buffer *complaint);

/* Prints the help to stdout, with all options if `all`. Returns 0, or -1 with errno set if the write fails. */
int options_print_help(bool all);

/* Sets environment variables of this process for the flags that its descendants need. */
void options_export(const struct options *options);

#endif
