/* Tasks of orchestrators; see task.h. The tables hold characters and no pointers, which would be relocations in every
 * process that loads the library. */
#include "sampler/run/task.h"

#include "core/number.h"
#include "core/pattern.h"
#include "core/spool.h"
#include "os/file.h"
#include "sampler/run/job.h"
#include "sampler/run/names.h"

enum { VALUE_MAX = 512, ARGUMENTS_SEEN = 512, SCRIPT_HEAD = 2048 };

struct orchestrator {
	const char *name;
	const char *within;
	const char *begins;
	const char *task;
	const char *job;
	const char *group;
	const char *rank;
	const char *node;
	const char *of;
	bool alone;
};

enum {
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of) ROW_##id,
#include "core/orchestrators.def"
#undef ORCHESTRATOR
	ROW_any
};
_Static_assert(ROW_any < 32, "a bit of uint32_t for each row");

static const struct texts {
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
	char id##_name[sizeof(#id)], id##_within[sizeof(within)], id##_begins[sizeof(begins)],                         \
		id##_task[sizeof(task)], id##_job[sizeof(job)], id##_group[sizeof(group)], id##_rank[sizeof(rank)],    \
		id##_node[sizeof(node)], id##_of[sizeof(of)];
#include "core/orchestrators.def"
#undef ORCHESTRATOR
} texts = {
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
#id, within, begins, task, job, group, rank, node, of,
#include "core/orchestrators.def"
#undef ORCHESTRATOR
};

