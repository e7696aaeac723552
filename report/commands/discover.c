/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report discover: prints facts about this machine and its cloud.
 *
 * Only a run shows whether a job has the machine to itself, so this fact is taken from the latest run on this host. */
#include "report/commands/commands.h"

#include "report/model/allocation.h"
#include "report/say/terminal.h"
#include "report/services/cloud.h"
#include "report/services/machine.h"
#include "report/spool/runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FACT_WIDTH = 20, RUNS_TRIED = 100 };

/* -- allocation ------------------------------------------------------------------------------------ */

static const char *allocation_of(const struct run *run)
{
	struct series process;
	struct series system;

	if (series_load(&process, &run->files, TABLE_process, ALLOCATION_PROCESS_COLUMNS) != 0)
		return NULL;
	const char *guess = NULL;
	if (series_load(&system, &run->files, TABLE_system, ALLOCATION_SYSTEM_COLUMNS) == 0) {
		guess = allocation_guess(&process, &system);
		series_free(&system);
	}
	series_free(&process);
	return guess;
}

static const char *latest_allocation(const char *spool)
{
	char host[256] = "";
	const char *guess = NULL;
	struct runs runs;
	struct run run;

	(void)gethostname(host, sizeof host - 1);
	if (runs_list(&runs, spool) != 0)
		return NULL;
	for (int tried = 0; !guess && tried < RUNS_TRIED && runs_next(&runs, &run); tried++) {
		if (strcmp(run.host, host) == 0 && run_ended(&run))
			guess = allocation_of(&run);
		run_close(&run);
	}
	runs_free(&runs);
	return guess;
}

/* -- printing -------------------------------------------------------------------------------------- */

static void write_fact(const struct terminal *terminal, const char *label, const char *value)
{
	if (!value || !*value)
		return;
	terminal_text(terminal, label, FACT_WIDTH, FACT_WIDTH);
	terminal_text(terminal, value, terminal->width - FACT_WIDTH, 0);
	fputc('\n', terminal->out);
}

static void write_figure(const struct terminal *terminal, const char *label, enum unit unit, double value)
{
	if (number_known(value))
		write_fact(terminal, label, terminal_figure(unit, value).text);
}

static void print_server(const struct terminal *terminal, const cJSON *server)
{
	write_fact(terminal, "Operating system", json_string(server, "os"));
	write_fact(terminal, "Kernel", json_string(server, "kernel"));
	write_fact(terminal, "Architecture", json_string(server, "architecture"));
	write_fact(terminal, "CPU", json_string(server, "cpu_model"));
	write_figure(terminal, "CPUs to be used", UNIT_cpus, json_double(server, "vcpus"));
	write_figure(terminal, "Memory", UNIT_mib, json_double(server, "memory_mib"));
	write_figure(terminal, "Memory limit", UNIT_mib, json_double(server, "cgroup_memory_limit_mib"));
	if (json_double(server, "gpu_count") > 0) {
		write_figure(terminal, "GPUs", UNIT_count, json_double(server, "gpu_count"));
		write_fact(terminal, "GPU", json_string(server, "gpu_name"));
		write_figure(terminal, "GPU memory", UNIT_mib, json_double(server, "gpu_memory_mib"));
	}
	write_fact(terminal, "Allocation", json_string(server, "allocation"));
}

static void print_cloud(const struct terminal *terminal, const cJSON *cloud)
{
	write_fact(terminal, "Cloud", json_string(cloud, "vendor"));
	if (strcmp(json_string(cloud, "vendor"), "unknown") == 0)
		return;
	write_fact(terminal, "Instance type", json_string(cloud, "instance_type"));
	write_fact(terminal, "Region", json_string(cloud, "region"));
}

static enum cloud_asking asking_of(const struct options *options)
{
	const char *word = options->text[OPTION_cloud];
	if (word && strcmp(word, "off") == 0)
		return CLOUD_ASK_NONE;
	return word && strcmp(word, "probe") == 0 ? CLOUD_ASK_ALL : CLOUD_ASK_NAMED;
}

static cJSON *server_facts(const char *spool)
{
	struct machine machine;

	machine_read(&machine, "", true);
	cJSON *json = machine_json(&machine);
	const char *allocation = latest_allocation(spool);
	cJSON_AddItemToObject(json, "allocation", allocation ? cJSON_CreateString(allocation) : cJSON_CreateNull());
	machine_free(&machine);
	return json;
}

int discover_command(const struct options *options, const char *spool)
{
	struct terminal terminal = terminal_of(stdout);
	struct cloud_discovery found;

	cloud_discover(&found, asking_of(options), "", getenv("RTRACK_METADATA_URL"));
	cJSON *server = server_facts(spool);
	cJSON *cloud = cloud_json(&found);
	cJSON *json = cJSON_CreateObject();
	cJSON_AddItemToObject(json, "server", server);
	cJSON_AddItemToObject(json, "cloud", cloud);
	if (options->json)
		return json_print(json);
	print_server(&terminal, server);
	print_cloud(&terminal, cloud);
	cJSON_Delete(json);
	return EXIT_DONE;
}
