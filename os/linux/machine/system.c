/* SPDX-License-Identifier: Apache-2.0 */
/* Samples the machine for system.csv from /proc and the control group.
 *
 * Files that are read at each tick stay open and are read with pread(2), which costs half as much as opening them each
 * time. Their descriptors are in a descriptor table of the sampler, so the host cannot close them. */
#include "os/system.h"

#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/machine/system.h"
#include "os/self.h"

enum system_file {
	FILE_STAT,
	FILE_MEMINFO,
	FILE_DISKSTATS,
	FILE_NET,
	FILE_PSI_CPU,
	FILE_PSI_MEMORY,
	FILE_PSI_IO,
	FILE_COUNT
};

#define MOUNTS_AGAIN_NS 30000000000 /* interval between two readings of the mount table */
enum { TICKS_PER_SECOND = 100 };

#define KIB_PER_MIB 1024.0
#define BYTES_PER_MIB 1048576.0
#define BYTES_PER_GB 1e9

struct system_state {
	int files[FILE_COUNT];
	bool paused;
	unsigned cpus;
	uint64_t last[SYSTEM_COLUMNS]; /* the kernel's counters at the last sample */
	int64_t mounts_age_ns;
	struct disk_state disks;
	struct cgroup_state cgroup;
	char scratch[SCRATCH_MAX];
};

size_t system_state_size(void)
{
	return sizeof(struct system_state);
}

static struct text read_file(struct system_state *state, enum system_file file)
{
	int64_t length = state->files[file] < 0 ? 0 : os_read_at(state->files[file], state->scratch, SCRATCH_MAX, 0);
	return (struct text){state->scratch, length > 0 ? (size_t)length : 0};
}

static struct text read_path(struct system_state *state, const char *path)
{
	int64_t length = os_read(OS_HERE, path, state->scratch, SCRATCH_MAX);
	return (struct text){state->scratch, length > 0 ? (size_t)length : 0};
}

/* Closes a file if the limit on descriptors is low, because a few descriptors are needed to read a process. */
static void leave_room(int *file)
{
	enum { ROOM = 4 };
	if (*file < os_descriptor_limit() - ROOM)
		return;
	os_close(*file);
	*file = OS_ERROR_BAD_DESCRIPTOR;
}

static void look_at_mounts(struct system_state *state)
{
	struct text mountinfo = read_path(state, "/proc/self/mountinfo");
	disk_find_mounts(&state->disks, mountinfo);
	cgroup_close(&state->cgroup);
	cgroup_open(&state->cgroup, "", mountinfo);
	for (int i = 0; i < CGROUP_FILES; i++)
		leave_room(&state->cgroup.files[i]);
	state->mounts_age_ns = 0;
}

static void open_files(struct system_state *state)
{
	static const char paths[FILE_COUNT][24] = {"/proc/stat", "/proc/meminfo", "/proc/diskstats",
		"/proc/self/net/dev", "/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io"};

	for (int i = 0; i < FILE_COUNT; i++) {
		state->files[i] = os_open(OS_HERE, paths[i]);
		leave_room(&state->files[i]);
	}
}

static void forget_group(struct system_state *state)
{
	for (int i = 0; i < CGROUP_FILES; i++)
		state->cgroup.files[i] = OS_ERROR_BAD_DESCRIPTOR;
}

int system_open(struct system_state *state)
{
	open_files(state);
	forget_group(state);
	/* The fields are assigned one by one. Assigning a constant struct would add the whole path array to the
	 * program. */
	struct cgroup_state *cgroup = &state->cgroup;
	cgroup->limit_bytes = cgroup->limit_cpus = UNKNOWN;
	cgroup->limit_file = "";
	cgroup->events_path[0] = '\0';
	state->cpus = system_online_cpus("", state->scratch);
	look_at_mounts(state);
	struct cell cells[SYSTEM_COLUMNS];
	system_read(state, 0, cells);
	return 0;
}

void system_close(struct system_state *state)
{
	for (int i = 0; i < FILE_COUNT; i++)
		os_close(state->files[i]);
	cgroup_close(&state->cgroup);
}

