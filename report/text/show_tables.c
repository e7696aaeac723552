/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of `show`: programs, parts, the process tree, usage by program or process, and lines of code. */
#include "report/text/show.h"

#include "core/number.h"
#include "report/model/source.h"
#include "report/say/alloc.h"
#include "report/text/table.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Formats a name, followed by " …" if the command lines differ. The caller must free the result. */
static char *name_with_more(const struct terminal *terminal, const char *name, bool differs)
{
	return xasprintf("%s%s", name, !differs ? "" : terminal->utf8 ? " \u2026" : " ...");
}

const char *show_command(const char *command, const char *program)
{
	const char *text = command && *command ? command : program, *name = text;

	for (const char *c = name; *c && *c != ' '; c++)
		if (*c == '/')
			name = c + 1;
	return *name && *name != ' ' ? name : text;
}

/* -- programs -------------------------------------------------------------------------------------- */

/* Returns the row for usage in no record, or NULL if this usage is below 1 % of the CPU time. */
static const struct bill_row *find_rest(const struct bill *bill)
{
	static const double WORTH_A_LINE = 0.01;
	const struct bill_row *rest = bill_difference(bill);

	return rest && rest->cpu_seconds >= WORTH_A_LINE * bill->all.cpu_seconds ? rest : NULL;
}

/* Returns the number of programs that fit on the screen below `lines` lines. The heading, `further` lines and the
 * prompt must fit as well. */
static size_t count_shown(const struct terminal *terminal, const struct bill *bill, unsigned lines, unsigned further)
{
	enum { LEAST = 1, MOST = 8, OTHER_LINES = 3 };
	unsigned used = lines + OTHER_LINES + further;
	size_t room = terminal->height > used ? terminal->height - used : 0;

	room = terminal->height == 0 || room > MOST ? MOST : room < LEAST ? LEAST : room;
	return bill->programs < room ? bill->programs : room;
}

static void write_more(const struct terminal *terminal, size_t more, const char *what)
{
	if (more > 0)
		fprintf(terminal->out, "%9s  and %s more %s%s\n", "", terminal_count((double)more).text, what,
			more > 1 ? "s" : "");
}

void show_programs(const struct terminal *terminal, const struct bill *bill, unsigned lines)
{
	const struct text_table table =
		TABLE(terminal, {"Processes", TABLE_FIGURE, 9, TERMINAL_NARROW}, {"CPU", TABLE_FIGURE, 12, 0},
			{"Largest", TABLE_FIGURE, 10, TERMINAL_NARROW}, {"Program", TABLE_REST, 0, 0});
	const struct bill_row *rest = find_rest(bill);
	/* Below the programs there is a line with the number of hidden programs, and possibly a line for usage in no
	 * record. */
	size_t shown = count_shown(terminal, bill, lines, rest ? 2 : 1);

	if (shown == 0)
		return;
	fputc('\n', terminal->out);
	table_heading(&table);
	for (size_t i = 0; i < shown; i++) {
		const struct bill_row *program = &bill->rows[i];
		char *name = name_with_more(terminal, program->command, program->differs);
		table_row(&table, terminal_count(program->processes).text, terminal_duration(program->cpu_seconds).text,
			terminal_figure(UNIT_mib, program->peak_memory_mib).text, name);
		free(name);
	}
	write_more(terminal, bill->programs - shown, "program");
	if (rest)
		table_row(&table, rest->processes > 0 ? terminal_count(rest->processes).text : "",
			terminal_duration(rest->cpu_seconds).text, "", bill_label(rest).text);
}

/* -- parts ----------------------------------------------------------------------------------------- */

