/* What this machine is; see machine.h. */
#define _GNU_SOURCE
#include "report/services/machine.h"

#include "core/base.h"
#include "core/number.h"
#include "report/services/nvml.h"

#include <dirent.h>
#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 1024 };

static FILE *open_below(const char *root, const char *path)
{
	char whole[PATH_SIZE];
	return snprintf(whole, sizeof whole, "%s%s", root, path) < (int)sizeof whole ? fopen(whole, "re") : NULL;
}

/* The rest of the first line of a file that begins with `key`, without what separates the two. */
static bool read_value(const char *root, const char *path, const char *key, char *value, size_t size)
{
	char line[LINE_SIZE];
	FILE *file = open_below(root, path);
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file)) {
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		char *start = line + strlen(key);
		start += strspn(start, " \t:=\"");
		start[strcspn(start, "\"\n")] = '\0';
		found = *start != '\0';
		if (found)
			snprintf(value, size, "%s", start);
	}
	if (file)
		fclose(file);
	return found;
}

/* -- control groups -------------------------------------------------------------------------------- */

/* What each level may use is in its directory; in a container the path of /proc/self/cgroup may not be mounted,
 * but then the climb ends at what is. */
struct climb {
	const char *mount;      /* where the hierarchy is */
	const char *controller; /* version 1; NULL: version 2 */
	/* Takes a level's limit, if it has one. */
	void (*take)(const char *root, const char *directory, double *lowest);
};

static void take_lower(double *lowest, double limit)
{
	if (limit > 0 && !(limit >= *lowest))
		*lowest = limit;
}

/* Numbers in a line of a file in a level's directory; how many there were. */
static int read_numbers(const char *root, const char *directory, const char *name, double numbers[2])
{
	char path[PATH_SIZE];
	char line[128] = "";
	snprintf(path, sizeof path, "%s/%s", directory, name);
	FILE *file = open_below(root, path);
	if (!file)
		return 0;
	char *got = fgets(line, sizeof line, file);
	fclose(file);
	return got ? sscanf(line, "%lf %lf", &numbers[0], &numbers[1]) : 0; /* "max" is none */
}

static void take_memory(const char *root, const char *directory, double *lowest)
{
	static const char *const files[] = {"memory.max", "memory.limit_in_bytes"};
	double numbers[2];
	/* Version 1 says "none" with a number near 2^63. */
	for (size_t i = 0; i < ARRAY_LENGTH(files); i++)
		if (read_numbers(root, directory, files[i], numbers) > 0 && numbers[0] < 0x1p60)
			take_lower(lowest, numbers[0] / 1048576);
}

static void take_cpus(const char *root, const char *directory, double *lowest)
{
	double numbers[2];
	double period[2];
	if (read_numbers(root, directory, "cpu.max", numbers) == 2 && numbers[1] > 0)
		take_lower(lowest, numbers[0] / numbers[1]);
	if (read_numbers(root, directory, "cpu.cfs_quota_us", numbers) > 0 &&
		read_numbers(root, directory, "cpu.cfs_period_us", period) > 0 && period[0] > 0)
		take_lower(lowest, numbers[0] / period[0]);
}

/* The path on a line "N:controllers:path" of /proc/self/cgroup. */
static bool find_path(const char *root, const char *controller, char *path, size_t size)
{
	char line[PATH_SIZE];
	FILE *file = open_below(root, "/proc/self/cgroup");
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file)) {
		char *names = strchr(line, ':');
		char *start = names ? strchr(names + 1, ':') : NULL;
		if (!start)
			continue;
		*start = '\0';
		start[1 + strcspn(start + 1, "\n")] = '\0';
		for (char *name = strtok(names + 1, ","); controller && name && !found; name = strtok(NULL, ","))
			found = strcmp(name, controller) == 0;
		if (!controller)
			found = start == names + 1;
		if (found)
			snprintf(path, size, "%s", start + 1);
	}
	if (file)
		fclose(file);
	return found;
}

static void climb(const char *root, const struct climb *way, double *lowest)
{
	char directory[PATH_SIZE / 2];
	char path[PATH_SIZE / 4];

	if (!find_path(root, way->controller, path, sizeof path))
		return;
	size_t top = strlen(way->mount);
	snprintf(directory, sizeof directory, "%s%s", way->mount, path);
	for (;;) {
		way->take(root, directory, lowest);
		char *slash = strrchr(directory, '/');
		if (!slash || slash < directory + top)
			return;
		*slash = '\0';
	}
}

static double cgroup_limit(const char *root, const struct climb *ways, size_t count)
{
	double lowest = UNKNOWN;
	for (size_t i = 0; i < count; i++)
		climb(root, &ways[i], &lowest);
	return lowest;
}

