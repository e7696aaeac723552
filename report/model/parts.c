/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what the job used in each part of a run. */
#include "report/model/parts.h"

#include "core/number.h"
#include "report/model/exact.h"
#include "report/say/array.h"
#include "report/say/units.h"
#include "report/spool/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds. Setting an end mark also writes a row. A row up to this long after the end mark still belongs to the
 * part. */
static const double FLUSHED_WITHIN = 0.05;
/* Seconds. A row this close to a mark was written because of the mark. */
static const double BESIDE = 0.01;
/* If a mark lies within the interval of a row, it is unknown which of the row's bytes belong to the part. If such
 * rows have more than this share of the part's bytes, the bytes of the part are unknown. */
static const double DIVIDED_PART = 0.1;
/* MiB; if the kernel's peak grows less, the growth is ignored, because page counters are imprecise */
static const double GROWN_MIB = 1;
enum { PARTS_LINES = 5 }; /* lines per part in JSON */
/* If stretches × processes is larger, the processes of a stretch are not examined. */
enum { COMPARED_MAX = 10000000 };
/* If the searches for the begin marks of end marks have examined more stretches, further end marks are ignored. */
enum { SEARCHED_MAX = 100000000 };

uint64_t parts_columns(void)
{
	return SERIES_COLUMN(PROCESS_utime) | SERIES_COLUMN(PROCESS_stime) | SERIES_COLUMN(PROCESS_memory_mib) |
	       SERIES_COLUMN(PROCESS_rss_mib) | SERIES_COLUMN(PROCESS_hugetlb_mib) |
	       SERIES_COLUMN(PROCESS_disk_read_bytes) | SERIES_COLUMN(PROCESS_disk_write_bytes);
}

/* -- the marks ------------------------------------------------------------------------------------- */

enum part_end parts_end_of(struct text label, struct text *name)
{
	static const char *const words[] = {[PART_END_BEGIN] = "begin ", [PART_END_END] = "end "};

	for (enum part_end end = PART_END_BEGIN; end <= PART_END_END; end++) {
		size_t length = strlen(words[end]);
		if (label.length <= length || !text_starts(label, words[end]))
			continue;
		*name = (struct text){label.data + length, label.length - length};
		return end;
	}
	return PART_END_NONE;
}

static struct part_account no_account(void)
{
	return (struct part_account){UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};
}

static struct part *find(struct parts *parts, struct text name)
{
	for (size_t i = 0; i < parts->count; i++)
		if (text_is(name, parts->items[i].name))
			return &parts->items[i];
	return NULL;
}

static void begin(struct parts *parts, struct text name, struct part_time stretch)
{
	struct part *part = find(parts, name);

	if (!part && parts->count == PARTS_MAX)
		return;
	if (!part) {
		part = &parts->items[parts->count++];
		*part = (struct part){.name = xstrndup(name.data, name.length), .start = stretch.start};
	}
	array_grow(&part->stretches, part->count, sizeof *part->stretches);
	part->stretches[part->count++] = stretch;
}

/* Ends the open stretch of the process that began last. If several threads are in the same part, the stretch may be
 * that of another thread, but the figures are the same. */
static void end(struct parts *parts, struct text name, double time, double pid, struct part_account account)
{
	struct part *part = find(parts, name);

	for (size_t i = part ? part->count : 0; i-- > 0 && parts->searched < SEARCHED_MAX; parts->searched++) {
		struct part_time *stretch = &part->stretches[i];
		if (!stretch->open || stretch->pid != pid)
			continue;
		stretch->stop = time;
		stretch->end = account;
		stretch->open = false;
		return;
	}
}

void parts_take(void *context, double time, struct reader *reader)
{
	struct parts *parts = context;
	struct text label = reader_text(reader, MARK_label);
	double pid = reader_number(reader, MARK_pid);
	struct text name;
	enum part_end which = parts_end_of(label, &name);

	if (!number_known(time))
		return;
	struct part_account account = {
		.peak_mib = reader_number(reader, MARK_peak_rss_mib),
		.cpu_seconds = reader_number(reader, MARK_utime) + reader_number(reader, MARK_stime),
		.read_bytes = reader_number(reader, MARK_disk_read_bytes),
		.write_bytes = reader_number(reader, MARK_disk_write_bytes),
	};
	if (which == PART_END_BEGIN)
		begin(parts, name, (struct part_time){time, UNKNOWN, pid, account, no_account(), true});
	if (which == PART_END_END)
		end(parts, name, time, pid, account);
}

