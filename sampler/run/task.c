/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes tasks of orchestrators.
 *
 * The tables contain characters instead of pointers, because pointers would need relocations in every process that
 * loads the library. */
#include "sampler/run/task.h"

#include "core/number.h"
#include "core/pattern.h"
#include "core/spool.h"
#include "sampler/run/names.h"

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
	ROW_any
};
_Static_assert(ROW_any < 32, "a bit of uint32_t for each row");

static const struct texts {
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
	char id##_name[sizeof(#id)], id##_within[sizeof(within)], id##_begins[sizeof(begins)],                         \
		id##_task[sizeof(task)], id##_job[sizeof(job)], id##_group[sizeof(group)], id##_rank[sizeof(rank)],    \
		id##_node[sizeof(node)], id##_of[sizeof(of)];
#include "core/orchestrators.def"
} texts = {
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
#id, within, begins, task, job, group, rank, node, of,
#include "core/orchestrators.def"
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
#undef AT
};

static struct orchestrator orchestrator_at(int row)
{
	const char *all = (const char *)&texts;
	const uint16_t *at = rows[row].at;

	return (struct orchestrator){all + at[0], all + at[1], all + at[2], all + at[3], all + at[4], all + at[5],
		all + at[6], all + at[7], all + at[8], rows[row].alone};
}

/* A list of all labels, each with its row number, key and source. */
#define PASTE(a, b) a##b
#define MEMBER(name, line) PASTE(name, line)
static const struct labels {
#define LABEL(id, key, source)                                                                                         \
	unsigned char MEMBER(row_, __LINE__);                                                                          \
	char MEMBER(key_, __LINE__)[sizeof(#key)], MEMBER(source_, __LINE__)[sizeof(source)];
#include "core/orchestrators.def"
} labels = {
#define LABEL(id, key, source) ROW_##id, #key, source,
#include "core/orchestrators.def"
};

/* -- recognizing the task -------------------------------------------------------------------------- */

/* Returns a hash (FNV-1a), never 0. */
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
		if (at >= source_arguments_seen(&task->of) ||
			!pattern_match((struct text){words.data + start, end - start}, text_of(task->of.arguments[at])))
			return false;
		start = end + 1;
	}
	return true;
}

static bool has_words(const struct task *task, const char *words)
{
	for (int i = 1; i < source_arguments_seen(&task->of); i++)
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
};

/* Returns whether the process is a helper of an orchestrator. Every program that loads the library calls this function,
 * and helpers are rare. The first characters are therefore compared before the patterns. */
static bool is_helper(const struct task *task)
{
	struct text program = task->of.count > 0 ? text_basename(text_of(task->of.arguments[0])) : TEXT("");

	for (size_t i = 0; program.length > 0 && i < ARRAY_LENGTH(helpers); i++)
		if (program.data[0] == helpers[i].program[0] && pattern_match(text_of(helpers[i].program), program) &&
			has_words(task, helpers[i].words))
			return true;
	return false;
}

/* Returns whether a process begins its task. `other`: its task differs from the task of the enclosing run. */
static bool begins(const struct task *task, const struct orchestrator *row, bool other, int pid)
{
	static const char by_pid[] = "PID ";
	struct text rule = text_of(row->begins);

	if (text_is(rule, "KEY"))
		return other;
	if (text_starts(rule, by_pid)) {
		double named;
		struct text value = source_variable(&task->of, text_of(row->begins + sizeof by_pid - 1));
		return value.length > 0 && number_read(value, &named) == 0 && named == pid;
	}
	return source_can_fill(&task->of, row->begins);
}

/* Every program that loads the library searches for its task, but few programs have one. The environment and the
 * arguments are therefore scanned only once, for the first characters of all sources. */
#define BIT_OF(name, at) ((uint64_t)1 << (((unsigned char)(name)[at] * 11u + (unsigned char)(name)[(at) + 1]) & 63))

/* A bit for each row: a hash of the first two letters of its first variable. Because of the factor 11, common variables
 * (PATH, HOME, PWD, …) have other bits. */
static const uint64_t variable_bits = 0
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
	| ((within)[0] == '$' ? BIT_OF(within, 1) : 0)
#include "core/orchestrators.def"
	;

/* The last or first character of the first word in a source, or '\0' if it has no word. */
#define WORD_END(source) ((source)[0] == '=' ? (source)[sizeof(source) - 2] : '\0')
#define WORD_BEGIN(source) ((source)[0] == '@' ? (source)[1] : '\0')

