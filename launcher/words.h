/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of rtrack-run, as ps and pgrep -f show it. */
#ifndef RTRACK_LAUNCHER_WORDS_H
#define RTRACK_LAUNCHER_WORDS_H

/* Copies all arguments except the first, so that words_show may overwrite them. */
void words_keep(int count, char **arguments);

/* Replaces the arguments by the run's directory, truncated to the available space. Some scripts search all command
 * lines for their own name in order to run only once. Such a script would otherwise find the arguments of
 * rtrack-run. */
void words_show(const char *directory);

#endif
