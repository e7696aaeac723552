/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the description of a machine, and of whether a run had the machine to itself. */
#include "report/services/machine.h"

#include "report/model/allocation.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

/* On every platform, the description uses the keys of run.json. */
static void check_server(void)
{
	struct machine machine = {.facts = {.os = "Some System 12",
					  .cpu_model = "Fast CPU @ 3 GHz",
					  .vcpus = 2.5,
					  .memory_mib = 16000,
					  .memory_limit_mib = UNKNOWN},
		.gpu_names = cJSON_CreateArray(),
		.gpu_memory_mib = UNKNOWN};

	cJSON_AddItemToArray(machine.gpu_names, cJSON_CreateString("NVIDIA A100"));
	cJSON_AddItemToArray(machine.gpu_names, cJSON_CreateString("NVIDIA T4"));
	cJSON_AddItemToArray(machine.gpu_names, cJSON_CreateString("NVIDIA T4"));
	cJSON *json = machine_json(&machine);
	is_text(json_string(json, "os"), "Some System 12", "the operating system of the machine");
	is_text(json_string(json, "kernel"), "", "an unknown kernel is empty");
	is_text(json_string(json, "cpu_model"), "Fast CPU @ 3 GHz", "the processor of the machine");
	is_number(json_double(json, "vcpus"), 2.5, "the CPUs of the machine");
	is_number(json_double(json, "memory_mib"), 16000, "the memory of the machine");
	is_number(json_double(json, "cgroup_memory_limit_mib"), UNKNOWN, "no limit");
	is_number(json_double(json, "gpu_count"), 3, "the GPUs of the machine");
	is_text(json_string(json, "gpu_name"), "NVIDIA T4", "the most common GPU");
	is_number(json_double(json, "gpu_memory_mib"), UNKNOWN, "unknown GPU memory");
	cJSON_Delete(json);
	machine_free(&machine);
}

/* On every platform, missing facts are unknown. */
static void check_nothing(void)
{
	struct machine machine;

	machine_read(&machine, "/nowhere", false);
	cJSON *json = machine_json(&machine);
	is_text(json_string(json, "cpu_model"), "", "  its processor");
	is_number(json_double(json, "memory_mib"), UNKNOWN, "  its memory");
	is_number(json_double(json, "cgroup_memory_limit_mib"), UNKNOWN, "  its limit");
	is_number(json_double(json, "gpu_count"), 0, "  no GPU");
	cJSON_Delete(json);
	machine_free(&machine);
}

static void check_allocation(void)
{
	static const struct {
		double job[4]; /* CPUs, MiB, GPUs, MiB */
		double machine[4];
		const char *guess;
	} cases[] = {
		{{2, 4000, NAN, NAN}, {2.2, 4400, NAN, NAN}, "dedicated"},
		{{2, 4000, NAN, NAN}, {2.26, 4400, NAN, NAN}, "shared"},
		{{0.5, 4000, NAN, NAN}, {0.63, 4400, NAN, NAN}, "shared"},
		{{2, 4000, NAN, NAN}, {2, 4513, NAN, NAN}, "shared"},
		{{2, 600, NAN, NAN}, {2, 901, NAN, NAN}, "shared"},
		{{2, 4000, 1, 1000}, {2, 4000, 1.15, 1200}, "dedicated"},
		{{2, 4000, 1, 1000}, {2, 4000, 1.21, 1200}, "shared"},
		{{2, 4000, 1, 1000}, {2, 4000, 1, 1251}, "shared"},
		{{2, NAN, NAN, NAN}, {2, 4000, NAN, NAN}, "dedicated"},
		{{NAN, NAN, NAN, NAN}, {2, 4000, NAN, NAN}, NULL},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		double job[4];
		double machine[4];
		char what[32];
		memcpy(job, cases[i].job, sizeof job);
		memcpy(machine, cases[i].machine, sizeof machine);
		struct series process = {.rows = 1};
		struct series system = {.rows = 1};
		process.columns[PROCESS_cpu_usage] = &job[0];
		process.columns[PROCESS_memory_mib] = &job[1];
		process.columns[PROCESS_gpu_usage] = &job[2];
		process.columns[PROCESS_gpu_vram_mib] = &job[3];
		system.columns[SYSTEM_cpu_usage] = &machine[0];
		system.columns[SYSTEM_memory_used_mib] = &machine[1];
		system.columns[SYSTEM_gpu_usage] = &machine[2];
		system.columns[SYSTEM_gpu_vram_mib] = &machine[3];
		snprintf(what, sizeof what, "allocation, case %zu", i + 1);
		is_text(allocation_guess(&process, &system), cases[i].guess, what);
	}
}

int main(void)
{
	check_server();
	check_nothing();
	check_allocation();
	return done();
}
