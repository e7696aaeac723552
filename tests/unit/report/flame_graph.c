/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/model/flame_graph.h: the flame graph is the tree of all stacks, its size is bounded, and its CPU time
 * is the sum over all rows. */
#include "report/model/flame_graph.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

enum { STACKS = 4096, FRAMES = 64, TICKS = 8, PROCESSES = 150, ROWS = STACKS * TICKS };

static struct run run = {.start_time = 1000};
static struct code_row rows[ROWS];

/* Returns a model of the first `count` rows. */
static struct model model_of(size_t count, size_t stacks)
{
	struct model model = {.run = &run};

	model.totals.wall_seconds = 100;
	model.code.rows = (struct code_rows){.items = rows, .count = count, .stack_count = stacks};
	return model;
}

static struct code_row row_of(double pid, double time, double cpu_seconds, struct code_stack *stack)
{
	return (struct code_row){.pid = pid,
		.time = time,
		.line = {.file = "job.py",
			.line = 1,
			.function = "f",
			.samples = 10,
			.seconds = 1,
			.cpu_seconds = cpu_seconds,
			.stack = stack}};
}

/* Writes the graph as "NAME CPU_SECONDS" for each node, with a dot for each caller. */
static const char *graph_text(const struct flame_graph *graph)
{
	static char text[1000];
	char name[CODE_NAME_SIZE];
	size_t used = 0;

	for (size_t i = 1; i < graph->count; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s%s %g", i > 1 ? ", " : "",
			(int)graph->nodes[i].depth - 1, "....", flame_name(&graph->nodes[i].frame, name),
			graph->nodes[i].cpu_seconds);
	return text;
}

static double sum_of(const struct flame_graph *graph)
{
	double sum = 0;

	for (size_t i = 0; i < graph->cell_count; i++)
		sum += graph->cells[i].cpu_seconds;
	return sum;
}

static void check_tree(void)
{
	static const char file[] = "job.py", outer[] = "main", slow[] = "slow", quick[] = "quick", brief[] = "brief";
	struct code_frame frames[][2] = {{{file, 20, outer, true}, {file, 7, quick, true}},
		{{file, 21, outer, true}, {file, 9, slow, true}}, {{file, 21, outer, true}, {file, 30, brief, true}}};
	struct code_stack stacks[3];
	struct flame_graph graph;

	for (size_t i = 0; i < 3; i++)
		stacks[i] = (struct code_stack){.id = (double)i, .number = i, .frames = frames[i], .count = 2};
	rows[0] = row_of(10, 1001, 1, &stacks[0]);
	rows[1] = row_of(10, 1050.5, 2.5, &stacks[1]);
	rows[2] = row_of(10, 1051, 0.005, &stacks[2]);
	rows[3] = row_of(11, 1100, 2.5, &stacks[1]);
	rows[4] = row_of(11, 1100, 0.5, NULL);
	struct model model = model_of(5, 3);
	flame_graph_make(&graph, &model);
	is_text(graph_text(&graph),
		"a program 6.505, .main 6.005, ..slow 5, ..quick 1, .job.py 0.5, ..job.py:1 0.5, ...f 0.5",
		"callers are before the frames that they called, and wide frames before narrow ones");
	is_number((double)graph.folded, 1, "a frame below 0.1 % of the CPU time is folded");
	is_number(graph.nodes[2].line, UNKNOWN, "a function has no line if stacks differ in it");
	is_number(graph.nodes[3].line, 9, "a function has its line if all stacks agree");
	is_number(graph.cells[0].cpu_seconds, 0.005, "the CPU time of a folded frame belongs to its caller");
	is_number(sum_of(&graph), 6.505, "the cells add up to the CPU time of all rows");
	is_number((double)graph.process_count, 2, "each process with CPU time is listed");
	is_number(graph.pids[0], 10, "the process with the most CPU time comes first");
	is_number((double)graph.cells[1].interval * graph.interval_seconds, 50,
		"an interval contains the middle of a row");
	flame_graph_free(&graph);
}

/* Makes STACKS stacks, with a row for each tick. Each group of eight stacks has files of its own below "main". Rows are
 * sorted by process. */
static void fill_rows(struct code_stack *stacks)
{
	static char files[STACKS / 8][FRAMES][2];
	static const char outer[] = "main", inner[] = "f";

	for (size_t i = 0; i < STACKS; i++) {
		struct code_frame *frames = calloc(FRAMES, sizeof *frames);
		for (size_t j = 0; j < FRAMES; j++) {
			files[i / 8][j][0] = 'f';
			frames[j] = (struct code_frame){
				j == 0 ? files[0][0] : files[i / 8][j], (double)j, j == 0 ? outer : inner, true};
		}
		stacks[i] = (struct code_stack){.id = (double)i, .number = i, .frames = frames, .count = FRAMES};
	}
	for (size_t i = 0; i < ROWS; i++)
		rows[i] = row_of((double)(i * PROCESSES / ROWS), 1000 + (double)(i % 100), 1 + (double)(i % 7),
			&stacks[i % STACKS]);
}

static void check_bounds(void)
{
	static struct code_stack stacks[STACKS];
	struct flame_graph graph;
	double sum = 0;

	fill_rows(stacks);
	for (size_t i = 0; i < ROWS; i++)
		sum += rows[i].line.cpu_seconds;
	struct model model = model_of(ROWS, STACKS);
	flame_graph_make(&graph, &model);
	ok(graph.count > 1 && graph.count <= FLAME_NODES_MAX,
		"4,096 stacks of 64 frames: the number of nodes is bounded");
	ok(graph.cell_count <= FLAME_CELLS_MAX, "4,096 stacks of 64 frames: the number of cells is bounded");
	ok(graph.process_count <= FLAME_PROCESSES_MAX && graph.processes == PROCESSES,
		"processes with little CPU time are merged");
	is_number(sum_of(&graph), sum, "the bounded cells add up to the CPU time of all rows");
	flame_graph_free(&graph);
	for (size_t i = 0; i < STACKS; i++)
		free(stacks[i].frames);
}

int main(void)
{
	struct model empty = model_of(0, 0);
	struct flame_graph graph;

	flame_graph_make(&graph, &empty);
	ok(graph.count == 0 && graph.cell_count == 0, "a run without code lines has no graph");
	flame_graph_free(&graph);
	check_tree();
	check_bounds();
	return done();
}
