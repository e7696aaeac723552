/* The parts of a run between its figures and its programs; see show_parts.h. */
#define _GNU_SOURCE
#include "report/text/show_parts.h"

enum { SHOWN_MAX = 12, WIDE = 72, NAME_LEAST = 6 };

static int write_part_cells(const struct terminal *terminal, const char *times, const char *time, const char *cpu,
	const char *peak, const char *disk)
{
	if (terminal->width < TERMINAL_NARROW)
		return fprintf(terminal->out, "%11s  ", cpu);
	if (terminal->width < WIDE)
		return fprintf(terminal->out, "%11s %11s  ", time, cpu);
	return fprintf(terminal->out, "%9s %12s %12s %10s %10s  ", times, time, cpu, peak, disk);
}

/* A name leaves room for what is said of the part, unless little would be left of it. */
static unsigned name_room(unsigned left, unsigned remark)
{
	return left >= remark + NAME_LEAST ? left - remark : left;
}

static void write_part(const struct terminal *terminal, const struct part *part)
{
	char text[PARTS_REMARK_SIZE];
	const char *remark = parts_remark(part, text);
	double bytes = UNKNOWN;

	known_add(&bytes, part->read_bytes);
	known_add(&bytes, part->write_bytes);
	int used = write_part_cells(terminal, terminal_count(part->times).text, terminal_duration(part->seconds).text,
		terminal_duration(part->cpu_seconds).text, terminal_figure(UNIT_mib, part->peak_memory_mib).text,
		terminal_figure(UNIT_bytes, bytes).text);
	unsigned left = terminal->width > (unsigned)used ? terminal->width - (unsigned)used : 0;
	unsigned written = terminal_text(terminal, part->name, name_room(left, terminal_columns(terminal, remark)), 0);
	terminal_text(terminal, remark, left - written, 0);
	fputc('\n', terminal->out);
}

void show_parts(const struct terminal *terminal, const struct parts *parts)
{
	if (parts->count == 0)
		return;
	fputc('\n', terminal->out);
	terminal_colour(terminal, COLOUR_dim);
	write_part_cells(terminal, "Times", "Time", "CPU", "Peak", "Disk");
	fputs("Part\n", terminal->out);
	terminal_colour(terminal, COLOUR_plain);
	for (size_t i = 0; i < parts->count && i < SHOWN_MAX; i++)
		write_part(terminal, &parts->items[i]);
	if (parts->count > SHOWN_MAX)
		fprintf(terminal->out, "%9s  and %s more part%s\n", "",
			terminal_count((double)(parts->count - SHOWN_MAX)).text,
			parts->count - SHOWN_MAX > 1 ? "s" : "");
}