static const struct words {
	char ends[2];   /* last characters of the words in `within` and `begins` */
	char begins[2]; /* first characters of these words; they also match "spin-step", which is treated as "step" */
} words_of[] = {
#define ORCHESTRATOR(id, within, begins, task, alone, job, group, rank, node, of)                                      \
	{{WORD_END(within), WORD_END(begins)}, {WORD_BEGIN(within), WORD_BEGIN(begins)}},
#include "core/orchestrators.def"
};

/* Returns whether an entry of the environment sets the first variable of a source. */
static bool is_variable(const char *entry, const char *source)
{
	size_t i = 0;
	if (source[0] != '$' || source[1] != entry[0])
		return false;
	while (entry[i] == source[i + 1] && entry[i] != '\0')
		i++;
	return entry[i] == '=' && !source_is_of_name(source[i + 1]);
}

/* Returns a bit for each row whose first variable is set. */
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

/* Returns a set of bits: the rows of orchestrators.def whose first word may be among the arguments. */
static uint32_t rows_by_arguments(const struct task *task)
{
	uint32_t found = 0;

	for (int i = 1; i < source_arguments_seen(&task->of); i++) {
		struct text argument = text_of(task->of.arguments[i]);
		if (argument.length == 0)
			continue;
		char begin = argument.data[0], end = argument.data[argument.length - 1];
		for (int row = 0; row < ROW_any; row++) {
			const struct words *words = &words_of[row];
			bool may_fit = begin == words->begins[0] || begin == words->begins[1] ||
				       end == words->ends[0] || end == words->ends[1];
			found |= (uint32_t)may_fit << row;
		}
	}
	return found;
}

/* Returns the first row whose task contains this process or begins with it, or -1. */
static int find_row(const struct task *task)
{
	uint32_t possible = rows_by_environment(task->of.environment) | rows_by_arguments(task);

	for (int i = 0; possible >> i != 0; i++) {
		const struct orchestrator row = orchestrator_at(i);
		bool by_itself = row.begins[0] == '@' || row.begins[0] == '=';
		if ((possible >> i & 1) && (source_can_fill(&task->of, row.within) ||
						   (by_itself && source_can_fill(&task->of, row.begins))))
			return i;
	}
	return -1;
}

/* Fills in the task, given its row. */
static void look_closer(struct task *task, const char *around, int pid)
{
	char text[VALUE_MAX];
	struct buffer out = BUFFER(text);
	const struct orchestrator row = orchestrator_at(task->row);

	if (source_fill(&task->of, &out, text_of(row.task)))
		task->key = key_of((struct text){text, out.length});
	bool other = !around || run_task(around) != task->key;
	bool goes_on = around && spool_id_pid(run_id(around)) == pid;
	task->begins = !task->is_helper && !goes_on && begins(task, &row, other, pid);
	task->is_helper = task->is_helper || (row.alone && !task->begins);
}

void task_find(struct task *task, const char *around, int pid)
{
	task->row = find_row(task);
	task->key = 0;
	task->begins = false;
	task->is_helper = is_helper(task);
	if (task->row >= 0)
		look_closer(task, around, pid);
}

/* -- output for run.json ---------------------------------------------------------------------------- */

void task_write_job(const struct task *task, struct buffer *out)
{
	if (task->row >= 0 && task->begins && source_fill_all(&task->of, out, orchestrator_at(task->row).job))
		return;
	buffer_text(out, source_variable(&task->of, TEXT("TRACKER_JOB_NAME")));
}

/* The labels written so far, each key once. Labels beyond the capacity are left out. */
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
		size_t end = text_item_end(tags, start);
		size_t equals = text_find((struct text){tags.data, end}, '=', start);
		if (equals < end)
			write_label(json, keys, (struct text){tags.data + start, equals - start},
				(struct text){tags.data + equals + 1, end - equals - 1});
		start = end + 1;
	}
}

void task_write_labels(const struct task *task, struct json *json, struct text tags)
{
	struct keys keys;

	keys.count = 0; /* the list has no initializer, because an initializer would clear all of it */
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
		if (row != ROW_any &&
			(task->row < 0 || row < task->row ||
				(row > task->row && !source_can_fill(&task->of, orchestrator_at(row).within))))
			continue;
		if (source_fill_all(&task->of, &out, source))
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
		if (!source_can_fill(&task->of, row->within))
			continue;
		rank = source_fill_number(&task->of, row->rank);
		/* If an orchestrator sets ranks, a process without a rank is not a member. Ray sets no ranks, because
		 * the number of its workers changes. */
		if (!number_known(rank) && (row->rank[0] != '\0' || row->group[0] == '\0'))
			continue;
		node = source_fill_number(&task->of, row->node);
		of = source_fill_number(&task->of, row->of);
		(void)source_fill(&task->of, &out, text_of(row->group));
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
