/* The parts of a run between its figures and its programs; see show_parts.h. */
#define _GNU_SOURCE
#include "report/text/show_parts.h"

enum { SHOWN_MAX = 12 };

#define PART_FORMAT "%9s %12s %12s %10s %10s  "

static void write_part(const struct terminal *terminal, const struct part *part)
{
	const char *remark = parts_remark(part);
	double bytes = UNKNOWN;

	known_add(&bytes, part->read_bytes);
	known_add(&bytes, part->write_bytes);
	int used = fprintf(terminal->out, PART_FORMAT, terminal_count(part->times).text,
		terminal_duration(part->seconds).text, terminal_duration(part->cpu_seconds).text,
		terminal_figure(UNIT_mib, part->peak_memory_mib).text, terminal_figure(UNIT_bytes, bytes).text);
	unsigned left = terminal->width > (unsigned)used ? terminal->width - (unsigned)used : 0;
	unsigned written = terminal_text(terminal, part->name, left, 0);
	terminal_text(terminal, remark, left > written ? left - written : 0, 0);
	fputc('\n', terminal->out);
}

void show_parts(const struct terminal *terminal, const struct parts *parts)
{
	char title[80];

	if (parts->count == 0)
		return;
	snprintf(title, sizeof title, PART_FORMAT "Part", "Times", "Time", "CPU", "Peak", "Disk");
	fputc('\n', terminal->out);
	terminal_dim_line(terminal, title);
	for (size_t i = 0; i < parts->count && i < SHOWN_MAX; i++)
		write_part(terminal, &parts->items[i]);
	if (parts->count > SHOWN_MAX)
		fprintf(terminal->out, "%9s  and %s more part%s\n", "",
			terminal_count((double)(parts->count - SHOWN_MAX)).text,
			parts->count - SHOWN_MAX > 1 ? "s" : "");
}
