/* Resources on the page; see resources.h. */
#include "report/page/resources.h"

#include "report/say/markup.h"
#include "report/say/units.h"

static const char *plural(double count)
{
	return count > 1 ? "s" : "";
}

void page_write_resources(FILE *out, const struct resources *resources, const char *separator)
{
	const char *before = "";

	if (resources->cpu > 0) {
		markup_write(out, "%.0f CPU%s", resources->cpu, plural(resources->cpu));
		before = separator;
	}
	if (resources->memory_mib > 0) {
		markup_write(out, "%s%s", before, units_figure(UNIT_mib, resources->memory_mib).text);
		before = separator;
	}
	if (resources->gpu > 0)
		markup_write(out, "%s%.0f GPU%s", before, resources->gpu, plural(resources->gpu));
}
