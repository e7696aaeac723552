/* The processes of a run as a tree; see show_tree.h. */
#define _GNU_SOURCE
#include "report/text/show_tree.h"

#include "core/number.h"

#include <errno.h>
#include <stdlib.h>

enum { TOGETHER_FROM = 4, /* children of one program */ INDENT = 2, INDENT_MOST = 40, NONE = -1 };

struct node {
	const struct process *process;
	long parent, first, last, next; /* positions, NONE where there is no such */
	unsigned depth;
	size_t together; /* how many siblings its line stands for, itself among them; 0: another's does */
};

struct tree {
	const struct terminal *terminal;
	const struct bill *programs;
	const struct process *processes;
	struct node *nodes; /* by the processes' positions */
	size_t count;
	const struct process **order; /* in which they are shown */
	double limit;                 /* of lines */
	size_t *seen;                 /* by program: how many leaves of the children looked at */
	long *of;                     /* by program: the first of them */
};

static int by_order(const void *a, const void *b)
{
	return process_order(*(const struct process *const *)a, *(const struct process *const *)b);
}

/* Puts a process below its parent, after those that are there. */
static void place(struct tree *tree, const struct process *process)
{
	const struct process *found = process_first_parent(process);
	long position = process - tree->processes;

	if (!found)
		return;
	struct node *parent = &tree->nodes[found - tree->processes];
	tree->nodes[position].parent = found - tree->processes;
	if (parent->last == NONE)
		parent->first = position;
	else
		tree->nodes[parent->last].next = position;
	parent->last = position;
}

/* Joins the leaves among the children of a process that are of one program, where there are many. */
static void join_children(struct tree *tree, const struct node *parent)
{
	const size_t *of = tree->programs->row_of;

	for (long i = parent->first; i != NONE; i = tree->nodes[i].next)
		tree->seen[of[i]] = 0;
	for (long i = parent->first; i != NONE; i = tree->nodes[i].next) {
		if (tree->nodes[i].first == NONE && tree->seen[of[i]]++ == 0)
			tree->of[of[i]] = i;
	}
	for (long i = parent->first; i != NONE; i = tree->nodes[i].next) {
		struct node *node = &tree->nodes[i];
		if (node->first == NONE && tree->seen[of[i]] >= TOGETHER_FROM)
			node->together = tree->of[of[i]] == i ? tree->seen[of[i]] : 0;
	}
}

static void write_cells(const struct terminal *terminal, const char *pid, const char *cpu, const char *peak,
	const char *lived, unsigned indent, const char *name)
{
	bool narrow = terminal->width < TERMINAL_NARROW;
	int used = narrow ? fprintf(terminal->out, "%9s  %*s", cpu, (int)indent / INDENT, "")
			  : fprintf(terminal->out, "%8s %12s %10s %12s  %*s", pid, cpu, peak, lived, (int)indent, "");
	terminal_text(terminal, name, terminal->width > (unsigned)used ? terminal->width - (unsigned)used : 0, 0);
	fputc('\n', terminal->out);
}

static void add(double *cpu, double *peak, const struct process *process)
{
	struct process_figures usage = process_best_usage(process);
	known_add(cpu, usage.user_seconds);
	known_add(cpu, usage.system_seconds);
	*peak = known_larger(*peak, usage.peak_memory_mib);
}

static int write_node(const struct tree *tree, size_t position)
{
	const struct node *node = &tree->nodes[position];
	const struct bill_row *program = &tree->programs->rows[tree->programs->row_of[position]];
	double cpu = UNKNOWN, peak = UNKNOWN;
	unsigned indent = node->depth * INDENT < INDENT_MOST ? node->depth * INDENT : INDENT_MOST;
	char pid[24];
	char *name = NULL;

	snprintf(pid, sizeof pid, "%d", node->process->id.pid);
	add(&cpu, &peak, node->process);
	for (long i = node->next; node->together > 1 && i != NONE; i = tree->nodes[i].next)
		if (tree->nodes[i].together == 0 && tree->programs->row_of[i] == tree->programs->row_of[position])
			add(&cpu, &peak, tree->nodes[i].process);
	const char *command = node->process->command;
	int length = node->together > 1    ? asprintf(&name, "%s x %s", terminal_count((double)node->together).text,
						     bill_label(program).text)
		     : command && *command ? asprintf(&name, "%s", command)
					   : asprintf(&name, "%s", program->program);
	if (length < 0) {
		errno = ENOMEM;
		return -1;
	}
	write_cells(tree->terminal, node->together > 1 ? "" : pid, terminal_duration(cpu).text,
		terminal_figure(UNIT_mib, peak).text,
		node->together > 1 ? "" : terminal_lived(node->process->end_time - node->process->start_time).text,
		indent, name);
	free(name);
	return 0;
}

/* The process after this one and all below it: its sibling, or that of the nearest above that has one. */
static long after(const struct tree *tree, long position)
{
	while (position != NONE && tree->nodes[position].next == NONE)
		position = tree->nodes[position].parent;
	return position == NONE ? NONE : tree->nodes[position].next;
}

/* `written` counts the lines, those as well that are left out beyond the limit. */
static int write_from(const struct tree *tree, long position, size_t *written)
{
	for (long i = position; i != NONE;) {
		struct node *node = &tree->nodes[i];
		node->depth = node->parent == NONE ? 0 : tree->nodes[node->parent].depth + 1;
		if (node->together > 0 && (double)++*written <= tree->limit && write_node(tree, (size_t)i) != 0)
			return -1;
		i = node->first != NONE ? node->first : after(tree, i);
	}
	return 0;
}

static void build(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		tree->order[i] = &tree->processes[i];
	qsort(tree->order, tree->count, sizeof(struct process *), by_order);
	for (size_t i = 0; i < tree->count; i++)
		tree->nodes[i] = (struct node){&tree->processes[i], NONE, NONE, NONE, NONE, 0, 1};
	for (size_t i = 0; i < tree->count; i++)
		place(tree, tree->order[i]);
	for (size_t i = 0; i < tree->count; i++)
		join_children(tree, &tree->nodes[i]);
}

int show_tree(
	const struct terminal *terminal, const struct processes *processes, const struct bill *programs, double limit)
{
	size_t written = 0;
	char more[100];
	struct node *nodes = calloc(processes->count + 1, sizeof *nodes);
	const struct process **order = calloc(processes->count + 1, sizeof(struct process *));
	size_t *seen = calloc(programs->programs + 1, sizeof *seen);
	long *of = calloc(programs->programs + 1, sizeof *of);
	struct tree tree = {terminal, programs, processes->items, nodes, processes->count, order, limit, seen, of};
	int result = nodes && order && seen && of ? 0 : -1;

	if (result == 0 && tree.count > 0) {
		build(&tree);
		terminal_colour(terminal, COLOUR_dim);
		write_cells(terminal, "Process", "CPU", "Largest", "Lived", 0, "Command");
		terminal_colour(terminal, COLOUR_plain);
	}
	for (size_t i = 0; result == 0 && i < tree.count; i++)
		if (!process_first_parent(order[i]))
			result = write_from(&tree, order[i] - processes->items, &written);
	if (result == 0 && (double)written > limit) {
		snprintf(more, sizeof more, "and %s more lines; --limit 0 shows all",
			terminal_count((double)written - limit).text);
		terminal_dim_line(terminal, more);
	}
	free(nodes);
	free(order);
	free(seen);
	free(of);
	if (result != 0)
		errno = ENOMEM;
	return result;
}
