/* The launcher's own command line, as others see it (ps, pgrep -f). */
#ifndef RTRACK_LAUNCHER_WORDS_H
#define RTRACK_LAUNCHER_WORDS_H

/* Makes copies of all arguments but the first, so that words_show may write over them. */
void words_keep(int count, char **arguments);

/* From now on they are the run's directory, cut to the room that there is. With the command's words in it a script that
 * looks for its own name among all command lines, so that only one of it runs, would take the launcher for another. */
void words_show(const char *directory);

#endif