static const struct {
	uint16_t at[9];
	bool alone;
} rows[] = {
#define AT(field) offsetof(struct texts, field)
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
	{{AT(id##_name), AT(id##_within), AT(id##_begins), AT(id##_task), AT(id##_job), AT(id##_group), AT(id##_rank), \
		 AT(id##_node), AT(id##_of)},                                                                          \
		alone},
#include "core/orchestrators.def"
#undef ORCHESTRATOR
#undef AT
};

static struct orchestrator orchestrator_at(int row)
{
	const char *all = (const char *)&texts;
	const uint16_t *at = rows[row].at;

	return (struct orchestrator){all + at[0], all + at[1], all + at[2], all + at[3], all + at[4], all + at[5],
		all + at[6], all + at[7], all + at[8], rows[row].alone};
}

/* The labels, one behind the other: the number of the row, the key and the source. */
#define PASTE(a, b) a##b
#define MEMBER(name, line) PASTE(name, line)
static const struct labels {
#define LABEL(id, key, source)                                                                                         \
	unsigned char MEMBER(row_, __LINE__);                                                                          \
	char MEMBER(key_, __LINE__)[sizeof(#key)], MEMBER(source_, __LINE__)[sizeof(source)];
#include "core/orchestrators.def"
#undef LABEL
} labels = {
#define LABEL(id, key, source) ROW_##id, #key, source,
#include "core/orchestrators.def"
#undef LABEL
};

/* -- arguments and variables ----------------------------------------------------------------------- */

static int arguments_seen(const struct task *task)
{
	return task->count < ARGUMENTS_SEEN ? task->count : ARGUMENTS_SEEN;
}

/* The argument behind `word`, or what is glued to it by '='; empty: there is none. */
static struct text argument_behind(const struct task *task, struct text word)
{
	for (int i = 1; i < arguments_seen(task); i++) {
		struct text argument = text_of(task->arguments[i]);
		if (text_equal(argument, word) && i + 1 < task->count)
			return text_of(task->arguments[i + 1]);
		if (argument.length > word.length && argument.data[word.length] == '=' &&
			text_equal((struct text){argument.data, word.length}, word))
			return (struct text){argument.data + word.length + 1, argument.length - word.length - 1};
	}
	return (struct text){NULL, 0};
}

static struct text argument_named(const struct task *task, struct text name)
{
	for (int i = 1; i < arguments_seen(task); i++)
		if (text_equal(text_basename(text_of(task->arguments[i])), name))
			return text_of(task->arguments[i]);
	return (struct text){NULL, 0};
}

static struct text variable(const struct task *task, struct text name)
{
	for (char *const *entry = task->environment; entry && *entry; entry++) {
		size_t i = 0;
		while (i < name.length && (*entry)[i] == name.data[i])
			i++;
		if (i == name.length && (*entry)[i] == '=')
			return text_of(*entry + i + 1);
	}
	return (struct text){NULL, 0};
}

/* The part of "a/b/c" with this number. */
static struct text part_of(struct text path, int number)
{
	for (size_t start = 0; start <= path.length && path.length > 0; number--) {
		size_t end = text_find(path, '/', start);
		if (number == 0)
			return (struct text){path.data + start, end - start};
		start = end + 1;
	}
	return (struct text){NULL, 0};
}

/* -- Metaflow -------------------------------------------------------------------------------------- */

static struct text metaflow_step(const struct task *task)
{
	struct text step = argument_behind(task, TEXT("step"));
	if (step.length == 0)
		step = argument_behind(task, TEXT("spin-step"));
	return step.length > 0 ? step : part_of(variable(task, TEXT("MF_PATHSPEC")), 2);
}

struct flow_search {
	const char *root;
	struct text run;
	struct buffer *found;
};

static void try_flow(void *context, const char *name)
{
	struct flow_search *search = context;
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);

	if (search->found->length > 0 || name[0] == '.')
		return;
	buffer_string(&out, search->root);
	buffer_byte(&out, '/');
	buffer_string(&out, name);
	buffer_byte(&out, '/');
	buffer_text(&out, search->run);
	(void)buffer_terminate(&out);
	if (!out.full && os_exists(OS_HERE, path))
		buffer_string(search->found, name);
}

/* The flow's name is that of a class, and stands in no argument: only its directory in a local datastore shows it. */
static void find_flow(const struct task *task, struct buffer *out)
{
	char root[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(root);
	struct flow_search search = {root, argument_behind(task, TEXT("--run-id")), out};

	buffer_text(&path, argument_behind(task, TEXT("--datastore-root")));
	(void)buffer_terminate(&path);
	if (root[0] == '/' && !path.full && search.run.length > 0)
		(void)os_list(OS_HERE, root, try_flow, &search);
}

static void metaflow_flow(const struct task *task, struct buffer *out)
{
	size_t before = out->length;
	struct text name = variable(task, TEXT("METAFLOW_FLOW_NAME"));
	if (name.length == 0)
		name = part_of(variable(task, TEXT("MF_PATHSPEC")), 0);
	buffer_text(out, name);
	if (out->length > before)
		return;
	find_flow(task, out);
	if (out->length > before)
		return;
	name = job_name(task->arguments, task->count);
	if (text_ends(name, ".py"))
		name.length -= 3;
	buffer_text(out, name);
}

/* -- Nextflow -------------------------------------------------------------------------------------- */

/* "### name: 'foo (1)'", or "# NEXTFLOW TASK: foo (2)" before version 24. */
static struct text task_line(struct text line)
{
	static const char *const heads[] = {"### name: '", "# NEXTFLOW TASK: "};

	for (size_t i = 0; i < ARRAY_LENGTH(heads); i++) {
		if (!text_starts(line, heads[i]))
			continue;
		size_t skip = text_length(heads[i]);
		line = (struct text){line.data + skip, line.length - skip};
		line.length -= line.length > 0 && line.data[line.length - 1] == '\'';
		return line;
	}
	return (struct text){NULL, 0};
}

/* The process' name, or the index behind it ("foo (2)"), from the script that Nextflow wrote beside the task's. */
static void nextflow_name(const struct task *task, struct buffer *out, bool index)
{
	char path[SPOOL_PATH_MAX];
	char head[SCRIPT_HEAD];
	struct buffer place = BUFFER(path);
	struct text script = argument_named(task, TEXT(".command.sh"));
	struct text workdir = variable(task, TEXT("NXF_TASK_WORKDIR"));

	if (workdir.length > 0)
		buffer_text(&place, workdir);
	else if (script.length > text_basename(script).length)
		buffer_text(&place, (struct text){script.data, script.length - text_basename(script).length - 1});
	else
		buffer_byte(&place, '.');
	buffer_string(&place, "/.command.run");
	int64_t length = os_read(OS_HERE, buffer_terminate(&place), head, sizeof head);
	struct text text = {head, length > 0 && !place.full ? (size_t)length : 0};
	for (size_t start = 0; start < text.length;) {
		size_t end = text_find(text, '\n', start);
		struct text name = task_line((struct text){head + start, end - start});
		size_t open = text_find(name, '(', 0);
		if (name.length > 0 && !index)
			buffer_text(out, (struct text){name.data, open > 0 && open < name.length ? open - 1 : open});
		else if (open < name.length && name.data[name.length - 1] == ')')
			buffer_text(out, (struct text){name.data + open + 1, name.length - open - 2});
		if (name.length > 0)
			return;
		start = end + 1;
	}
}

/* -- sources --------------------------------------------------------------------------------------- */

static bool is_of_name(char byte)
{
	return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
	       byte == '_';
}

static bool is_of_word(char byte)
{
	return is_of_name(byte) || byte == '-' || byte == '.';
}

/* Appends what one part of a source stands for; whether it is there. */
static bool fill_part(const struct task *task, struct buffer *out, char kind, struct text what)
{
	size_t before = out->length;
	struct text value;

	switch (kind) {
	case '$':
		buffer_text(out, variable(task, what));
		break;
	case '<':
		value = variable(task, what);
		while (value.length > 0 && value.data[--value.length] != '-')
			;
		buffer_text(out, value);
		break;
	case '@':
		buffer_text(out, text_is(what, "step") ? metaflow_step(task) : argument_behind(task, what));
		break;
	default:
		return argument_named(task, what).length > 0;
	}
	return out->length > before;
}

/* Where a part that begins before `at` ends. */
static size_t part_end(struct text text, size_t at, char kind)
{
	while (at < text.length && (kind == '@' || kind == '=' ? is_of_word(text.data[at]) : is_of_name(text.data[at])))
		at++;
	return at;
}

/* Appends what a source stands for; false, and nothing is appended, where a part of it is missing. What is only to be
 * found out is not: each process that starts asks, on little stack. */
static bool fill(const struct task *task, struct buffer *out, struct text text)
{
	size_t before = out->length;

	for (size_t i = 0; i < text.length;) {
		char kind = text.data[i];
		if (text_find(TEXT("$<@="), kind, 0) == 4) {
			buffer_byte(out, kind);
			i++;
			continue;
		}
		size_t end = part_end(text, ++i, kind);
		if (!fill_part(task, out, kind, (struct text){text.data + i, end - i})) {
			out->length = before;
			return false;
		}
		i = end;
	}
	return text.length > 0 && !out->full;
}

static bool can_fill(const struct task *task, const char *source)
{
	char value[VALUE_MAX];
	struct buffer out = BUFFER(value);
	return fill(task, &out, text_of(source));
}

static bool find_out(const struct task *task, struct buffer *out, struct text what)
{
	size_t before = out->length;
	if (text_is(what, "flow"))
		metaflow_flow(task, out);
	else if (text_is(what, "step"))
		buffer_text(out, metaflow_step(task));
	else
		nextflow_name(task, out, text_is(what, "index"));
	return out->length > before;
}

/* The same with what is to be found out, for run.json. */
static bool fill_all(const struct task *task, struct buffer *out, const char *source)
{
	struct text text = text_of(source);
	size_t before = out->length;

	for (size_t i = 0; i < text.length;) {
		size_t mark = text_find(text, '!', i);
		size_t end = mark < text.length ? part_end(text, mark + 1, '!') : text.length;
		if ((mark > i && !fill(task, out, (struct text){text.data + i, mark - i})) ||
			(mark < text.length &&
				!find_out(task, out, (struct text){text.data + mark + 1, end - mark - 1}))) {
			out->length = before;
			return false;
		}
		i = end;
	}
	return text.length > 0 && !out->full;
}

static double fill_number(const struct task *task, const char *source)
{
	char value[VALUE_MAX];
	struct buffer out = BUFFER(value);
	double number;
	return fill(task, &out, text_of(source)) && number_read((struct text){value, out.length}, &number) == 0
		       ? number
		       : UNKNOWN;
}

/* -- whose task ------------------------------------------------------------------------------------ */

/* FNV-1a (Fowler, Noll, Vo); never 0. */
static uint64_t key_of(struct text text)
{
	uint64_t hash = 14695981039346656037U;
	for (size_t i = 0; i < text.length; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 1099511628211U;
	return hash | 1;
}

static bool matches_words(const struct task *task, int at, struct text words)
{
	for (size_t start = 0; start < words.length; at++) {
		size_t end = text_find(words, ' ', start);
		if (at >= arguments_seen(task) ||
			!pattern_match((struct text){words.data + start, end - start}, text_of(task->arguments[at])))
			return false;
		start = end + 1;
	}
	return true;
}

static bool has_words(const struct task *task, const char *words)
{
	for (int i = 1; i < arguments_seen(task); i++)
		if (matches_words(task, i, text_of(words)))
			return true;
	return false;
}

static const struct helper {
	char program[8];
	char words[22];
} helpers[] = {
#define HELPER(program, words) {program, words},
#include "core/orchestrators.def"
#undef HELPER
};

/* Every program that the library gets into comes by, and hardly one is a helper: their names begin with a letter. */
static bool is_helper(const struct task *task)
{
	struct text program = task->count > 0 ? text_basename(text_of(task->arguments[0])) : TEXT("");

	for (size_t i = 0; program.length > 0 && i < ARRAY_LENGTH(helpers); i++)
		if (program.data[0] == helpers[i].program[0] && pattern_match(text_of(helpers[i].program), program) &&
			has_words(task, helpers[i].words))
			return true;
	return false;
}

/* `other`: the task is none that a run around is of. */
static bool begins(const struct task *task, const struct orchestrator *row, bool other, int pid)
{
	static const char by_pid[] = "PID ";
	struct text rule = text_of(row->begins);

	if (text_is(rule, "KEY"))
		return other;
	if (text_starts(rule, by_pid)) {
		double named;
		struct text value = variable(task, text_of(row->begins + sizeof by_pid - 1));
		return value.length > 0 && number_read(value, &named) == 0 && named == pid;
	}
	return can_fill(task, row->begins);
}

/* Every program that the library gets into comes by, and nearly none belongs to a task: therefore the environment and
 * the arguments are gone through once for all rows, for what their sources begin with. */
#define BIT_OF(name, at) ((uint64_t)1 << (((unsigned char)(name)[at] * 11u + (unsigned char)(name)[(at) + 1]) & 63))

/* The first two letters of the first variable of any row, as bits. By 11 none of those that are found everywhere (PATH,
 * HOME, PWD, …) comes to the place of one. */
static const uint64_t variable_bits = 0
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
	| ((within)[0] == '$' ? BIT_OF(within, 1) : 0)
#include "core/orchestrators.def"
#undef ORCHESTRATOR
	;

/* What the first word of a source that asks for one ends with, or begins with; '\0': it asks for none. */
#define WORD_END(source) ((source)[0] == '=' ? (source)[sizeof(source) - 2] : '\0')
#define WORD_BEGIN(source) ((source)[0] == '@' ? (source)[1] : '\0')

static const struct words {
	char ends[2];   /* of `within` and `begins` */
	char begins[2]; /* "spin-step", which is taken for "step", begins as it does */
} words_of[] = {
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
	{{WORD_END(within), WORD_END(begins)}, {WORD_BEGIN(within), WORD_BEGIN(begins)}},
#include "core/orchestrators.def"
#undef ORCHESTRATOR
};

/* Whether an entry of the environment is the first variable of a source. */
static bool is_variable(const char *entry, const char *source)
{
	size_t i = 0;
	if (source[0] != '$' || source[1] != entry[0])
		return false;
	while (entry[i] == source[i + 1] && entry[i] != '\0')
		i++;
	return entry[i] == '=' && !is_of_name(source[i + 1]);
}

/* A bit for each row whose first variable is there. */
static uint32_t rows_by_environment(char *const *environment)
{
	uint32_t found = 0;

	for (; environment && *environment; environment++) {
		const char *entry = *environment;
		if (entry[0] == '\0' || !(BIT_OF(entry, 0) & variable_bits))
			continue;
		for (int i = 0; i < ROW_any; i++)
			found |= (uint32_t)is_variable(entry, (const char *)&texts + rows[i].at[1]) << i;
	}
	return found;
}

/* A bit for each row whose first word may be there. */
static uint32_t rows_by_arguments(const struct task *task)
{
	uint32_t found = 0;

	for (int i = 1; i < arguments_seen(task); i++) {
		struct text argument = text_of(task->arguments[i]);
		if (argument.length == 0)
			continue;
		char begin = argument.data[0], end = argument.data[argument.length - 1];
		for (int row = 0; row < ROW_any; row++) {
			const struct words *words = &words_of[row];
			bool fits = begin == words->begins[0] || begin == words->begins[1] || end == words->ends[0] ||
				    end == words->ends[1];
			found |= (uint32_t)fits << row;
		}
	}
	return found;
}

static int find_row(const struct task *task)
{
	uint32_t possible = rows_by_environment(task->environment) | rows_by_arguments(task);

	for (int i = 0; possible >> i != 0; i++) {
		if (!(possible >> i & 1))
			continue;
		const struct orchestrator found = orchestrator_at(i), *row = &found;
		bool by_itself = row->begins[0] == '@' || row->begins[0] == '=';
		if (can_fill(task, row->within) || (by_itself && can_fill(task, row->begins)))
			return i;
	}
	return -1;
}

void task_find(struct task *task, const char *around, uint64_t around_task, int pid)
{
	char text[VALUE_MAX];
	struct buffer out = BUFFER(text);

	task->row = find_row(task);
	task->key = 0;
	task->begins = false;
	task->is_helper = is_helper(task);
	if (task->row < 0)
		return;
	const struct orchestrator found = orchestrator_at(task->row), *row = &found;
	if (fill(task, &out, text_of(row->task)))
		task->key = key_of((struct text){text, out.length});
	bool other = !around || around_task != task->key;
	bool goes_on = around && spool_id_pid(run_id(around)) == pid;
	task->begins = !task->is_helper && !goes_on && begins(task, row, other, pid);
	task->is_helper = task->is_helper || (row->alone && !task->begins);
}

/* -- what run.json says ---------------------------------------------------------------------------- */

void task_write_job(const struct task *task, struct buffer *out)
{
	static const struct text sibling = {"TRACKER_JOB_NAME", sizeof "TRACKER_JOB_NAME" - 1};

	if (task->row >= 0 && task->begins && fill_all(task, out, orchestrator_at(task->row).job))
		return;
	buffer_text(out, variable(task, sibling));
}

/* The keys that have been written; one that finds no room is not written. */
struct keys {
	struct text list[48];
	size_t count;
};

static void write_label(struct json *json, struct keys *keys, struct text key, struct text value)
{
	char name[256];
	struct buffer out = BUFFER(name);

	for (size_t i = 0; i < keys->count; i++)
		if (text_equal(keys->list[i], key))
			return;
	buffer_text(&out, key);
	if (key.length == 0 || value.length == 0 || out.full || keys->count == ARRAY_LENGTH(keys->list))
		return;
	keys->list[keys->count++] = key;
	json_text(json, buffer_terminate(&out), value);
}

static void write_tags(struct json *json, struct keys *keys, struct text tags)
{
	for (size_t start = 0; start < tags.length;) {
		size_t end = start;
		while (end < tags.length && tags.data[end] != '\n' && tags.data[end] != ',')
			end++;
		struct text pair = {tags.data + start, end - start};
		size_t equals = text_find(pair, '=', 0);
		if (equals < pair.length)
			write_label(json, keys, (struct text){pair.data, equals},
				(struct text){pair.data + equals + 1, pair.length - equals - 1});
		start = end + 1;
	}
}

void task_write_labels(const struct task *task, struct json *json, struct text tags)
{
	struct keys keys = {.count = 0};

	json_begin_object(json, "labels");
	write_tags(json, &keys, tags);
	if (task->row >= 0)
		write_label(json, &keys, TEXT("orchestrator"), text_of(orchestrator_at(task->row).name));
	for (const char *at = (const char *)&labels; at < (const char *)(&labels + 1);) {
		char value[VALUE_MAX];
		struct buffer out = BUFFER(value);
		int row = (unsigned char)*at;
		struct text key = text_of(at + 1);
		const char *source = key.data + key.length + 1;
		at = source + text_length(source) + 1;
		if (row != ROW_any && (task->row < 0 || row < task->row ||
					      (row > task->row && !can_fill(task, orchestrator_at(row).within))))
			continue;
		if (fill_all(task, &out, source))
			write_label(json, &keys, key, (struct text){value, out.length});
	}
	json_end_object(json);
}

void task_write_group(const struct task *task, struct json *json, struct text wish)
{
	char group[VALUE_MAX];
	struct buffer out = BUFFER(group);
	double rank = UNKNOWN, node = UNKNOWN, of = UNKNOWN;

	for (int i = task->row < 0 ? ROW_any : task->row; i < ROW_any; i++) {
		const struct orchestrator found = orchestrator_at(i), *row = &found;
		if (!can_fill(task, row->within) || !number_known(fill_number(task, row->rank)))
			continue;
		rank = fill_number(task, row->rank);
		node = fill_number(task, row->node);
		of = fill_number(task, row->of);
		(void)fill(task, &out, text_of(row->group));
		break;
	}
	if (wish.length > 0)
		json_text(json, "group", wish);
	else if (out.length > 0)
		json_text(json, "group", (struct text){group, out.length});
	else
		json_null(json, "group");
	json_begin_object(json, "member");
	json_number(json, "rank", rank, 0);
	json_number(json, "node", node, 0);
	json_number(json, "of", of, 0);
	json_end_object(json);
}
