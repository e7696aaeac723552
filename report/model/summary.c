/* What every command reads of a run; see summary.h. */
#include "report/model/summary.h"

#include "report/say/message.h"

#include <errno.h>

static int read_tables(
	struct summary *summary, const struct run *run, uint64_t process_columns, uint64_t system_columns)
{
	if (series_load(&summary->process, run->directory, TABLE_process, process_columns | TOTALS_PROCESS_COLUMNS) !=
			0 &&
		errno == ENOMEM)
		return -1;
	if (series_load(&summary->system, run->directory, TABLE_system,
		    system_columns | TOTALS_SYSTEM_COLUMNS | ENERGY_SYSTEM_COLUMNS) != 0 &&
		errno == ENOMEM)
		return -1;
	if (processes_load(&summary->processes, run->directory) != 0)
		return -1;
	if (gpus_load(&summary->gpus, run->directory) != 0)
		return -1;
	if (totals_make(&summary->totals, run, &summary->process, &summary->system, &summary->processes) != 0)
		return -1;
	return energy_make(&summary->totals.energy, run->directory, &summary->gpus, &summary->process, &summary->system,
		&summary->processes);
}

int summary_read(struct summary *summary, const struct run *run, uint64_t process_columns, uint64_t system_columns)
{
	*summary = (struct summary){0};
	if (read_tables(summary, run, process_columns, system_columns) != 0) {
		message_cannot_read(run->directory, errno);
		summary_free(summary);
		return -1;
	}
	summary->usable = summary->process.rows > 0 || summary->processes.count > 0;
	return 0;
}

void summary_free(struct summary *summary)
{
	series_free(&summary->process);
	series_free(&summary->system);
	processes_free(&summary->processes);
	gpus_free(&summary->gpus);
}

int summary_check(const struct summary *summary, const struct run *run)
{
	if (summary->usable)
		return 0;
	message_print("no usable data in '%s'", run->directory);
	return -1;
}
