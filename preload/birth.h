/* What the calling process can tell of its own birth without a look into /proc, where its first look costs more than
 * all that it writes (docs/performance.md): from the rows that start.csv ends with.
 *
 * Pids ascend. So a process that has a larger pid than its sibling or its parent was born after it; and if that was in
 * the tick of the kernel's clock that is now, in the same tick. Pids start anew at some time, after many thousand
 * births; therefore a process that has ever waited, and may be older than that, does not go by this. */
#ifndef RTRACK_PRELOAD_BIRTH_H
#define RTRACK_PRELOAD_BIRTH_H

#include "os/file.h"
#include "os/process.h"

enum { BIRTH_ROWS_MAX = 512 };

struct birth {
	struct os_table table; /* start.csv */
	int holder;            /* the run's sampler, which lives and knows this process by its pid (os_holder); 0 */
	bool waited;           /* this process has, since it was born */
	struct text exe;       /* of its last row: a path that held no links then; empty: unknown */
	struct text rows;      /* the whole rows among its last bytes */
	char data[BIRTH_ROWS_MAX];
};

/* Opens start.csv, and reads the rows. Where that fails, or `path` is NULL, nothing is known. */
void birth_open(struct birth *birth, const char *path, uint32_t user);
void birth_read(struct birth *birth);

/* The start of this process; 0: these rows do not tell. */
uint64_t birth_start(const struct birth *birth, int pid, int ppid, int64_t now_ns);

/* Whether the boot was at another time for all processes that wrote these rows than for this process, for which it was
 * `boot_ns` ago at `now_ns`. A row that was written long after a birth looks like that as well, and so do rows that
 * cannot be read. */
bool birth_is_elsewhen(const struct birth *birth, int64_t now_ns, int64_t boot_ns);

#endif