void system_pause(struct system_state *state)
{
	if (state->paused)
		return;
	system_close(state);
	for (int i = 0; i < FILE_COUNT; i++)
		state->files[i] = OS_ERROR_BAD_DESCRIPTOR;
	forget_group(state);
	state->mounts_age_ns = MOUNTS_AGAIN_NS; /* makes system_read search the control group again, with the mounts */
	state->paused = true;
}

struct system_oom system_oom(const struct system_state *state)
{
	return (struct system_oom){state->cgroup.events_path, state->last[SYSTEM_cgroup_oom_kills]};
}

int system_group_cpu(const struct system_state *state, uint64_t *cpu_ns)
{
	return cgroup_cpu(&state->cgroup, cpu_ns);
}

int system_group_processes(const struct system_state *state, int *pids, size_t capacity)
{
	return cgroup_shown_processes(&state->cgroup, pids, capacity);
}

unsigned system_cpus(const struct system_state *state)
{
	return state->cpus;
}

/* Stores the new value of a counter, and returns its increase since the last value. Returns 0 if the counter has
 * decreased. */
static double growth(struct system_state *state, int column, uint64_t now)
{
	uint64_t *last = &state->last[column];
	double difference = now > *last ? (double)(now - *last) : 0;
	*last = now;
	return difference;
}

static void read_cpu(struct system_state *state, double elapsed_s, struct cell *cells)
{
	static const struct {
		uint8_t column;
		uint8_t fields;
	} times[] = {
#define CPU_TICKS(column, fields, source) {SYSTEM_##column, fields},
#include "os/linux/figures.def"
	};
	uint64_t ticks[CPU_FIELDS];
	int count = parse_cpu_line(read_file(state, FILE_STAT), ticks);
	int known = count > 0 ? (1 << count) - 1 : 0;

	for (size_t i = 0; i < ARRAY_LENGTH(times); i++) {
		uint64_t sum = 0;
		if ((times[i].fields & known) != times[i].fields)
			continue;
		for (int field = 0; field < CPU_FIELDS; field++)
			sum += times[i].fields & 1 << field ? ticks[field] : 0;
		cells[times[i].column].number = growth(state, times[i].column, sum) / TICKS_PER_SECOND;
	}
	double used = cells[SYSTEM_utime].number + cells[SYSTEM_stime].number;
	if (elapsed_s > 0 && number_known(used))
		cells[SYSTEM_cpu_usage].number = used / elapsed_s < state->cpus ? used / elapsed_s : state->cpus;
}

static void read_memory(struct system_state *state, struct cell *cells)
{
	enum {
#define MEMINFO(column, key, sign, other, source) MEMINFO_##column,
#include "os/linux/figures.def"
		FIGURES
	};
	static parse_key keys[2 * FIGURES] = {
#define MEMINFO(column, key, sign, other, source) key, other,
#include "os/linux/figures.def"
	};
	static const struct {
		uint8_t column;
		int8_t sign;
	} figures[FIGURES] = {
#define MEMINFO(column, key, sign, other, source) {SYSTEM_##column, sign},
#include "os/linux/figures.def"
	};
	uint64_t kib[2 * FIGURES] = {0};
	struct text text = read_file(state, FILE_MEMINFO);

	if (text.length == 0)
		return;
	parse_values(text, keys, ARRAY_LENGTH(keys), kib);
	for (size_t i = 0; i < FIGURES; i++)
		cells[figures[i].column].number =
			((double)kib[2 * i] + figures[i].sign * (double)kib[2 * i + 1]) / KIB_PER_MIB;
}

/* Returns all memory that is not free. This includes the page cache, because programs map some of its pages. */
uint64_t system_memory_in_use_kib(struct system_state *state)
{
	static parse_key keys[] = {"MemTotal:", "MemFree:"};
	uint64_t kib[2] = {0, 0};
	struct text text = read_file(state, FILE_MEMINFO);

	parse_values(text, keys, ARRAY_LENGTH(keys), kib);
	uint64_t used_kib = kib[0] > kib[1] ? kib[0] - kib[1] : 0;
	double charged = cgroup_charged(&state->cgroup);
	if (number_known(charged) && charged > 0 && (used_kib == 0 || charged / 1024 < (double)used_kib))
		used_kib = (uint64_t)(charged / 1024);
	return used_kib;
}

