/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fleet/snapshot.h"

#include "report/fleet/rows_out.h"

#include <stdlib.h>

static void put_json(gzFile out, const char *key, const cJSON *value)
{
	char *text = json_compact(value);

	rows_out_text(out, text_of(key));
	gzputc(out, ':');
	gzputs(out, text);
	free(text);
}

static void add_copy(cJSON *object, const char *key, const cJSON *from, const char *from_key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(from, from_key);
	cJSON_AddItemToObject(object, key, value ? cJSON_Duplicate(value, true) : cJSON_CreateNull());
}

static cJSON *make_metadata(const struct run *run)
{
	static const char *const truths[] = {
		"children", "autostart", "track_processes", "track_system", "discover_server", "discover_cloud"};
	cJSON *metadata = cJSON_CreateObject();
	double stop = number_known(run->stop_time) ? run->stop_time : run->start_time;

	cJSON_AddNumberToObject(metadata, "version", 1);
	cJSON *tracker = cJSON_AddObjectToObject(metadata, "resource_tracker");
	cJSON_AddStringToObject(tracker, "version", RTRACK_VERSION);
	cJSON_AddStringToObject(tracker, "implementation", "rtrack");
	add_copy(metadata, "pid", run->json, "pid");
	json_add_number(metadata, "interval", run->interval, 9);
	cJSON_AddNullToObject(metadata, "method");
	for (size_t i = 0; i < ARRAY_LENGTH(truths); i++)
		cJSON_AddTrueToObject(metadata, truths[i]);
	json_add_number(metadata, "start_time", run->start_time, 6);
	json_add_number(metadata, "stop_time", stop, 6);
	json_add_number(metadata, "duration", stop - run->start_time + run->interval, 2);
	return metadata;
}

static cJSON *make_server(const struct run *run)
{
	static const struct {
		const char *key;
		bool is_count;
	} keys[] = {{"os", false}, {"vcpus", false}, {"memory_mib", false}, {"gpu_count", true}, {"gpu_names", false},
		{"gpu_name", false}, {"gpu_memory_mib", true}, {"allocation", false}};
	const cJSON *server = cJSON_GetObjectItemCaseSensitive(run->json, "server");
	cJSON *info = cJSON_CreateObject();

	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
		if (keys[i].is_count && !cJSON_HasObjectItem(server, keys[i].key))
			cJSON_AddNumberToObject(info, keys[i].key, 0);
		else
			add_copy(info, keys[i].key, server, keys[i].key);
	}
	return info;
}

static cJSON *make_cloud(const struct run *run)
{
	static const char *const keys[] = {"vendor", "instance_type", "region"};
	const cJSON *cloud = cJSON_GetObjectItemCaseSensitive(run->json, "cloud");
	cJSON *info = cJSON_CreateObject();

	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
		const char *value = json_string(cloud, keys[i]);
		cJSON_AddStringToObject(info, keys[i], *value ? value : "unknown");
	}
	add_copy(info, "discovery_time", cloud, "discovery_time");
	return info;
}

/* Makes all keys except the two series. If the run was imported, the keys come from its original snapshot, otherwise
 * from run.json. */
static cJSON *make_content(const struct run *run)
{
	static const struct {
		const char *key;
		cJSON *(*make)(const struct run *);
	} parts[] = {{"metadata", make_metadata}, {"server_info", make_server}, {"cloud_info", make_cloud}};
	const cJSON *kept = cJSON_GetObjectItemCaseSensitive(run->json, "snapshot");
	cJSON *content = cJSON_IsObject(kept) ? cJSON_Duplicate(kept, true) : cJSON_CreateObject();

	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
		if (!cJSON_HasObjectItem(content, parts[i].key))
			cJSON_AddItemToObject(content, parts[i].key, parts[i].make(run));
	return content;
}

/* Adds the names of columns that were not measured. The predecessor's format has zeros in these columns, which would
 * otherwise look measured. */
static void add_unknown(cJSON *unknown, const struct rows_out *rows, enum table_id id)
{
	cJSON *names = cJSON_AddArrayToObject(unknown, tables[id].name);

	for (size_t column = 0; rows->open && column < tables[id].count; column++) {
		int field = rows->reader.field_of[column];
		if (field >= 0 && rows->rows > 0 && !rows->known[field] && rows_out_is_predecessors(id, (int)column))
			cJSON_AddItemToArray(names, cJSON_CreateString(rows->names[field]));
	}
}

static cJSON *make_own(const struct run *run, const struct rows_out *process, const struct rows_out *system)
{
	cJSON *own = cJSON_CreateObject();

	cJSON_AddItemToObject(own, "run", cJSON_Duplicate(run->json, true));
	cJSON *unknown = cJSON_AddObjectToObject(own, "unknown");
	add_unknown(unknown, process, TABLE_process);
	add_unknown(unknown, system, TABLE_system);
	return own;
}

static void write_all(gzFile out, const struct run *run, struct rows_out *process, struct rows_out *system)
{
	cJSON *content = make_content(run);
	const cJSON *item;

	/* An imported run is exported as its original snapshot. Any other run also gets the key "rtrack". */
	if (!cJSON_HasObjectItem(run->json, "snapshot"))
		cJSON_AddItemToObject(content, "rtrack", make_own(run, process, system));
	gzputc(out, '{');
	cJSON_ArrayForEach(item, content)
	{
		put_json(out, item->string, item);
		gzputs(out, "\n,");
	}
	gzputs(out, "\"process_metrics\":");
	rows_out_json(process, out, true);
	gzputs(out, ",\n\"system_metrics\":");
	rows_out_json(system, out, true);
	gzputs(out, "}\n");
	cJSON_Delete(content);
}

void snapshot_write(gzFile out, const struct run *run)
{
	struct rows_out process, system;

	rows_out_open(&process, &run->files, TABLE_process);
	rows_out_open(&system, &run->files, TABLE_system);
	write_all(out, run, &process, &system);
	rows_out_close(&process);
	rows_out_close(&system);
}
