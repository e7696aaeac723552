/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks, the memory, the calling process and the machine of a simulated operating system. */
#include "tests/unit/lib/fake_os.h"
#include "tests/unit/lib/fake_parts.h"

#include "os/clock.h"
#include "os/memory.h"
#include "os/self.h"
#include "os/system.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_faults fake_faults;
void (*fake_meanwhile)(void);
uint64_t fake_tracker[COUNTER_COUNT];
int64_t fake_queued_ns;
int64_t fake_queue_cost_ns;
int fake_host;

static int64_t wall_ns;
static int64_t boot_ns;

void fake_bail_out(const char *what)
{
	printf("Bail out! %s\n", what);
	fflush(stdout);
	abort();
}

void fake_move_on(void)
{
	void (*meanwhile)(void) = fake_meanwhile;
	fake_meanwhile = NULL;
	if (meanwhile)
		meanwhile();
	fake_meanwhile = meanwhile;
}

void fake_reset(void)
{
	fake_meanwhile = NULL;
	fake_faults = (struct fake_faults){.maps_left = -1, .descriptors_left = -1, .disk_left = -1};
	fake_host = 0;
	fake_queued_ns = 0;
	fake_queue_cost_ns = 0;
	fake_group_ns = 0;
	memset(fake_tracker, 0, sizeof fake_tracker);
	wall_ns = FAKE_EPOCH;
	boot_ns = 1000 * FAKE_SECOND;
	fake_reset_memory();
	fake_reset_files();
	fake_reset_processes();
}

/* -- clocks -- */

void fake_pass(int64_t ns)
{
	wall_ns += ns;
	boot_ns += ns;
}

void fake_set_time_of_day(int64_t ns)
{
	wall_ns = ns;
}

int64_t os_now_ns(void)
{
	return wall_ns;
}

int64_t os_since_boot_ns(void)
{
	return boot_ns;
}

void os_sleep(int64_t ns)
{
	fake_pass(ns);
}

/* -- memory: from the C library, so that sanitizers check it -- */

struct map {
	size_t size;
	struct map *before;
	struct map *after;
	size_t unused; /* keeps the memory after this struct aligned */
};

static struct map first = {.before = &first, .after = &first};

static struct map *map_of(void *data, size_t size)
{
	struct map *map = (struct map *)data - 1;
	if (map->size != size)
		fake_bail_out("memory is freed with another size than it was allocated with");
	return map;
}

void *os_map(size_t size)
{
	if (fake_faults.maps_left == 0)
		return NULL;
	fake_faults.maps_left -= fake_faults.maps_left > 0;
	struct map *map = calloc(1, sizeof *map + size);
	if (!map)
		return NULL;
	*map = (struct map){.size = size, .before = &first, .after = first.after};
	map->after->before = first.after = map;
	return map + 1;
}

/* Always moves the mapping to a new address. */
void *os_map_apart(size_t size)
{
	return os_map(size);
}

void *os_remap_apart(void *data, size_t old_size, size_t size)
{
	void *moved = os_map(size);
	if (!moved || !data)
		return moved;
	memcpy(moved, data, old_size < size ? old_size : size);
	os_unmap(data, old_size);
	return moved;
}

void os_unmap(void *data, size_t size)
{
	if (!data)
		return;
	struct map *map = map_of(data, size);
	map->before->after = map->after;
	map->after->before = map->before;
	free(map);
}

void fake_reset_memory(void)
{
	if (first.after != &first)
		fake_bail_out("memory was not given back");
}

void fake_kill_self(void)
{
	fake_close_all();
	while (first.after != &first)
		os_unmap(first.after + 1, first.after->size);
}

/* -- the calling process -- */

int os_pid(void)
{
	return FAKE_SELF;
}

bool os_keeps_orphans(void)
{
	return fake_host != 0 && fake_process(fake_host)->adopts;
}

int os_parent(void)
{
	return FAKE_INIT;
}

uint32_t os_user(void)
{
	return 1000;
}

bool os_is_privileged(void)
{
	return false;
}

uint16_t os_random(void)
{
	return 0xabcd;
}

static int say(const char *text, char *data, size_t capacity)
{
	if (strlen(text) >= capacity)
		return OS_ERROR_TOO_LONG;
	strcpy(data, text);
	return 0;
}

int os_working_directory(char *data, size_t capacity)
{
	return say("/home/ada", data, capacity);
}

int os_host_name(char *data, size_t capacity)
{
	return say("host", data, capacity);
}

int os_user_name(uint32_t uid, char *data, size_t capacity)
{
	(void)uid;
	return say("ada", data, capacity);
}

