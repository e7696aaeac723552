/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the flame graph of the page. All steps are linear in the number of rows, except for sorting. */
#include "report/model/flame_graph.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <stdlib.h>

static const double SHARE_LEAST = 0.001;

/* -- the tree of all stacks ------------------------------------------------------------------------- */

/* A frame in the tree of all stacks. A caller has a smaller index than the frames that it called. */
struct branch {
	double line;        /* line of the function if all stacks have the same one, or UNKNOWN */
	double cpu_seconds; /* CPU time of the frame and of all frames that it called */
	size_t depth;       /* 0 for the root */
	size_t caller;      /* index in the tree */
	size_t size;        /* number of frames that are not folded: this frame, and frames that it called */
	size_t position;    /* index of this frame in the graph; if the frame is folded, index of its caller */
	size_t next;        /* index in the graph of the next frame that this frame called */
};

struct tree {
	struct flame_set frames; /* the first one is the root */
	struct branch *items;    /* one for each frame */
	size_t count;
};

/* Returns the index of a frame that `caller` called. Adds the frame if the tree does not contain it. */
static size_t find_branch(struct tree *tree, size_t caller, const struct flame_frame *frame)
{
	struct flame_frame merged = *frame;

	if (frame->called)
		merged.line = UNKNOWN;
	size_t index = flame_set_add(&tree->frames, caller, &merged);
	if (index == tree->count) {
		array_grow(&tree->items, tree->count, sizeof *tree->items);
		tree->items[tree->count++] =
			(struct branch){.line = frame->line, .depth = tree->items[caller].depth + 1, .caller = caller};
	} else if (tree->items[index].line != frame->line) {
		tree->items[index].line = UNKNOWN;
	}
	return index;
}

/* The program that last had a stack, and the innermost frame of the stack in this program. */
struct last_use {
	const char *program;
	size_t branch;
};

/* Returns the innermost frame of a row. `uses` has an item for each stack. */
static size_t find_innermost(
	struct tree *tree, struct last_use *uses, const char *program, const struct code_line *line)
{
	struct flame_frame frames[FLAME_FRAMES_MAX];
	struct last_use *use = line->stack && *line->file ? &uses[line->stack->number] : NULL;
	size_t branch = 0;

	if (use && use->program == program)
		return use->branch;
	size_t count = flame_frames(program, UNKNOWN, line, frames);
	for (size_t i = 0; i < count; i++)
		branch = find_branch(tree, branch, &frames[i]);
	if (use)
		*use = (struct last_use){program, branch};
	return branch;
}

/* Adds the frames of all rows, and sets the innermost frame of each row. Rows without CPU time are ignored. */
static void add_rows(struct tree *tree, const struct model *model, size_t *branches)
{
	const struct code_rows *rows = &model->code.rows;
	struct last_use *uses = xcalloc(rows->stack_count, sizeof *uses);
	struct flame_programs programs;
	const char *program = "";

	array_grow(&tree->items, 0, sizeof *tree->items);
	tree->items[0] = (struct branch){.line = UNKNOWN};
	tree->count = 1;
	(void)flame_set_add(&tree->frames, 0, &(struct flame_frame){.pid = UNKNOWN, .line = UNKNOWN});
	flame_programs_sort(&programs, model);
	for (size_t i = 0; i < rows->count; i++) {
		const struct code_row *row = &rows->items[i];
		if (i == 0 || row->pid != rows->items[i - 1].pid)
			program = flame_program(&programs, row->pid);
		if (!(row->line.cpu_seconds > 0))
			continue;
		branches[i] = find_innermost(tree, uses, program, &row->line);
		tree->items[branches[i]].cpu_seconds += row->line.cpu_seconds;
	}
	for (size_t i = tree->count - 1; i > 0; i--)
		tree->items[tree->items[i].caller].cpu_seconds += tree->items[i].cpu_seconds;
	flame_programs_free(&programs);
	free(uses);
}

/* -- the nodes of the graph ------------------------------------------------------------------------- */

/* Lists the frames with at least this share of the CPU time. Returns their number. */
static size_t list_wide(const struct branch **wide, const struct tree *tree, double least)
{
	size_t count = 0;

	for (size_t i = 1; i < tree->count; i++)
		if (tree->items[i].cpu_seconds / tree->items[0].cpu_seconds >= least)
			wide[count++] = &tree->items[i];
	return count;
}

