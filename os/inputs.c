/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the sizes of a job's input files. */
#include "os/inputs.h"

#include "core/number.h"
#include "core/pattern.h"
#include "core/spool.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/memory.h"

/* SEEN_MAX is the number of files that are remembered to detect duplicates. DIRECTORY_MAX is the maximum size in bytes
 * that stat reports for a directory. The names in a larger directory are too many to examine. */
enum { MOUNTS_SIZE = 1 << 16, SEEN_MAX = 64, DIRECTORY_MAX = 1 << 15 };

struct measure {
	const struct inputs_wish *wish;
	struct text mounts;
	int64_t until_ns; /* 0 if unlimited */
	uint64_t bytes;
	unsigned files;
	unsigned looks;
	bool unknown;
	struct text pattern;   /* pattern that names in `directory` must match */
	struct text directory; /* directory that is being listed, with a trailing '/' */
	struct file_place seen[SEEN_MAX];
	unsigned seen_count;
};

static bool is_spent(struct measure *measure)
{
	if (measure->looks++ >= INPUTS_FILES_MAX || (measure->until_ns > 0 && os_since_boot_ns() > measure->until_ns))
		measure->unknown = true;
	return measure->unknown;
}

/* Returns whether the file was added before. Only the first SEEN_MAX files are remembered. */
static bool was_seen(struct measure *measure, const struct file_facts *facts)
{
	for (unsigned i = 0; i < measure->seen_count; i++)
		if (measure->seen[i].device == facts->place.device && measure->seen[i].number == facts->place.number)
			return true;
	if (measure->seen_count < SEEN_MAX)
		measure->seen[measure->seen_count++] = facts->place;
	return false;
}

/* Reads the facts of a file. Returns 0, or an error with *facts unchanged. */
static int look(struct measure *measure, const char *path, struct file_facts *facts)
{
	if (is_spent(measure))
		return OS_ERROR_TOO_LARGE;
	return os_file_facts(measure->wish->remote ? (struct text){NULL, 0} : measure->mounts, path, facts);
}

static void add(struct measure *measure, const struct file_facts *facts)
{
	if (facts->kind != FILE_REGULAR || was_seen(measure, facts))
		return;
	measure->bytes += facts->bytes;
	measure->files++;
}

/* -- named inputs ---------------------------------------------------------------------------------- */

static void take_name(void *context, const char *name)
{
	struct measure *measure = context;
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);
	struct file_facts facts;

	if (measure->unknown || (name[0] == '.' && (measure->pattern.length > 0 || name[1] == '\0' ||
							   (name[1] == '.' && name[2] == '\0'))))
		return;
	if (measure->pattern.length > 0 && !pattern_match(measure->pattern, text_of(name)))
		return;
	buffer_text(&out, measure->directory);
	buffer_string(&out, name);
	if (buffer_terminate(&out), out.full)
		return;
	int result = look(measure, path, &facts);
	if (result == OS_ERROR_REMOTE)
		measure->unknown = true;
	else if (result == 0)
		add(measure, &facts);
}

/* Adds the files of `directory` that match `pattern`, or all of them if it is empty. */
static void take_directory(struct measure *measure, struct text directory, struct text pattern)
{
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);
	struct file_facts facts;

	buffer_text(&out, directory);
	if (directory.length == 0 || directory.data[directory.length - 1] != '/')
		buffer_string(&out, directory.length > 0 ? "/" : "./");
	size_t length = out.length;
	/* "/." is appended, because os_list does not follow a symbolic link at the end of a path. */
	buffer_byte(&out, '.');
	if (buffer_terminate(&out), out.full)
		return;
	int result = look(measure, path, &facts);
	if (result == OS_ERROR_REMOTE || (result == 0 && measure->until_ns > 0 && facts.bytes > DIRECTORY_MAX))
		measure->unknown = true;
	if (measure->unknown || result != 0)
		return;
	measure->directory = (struct text){path, length};
	measure->pattern = pattern;
	(void)os_list(path, take_name, measure);
	measure->directory = measure->pattern = (struct text){NULL, 0};
}

