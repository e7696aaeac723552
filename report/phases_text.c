/* The phases of a run in words; see phases.h. */
#include "report/phases.h"

#include "core/number.h"
#include "report/terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "1.5 core-hours", and with a percentage "1.5 core-hours (25 %)" */
static struct figure saving(const char *what, double seconds, double percent)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
	struct figure figure;
	size_t unit = 0;

	while (unit + 1 < ARRAY_LENGTH(units) && seconds < units[unit].seconds)
		unit++;
	int length = snprintf(figure.text, sizeof figure.text, "%.12s %.4s-%.7s",
		html_figure(UNIT_cpus, seconds / units[unit].seconds).text, what, units[unit].name);
	if (number_known(percent))
		snprintf(figure.text + length, sizeof figure.text - (size_t)length, " (%d %%)", (int)rint(percent));
	return figure;
}

static void append(char *text, size_t size, const char *separator, const char *part)
{
	size_t length = strlen(text);
	snprintf(text + length, size - length, "%s%s", length > 0 ? separator : "", part);
}

void phases_describe(const struct phases *phases, char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 0; i < phases->count; i++) {
		const struct phase *phase = &phases->items[i];
		struct figure cpus = terminal_figure(UNIT_cpus, phase->mean_cpu);
		char part[160];
		if (i == 0)
			snprintf(part, sizeof part, "CPUs: %s", cpus.text);
		else
			snprintf(part, sizeof part, "from %s %s",
				terminal_duration(phase->start - phases->items[0].start).text, cpus.text);
		append(text, size, "; ", part);
	}
}

void phases_describe_split(const struct split *split, bool percent, char *text, size_t size)
{
	const struct {
		const char *what;
		double seconds, percent;
	} savings[] = {{"core", split->cpu_seconds, split->cpu_percent},
		{"GiB", split->gib_seconds, split->memory_percent}, {"GPU", split->gpu_seconds, split->gpu_percent}};

	*text = '\0';
	for (size_t i = 0; i < ARRAY_LENGTH(savings); i++)
		if (savings[i].seconds > 0)
			append(text, size, ", ",
				saving(savings[i].what, savings[i].seconds, percent ? savings[i].percent : UNKNOWN)
					.text);
}