/* Orders frames by caller, then by CPU time, descending. */
static int by_caller(const void *first, const void *second)
{
	const struct branch *a = *(const struct branch *const *)first, *b = *(const struct branch *const *)second;
	int order = ORDER(a->caller, b->caller);

	if (order == 0)
		order = ORDER(b->cpu_seconds, a->cpu_seconds);
	return order != 0 ? order : ORDER(a, b);
}

static struct flame_node node_of(const struct tree *tree, size_t index)
{
	const struct branch *branch = &tree->items[index];
	return (struct flame_node){tree->frames.items[index].frame, branch->line, branch->depth, branch->cpu_seconds};
}

/* Sets the position of each frame, and copies the frames that are not folded to the graph. A caller comes before the
 * frames that it called in `wide`, because it has a smaller index in the tree. */
static void place_branches(struct flame_graph *graph, struct tree *tree, const struct branch **wide)
{
	struct branch *items = tree->items;

	for (size_t i = 0; i < graph->count - 1; i++)
		items[wide[i] - items].size = 1;
	for (size_t i = tree->count - 1; i > 0; i--)
		items[items[i].caller].size += items[i].size;
	items[0].next = 1;
	graph->nodes[0] = node_of(tree, 0);
	array_sort_pointers(wide, graph->count - 1, by_caller);
	for (size_t i = 0; i < graph->count - 1; i++) {
		struct branch *branch = &items[wide[i] - items], *caller = &items[branch->caller];
		branch->position = caller->next;
		branch->next = branch->position + 1;
		caller->next += branch->size;
		graph->nodes[branch->position] = node_of(tree, (size_t)(branch - items));
		if (branch->depth > graph->depth)
			graph->depth = branch->depth;
	}
	for (size_t i = 1; i < tree->count; i++)
		if (items[i].size == 0)
			items[i].position = items[items[i].caller].position;
}

static void make_nodes(struct flame_graph *graph, struct tree *tree)
{
	const struct branch **wide = xcalloc(tree->count, sizeof(struct branch *));

	graph->least = SHARE_LEAST;
	while ((graph->count = list_wide(wide, tree, graph->least) + 1) > FLAME_NODES_MAX)
		graph->least *= 2;
	graph->folded = tree->count - graph->count;
	graph->nodes = xcalloc(graph->count, sizeof *graph->nodes);
	place_branches(graph, tree, wide);
	free(wide);
}

/* -- the cells -------------------------------------------------------------------------------------- */

struct process_sum {
	double pid, cpu_seconds;
	size_t rank; /* 0 for the process with the most CPU time */
};

/* Orders processes by CPU time, descending. */
static int by_cpu(const void *first, const void *second)
{
	const struct process_sum *a = *(const struct process_sum *const *)first,
				 *b = *(const struct process_sum *const *)second;
	int order = ORDER(b->cpu_seconds, a->cpu_seconds);

	return order != 0 ? order : ORDER(a, b);
}

/* Returns the processes that have CPU time, in the order of the rows. The caller frees the array. */
static struct process_sum *sum_processes(struct flame_graph *graph, const struct code_rows *rows)
{
	struct process_sum *sums = NULL;
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (!(rows->items[i].line.cpu_seconds > 0))
			continue;
		if (count == 0 || sums[count - 1].pid != rows->items[i].pid) {
			array_grow(&sums, count, sizeof *sums);
			sums[count++] = (struct process_sum){.pid = rows->items[i].pid};
		}
		sums[count - 1].cpu_seconds += rows->items[i].line.cpu_seconds;
	}
	struct process_sum **ranked = xcalloc(count, sizeof(struct process_sum *));
	for (size_t i = 0; i < count; i++)
		ranked[i] = &sums[i];
	array_sort_pointers(ranked, count, by_cpu);
	graph->processes = count;
	graph->process_count = count < FLAME_PROCESSES_MAX ? count : FLAME_PROCESSES_MAX;
	graph->pids = xcalloc(graph->process_count, sizeof *graph->pids);
	for (size_t i = 0; i < count; i++) {
		ranked[i]->rank = i;
		if (i < graph->process_count)
			graph->pids[i] = ranked[i]->pid;
	}
	free(ranked);
	return sums;
}

