/* SPDX-License-Identifier: Apache-2.0 */
/* Samples the machine for system.csv with host_statistics64 and sysctl. */
#include "os/system.h"

#include "os/darwin/calls.h"
#include "os/darwin/parse.h"

enum { TICKS_PER_SECOND = 100, INTERFACES_BYTES = 65536, DISKS_MAX = 16 };

#define BYTES_PER_MIB 1048576.0
#define BYTES_PER_GB 1e9

struct system_state {
	unsigned cpus;
	uint64_t page_bytes;
	uint64_t total_bytes;
	uint32_t ticks[DARWIN_TICKS];
	uint64_t net[2];
	char scratch[INTERFACES_BYTES];
};

size_t system_state_size(void)
{
	return sizeof(struct system_state);
}

/* Returns a 32-bit or 64-bit number from sysctl, or 0 if unknown. */
static uint64_t read_number(const char *name)
{
	uint64_t number = 0;
	int64_t length = darwin_named(name, &number, sizeof number);

	return length == (int64_t)sizeof(uint32_t) ? (uint32_t)number : length > 0 ? number : 0;
}

int system_open(struct system_state *state)
{
	struct cell cells[SYSTEM_COLUMNS];

	state->cpus = (unsigned)read_number("hw.activecpu");
	state->cpus = state->cpus > 0 ? state->cpus : 1;
	state->page_bytes = read_number("hw.pagesize");
	state->total_bytes = read_number("hw.memsize");
	system_read(state, 0, cells);
	return 0;
}

unsigned system_cpus(const struct system_state *state)
{
	return state->cpus;
}

static void read_cpu(struct system_state *state, double elapsed_s, struct cell *cells)
{
	uint32_t now[DARWIN_TICKS], grown[DARWIN_TICKS];

	if (darwin_ticks(now) != 0)
		return;
	for (int i = 0; i < DARWIN_TICKS; i++) {
		grown[i] = now[i] - state->ticks[i];
		state->ticks[i] = now[i];
	}
	double user = (double)grown[DARWIN_TICKS_USER] + grown[DARWIN_TICKS_NICE];
	double used = (user + grown[DARWIN_TICKS_SYSTEM]) / TICKS_PER_SECOND;
	cells[SYSTEM_utime].number = user / TICKS_PER_SECOND;
	cells[SYSTEM_stime].number = (double)grown[DARWIN_TICKS_SYSTEM] / TICKS_PER_SECOND;
	if (elapsed_s > 0)
		cells[SYSTEM_cpu_usage].number = used / elapsed_s < state->cpus ? used / elapsed_s : state->cpus;
}

static bool look_at_memory(const struct system_state *state, struct parse_memory *figures)
{
	struct darwin_memory memory;

	if (state->page_bytes == 0 || darwin_memory(&memory) != 0)
		return false;
	parse_memory(&memory, state->page_bytes, state->total_bytes, figures);
	return true;
}

static void read_memory(struct system_state *state, struct cell *cells)
{
	struct parse_memory figures;
	struct darwin_swap swap;

	if (look_at_memory(state, &figures)) {
#define MEMORY(column, field) cells[SYSTEM_##column].number = figures.field;
#include "os/darwin/figures.def"
	}
	if (darwin_named("vm.swapusage", &swap, sizeof swap) == (int64_t)sizeof swap)
		cells[SYSTEM_swap_used_mib].number = (double)swap.used / BYTES_PER_MIB;
}

uint64_t system_memory_in_use_kib(struct system_state *state)
{
	struct parse_memory figures;
	return look_at_memory(state, &figures) ? (uint64_t)(figures.used * 1024) : 0;
}

double system_tmpfs_used_mib(struct system_state *state)
{
	(void)state;
	return UNKNOWN;
}

static void read_traffic(struct system_state *state, struct cell *cells)
{
	static const int columns[2] = {SYSTEM_net_recv_bytes, SYSTEM_net_sent_bytes};
	uint64_t now[2];
	int64_t length = darwin_interfaces(state->scratch, sizeof state->scratch);

	if (length <= 0)
		return;
	parse_interfaces((struct text){state->scratch, (size_t)length}, now);
	for (int i = 0; i < 2; i++) {
		cells[columns[i]].number = now[i] > state->net[i] ? (double)(now[i] - state->net[i]) : 0;
		state->net[i] = now[i];
	}
}

struct space {
	int disks[DISKS_MAX];
	int count;
	double total;
	double free;
};

static void take_mount(void *context, const struct darwin_mount *mount)
{
	struct space *space = context;
	int disk = parse_disk(mount->device);

	if (disk < 0 || !mount->is_local || mount->total == 0 || space->count == DISKS_MAX)
		return;
	for (int i = 0; i < space->count; i++)
		if (space->disks[i] == disk)
			return;
	space->disks[space->count++] = disk;
	space->total += (double)mount->total;
	space->free += (double)mount->free;
}

static void read_space(struct cell *cells)
{
	struct space space = {.count = 0};

	darwin_mounts(take_mount, &space);
	if (space.count == 0)
		return;
	cells[SYSTEM_disk_space_total_gb].number = space.total / BYTES_PER_GB;
	cells[SYSTEM_disk_space_used_gb].number = (space.total - space.free) / BYTES_PER_GB;
	cells[SYSTEM_disk_space_free_gb].number = space.free / BYTES_PER_GB;
}

void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells)
{
	row_begin(cells, &tables[TABLE_system]);
	read_cpu(state, (double)elapsed_ns / 1e9, cells);
	read_memory(state, cells);
	read_traffic(state, cells);
	read_space(cells);
}
