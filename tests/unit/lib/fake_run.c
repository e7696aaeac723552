/* SPDX-License-Identifier: Apache-2.0 */
/* A run in a simulated operating system. */
#include "tests/unit/lib/fake_run.h"
#include "tests/unit/lib/fake_parts.h"

#include "core/row.h"
#include "os/clock.h"
#include "os/file.h"
#include "sampler/record.h"
#include "sampler/run/make.h"

#include <stdio.h>
#include <string.h>

static char variable[64];
static char *environment[] = {variable, NULL};

struct sampler *fake_run_open(enum sampler_place place)
{
	struct settings settings;
	settings_read(&settings, environment);
	return sampler_open(&(struct sampler_options){
		.place = place, .directory = FAKE_RUN, .settings = &settings, .root_pid = FAKE_ROOT});
}

struct sampler *fake_run_begin(enum sampler_place place, const char *setting)
{
	struct settings settings;
	char *command[] = {"job", NULL};

	(void)snprintf(variable, sizeof variable, "%s", setting ? setting : "NOTHING=");
	settings_read(&settings, environment);
	fake_process(FAKE_SELF)->adopts = place == SAMPLER_IN_LAUNCHER;
	struct fake_process *root = fake_fork(place == SAMPLER_IN_LAUNCHER ? FAKE_SELF : FAKE_INIT);
	fake_host = place == SAMPLER_IN_ROOT ? root->id.pid : 0;
	struct task task = {.row = -1};
	struct run_start start = {.settings = &settings,
		.task = &task,
		.environment = environment,
		.arguments = command,
		.count = 1,
		.pid = root->id.pid,
		.time_ns = os_now_ns(),
		.mode = place == SAMPLER_IN_LAUNCHER ? "launcher" : "preload"};
	fake_directory("/spool");
	if (run_create(&start, FAKE_RUN) != 0)
		return NULL;
	return fake_run_open(place);
}

void fake_tick(struct sampler *sampler)
{
	fake_pass(FAKE_SECOND);
	sampler_tick(sampler);
}

static void add_row(enum table_id table, const struct buffer *row)
{
	char path[256];
	(void)snprintf(path, sizeof path, FAKE_RUN "/%s", tables[table].file);
	if (row->full || os_append(OS_HERE, path, (struct text){row->data, row->length}, 0) != 0)
		fake_bail_out("a record cannot be written");
}

void fake_says_start(int pid)
{
	const struct fake_process *process = fake_process(pid);
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	record_write_start(&out, &(struct start_record){.time_ns = os_now_ns(),
					 .id = process->id,
					 .ppid = process->ppid,
					 /* A row without executable and command describes a child that its parent left
					  * behind, so `exe` must not be empty. */
					 .exe = text_of(process->exe[0] ? process->exe : "/bin/fake"),
					 .command = text_of(process->command),
					 .earlier_peak_kib = process->peak_kib});
	add_row(TABLE_start, &out);
}

/* Writes a row without a name for each child that a process leaves behind. Returns the number of children. */
static int name_children(int parent)
{
	int count = 0;
	for (int pid = fake_child(parent, 0); pid != 0; pid = fake_child(parent, pid), count++) {
		char row[SPOOL_ROW_MAX];
		struct buffer out = BUFFER(row);
		record_write_start(&out,
			&(struct start_record){.time_ns = os_now_ns(), .id = fake_process(pid)->id, .ppid = parent});
		add_row(TABLE_start, &out);
	}
	return count;
}

void fake_says_exit(int pid, int exit_code)
{
	const struct fake_process *process = fake_process(pid);
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	record_write_exit(&out, &(struct exit_record){.time_ns = os_now_ns(),
					.id = process->id,
					.ppid = process->ppid,
					.counters = process->used,
					.io_known = true,
					.peak_rss_kib = (double)process->peak_kib,
					.minor_faults = UNKNOWN,
					.voluntary_switches = UNKNOWN,
					.involuntary_switches = UNKNOWN,
					.exit_code = exit_code,
					.source = "self",
					.exact = true,
					.children_left = name_children(pid),
					.children = process->reaped});
	add_row(TABLE_exit, &out);
}