/* -- the stretches of time --------------------------------------------------------------------------- */

static bool has_few(const struct part *part, const struct processes *processes)
{
	return part->count * processes->count <= COMPARED_MAX;
}

/* Returns the end of a stretch without an end mark. This is the end of its process. If that is unknown or `few` is
 * false, it is the end of the run, or else the time of the last row. */
static double find_end(const struct run *run, const struct series *process, const struct processes *processes,
	const struct part_time *stretch, bool few)
{
	double last = known_first(run->stop_time, series_last(process, PROCESS_timestamp));

	for (size_t i = 0; few && i < processes->count; i++) {
		const struct process *candidate = &processes->items[i];
		if ((double)candidate->id.pid == stretch->pid && candidate->end_time >= stretch->start)
			return candidate->end_time;
	}
	return last >= stretch->start ? last : stretch->start;
}

static int by_start(const void *left, const void *right)
{
	const struct part_time *a = left, *b = right;
	return ORDER(a->start, b->start);
}

/* Sets the end of each stretch without an end mark, and merges stretches that overlap. If the clock was set, marks may
 * be later than `run_stop`, the end of the run. Such marks are set to that end. */
static void join(struct part *part, const struct run *run, const struct series *process,
	const struct processes *processes, double run_stop)
{
	bool few = has_few(part, processes);
	size_t joined = 0;

	part->times = (double)part->count;
	part->ended = true;
	for (size_t i = 0; i < part->count; i++) {
		struct part_time *stretch = &part->stretches[i];
		if (stretch->open)
			stretch->stop = find_end(run, process, processes, stretch, few);
		stretch->stop = fmin(stretch->stop, run_stop);
		stretch->start = fmin(stretch->start, stretch->stop);
		part->ended = part->ended && !stretch->open;
	}
	array_sort(part->stretches, part->count, by_start);
	for (size_t i = 1; i < part->count; i++) {
		struct part_time *before = &part->stretches[joined];
		if (part->stretches[i].start > before->stop) {
			part->stretches[++joined] = part->stretches[i];
			continue;
		}
		before->stop = fmax(before->stop, part->stretches[i].stop);
		before->begin = before->end = no_account();
	}
	part->count = joined + 1;
	part->start = part->stretches[0].start;
	part->stop = part->stretches[joined].stop;
}

/* -- the processes in them ---------------------------------------------------------------------------- */

enum company { COMPANY_NONE, COMPANY_REAPED /* only children that this process reaped */, COMPANY_OTHERS };

static bool is_reaped_by(const struct process *process, double pid)
{
	enum { GENERATIONS_MAX = 64 }; /* damaged rows may say that two processes reaped each other */

	for (int generation = 0; process && generation < GENERATIONS_MAX; generation++) {
		process = process_last_parent(process);
		if (process && (double)process->id.pid == pid)
			return true;
	}
	return false;
}

/* Returns which processes were alive during a stretch besides the process that set its marks. The short-lived
 * process `rtrack-run --mark` is ignored. */
static enum company company_of(const struct part_time *stretch, const struct processes *processes)
{
	enum company company = COMPANY_NONE;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		bool marks = process->command && strcmp(process->command, "rtrack-run --mark") == 0;
		if (marks || (double)process->id.pid == stretch->pid || process->start_time > stretch->stop ||
			process->end_time < stretch->start)
			continue;
		if (!(process->start_time >= stretch->start && process->end_time <= stretch->stop) ||
			!is_reaped_by(process, stretch->pid))
			return COMPANY_OTHERS;
		company = COMPANY_REAPED;
	}
	return company;
}

/* -- usage in each part ------------------------------------------------------------------------------ */

/* Adds the counters of a row to a part. The row covers `length` seconds, of which `within` seconds are in the
 * stretch. If the row is only partly in the stretch, it is unknown how many of its bytes belong to the part. If several
 * stretches are in the row, its bytes are added once. */