void show_parts(const struct terminal *terminal, const struct parts *parts)
{
	enum { SHOWN_MAX = 12, WIDE = 72 };
	struct text_table table = TABLE(terminal, {"Times", TABLE_FIGURE, 9, WIDE},
		{"Time", TABLE_FIGURE, 12, TERMINAL_NARROW}, {"CPU", TABLE_FIGURE, 12, 0},
		{"Peak", TABLE_FIGURE, 10, WIDE}, {"Disk", TABLE_FIGURE, 10, WIDE}, {"Part", TABLE_REST, 0, 0});

	if (parts->count == 0)
		return;
	fputc('\n', terminal->out);
	table_heading(&table);
	for (size_t i = 0; i < parts->count && i < SHOWN_MAX; i++) {
		const struct part *part = &parts->items[i];
		char remark[PARTS_REMARK_SIZE];
		double bytes = UNKNOWN;
		known_add(&bytes, part->read_bytes);
		known_add(&bytes, part->write_bytes);
		table.kept = parts_remark(part, remark);
		table_row(&table, terminal_count(part->times).text, terminal_duration(part->seconds).text,
			terminal_duration(part->cpu_seconds).text,
			terminal_figure(UNIT_mib, part->peak_memory_mib).text, terminal_figure(UNIT_bytes, bytes).text,
			part->name);
	}
	write_more(terminal, parts->count > SHOWN_MAX ? parts->count - SHOWN_MAX : 0, "part");
}

/* -- runs inside a pipeline ------------------------------------------------------------------------ */

/* Formats "40 %", or "" if unknown. */
static struct figure percent_of(double share)
{
	struct figure figure = {""};

	if (isfinite(share))
		snprintf(figure.text, sizeof figure.text, "%.0f %%", 100 * share);
	return figure;
}

static void write_inner_job(struct text_table *table, const struct inner_jobs *jobs, const struct inner_job *job,
	const char *name, enum colour colour)
{
	char failed[40] = "", price[48] = "";

	if (job->failed > 0)
		snprintf(failed, sizeof failed, " (%zu failed)", job->failed);
	if (number_known(job->price))
		snprintf(price, sizeof price, "%s", units_money(job->price, jobs->currency).text);
	table->kept = *failed ? failed : NULL;
	table_write(table, colour,
		(const char *const[]){terminal_count((double)job->runs).text, terminal_duration(job->cpu_seconds).text,
			percent_of(inner_job_share(jobs, job)).text, units_hours(job->memory_gib_hours).text,
			terminal_duration(job->wall_seconds).text, price, name});
	table->kept = NULL;
}

void show_inner_jobs(const struct terminal *terminal, const struct inner_jobs *jobs)
{
	enum { SHOWN_MAX = 20, WIDE = 72, PRICE_WIDTH = 13, NEVER = UINT_MAX };
	static const double WORTH_A_LINE = 0.01;
	bool priced = *jobs->currency;
	unsigned wide = WIDE + (priced ? PRICE_WIDTH : 0);
	struct text_table table = TABLE(terminal, {"Runs", TABLE_FIGURE, 6, TERMINAL_NARROW},
		{"CPU", TABLE_FIGURE, 12, 0}, {"", TABLE_FIGURE, 5, TERMINAL_NARROW},
		{"GiB-hours", TABLE_FIGURE, 9, wide}, {"Time", TABLE_FIGURE, 12, wide},
		{"Price", TABLE_FIGURE, PRICE_WIDTH - 1, priced ? WIDE : NEVER}, {"Job", TABLE_REST, 0, 0});
	struct inner_job other = {.cpu_seconds = jobs->other_cpu_seconds};
	double share = inner_job_share(jobs, &other);

	if (jobs->count == 0)
		return;
	fputc('\n', terminal->out);
	table_heading(&table);
	for (size_t i = 0; i < jobs->count && i < SHOWN_MAX; i++)
		write_inner_job(&table, jobs, &jobs->items[i], jobs->items[i].name, COLOUR_plain);
	write_more(terminal, jobs->count > SHOWN_MAX ? jobs->count - SHOWN_MAX : 0, "job");
	if (share >= WORTH_A_LINE)
		table_row(&table, "", terminal_duration(other.cpu_seconds).text, percent_of(share).text, "", "", "",
			"(outside these runs)");
	write_inner_job(&table, jobs, &jobs->all, "(all runs)", COLOUR_strong);
	terminal_put(terminal, COLOUR_dim, "The costliest run of the first job: rtrack-report show ");
	terminal_text_line(terminal, jobs->items[0].costliest, 0);
}

/* -- tree ------------------------------------------------------------------------------------------ */

enum { TOGETHER_FROM = 4, /* minimum number of children on one line */ INDENT = 2, INDENT_MOST = 40, NONE = -1 };