void fake_says_image(int pid)
{
	const struct fake_process *process = fake_process(pid);
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	record_write_exit(&out, &(struct exit_record){.time_ns = os_now_ns(),
					.id = process->id,
					.ppid = process->ppid,
					.counters = process->used,
					.peak_rss_kib = (double)process->peak_kib,
					.minor_faults = UNKNOWN,
					.voluntary_switches = UNKNOWN,
					.involuntary_switches = UNKNOWN,
					.exit_code = -1,
					.source = "self",
					.children_left = -1,
					.children_ignored = -1});
	add_row(TABLE_exit, &out);
}

void fake_launcher_reaps(struct sampler *sampler, int pid)
{
	const struct fake_process *process = fake_process(pid);
	uint32_t status = process->wait_status;
	int signal = (int)(status & 0x7f);
	sampler_ended(sampler, &(struct child_end){.pid = pid,
				       .exit_code = signal ? -1 : (int)(status >> 8),
				       .exit_signal = signal,
				       .peak_kib = process->peak_kib,
				       .read_bytes = UINT64_MAX,
				       .write_bytes = UINT64_MAX});
	uint64_t user_ns = process->used[COUNTER_USER_NS] + process->reaped[COUNTER_USER_NS];
	uint64_t system_ns = process->used[COUNTER_SYSTEM_NS] + process->reaped[COUNTER_SYSTEM_NS];
	uint64_t peak_kib = process->peak_kib;
	fake_reap(pid);
	sampler_reaped(sampler, (int64_t)user_ns, (int64_t)system_ns, peak_kib);
}

/* -- reading what the sampler wrote -- */

/* Splits a row into its fields. Returns false if the row does not exist. The fields are valid until the next call. */
static bool split(enum table_id table, int wanted, struct text fields[COLUMNS_MAX])
{
	static char line[SPOOL_ROW_MAX];
	char path[256];
	(void)snprintf(path, sizeof path, FAKE_RUN "/%s", tables[table].file);
	const char *at = fake_read(path);
	int row = -1;

	if (wanted < 0)
		wanted += fake_rows(table);
	for (; at && row < wanted; row++) {
		at = strchr(at, '\n');
		at = at && at[1] ? at + 1 : NULL;
	}
	if (!at || wanted < 0)
		return false;
	size_t length = strcspn(at, "\n");
	if (at[length] == '\0' || length >= sizeof line)
		return false;
	memcpy(line, at, length);
	return row_split(line, length, fields, COLUMNS_MAX) == (int)tables[table].count;
}

int fake_rows(enum table_id table)
{
	char path[256];
	(void)snprintf(path, sizeof path, FAKE_RUN "/%s", tables[table].file);
	const char *content = fake_read(path);
	int count = -1;
	for (; content && (content = strchr(content, '\n')); content++)
		count++;
	return count;
}

bool fake_is_whole(enum table_id table, int row)
{
	struct text fields[COLUMNS_MAX];
	return split(table, row, fields);
}

double fake_cell(enum table_id table, int row, int column)
{
	struct text fields[COLUMNS_MAX];
	double value = UNKNOWN;
	if (!split(table, row, fields))
		fake_bail_out("there is no such row");
	if (number_read(fields[column], &value) != 0)
		fake_bail_out("a cell is no number");
	return value;
}

const char *fake_text(enum table_id table, int row, int column)
{
	static char text[SPOOL_ROW_MAX];
	struct text fields[COLUMNS_MAX];
	if (!split(table, row, fields))
		return NULL;
	(void)snprintf(text, sizeof text, "%.*s", (int)fields[column].length, fields[column].data);
	return text;
}

double fake_sum(enum table_id table, int column)
{
	double sum = 0;
	for (int row = 0; row < fake_rows(table); row++) {
		double value = fake_cell(table, row, column);
		sum += number_known(value) ? value : 0;
	}
	return sum;
}

static int pid_column(enum table_id table)
{
	return column_find(&tables[table], TEXT("pid"));
}

int fake_row_of(enum table_id table, int pid)
{
	int row = fake_rows(table) - 1;
	while (row >= 0 && fake_cell(table, row, pid_column(table)) != pid)
		row--;
	return row;
}

int fake_rows_of(enum table_id table, int pid)
{
	int count = 0;
	for (int row = 0; row < fake_rows(table); row++)
		count += fake_cell(table, row, pid_column(table)) == pid;
	return count;
}

bool fake_run_says(const char *line)
{
	const char *run = fake_read(FAKE_RUN "/" SPOOL_RUN_FILE);
	return run && strstr(run, line) != NULL;
}
