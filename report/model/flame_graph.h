/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph of the page: the call stacks of a run as a tree of functions, and their CPU time by process and time.
 *
 * A page must stay small, however many stacks, processes and samples a run has. Therefore narrow frames are folded into
 * their callers, processes with little CPU time are merged, and times are rounded to intervals. */
#ifndef RTRACK_REPORT_MODEL_FLAME_GRAPH_H
#define RTRACK_REPORT_MODEL_FLAME_GRAPH_H

#include "report/model/flame.h"

enum {
	FLAME_NODES_MAX = 2000,
	FLAME_CELLS_MAX = 10000,
	FLAME_PROCESSES_MAX = 100,
	FLAME_INTERVALS_MAX = 1024 /* a power of two */
};

/* A function that was called in one place of the tree, or a program. Processes of the same program are merged. */
struct flame_node {
	struct flame_frame frame; /* `line` is UNKNOWN if the frame belongs to a call stack */
	double line;              /* line of the function if all stacks have the same one, or UNKNOWN */
	size_t depth;             /* 0 for the root, 1 for a program */
	double cpu_seconds;       /* CPU time of the frame and of all frames that it called */
};

/* CPU time and samples of one process in one interval, in a frame or in folded frames that it called. */
struct flame_cell {
	size_t node;
	size_t process; /* index in `pids`, or `process_count` for all other processes */
	size_t interval;
	double cpu_seconds, samples;
};

struct flame_graph {
	/* The root, which has no frame, and then the frames in preorder. Frames with the same caller are sorted by CPU
	 * time, descending. Owned. */
	struct flame_node *nodes;
	size_t count;
	size_t depth;  /* largest depth of a node */
	double least;  /* frames with a smaller share of the CPU time are folded */
	size_t folded; /* number of folded frames */

	double *pids; /* the processes with the most CPU time, descending; owned */
	size_t process_count;
	size_t processes; /* number of all processes that have CPU time */

	struct flame_cell *cells; /* sorted by node, process and interval; owned */
	size_t cell_count;
	double interval_seconds;
};

/* Builds the graph from all rows that have CPU time. If there are none, the graph has no nodes. */
void flame_graph_make(struct flame_graph *graph, const struct model *model);
void flame_graph_free(struct flame_graph *graph);

#endif
