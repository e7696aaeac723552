/* The phases of a run in words; see phases.h. */
#include "report/figures/phases.h"

#include "core/number.h"
#include "report/say/terminal.h"

#include <stdio.h>
#include <string.h>

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
