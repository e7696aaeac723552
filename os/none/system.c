/* The machine of os/system.h for a system of which nothing is known: every figure is unknown. */
#include "os/system.h"

struct system_state {
	char nothing;
};

size_t system_state_size(void)
{
	return sizeof(struct system_state);
}

int system_open(struct system_state *state)
{
	(void)state;
	return OS_ERROR_UNSUPPORTED;
}

void system_close(struct system_state *state)
{
	(void)state;
}

void system_pause(struct system_state *state)
{
	(void)state;
}

void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells)
{
	(void)state, (void)elapsed_ns;
	row_begin(cells, &tables[TABLE_system]);
}

unsigned system_cpus(const struct system_state *state)
{
	(void)state;
	return 1;
}

struct system_oom system_oom(const struct system_state *state)
{
	(void)state;
	return (struct system_oom){"", 0};
}

int system_oom_kills(const char *file, uint64_t *kills)
{
	(void)file, (void)kills;
	return OS_ERROR_UNSUPPORTED;
}

void system_read_facts(struct system_facts *facts, const char *root)
{
	(void)root;
	*facts = (struct system_facts){.vcpus = UNKNOWN,
		.memory_mib = UNKNOWN,
		.memory_limit_mib = UNKNOWN,
		.cpu_limit = UNKNOWN,
		.script_start = UNKNOWN};
}

bool system_has_meters(void)
{
	return false;
}

void system_find_gpus(const char *root, system_takes_gpu *take, void *context)
{
	(void)root, (void)take, (void)context;
}

struct text system_firmware(const char *root, enum firmware_field field, char bytes[FIRMWARE_TEXT_MAX])
{
	(void)root, (void)field;
	return (struct text){bytes, 0};
}