struct node {
	const struct process *process;
	long parent, first, last, next; /* indices, or NONE */
	unsigned depth;
	size_t together; /* number of siblings on its line, including itself; 0 if it is on a sibling's line */
};

struct tree {
	const struct text_table *table;
	const struct bill *programs;
	const struct process *processes;
	struct node *nodes; /* nodes[i] is the node of processes[i] */
	size_t count;
	const struct process **order; /* in display order */
	double limit;                 /* maximum number of lines */
	size_t *seen; /* for each program, the number of children of one process that run it and have no children */
	long *of;     /* for each program, the first of these children */
};

static int by_order(const void *a, const void *b)
{
	return process_order(*(const struct process *const *)a, *(const struct process *const *)b);
}

/* Adds a process to the tree as the last child of its parent. */
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

/* Puts children of a process on one line if at least TOGETHER_FROM of them run the same program and have no children
 * themselves. */
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

static void add(double *cpu, double *peak, const struct process *process)
{
	struct process_figures usage = process_best_usage(process);
	known_add(cpu, usage.user_seconds);
	known_add(cpu, usage.system_seconds);
	*peak = known_larger(*peak, usage.peak_memory_mib);
}

static void write_node(const struct tree *tree, size_t position)
{
	const struct node *node = &tree->nodes[position];
	const struct process *process = node->process;
	const struct bill_row *program = &tree->programs->rows[tree->programs->row_of[position]];
	double cpu = UNKNOWN, peak = UNKNOWN;
	unsigned indent = node->depth * INDENT < INDENT_MOST ? node->depth * INDENT : INDENT_MOST;
	bool narrow = tree->table->terminal->width<TERMINAL_NARROW, joined = node->together> 1;
	const char *command = process->command && *process->command ? process->command : program->program;
	char pid[24];

	snprintf(pid, sizeof pid, "%d", process->id.pid);
	add(&cpu, &peak, process);
	for (long i = node->next; joined && i != NONE; i = tree->nodes[i].next)
		if (tree->nodes[i].together == 0 && tree->programs->row_of[i] == tree->programs->row_of[position])
			add(&cpu, &peak, tree->nodes[i].process);
	int spaces = (int)(narrow ? indent / INDENT : indent);
	char *name = joined ? xasprintf("%*s%s x %s", spaces, "", terminal_count((double)node->together).text,
				      bill_label(program).text)
			    : xasprintf("%*s%s", spaces, "", command);
	table_row(tree->table, joined ? "" : pid, terminal_duration(cpu).text, terminal_figure(UNIT_mib, peak).text,
		joined ? "" : terminal_lived(process->end_time - process->start_time).text, name);
	free(name);
}

/* Returns the next process that is not a descendant: the next sibling, or the next sibling of the nearest ancestor that
 * has one. */
static long after(const struct tree *tree, long position)
{
	while (position != NONE && tree->nodes[position].next == NONE)
		position = tree->nodes[position].parent;
	return position == NONE ? NONE : tree->nodes[position].next;
}