static void add_counters(struct part *part, const struct series *process, size_t row, double within, double length)
{
	double share = fmin(within / length, 1);
	bool divided = length - within > BESIDE;
	double seconds = UNKNOWN;
	struct {
		int column;
		double *figure;
	} bytes[] = {{PROCESS_disk_read_bytes, &part->read_bytes}, {PROCESS_disk_write_bytes, &part->write_bytes}};

	known_add(&seconds, series_value(process, PROCESS_utime, row));
	known_add(&seconds, series_value(process, PROCESS_stime, row));
	known_add(&part->cpu_seconds, seconds * share);
	part->divided_seconds += divided ? known_first(seconds, 0) : 0;
	for (size_t i = 0; i < ARRAY_LENGTH(bytes); i++) {
		double value = series_value(process, bytes[i].column, row);
		if (row < part->next_row)
			continue;
		known_add(bytes[i].figure, divided ? value * 0 : value);
		part->divided_bytes += divided ? known_first(value, 0) : 0;
	}
	part->next_row = row + 1;
}

/* Returns the memory of a row. If only one process was alive, returns its RSS, which can be compared with the
 * kernel's peak of the process. */
static double memory_of_row(const struct series *process, size_t row, bool alone)
{
	double huge = known_first(series_value(process, PROCESS_hugetlb_mib, row), 0);

	return alone ? series_value(process, PROCESS_rss_mib, row) + huge
		     : series_value(process, PROCESS_memory_mib, row);
}

/* Adds the rows of a stretch to a part. If a row shortly after the end mark has more than `most_mib`, the upper
 * bound of the stretch, it belongs to the time after the stretch. */
static void add_rows(struct part *part, const struct series *process, const struct part_time *stretch, double run_start,
	bool counters, bool alone, double most_mib)
{
	for (size_t row = series_row_at(process, nextafter(stretch->start, INFINITY)); row < process->rows; row++) {
		double time = series_value(process, PROCESS_timestamp, row);
		double before = row > 0 ? series_value(process, PROCESS_timestamp, row - 1) : run_start;
		double length = time - before;
		double within = fmin(time, stretch->stop) - fmax(before, stretch->start);
		if (counters && length > 0 && within > 0)
			add_counters(part, process, row, within, length);
		double mib = memory_of_row(process, row, alone);
		if (time <= stretch->stop + FLUSHED_WITHIN && !(time > stretch->stop && mib > most_mib))
			part->peak_memory_mib = known_larger(part->peak_memory_mib, mib);
		if (time >= stretch->stop)
			break;
	}
}

/* Adds the usage between the two marks of a stretch to a part. `most` is the upper bound of memory in the stretch.
 * Returns false if the usage is unknown from the marks. */
static bool add_account(struct part *part, const struct part_time *stretch, enum company company, double most)
{
	const struct part_account *begin = &stretch->begin, *end = &stretch->end;
	bool grown = end->peak_mib > begin->peak_mib + GROWN_MIB;

	part->peak_most_mib = part->peak_most_mib > most ? part->peak_most_mib : most;
	if (grown)
		part->peak_memory_mib = known_larger(part->peak_memory_mib, end->peak_mib);
	if (company == COMPANY_OTHERS || !number_known(end->cpu_seconds - begin->cpu_seconds))
		return false;
	known_add(&part->cpu_seconds, fmax(end->cpu_seconds - begin->cpu_seconds, 0));
	known_add(&part->read_bytes, end->read_bytes - begin->read_bytes);
	known_add(&part->write_bytes, end->write_bytes - begin->write_bytes);
	return true;
}

/* Returns whether the rows within which a mark lies have little usage: at most 1 % of the part's usage, plus one
 * clock tick (10 ms) or 64 KiB. */
static bool is_exact(const struct part *part)
{
	double bytes = known_first(part->read_bytes, 0) + known_first(part->write_bytes, 0);

	return part->divided_seconds <= 0.01 + 0.01 * known_first(part->cpu_seconds, 0) &&
	       part->divided_bytes <= 65536 + 0.01 * bytes;
}

static void add_up(struct part *part, const struct series *process, const struct processes *processes, double run_start,
	double most_mib)
{
	bool few = has_few(part, processes);
	double huge = known_first(series_max(process, PROCESS_hugetlb_mib), 0);

	part->cpu_seconds = part->peak_memory_mib = part->read_bytes = part->write_bytes = UNKNOWN;
	part->peak_most_mib = 0;
	for (size_t i = 0; i < part->count; i++) {
		const struct part_time *stretch = &part->stretches[i];
		enum company company = few ? company_of(stretch, processes) : COMPANY_OTHERS;
		part->seconds += stretch->stop - stretch->start;
		bool alone = company == COMPANY_NONE && number_known(stretch->end.peak_mib);
		double most = alone ? stretch->end.peak_mib + huge : most_mib;
		bool told = add_account(part, stretch, company, most);
		add_rows(part, process, stretch, run_start, !told, alone, most);
	}
	double bytes = known_first(part->read_bytes, 0) + known_first(part->write_bytes, 0);
	part->exact_use = is_exact(part);
	if (!part->exact_use && part->divided_bytes > 65536 && part->divided_bytes > DIVIDED_PART * bytes)
		part->read_bytes = part->write_bytes = UNKNOWN;
	if (part->peak_memory_mib > part->peak_most_mib)
		part->peak_most_mib = part->peak_memory_mib;
	part->exact_peak = exact_is_bounded(part->peak_memory_mib, part->peak_most_mib);
	part->mean_cpu = part->seconds > 0 ? part->cpu_seconds / part->seconds : UNKNOWN;
}

