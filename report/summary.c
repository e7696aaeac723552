/* What every command reads of a run; see summary.h. */
#include "report/summary.h"

#include "report/commands.h"
#include "report/history.h"
#include "report/message.h"
#include "report/stats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int read_tables(
	struct summary *summary, const struct run *run, uint64_t process_columns, uint64_t system_columns)
{
	if (series_load(&summary->process, run->directory, TABLE_process, process_columns | TOTALS_PROCESS_COLUMNS) !=
			0 &&
		errno == ENOMEM)
		return -1;
	if (series_load(&summary->system, run->directory, TABLE_system, system_columns | TOTALS_SYSTEM_COLUMNS) != 0 &&
		errno == ENOMEM)
		return -1;
	if (processes_load(&summary->processes, run->directory) != 0)
		return -1;
	return totals_make(&summary->totals, run, &summary->process, &summary->system, &summary->processes);
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
}

cJSON *summary_json(const struct summary *summary, const struct run *run, size_t history_runs)
{
	struct stats stats;
	struct history history;
	cJSON *json = cJSON_CreateObject();
	cJSON *facts = cJSON_Duplicate(run->json, true);

	if (history_read(&history, run, history_runs) != 0 || !json || !facts) {
		message_cannot_read(run->directory, ENOMEM);
		cJSON_Delete(json);
		cJSON_Delete(facts);
		return NULL;
	}
	stats_make(&stats, &summary->process, &summary->system, run->interval);
	if (!cJSON_HasObjectItem(facts, "id"))
		cJSON_AddStringToObject(facts, "id", run->id);
	cJSON_AddItemToObject(json, "run", facts);
	cJSON_AddItemToObject(json, "stats", stats_json(&stats));
	totals_write_json(&summary->totals, cJSON_AddObjectToObject(json, "totals"));
	cJSON *earlier = cJSON_AddObjectToObject(json, "history");
	cJSON_AddNumberToObject(earlier, "runs", (double)history.count);
	cJSON_AddItemToObject(earlier, "stats", stats_json(&history.stats));
	history_free(&history);
	return json;
}

int summary_print_json(cJSON *json)
{
	char *text = json ? cJSON_Print(json) : NULL;
	cJSON_Delete(json);
	if (!text)
		return EXIT_NO_DATA;
	json_write(stdout, text);
	cJSON_free(text);
	return EXIT_DONE;
}

int summary_exit_status(const struct summary *summary, const struct run *run)
{
	if (summary->usable)
		return EXIT_DONE;
	message_print("no usable data in '%s'", run->directory);
	return EXIT_NO_DATA;
}
