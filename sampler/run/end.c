/* SPDX-License-Identifier: Apache-2.0 */
/* Completes run.json at the end of a run, or removes the run. */
#include "sampler/run/end.h"

#include "core/columns.h"
#include "core/number.h"
#include "core/spool.h"
#include "os/file.h"
#include "sampler/run/file.h"
#include "sampler/run/names.h"

static void write_quoted(struct buffer *out, const char *word)
{
	buffer_byte(out, '"');
	buffer_string(out, word);
	buffer_byte(out, '"');
}

/* Appends the current size of an output file of the command. `quoted` is its name in run.json; a name with escapes is
 * not supported. Returns false if the size is unknown. */
static bool write_size(struct buffer *out, struct text quoted)
{
	char path[SPOOL_PATH_MAX];
	struct file_facts facts;

	if (quoted.length < 2 || quoted.data[1] != '/' || quoted.length >= sizeof path ||
		text_find(quoted, '\\', 0) < quoted.length)
		return false;
	__builtin_memcpy(path, quoted.data + 1, quoted.length - 2);
	path[quoted.length - 2] = '\0';
	if (os_file_facts((struct text){0}, path, &facts) != 0 || facts.kind != FILE_REGULAR)
		return false;
	buffer_unsigned(out, facts.bytes);
	return true;
}

/* Writes the final value of a line of run.json. Returns false if the line must not change. */
static bool write_end_value(struct buffer *out, struct text line, const struct run_end *end, bool top_level)
{
	const char *killed_by = end->limit ? "limit" : spool_killer(end->killer);

	if (top_level && run_value(line, "stop_time").length > 0) {
		number_write(out, (double)end->time_ns / 1e9, 3);
	} else if (top_level && run_value(line, "status").length > 0) {
		buffer_string(out, end->exit_signal > 0 || end->lost || end->limit ? "\"killed\""
				   : end->exit_code > 0                            ? "\"failed\""
										   : "\"finished\"");
	} else if (top_level && *killed_by && run_value(line, "killed_by").length > 0) {
		write_quoted(out, killed_by);
	} else if (!top_level && end->limit && run_value(line, "reached").length > 0) {
		write_quoted(out, end->limit);
	} else if (top_level && run_value(line, "exit_code").length > 0) {
		if (end->exit_code >= 0 && end->exit_signal == 0)
			buffer_unsigned(out, (uint64_t)end->exit_code);
		else
			buffer_string(out, "null");
	} else if (top_level && run_value(line, "exit_signal").length > 0) {
		if (end->exit_signal > 0)
			buffer_unsigned(out, (uint64_t)end->exit_signal);
		else
			buffer_string(out, "null");
	} else if (!top_level && run_value(line, "truncated").length > 0) {
		buffer_unsigned(out, end->truncated);
	} else if (!top_level && end->reaped_peak_kib > 0 && run_value(line, "reaped_peak_mib").length > 0) {
		number_write(out, (double)end->reaped_peak_kib / 1024, 3);
	} else if (!top_level && end->group_ns > 0 && run_value(line, "cgroup_cpu").length > 0) {
		number_write(out, (double)end->group_ns / 1e9, 6);
	} else if (!top_level && end->group_ns > 0 && run_value(line, "cgroup_shared").length > 0) {
		buffer_unsigned(out, end->group_sharing);
	} else {
		return false;
	}
	return true;
}

static int write_end(struct buffer *out, struct text file, const void *how)
{
	const struct run_end *end = how;
	bool within = false; /* the line is inside an object of run.json whose values change */
	struct text output = {0};
	for (size_t start = 0; start < file.length;) {
		size_t stop = text_find(file, '\n', start);
		struct text line = {file.data + start, stop - start};
		bool top_level = text_starts(line, "  \"");
		struct buffer before = *out;
		size_t colon = text_find(line, ':', 0);
		if (top_level)
			within = text_starts(line, "  \"tracker\"") || text_starts(line, "  \"limits\"") ||
				 text_starts(line, "  \"stdout\"") || text_starts(line, "  \"stderr\"");
		if (within && run_value(line, "path").length > 0)
			output = run_value(line, "path");
		buffer_text(out, (struct text){line.data, colon});
		buffer_string(out, ": ");
		bool is_size = within && run_value(line, "end").length > 0 && write_size(out, output);
		if (is_size || ((top_level || within) && write_end_value(out, line, end, top_level))) {
			if (line.data[line.length - 1] == ',')
				buffer_byte(out, ',');
		} else {
			*out = before;
			buffer_text(out, line);
		}
		buffer_byte(out, '\n');
		start = stop + 1;
	}
	return 0;
}

/* Records with an empty file that the root's end is unknown. This works even on a full disk, under a file size limit,
 * or without a free descriptor. If the spool cannot be written, the file is outside it. */
static void leave_parted(const char *directory)
{
	char path[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(path);

	buffer_string(&out, directory);
	buffer_string(&out, "/" SPOOL_PARTED_FILE);
	if (os_create(OS_HERE, buffer_terminate(&out), TEXT("")) != 0)
		run_note_unrecorded(directory);
}

int run_finish(const char *directory, const struct run_end *end)
{
	int at = os_open_directory(OS_HERE, directory);
	int result = run_rewrite(at, write_end, end);
	/* If recording the end has failed, the lock file stays. The next search for leftover runs finds it and
	 * completes the run. */
	if (result == 0 && !end->goes_on)
		(void)os_remove(at, SPOOL_LOCK_FILE);
	/* The file of rtrack-gpu must be removed last, because an rtrack-gpu that is starting creates the file before
	 * it checks the lock. */
	if (end->gpu && !end->goes_on)
		(void)os_remove(at, SPOOL_GPU_FILE);
	if (result != 0)
		leave_parted(directory);
	os_close(at);
	if (!end->goes_on)
		run_unannounce(directory);
	return result;
}

void run_remove(const char *directory)
{
	int at = os_open_directory(OS_HERE, directory);
	if (at < 0)
		return;
	for (int i = 0; i < TABLE_COUNT; i++)
		(void)os_remove(at, tables[i].file);
	(void)os_remove(at, SPOOL_RUN_FILE);
	(void)os_remove(at, SPOOL_RUN_FILE_NEW);
	(void)os_remove(at, SPOOL_LOCK_FILE);
	(void)os_remove(at, SPOOL_SUMMARY_FILE);
	(void)os_remove(at, SPOOL_STATE_FILE);
	(void)os_remove(at, SPOOL_LAST_FILE);
	(void)os_remove(at, SPOOL_GPU_FILE);
	(void)os_remove(at, SPOOL_PARTED_FILE);
	(void)os_remove(at, SPOOL_STDOUT_FILE);
	(void)os_remove(at, SPOOL_STDERR_FILE);
	(void)os_remove(at, SPOOL_OUTPUT_FILE);
	os_close(at);
	(void)os_remove_directory(directory);
	run_unannounce(directory);
}