/* Writes a process and its descendants. Adds the number of lines to `written`, including lines that the limit omits. */
static void write_from(const struct tree *tree, long position, size_t *written)
{
	for (long i = position; i != NONE;) {
		struct node *node = &tree->nodes[i];
		node->depth = node->parent == NONE ? 0 : tree->nodes[node->parent].depth + 1;
		if (node->together > 0 && (double)++*written <= tree->limit)
			write_node(tree, (size_t)i);
		i = node->first != NONE ? node->first : after(tree, i);
	}
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

void show_tree(
	const struct terminal *terminal, const struct processes *processes, const struct bill *programs, double limit)
{
	const struct text_table table = TABLE(terminal, {"Process", TABLE_FIGURE, 8, TERMINAL_NARROW},
		{"CPU", TABLE_FIGURE, 12, 0}, {"Largest", TABLE_FIGURE, 10, TERMINAL_NARROW},
		{"Lived", TABLE_FIGURE, 12, TERMINAL_NARROW}, {"Command", TABLE_REST, 0, 0});
	size_t written = 0, count = processes->count;
	char more[100];
	struct tree tree = {&table, programs, processes->items, xcalloc(count, sizeof *tree.nodes), count,
		xcalloc(count, sizeof(struct process *)), limit, xcalloc(programs->programs, sizeof *tree.seen),
		xcalloc(programs->programs, sizeof *tree.of)};

	if (count > 0) {
		build(&tree);
		table_heading(&table);
	}
	for (size_t i = 0; i < count; i++)
		if (!process_first_parent(tree.order[i]))
			write_from(&tree, tree.order[i] - processes->items, &written);
	if ((double)written > limit) {
		snprintf(more, sizeof more, "and %s more lines; --limit 0 shows all",
			terminal_count((double)written - limit).text);
		terminal_dim_line(terminal, more);
	}
	free(tree.nodes);
	free(tree.order);
	free(tree.seen);
	free(tree.of);
}

/* -- usage by program or process ------------------------------------------------------------------- */

/* Formats a duration. A correction may be a negative duration. */
static struct figure duration_of(double seconds)
{
	struct figure figure = terminal_duration(fabs(seconds)), negative;

	if (!(seconds < 0))
		return figure;
	snprintf(negative.text, sizeof negative.text, "-%.40s", figure.text);
	return negative;
}

static void write_bill_row(const struct text_table *table, const struct bill *bill, const struct bill_row *row,
	const char *name, enum colour colour)
{
	double seconds = row->cpu_seconds, all = bill->all.cpu_seconds;
	struct figure count = {""};
	char *text = name_with_more(table->terminal, name, row->differs);

	if (row->process && row->processes > 0)
		snprintf(count.text, sizeof count.text, "%d", row->process->id.pid);
	else if (row->processes > 0)
		count = terminal_count(row->processes);
	table_write(table, colour,
		(const char *const[]){duration_of(seconds).text, percent_of(all > 0 ? seconds / all : UNKNOWN).text,
			terminal_figure(UNIT_mib, row->peak_memory_mib).text,
			terminal_figure(UNIT_bytes, row->read_bytes).text,
			terminal_figure(UNIT_bytes, row->write_bytes).text, terminal_duration(row->gpu_seconds).text,
			terminal_figure(UNIT_mib, row->peak_vram_mib).text, count.text, text});
	free(text);
}

void show_bill(const struct terminal *terminal, const struct bill *bill, bool by_process, double limit)
{
	enum { WIDE = 72, GPU_WIDTH = 20, CPU_WIDTH = 9, NEVER = UINT_MAX };
	const struct bill_row *difference = bill_difference(bill);
	bool gpus = bill->all.gpu_seconds > 0 || bill->all.peak_vram_mib > 0;
	unsigned wide = WIDE + (gpus ? GPU_WIDTH : 0), gpu = gpus ? TERMINAL_NARROW : NEVER;
	struct text_table table = TABLE(terminal, {"CPU", TABLE_FIGURE, CPU_WIDTH, 0}, {"", TABLE_FIGURE, 5, 0},
		{"Largest", TABLE_FIGURE, 9, TERMINAL_NARROW}, {"Read", TABLE_FIGURE, 8, wide},
		{"Written", TABLE_FIGURE, 8, wide}, {"GPU time", TABLE_FIGURE, 9, gpu}, {"VRAM", TABLE_FIGURE, 9, gpu},
		{by_process ? "Process" : "Count", TABLE_FIGURE, by_process ? 7 : 6, TERMINAL_NARROW},
		{"Command", TABLE_REST, 0, 0});
	size_t named = bill->count - bill->has_difference, shown = limit < (double)named ? (size_t)limit : named;
	char name[64];

	for (size_t i = 0; i < bill->count; i++)
		table_see(&table, 0, duration_of(bill->rows[i].cpu_seconds).text);
	table_see(&table, 0, duration_of(bill->all.cpu_seconds).text);
	table_heading(&table);
	for (size_t i = 0; i < shown; i++)
		write_bill_row(&table, bill, &bill->rows[i], show_command(bill->rows[i].command, bill->rows[i].program),
			COLOUR_plain);
	if (shown < named) {
		struct bill_row rest = bill_sum(bill, shown, named);
		snprintf(name, sizeof name, "(%s more)", terminal_count((double)(named - shown)).text);
		write_bill_row(&table, bill, &rest, name, COLOUR_plain);
	}
	if (difference)
		write_bill_row(&table, bill, difference, bill_label(difference).text, COLOUR_plain);
	write_bill_row(&table, bill, &bill->all, "(all)", COLOUR_strong);
}

/* -- lines of code --------------------------------------------------------------------------------- */

/* Writes the lines below a table of code lines or functions. */
static void end_lines(
	const struct terminal *terminal, const struct code *code, const struct code_list *list, size_t shown)
{
	char peak[CODE_DESCRIBED_SIZE];

	if (shown < list->count)
		fprintf(terminal->out, "(%s more)\n", terminal_count((double)(list->count - shown)).text);
	fprintf(terminal->out, "%s samples in all\n", terminal_count(list->samples).text);
	code_describe(&code->peak, "at the peak", peak, sizeof peak);
	if (*peak)
		terminal_wrap(terminal, peak, 0, 0);
}

void show_lines(const struct terminal *terminal, const struct code *code, double limit)
{
	const struct code_list *lines = &code->lines;
	const struct text_table table =
		TABLE(terminal, {"CPU", TABLE_FIGURE, 9, 0}, {"", TABLE_FIGURE, 5, 0}, {"Grew", TABLE_FIGURE, 9, 0},
			{"Time", TABLE_FIGURE, 9, 0}, {"Samples", TABLE_FIGURE, 8, 0}, {"Line", TABLE_REST, 0, 0});
	size_t shown = limit < (double)lines->count ? (size_t)limit : lines->count;
	char name[CODE_NAME_SIZE], with_text[CODE_NAME_SIZE + SOURCE_TEXT_SIZE];

	table_heading(&table);
	for (size_t i = 0; i < shown; i++) {
		const struct code_line *line = &lines->items[i];
		double growth = code_growth(line);
		bool has_text = line->text && *line->text;
		snprintf(with_text, sizeof with_text, "%s%s%s", code_name(line, name), has_text ? "  " : "",
			has_text ? line->text : "");
		table_row(&table, terminal_duration(line->cpu_seconds).text, percent_of(code_share(lines, line)).text,
			number_known(growth) ? terminal_figure(UNIT_mib, growth).text : "",
			terminal_duration(line->seconds).text, terminal_count(line->samples).text, with_text);
	}
	end_lines(terminal, code, lines, shown);
}

static void write_function(const struct text_table *table, const struct code_list *functions,
	const struct code_line *line, bool of_user, const char *name)
{
	double growth = code_growth(line);

	table_row(table, terminal_duration(line->cpu_seconds).text, percent_of(code_share(functions, line)).text,
		of_user ? terminal_duration(line->total_cpu_seconds).text : "",
		of_user ? percent_of(code_total_share(functions, line)).text : "",
		number_known(growth) ? terminal_figure(UNIT_mib, growth).text : "",
		terminal_duration(line->seconds).text, terminal_count(line->samples).text, name);
}

void show_functions(const struct terminal *terminal, const struct code *code, bool deep, double limit)
{
	const struct code_list *functions = &code->functions;
	const struct text_table table = TABLE(terminal, {"Self", TABLE_FIGURE, 9, 0}, {"", TABLE_FIGURE, 5, 0},
		{"Total", TABLE_FIGURE, 9, 0}, {"", TABLE_FIGURE, 5, 0}, {"Grew", TABLE_FIGURE, 9, 0},
		{"Time", TABLE_FIGURE, 9, 0}, {"Samples", TABLE_FIGURE, 8, 0}, {"Function", TABLE_REST, 0, 0});
	size_t shown = limit < (double)functions->count ? (size_t)limit : functions->count;
	char name[CODE_NAME_SIZE], indented[CODE_NAME_SIZE + 2];

	table_heading(&table);
	for (size_t i = 0; i < shown; i++) {
		size_t count = 0;
		const struct code_callee *callees = deep ? code_callees_of(code, &functions->items[i], &count) : NULL;
		write_function(&table, functions, &functions->items[i], true, code_name(&functions->items[i], name));
		for (size_t j = 0; j < count; j++) {
			snprintf(indented, sizeof indented, "  %s", code_library_name(&callees[j].line, name));
			write_function(&table, functions, &callees[j].line, false, indented);
		}
	}
	end_lines(terminal, code, functions, shown);
}
