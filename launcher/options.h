/* The command line of rtrack-run: the flags of settings.def, and a few that only the launcher has. */
#ifndef RTRACK_LAUNCHER_OPTIONS_H
#define RTRACK_LAUNCHER_OPTIONS_H

#include "core/settings.h"

#include <sys/types.h>

struct options {
	struct settings settings;  /* flags over variables over fallbacks */
	bool given[SETTING_COUNT]; /* by a flag */
	char *made[SETTING_COUNT]; /* values that were allocated; kept to the end of the program */
	bool summary;
	bool no_preload;
	bool keep_output;
	pid_t attach;          /* the process of --attach; 0: none, a command is run */
	const char *mark;      /* the text of --mark, or NULL */
	const char *report;    /* the file of --report, or NULL */
	const char *ship;      /* the URL of --ship or RTRACK_SHIP, or NULL */
	double ship_seconds;   /* that its end is waited for after the command's */
	double max_memory_mib; /* UNKNOWN: no limit, as of the seconds */
	double max_seconds;
	int retries;    /* of --retry-on-oom */
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

/* Reads the command line and the environment. OPTIONS_WRONG: `complaint` says in one line what is wrong and
 * what is allowed. Values point into `arguments`, `environment`, the settings table and
 * options->made, which is kept to the end of the program. The variables are not looked at under RTRACK=off. */
enum options_result options_read(
	struct options *options, int count, char **arguments, char **environment, struct buffer *complaint);

/* Writes the help to stdout; 0, or -1 with errno if it could not be written. */
int options_print_help(bool all);

/* Sets in the calling process' environment the variables of those flags that descendants must know. */
void options_export(const struct options *options);

#endif
