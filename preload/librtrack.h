/* What include/rtrack.h asks of the library as a whole. */
#ifndef RTRACK_PRELOAD_LIBRTRACK_H
#define RTRACK_PRELOAD_LIBRTRACK_H

/* Writes this process' last record, ends its run if it is the root, and says nothing more; -1: it is not tracked. */
int library_stop(void);

#endif
