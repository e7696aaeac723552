/* A run beside its history, as `stats` prints both; see history.h. */
#include "report/history/history.h"

#include "report/model/energy.h"

cJSON *history_json(const struct model *model, size_t limit)
{
	const struct run *run = model->run;
	struct history history;

	history_read(&history, run, limit);
	cJSON *json = cJSON_CreateObject();
	cJSON *facts = cJSON_Duplicate(run->json, true);
	if (!cJSON_HasObjectItem(facts, "id"))
		cJSON_AddStringToObject(facts, "id", run->id);
	if (kills_met_another(&model->kills, run))
		cJSON_ReplaceItemInObjectCaseSensitive(facts, "killed_by", cJSON_CreateNull());
	if (run->silent_seconds > 0)
		cJSON_AddNumberToObject(facts, "silent_seconds", run->silent_seconds);
	cJSON_AddItemToObject(json, "run", facts);
	cJSON_AddItemToObject(json, "stats", stats_json(&model->stats));
	cJSON *totals = cJSON_AddObjectToObject(json, "totals");
	totals_write_json(&model->totals, totals);
	energy_write_carbon(model->totals.energy_wh, totals);
	code_write_json(&model->code, json);
	cJSON *earlier = cJSON_AddObjectToObject(json, "history");
	cJSON_AddNumberToObject(earlier, "runs", (double)history.count);
	cJSON_AddItemToObject(earlier, "stats", stats_json(&history.stats));
	history_free(&history);
	return json;
}
