/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the sources of core/orchestrators.def in a process. */
#include "sampler/run/source.h"

#include "core/job_name.h"
#include "core/number.h"
#include "core/spool.h"
#include "os/file.h"

enum { SCRIPT_HEAD = 2048 };

/* -- arguments and variables ----------------------------------------------------------------------- */

/* Returns the argument after `word`, or the text after "word=" in one argument, or an empty text. */
static struct text argument_behind(const struct invocation *of, struct text word)
{
	for (int i = 1; i < source_arguments_seen(of); i++) {
		struct text argument = text_of(of->arguments[i]);
		if (text_equal(argument, word) && i + 1 < of->count)
			return text_of(of->arguments[i + 1]);
		if (argument.length > word.length && argument.data[word.length] == '=' &&
			text_equal((struct text){argument.data, word.length}, word))
			return (struct text){argument.data + word.length + 1, argument.length - word.length - 1};
	}
	return (struct text){NULL, 0};
}

static struct text argument_named(const struct invocation *of, struct text name)
{
	for (int i = 1; i < source_arguments_seen(of); i++)
		if (text_equal(text_basename(text_of(of->arguments[i])), name))
			return text_of(of->arguments[i]);
	return (struct text){NULL, 0};
}

struct text source_variable(const struct invocation *of, struct text name)
{
	for (char *const *entry = of->environment; entry && *entry; entry++) {
		size_t i = 0;
		while (i < name.length && (*entry)[i] == name.data[i])
			i++;
		if (i == name.length && (*entry)[i] == '=')
			return text_of(*entry + i + 1);
	}
	return (struct text){NULL, 0};
}

/* Returns component `number` of "a/b/c". */
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

static struct text metaflow_step(const struct invocation *of)
{
	struct text step = argument_behind(of, TEXT("step"));
	if (step.length == 0)
		step = argument_behind(of, TEXT("spin-step"));
	return step.length > 0 ? step : part_of(source_variable(of, TEXT("MF_PATHSPEC")), 2);
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

/* Appends the name of the flow, which is the name of a class. No argument contains it, so it is taken from the flow's
 * directory in a local datastore. */
static void find_flow(const struct invocation *of, struct buffer *out)
{
	char root[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(root);
	struct flow_search search = {root, argument_behind(of, TEXT("--run-id")), out};

	buffer_text(&path, argument_behind(of, TEXT("--datastore-root")));
	(void)buffer_terminate(&path);
	if (root[0] == '/' && !path.full && search.run.length > 0)
		(void)os_list(root, try_flow, &search);
}

static void metaflow_flow(const struct invocation *of, struct buffer *out)
{
	size_t before = out->length;
	struct text name = source_variable(of, TEXT("METAFLOW_FLOW_NAME"));
	if (name.length == 0)
		name = part_of(source_variable(of, TEXT("MF_PATHSPEC")), 0);
	buffer_text(out, name);
	if (out->length > before)
		return;
	find_flow(of, out);
	if (out->length > before)
		return;
	name = job_name(of->arguments, of->count);
	if (text_ends(name, ".py"))
		name.length -= 3;
	buffer_text(out, name);
}

/* -- Nextflow -------------------------------------------------------------------------------------- */

/* Parses a line such as "### name: 'foo (1)'". Before version 24, the line is "# NEXTFLOW TASK: foo (2)". */
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

/* Appends the name of the Nextflow process or, if `index` is set, the index after the name, as in "foo (2)". Nextflow
 * writes both to a script next to the task's script. */
static void nextflow_name(const struct invocation *of, struct buffer *out, bool index)
{
	char path[SPOOL_PATH_MAX];
	char head[SCRIPT_HEAD];
	struct buffer place = BUFFER(path);
	struct text script = argument_named(of, TEXT(".command.sh"));
	struct text workdir = source_variable(of, TEXT("NXF_TASK_WORKDIR"));

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

static bool is_of_word(char byte)
{
	return source_is_of_name(byte) || byte == '-' || byte == '.';
}

/* Appends the value of one element of a source. Returns false if the element has no value. */
static bool fill_part(const struct invocation *of, struct buffer *out, char kind, struct text what)
{
	size_t before = out->length;
	struct text value;

	switch (kind) {
	case '$':
		buffer_text(out, source_variable(of, what));
		break;
	case '<':
		value = source_variable(of, what);
		while (value.length > 0 && value.data[--value.length] != '-')
			;
		buffer_text(out, value);
		break;
	case '@':
		buffer_text(out, text_is(what, "step") ? metaflow_step(of) : argument_behind(of, what));
		break;
	default:
		return argument_named(of, what).length > 0;
	}
	return out->length > before;
}

/* Returns the end of an element of the given kind whose name begins at `at`. */
static size_t part_end(struct text text, size_t at, char kind)
{
	while (at < text.length &&
		(kind == '@' || kind == '=' ? is_of_word(text.data[at]) : source_is_of_name(text.data[at])))
		at++;
	return at;
}

bool source_fill(const struct invocation *of, struct buffer *out, struct text text)
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
		if (!fill_part(of, out, kind, (struct text){text.data + i, end - i})) {
			out->length = before;
			return false;
		}
		i = end;
	}
	return text.length > 0 && !out->full;
}

bool source_can_fill(const struct invocation *of, const char *source)
{
	char value[VALUE_MAX];
	struct buffer out = BUFFER(value);
	return source_fill(of, &out, text_of(source));
}

static bool find_out(const struct invocation *of, struct buffer *out, struct text what)
{
	size_t before = out->length;
	if (text_is(what, "flow"))
		metaflow_flow(of, out);
	else if (text_is(what, "step"))
		buffer_text(out, metaflow_step(of));
	else
		nextflow_name(of, out, text_is(what, "index"));
	return out->length > before;
}

bool source_fill_all(const struct invocation *of, struct buffer *out, const char *source)
{
	struct text text = text_of(source);
	size_t before = out->length;

	for (size_t i = 0; i < text.length;) {
		size_t mark = text_find(text, '!', i);
		size_t end = mark < text.length ? part_end(text, mark + 1, '!') : text.length;
		if ((mark > i && !source_fill(of, out, (struct text){text.data + i, mark - i})) ||
			(mark < text.length &&
				!find_out(of, out, (struct text){text.data + mark + 1, end - mark - 1}))) {
			out->length = before;
			return false;
		}
		i = end;
	}
	return text.length > 0 && !out->full;
}

double source_fill_number(const struct invocation *of, const char *source)
{
	char value[VALUE_MAX];
	struct buffer out = BUFFER(value);
	double number;
	return source_fill(of, &out, text_of(source)) && number_read((struct text){value, out.length}, &number) == 0
		       ? number
		       : UNKNOWN;
}