void parts_make(struct parts *parts, const struct run *run, const struct series *process,
	const struct processes *processes, const struct totals *totals)
{
	/* The marks of a running run are later than its last row, with which its totals end. */
	bool running = run_is_running(run);
	double stop = running ? INFINITY : run->start_time + totals->wall_seconds;

	for (size_t i = 0; i < parts->count; i++) {
		struct part *part = &parts->items[i];
		join(part, run, process, processes, stop);
		add_up(part, process, processes, run->start_time, totals->peak_memory_at_most_mib);
		/* Marks may record bytes that no row has, if rows are missing. */
		if (!running && part->read_bytes > totals->disk_read_bytes)
			part->read_bytes = totals->disk_read_bytes;
		if (!running && part->write_bytes > totals->disk_write_bytes)
			part->write_bytes = totals->disk_write_bytes;
	}
}

/* Returns whether the row at `time` belongs to a part. A row covers the time before its timestamp, so the row at the
 * begin mark does not belong to the part. Stretches are sorted and do not overlap, so only the last one that began
 * before the row can contain it. */
static bool is_in(const void *context, double time)
{
	const struct part *part = context;
	size_t low = 0, high = part->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (time > part->stretches[middle].start + BESIDE)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && time <= part->stretches[low - 1].stop + FLUSHED_WITHIN;
}

void parts_find_lines(struct parts *parts, const struct code *code)
{
	for (size_t i = 0; code->rows.count > 0 && i < parts->count; i++)
		code_list_at(&parts->items[i].lines, code, is_in, &parts->items[i]);
}

void parts_free(struct parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		free(parts->items[i].name);
		free(parts->items[i].stretches);
		code_list_free(&parts->items[i].lines);
	}
	*parts = (struct parts){0};
}

const char *parts_remark(const struct part *part, char text[PARTS_REMARK_SIZE])
{
	const char *about = !part->ended ? " (not ended)" : part->exact_use ? "" : " (about)";

	snprintf(text, PARTS_REMARK_SIZE,
		!part->exact_peak && number_known(part->peak_most_mib) ? "%s (peak up to %s)" : "%s", about,
		units_figure(UNIT_mib, part->peak_most_mib).text);
	return text;
}

/* -- JSON ------------------------------------------------------------------------------------------ */

void parts_write_json(const struct parts *parts, cJSON *object)
{
	cJSON *list = cJSON_AddArrayToObject(object, "parts");

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->items[i];
		cJSON *item = cJSON_CreateObject();
		cJSON_AddStringToObject(item, "name", part->name);
		json_add_number(item, "times", part->times, 0);
		json_add_number(item, "start_time", part->start, 3);
		json_add_number(item, "stop_time", part->stop, 3);
		json_add_number(item, "seconds", part->seconds, 3);
		json_add_number(item, "cpu_seconds", part->cpu_seconds, 6);
		json_add_number(item, "mean_cpu_usage", part->mean_cpu, 4);
		json_add_number(item, "peak_memory_mib", part->peak_memory_mib, 3);
		json_add_number(item, "peak_memory_at_most_mib", part->peak_most_mib, 3);
		json_add_number(item, "disk_read_bytes", part->read_bytes, 0);
		json_add_number(item, "disk_write_bytes", part->write_bytes, 0);
		cJSON_AddBoolToObject(item, "exact", part->exact_use && part->exact_peak);
		cJSON_AddBoolToObject(item, "exact_memory", part->exact_peak);
		cJSON_AddBoolToObject(item, "ended", part->ended);
		cJSON_AddItemToObject(item, "lines", code_list_json(&part->lines, PARTS_LINES));
		cJSON_AddItemToArray(list, item);
	}
}