static void read_limits(struct machine *machine, const char *root)
{
	static const struct climb memory[] = {{"/sys/fs/cgroup", NULL, take_memory},
		{"/sys/fs/cgroup/unified", NULL, take_memory}, {"/sys/fs/cgroup/memory", "memory", take_memory}};
	static const struct climb cpus[] = {{"/sys/fs/cgroup", NULL, take_cpus},
		{"/sys/fs/cgroup/unified", NULL, take_cpus}, {"/sys/fs/cgroup/cpu", "cpu", take_cpus}};
	size_t size = CPU_ALLOC_SIZE(8192);
	cpu_set_t *allowed = CPU_ALLOC(8192);

	machine->memory_limit_mib = cgroup_limit(root, memory, ARRAY_LENGTH(memory));
	machine->vcpus = cgroup_limit(root, cpus, ARRAY_LENGTH(cpus));
	if (allowed && sched_getaffinity(0, size, allowed) == 0)
		take_lower(&machine->vcpus, CPU_COUNT_S(size, allowed));
	CPU_FREE(allowed);
}

/* -- GPUs ------------------------------------------------------------------------------------------ */

static void add_gpu(struct machine *machine, const char *name)
{
	cJSON_AddItemToArray(machine->gpu_names, cJSON_CreateString(name));
}

/* NVIDIA's driver tells the names without being asked. */
static void take_nvidia(struct machine *machine, const char *model)
{
	add_gpu(machine, model);
}

/* AMD's tells the memory, in bytes. */
static void take_amd(struct machine *machine, const char *bytes)
{
	double sum = number_known(machine->gpu_memory_mib) ? machine->gpu_memory_mib : 0;

	machine->gpu_memory_mib = sum + strtod(bytes, NULL) / 1048576;
	add_gpu(machine, "AMD GPU");
}

/* Has `take` take the value of `key` in every file that fits `pattern`. */
static void read_gpus(struct machine *machine, const char *root, const char *pattern_below, const char *key,
	void (*take)(struct machine *machine, const char *value))
{
	char pattern[PATH_SIZE];
	char text[128];
	glob_t found;

	snprintf(pattern, sizeof pattern, "%s%s", root, pattern_below);
	if (glob(pattern, 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (read_value("", found.gl_pathv[i], key, text, sizeof text))
			take(machine, text);
	globfree(&found);
}

/* -- all of it ------------------------------------------------------------------------------------- */

int machine_read(struct machine *machine, const char *root, bool ask_drivers)
{
	struct utsname names;
	char text[128];

	*machine = (struct machine){.memory_mib = UNKNOWN, .gpu_memory_mib = UNKNOWN};
	machine->gpu_names = cJSON_CreateArray();
	if (!machine->gpu_names)
		return -1;
	if (!read_value(root, "/etc/os-release", "PRETTY_NAME=", machine->os, sizeof machine->os))
		strcpy(machine->os, "Linux");
	if (uname(&names) == 0) {
		snprintf(machine->kernel, sizeof machine->kernel, "%s", names.release);
		snprintf(machine->architecture, sizeof machine->architecture, "%s", names.machine);
	}
	(void)read_value(root, "/proc/cpuinfo", "model name", machine->cpu_model, sizeof machine->cpu_model);
	if (read_value(root, "/proc/meminfo", "MemTotal:", text, sizeof text))
		machine->memory_mib = strtod(text, NULL) / 1024;
	read_limits(machine, root);
	if (!ask_drivers || nvml_read(machine->gpu_names, &machine->gpu_memory_mib) == 0)
		read_gpus(machine, root, "/proc/driver/nvidia/gpus/*/information", "Model:", take_nvidia);
	read_gpus(machine, root, "/sys/class/drm/card*/device/mem_info_vram_total", "", take_amd);
	return 0;
}

void machine_free(struct machine *machine)
{
	cJSON_Delete(machine->gpu_names);
	machine->gpu_names = NULL;
}

/* The name that most of them have; of several such, the first. */
static const char *most_common(const cJSON *names)
{
	const cJSON *one, *other;
	const char *best = NULL;
	int most = 0;

	cJSON_ArrayForEach(one, names)
	{
		int count = 0;
		cJSON_ArrayForEach(other, names)
		{
			count += strcmp(one->valuestring, other->valuestring) == 0;
		}
		if (count > most) {
			most = count;
			best = one->valuestring;
		}
	}
	return best;
}

static void add_text(cJSON *json, const char *key, const char *text)
{
	if (text && *text)
		cJSON_AddStringToObject(json, key, text);
	else
		cJSON_AddNullToObject(json, key);
}

cJSON *machine_json(const struct machine *machine)
{
	cJSON *json = cJSON_CreateObject();
	int gpus = cJSON_GetArraySize(machine->gpu_names);

	add_text(json, "os", machine->os);
	add_text(json, "kernel", machine->kernel);
	add_text(json, "architecture", machine->architecture);
	add_text(json, "cpu_model", machine->cpu_model);
	json_add_number(json, "vcpus", machine->vcpus, 2);
	json_add_number(json, "memory_mib", machine->memory_mib, 2);
	json_add_number(json, "cgroup_memory_limit_mib", machine->memory_limit_mib, 2);
	json_add_number(json, "gpu_count", gpus, 0);
	cJSON_AddItemToObject(json, "gpu_names", cJSON_Duplicate(machine->gpu_names, true));
	add_text(json, "gpu_name", most_common(machine->gpu_names));
	json_add_number(json, "gpu_memory_mib", gpus > 0 ? machine->gpu_memory_mib : 0, 2);
	return json;
}
