/* The phases of a run in words; see phases.h. */
#include "report/model/phases.h"

#include "report/say/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void append(char *text, size_t size, const char *separator, const char *part)
{
	size_t length = strlen(text);
	snprintf(text + length, size - length, "%s%s", length > 0 ? separator : "", part);
}

static const double CHANGED = 0.25; /* of the larger of two figures, as in segments.h */

/* Appends "CPUs 1 to 5.6" where that changed. */
static void append_change(
	char *text, size_t size, const char *name, enum unit unit, double before, double after, double least)
{
	char part[120];
	double change = fabs(after - before);

	if (!(change >= fmax(CHANGED * fmax(before, after), least)))
		return;
	snprintf(part, sizeof part, "%s %s to %s", name, terminal_figure(unit, before).text,
		terminal_figure(unit, after).text);
	append(text, size, ", ", part);
}

void phases_describe(const struct phases *phases, bool terse, char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 1; i < phases->count; i++) {
		const struct phase *before = &phases->items[i - 1], *phase = &phases->items[i];
		char part[400], changes[320] = "";

		append_change(changes, sizeof changes, "CPUs", UNIT_cpus, before->mean_cpu, phase->mean_cpu, 0.25);
		append_change(changes, sizeof changes, "memory", UNIT_mib, before->mean_memory_mib,
			phase->mean_memory_mib, 64);
		append_change(changes, sizeof changes, "GPUs", UNIT_gpus, before->mean_gpu, phase->mean_gpu, 0.2);
		append_change(changes, sizeof changes, "processes", UNIT_count, round(before->mean_members),
			round(phase->mean_members), 2);
		if (terse)
			changes[strcspn(changes, ",")] = '\0';
		snprintf(part, sizeof part, "at %s%s %s", terminal_duration(phase->start - phases->items[0].start).text,
			phase->marked ? " (marked)" : "", *changes ? changes : "little changed");
		append(text, size, "; ", part);
	}
}