double system_tmpfs_used_mib(struct system_state *state)
{
	uint64_t kib;

	return parse_value(read_file(state, FILE_MEMINFO), "Shmem:", &kib) == 0 ? (double)kib / KIB_PER_MIB : UNKNOWN;
}

static void read_traffic(struct system_state *state, struct cell *cells)
{
	uint64_t bytes[2];
	struct text text = read_file(state, FILE_DISKSTATS);
	if (text.length > 0) {
		disk_traffic(&state->disks, text, bytes);
		cells[SYSTEM_disk_read_bytes].number = growth(state, SYSTEM_disk_read_bytes, bytes[0]);
		cells[SYSTEM_disk_write_bytes].number = growth(state, SYSTEM_disk_write_bytes, bytes[1]);
	}
	text = read_file(state, FILE_NET);
	if (text.length > 0) {
		parse_net_dev(text, bytes);
		cells[SYSTEM_net_recv_bytes].number = growth(state, SYSTEM_net_recv_bytes, bytes[0]);
		cells[SYSTEM_net_sent_bytes].number = growth(state, SYSTEM_net_sent_bytes, bytes[1]);
	}
}

static void read_space(struct system_state *state, int64_t elapsed_ns, struct cell *cells)
{
	double bytes[3];
	state->mounts_age_ns += elapsed_ns;
	if (state->mounts_age_ns >= MOUNTS_AGAIN_NS)
		look_at_mounts(state);
	if (state->disks.mount_count == 0)
		return;
	disk_space(&state->disks, bytes);
	cells[SYSTEM_disk_space_total_gb].number = bytes[0] / BYTES_PER_GB;
	cells[SYSTEM_disk_space_used_gb].number = bytes[1] / BYTES_PER_GB;
	cells[SYSTEM_disk_space_free_gb].number = bytes[2] / BYTES_PER_GB;
}

static void read_pressure(struct system_state *state, double elapsed_s, struct cell *cells)
{
	static const int columns[] = {SYSTEM_psi_cpu, SYSTEM_psi_memory, SYSTEM_psi_io};
	for (int i = 0; i < 3; i++) {
		uint64_t total_us;
		struct text text = read_file(state, (enum system_file)(FILE_PSI_CPU + i));
		if (parse_pressure(text, &total_us) != 0)
			continue;
		double stalled_s = growth(state, columns[i], total_us) / 1e6;
		if (elapsed_s > 0)
			cells[columns[i]].number = stalled_s < elapsed_s ? stalled_s / elapsed_s * 100 : 100;
	}
}

static void read_cgroup(struct system_state *state, struct cell *cells)
{
	uint64_t throttled_ns;
	uint64_t oom_kills;

	if (cgroup_oom_kills(&state->cgroup, &oom_kills) == 0)
		cells[SYSTEM_cgroup_oom_kills].number = growth(state, SYSTEM_cgroup_oom_kills, oom_kills);
	/* After a kill, the limit is read again, because it may have been lowered. The row then has the limit that was
	 * valid at the kill. */
	if (cells[SYSTEM_cgroup_oom_kills].number > 0)
		cgroup_renew_limit(&state->cgroup);
	cells[SYSTEM_cgroup_memory_mib].number = cgroup_charged(&state->cgroup) / BYTES_PER_MIB;
	cells[SYSTEM_cgroup_kept_mib].number = cgroup_kept(&state->cgroup) / BYTES_PER_MIB;
	cells[SYSTEM_cgroup_memory_limit_mib].number = state->cgroup.limit_bytes / BYTES_PER_MIB;
	if (cgroup_throttled(&state->cgroup, &throttled_ns) == 0)
		cells[SYSTEM_cpu_throttled].number = growth(state, SYSTEM_cpu_throttled, throttled_ns) / 1e9;
}

void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells)
{
	double elapsed_s = (double)elapsed_ns / 1e9;
	/* The files are opened here instead of at the end of the pause. A host that forks often pauses the sampler
	 * often, so opening the files after each pause would cost too much. */
	if (state->paused)
		open_files(state);
	state->paused = false;
	row_begin(cells, &tables[TABLE_system]);
	read_cpu(state, elapsed_s, cells);
	read_memory(state, cells);
	read_traffic(state, cells);
	read_space(state, elapsed_ns, cells);
	read_pressure(state, elapsed_s, cells);
	read_cgroup(state, cells);
}