int64_t os_executable(char *data, size_t capacity)
{
	(void)data, (void)capacity;
	return OS_ERROR_MISSING;
}

int64_t os_command_line(char *data, size_t capacity)
{
	(void)data, (void)capacity;
	return OS_ERROR_MISSING;
}

int os_descriptor_limit(void)
{
	return fake_faults.descriptor_limit ? fake_faults.descriptor_limit : INT32_MAX;
}

struct text os_boot(char text[OS_BOOT_MAX])
{
	(void)text;
	return TEXT("6e5a2c1e-boot");
}

uint64_t os_pid_namespace(void)
{
	return 4026531836;
}

uint64_t os_pid_view(int pid)
{
	(void)pid;
	return 7;
}

uint64_t process_peak_rss_kib(void)
{
	return 0;
}

void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib)
{
	const struct fake_process *host = fake_host ? fake_process(fake_host) : NULL;
	(void)before_kib, (void)small_kib;
	*usage = (struct process_usage){0};
	if (!host)
		return;
	memcpy(usage->own, host->used, sizeof usage->own);
	memcpy(usage->children, host->reaped, sizeof usage->children);
	process_own_usage(&usage->own[COUNTER_USER_NS]);
	usage->peak_rss_kib = host->peak_kib;
}

void thread_usage(uint64_t cpu_ns[2])
{
	memcpy(cpu_ns, &fake_tracker[COUNTER_USER_NS], 2 * sizeof *cpu_ns);
}

int64_t thread_used_ns(void)
{
	return (int64_t)figures_cpu_ns(fake_tracker);
}

void process_own_usage(uint64_t cpu_ns[2])
{
	const struct fake_process *host = fake_host ? fake_process(fake_host) : NULL;
	thread_usage(cpu_ns);
	for (int i = 0; host && i < 2; i++)
		cpu_ns[i] += host->used[COUNTER_USER_NS + i];
}

void process_children_usage(uint64_t cpu_ns[2])
{
	const struct fake_process *host = fake_process(fake_host ? fake_host : FAKE_SELF);
	memcpy(cpu_ns, &host->reaped[COUNTER_USER_NS], 2 * sizeof *cpu_ns);
}

int64_t thread_queued_ns(void)
{
	return fake_queued_ns;
}

int thread_io(uint64_t counters[COUNTER_COUNT])
{
	for (int i = COUNTER_DISK_READ; i <= COUNTER_WRITE_CHARS; i++)
		counters[i] = fake_tracker[i];
	return 0;
}

/* -- the machine -- */

static const char oom_file[] = "/sys/oom";

struct system_state {
	uint64_t oom_kills;
};

size_t system_state_size(void)
{
	return sizeof(struct system_state);
}

int system_open(struct system_state *state)
{
	(void)system_oom_kills(oom_file, &state->oom_kills);
	return 0;
}

void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells)
{
	(void)elapsed_ns;
	(void)system_oom_kills(oom_file, &state->oom_kills);
	for (int i = 0; i < SYSTEM_COLUMNS; i++)
		cells[i] = CELL_NUMBER(UNKNOWN);
}

uint64_t fake_group_ns;

int system_group_cpu(const struct system_state *state, uint64_t *cpu_ns)
{
	(void)state;
	*cpu_ns = fake_group_ns;
	return fake_group_ns > 0 ? 0 : OS_ERROR_UNSUPPORTED;
}

int system_group_processes(const struct system_state *state, int *pids, size_t capacity)
{
	enum { PIDS_MAX = 1000 };
	int count = 0;

	(void)state;
	for (int pid = 1; pid < PIDS_MAX; pid++)
		if (fake_process(pid) && fake_process(pid)->grouped && (size_t)count++ < capacity)
			pids[count - 1] = pid;
	return count;
}

struct system_oom system_oom(const struct system_state *state)
{
	return (struct system_oom){oom_file, state->oom_kills};
}

int system_oom_kills(const char *file, uint64_t *kills)
{
	const char *text = fake_read(file);
	return text && sscanf(text, "%" SCNu64, kills) == 1 ? 0 : OS_ERROR_MISSING;
}

unsigned system_cpus(const struct system_state *state)
{
	(void)state;
	return FAKE_CPUS;
}

void system_read_facts(struct system_facts *facts, const char *root)
{
	(void)root;
	*facts = (struct system_facts){.os = "Fake",
		.cpus = FAKE_CPUS,
		.vcpus = FAKE_CPUS,
		.memory_mib = 8192,
		.memory_limit_mib = UNKNOWN,
		.cpu_limit = UNKNOWN,
		.parent_start = UNKNOWN,
		.script_start = UNKNOWN};
}
