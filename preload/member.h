/* This process as a member of a run: its start record and its exit record. */
#ifndef RTRACK_PRELOAD_MEMBER_H
#define RTRACK_PRELOAD_MEMBER_H

#include "core/settings.h"
#include "core/spool.h"

/* Makes this process a member of the run in `directory` and writes its start record. To be called once,
 * from the constructor, where no other thread is. */
void member_begin(const char *directory, const struct settings *settings, char *const *arguments, int count);

/* Around fork(): before it in the parent, and after it in the child, which is a member of its own from here
 * on and announces itself at once: a daemon's parent is gone before anybody looks. */
void member_forking(void);
void member_forked(void);

/* Writes the exit record, once. `exit_code` -1: unknown. `tracker` (may be NULL): what the tracker used inside this
 * process. In a child that shares its parent's memory (vfork) or that fork() did not make (_Fork, clone), nothing is
 * changed in memory. */
void member_end(int exit_code, const uint64_t *tracker);

/* Whether the calling process is the one that the state in memory speaks of. */
bool member_is_current(void);

#endif