static int by_place(const void *first, const void *second)
{
	const struct flame_cell *a = first, *b = second;
	int order = ORDER(a->node, b->node);

	if (order == 0)
		order = ORDER(a->process, b->process);
	return order != 0 ? order : ORDER(a->interval, b->interval);
}

/* Merges adjacent cells of the same node, process and interval. */
static void merge_cells(struct flame_graph *graph)
{
	struct flame_cell *cells = graph->cells;
	size_t kept = 0;

	for (size_t i = 0; i < graph->cell_count; i++)
		if (kept > 0 && by_place(&cells[kept - 1], &cells[i]) == 0) {
			cells[kept - 1].cpu_seconds += cells[i].cpu_seconds;
			cells[kept - 1].samples += cells[i].samples;
		} else {
			cells[kept++] = cells[i];
		}
	graph->cell_count = kept;
}

/* Returns the interval in which the middle of a row's time lies, or the nearest interval. */
static size_t interval_of(const struct code_row *row, const struct model *model)
{
	double part = (row->time - row->line.seconds / 2 - model->run->start_time) / model->totals.wall_seconds;

	if (part >= 1)
		return FLAME_INTERVALS_MAX - 1;
	return part > 0 ? (size_t)(part * FLAME_INTERVALS_MAX) : 0;
}

static void list_cells(
	struct flame_graph *graph, const struct model *model, const struct tree *tree, const size_t *branches)
{
	const struct code_rows *rows = &model->code.rows;
	struct process_sum *sums = sum_processes(graph, rows);
	size_t process = 0;

	graph->cells = xcalloc(rows->count, sizeof *graph->cells);
	for (size_t i = 0; i < rows->count; i++) {
		const struct code_row *row = &rows->items[i];
		if (branches[i] == 0)
			continue;
		if (graph->cell_count > 0 && sums[process].pid != row->pid)
			process++;
		size_t rank = sums[process].rank;
		graph->cells[graph->cell_count++] = (struct flame_cell){.node = tree->items[branches[i]].position,
			.process = rank < graph->process_count ? rank : graph->process_count,
			.interval = interval_of(row, model),
			.cpu_seconds = row->line.cpu_seconds,
			.samples = row->line.samples};
	}
	free(sums);
	array_sort(graph->cells, graph->cell_count, by_place);
}

/* Makes intervals twice as long until at most FLAME_CELLS_MAX cells remain. If one interval is left, halves the number
 * of processes instead. With one interval and one process, each node has at most one cell. */
static void make_cells(
	struct flame_graph *graph, const struct model *model, const struct tree *tree, const size_t *branches)
{
	size_t intervals = FLAME_INTERVALS_MAX;

	list_cells(graph, model, tree, branches);
	for (merge_cells(graph); graph->cell_count > FLAME_CELLS_MAX; merge_cells(graph)) {
		bool longer = intervals > 1;
		intervals = longer ? intervals / 2 : 1;
		graph->process_count = longer ? graph->process_count : graph->process_count / 2;
		for (size_t i = 0; i < graph->cell_count; i++) {
			struct flame_cell *cell = &graph->cells[i];
			cell->interval /= longer ? 2 : 1;
			cell->process = cell->process < graph->process_count ? cell->process : graph->process_count;
		}
	}
	graph->interval_seconds = fmax(model->totals.wall_seconds, 0) / (double)intervals;
}

void flame_graph_make(struct flame_graph *graph, const struct model *model)
{
	struct tree tree = {0};
	size_t *branches = xcalloc(model->code.rows.count, sizeof *branches);

	*graph = (struct flame_graph){0};
	add_rows(&tree, model, branches);
	if (tree.count > 1) {
		make_nodes(graph, &tree);
		make_cells(graph, model, &tree, branches);
	}
	free(branches);
	free(tree.items);
	flame_set_free(&tree.frames);
}

void flame_graph_free(struct flame_graph *graph)
{
	free(graph->nodes);
	free(graph->pids);
	free(graph->cells);
	*graph = (struct flame_graph){0};
}
