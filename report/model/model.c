/* What every command reads of a run; see model.h. */
#include "report/model/energy.h"
#include "report/model/model.h"

#include "report/say/message.h"

#include <errno.h>

static int read_tables(struct model *model, const struct run *run, uint64_t process_columns, uint64_t system_columns)
{
	if (series_load(&model->process, run->directory, TABLE_process, process_columns | TOTALS_PROCESS_COLUMNS) !=
			0 &&
		errno == ENOMEM)
		return -1;
	if (series_load(&model->system, run->directory, TABLE_system,
		    system_columns | TOTALS_SYSTEM_COLUMNS | ENERGY_SYSTEM_COLUMNS) != 0 &&
		errno == ENOMEM)
		return -1;
	if (processes_load(&model->processes, run->directory) != 0)
		return -1;
	if (gpus_load(&model->gpus, run->directory) != 0)
		return -1;
	if (totals_make(&model->totals, run, &model->process, &model->system, &model->processes) != 0)
		return -1;
	return energy_make(
		&model->totals, run->directory, &model->gpus, &model->process, &model->system, &model->processes);
}

int model_read(struct model *model, const struct run *run, uint64_t process_columns, uint64_t system_columns)
{
	*model = (struct model){0};
	if (read_tables(model, run, process_columns, system_columns) != 0) {
		message_cannot_read(run->directory, errno);
		model_free(model);
		return -1;
	}
	model->usable = model->process.rows > 0 || model->processes.count > 0;
	return 0;
}

void model_free(struct model *model)
{
	series_free(&model->process);
	series_free(&model->system);
	processes_free(&model->processes);
	gpus_free(&model->gpus);
}

int model_check(const struct model *model, const struct run *run)
{
	if (model->usable)
		return 0;
	message_print("no usable data in '%s'", run->directory);
	return -1;
}