static void take_named(struct measure *measure, struct text named)
{
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);
	struct text last = text_basename(named);
	struct file_facts facts;

	if (text_find(last, '*', 0) < last.length || text_find(last, '?', 0) < last.length) {
		take_directory(measure, (struct text){named.data, named.length - last.length}, last);
		return;
	}
	buffer_text(&out, named);
	if (buffer_terminate(&out), out.full)
		return;
	int result = look(measure, path, &facts);
	if (result == OS_ERROR_REMOTE)
		measure->unknown = true;
	else if (result == 0 && facts.kind == FILE_DIRECTORY)
		take_directory(measure, named, (struct text){NULL, 0});
	else if (result == 0)
		add(measure, &facts);
}

static void take_all_named(struct measure *measure)
{
	struct text named = measure->wish->named;

	for (size_t start = 0; start < named.length && !measure->unknown;) {
		size_t end = text_item_end(named, start);
		if (end > start)
			take_named(measure, (struct text){named.data + start, end - start});
		start = end + 1;
	}
}

/* -- the command line ------------------------------------------------------------------------------ */

/* Returns whether an option names an output file. `option` is the option without "=VALUE". */
static bool is_output(struct text option)
{
	return text_is(option, "-o") || text_is(option, "of") || text_starts(option, "--out") ||
	       text_starts(option, "-out") || text_starts(option, "out");
}

/* Adds an argument of the command line. If the argument is a path on a network file system, it may or may not be an
 * input. The sum is then unknown, unless the user has named the inputs. */
static void take_argument(struct measure *measure, const char *path)
{
	struct file_facts facts;
	int result = look(measure, path, &facts);

	if (result == OS_ERROR_REMOTE && measure->wish->named.length == 0)
		measure->unknown = true;
	else if (result == 0)
		add(measure, &facts);
}

static void take_arguments(struct measure *measure)
{
	const struct inputs_wish *wish = measure->wish;
	const char *script = wish->script.data;

	for (int i = 1; i < wish->count && !measure->unknown; i++) {
		struct text argument = text_of(wish->arguments[i]);
		size_t equals = text_find(argument, '=', 0);
		struct text before = text_of(wish->arguments[i - 1]);
		bool is_script = script >= argument.data && script < argument.data + argument.length;
		if (is_script || argument.length == 0)
			continue;
		if (equals < argument.length && !is_output((struct text){argument.data, equals}))
			take_argument(measure, argument.data + equals + 1);
		else if (argument.data[0] != '-' && equals == argument.length &&
			 !(before.data[0] == '-' && is_output(before)))
			take_argument(measure, argument.data);
	}
}

/* -- total ----------------------------------------------------------------------------------------- */

double inputs_measure(const struct inputs_wish *wish)
{
	struct measure measure = {.wish = wish};
	char *mounts = NULL;

	if (wish->named.length == 0 && wish->count < 2)
		return UNKNOWN;
	if (wish->limit_ns > 0)
		measure.until_ns = os_since_boot_ns() + wish->limit_ns;
	if (!wish->remote) {
		mounts = os_map(MOUNTS_SIZE);
		int64_t length = mounts ? os_mounts(mounts, MOUNTS_SIZE) : OS_ERROR_NO_MEMORY;
		/* If the table is truncated, the missing part may contain a network file system. */
		measure.unknown = length < 0 || length == MOUNTS_SIZE;
		measure.mounts = (struct text){mounts, length > 0 ? (size_t)length : 0};
	}
	if (!measure.unknown)
		take_all_named(&measure);
	if (!measure.unknown)
		take_arguments(&measure);
	os_unmap(mounts, MOUNTS_SIZE);
	return measure.unknown || measure.files == 0 ? UNKNOWN : (double)measure.bytes;
}
