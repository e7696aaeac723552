/* SPDX-License-Identifier: Apache-2.0 */
/* Implementations of os/ for an unknown system. Every function reports "unknown" or "unsupported".
 *
 * The definitions are weak. macOS and the simulated system of the unit tests therefore use them for features that they
 * lack, such as namespaces, control groups, and reading the memory of another process. */
#include "os/clock.h"
#include "os/file.h"
#include "os/health.h"
#include "os/memory.h"
#include "os/peek.h"
#include "os/process.h"
#include "os/self.h"
#include "os/system.h"
#include "os/watch.h"

#define WEAK __attribute__((weak))

#pragma GCC diagnostic ignored "-Wunused-parameter"
/* NOLINTBEGIN(misc-unused-parameters,bugprone-macro-parentheses) */

/* Defines a function that returns the last arguments of the macro. */
#define ANSWER(type, name, parameters, ...)                                                                            \
	WEAK type name parameters                                                                                      \
	{                                                                                                              \
		return __VA_ARGS__;                                                                                    \
	}

/* -- processes ---------------------------------------------------------------------------------------- */

WEAK const uint64_t process_rollup_max_kib = 0;

ANSWER(int64_t, process_started_ns, (uint64_t start), 0)
ANSWER(uint64_t, process_start_between, (int64_t before_ns, int64_t after_ns), 0)
ANSWER(int, process_read, (int pid, bool with_io, struct process_reading *reading), OS_ERROR_UNSUPPORTED)
ANSWER(void, process_leave_empty, (struct cell * cells), )
ANSWER(uint32_t, process_real_user, (int pid), 0)
ANSWER(int, process_tracer, (int pid), 0)
ANSWER(uint64_t, process_anonymous_kib, (int pid), 0)
ANSWER(int64_t, peek_read, (int pid, const struct peek_range *ours, const struct peek_range *theirs, size_t count),
	OS_ERROR_UNSUPPORTED)
ANSWER(int, peek_images,
	(int pid, struct buffer data, bool (*take)(void *context, struct text path, uint64_t at), void *context),
	OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, peek_file, (int pid, struct text path, char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int, peek_list, (int pid, struct text path, void (*take)(void *context, const char *name), void *context),
	OS_ERROR_UNSUPPORTED)
ANSWER(uint64_t, peek_thread_cpu_ns, (int pid, uint64_t thread), 0)
ANSWER(uint64_t, process_cpu_ns, (int pid), 0)
ANSWER(uint64_t, process_queued_ns, (int pid, uint64_t threads), 0)
ANSWER(int, process_tally_open, (void), OS_ERROR_UNSUPPORTED)
ANSWER(int, process_tally_read, (int file, struct process_tally *tally), OS_ERROR_UNSUPPORTED)
ANSWER(bool, process_shares_memory, (int pid, int other), false)
ANSWER(int, process_read_rollup, (int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *own_kib), OS_ERROR_UNSUPPORTED)
ANSWER(void, process_read_status, (int pid, uint64_t gauges[GAUGE_COUNT], uint64_t *mapped_kib, uint64_t *peak_kib), )
ANSWER(uint64_t, process_count_own_kib, (int pid, uint64_t rss_kib), UINT64_MAX)
ANSWER(uint64_t, process_read_peak_kib, (int pid), 0)
ANSWER(int, process_read_identity, (struct process_id * id), OS_ERROR_UNSUPPORTED)
ANSWER(void, process_describe, (int pid, struct buffer *exe, struct buffer *command), )
ANSWER(int64_t, process_read_environment, (int pid, char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, process_read_stdout, (int pid, char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int, process_follow, (int pid), OS_ERROR_UNSUPPORTED)
ANSWER(int, process_open_io, (int pid), OS_ERROR_UNSUPPORTED)
ANSWER(void, process_read_io, (int file, struct process_reading *reading), )
ANSWER(int, process_signal, (struct process_id id, int signal), OS_ERROR_UNSUPPORTED)
ANSWER(int, process_wait_status, (int followed, uint32_t *wait_status), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_wait_for_end, (const int *pids, size_t count, int64_t at_most_ns), OS_ERROR_UNSUPPORTED)

WEAK void process_read_shared(int pid, struct process_shared *shared)
{
	*shared = (struct process_shared){0};
}

WEAK void process_read_limits(int pid, struct process_limits *limits)
{
	*limits = (struct process_limits){UINT64_MAX, UINT64_MAX, 0, UINT64_MAX, UINT64_MAX};
}

WEAK int process_list(struct process_list *list)
{
	list->count = 0;
	return OS_ERROR_UNSUPPORTED;
}

WEAK int process_list_renew(struct process_list *list, const struct process_list *before, uint64_t from, uint64_t to)
{
	list->count = 0;
	return OS_ERROR_UNSUPPORTED;
}

WEAK void process_list_release(struct process_list *list)
{
	*list = (struct process_list){NULL, 0, 0};
}

/* -- clocks, memory and the calling process ----------------------------------------------------------- */

ANSWER(int64_t, os_now_ns, (void), 0)
ANSWER(int64_t, os_since_boot_ns, (void), 0)
ANSWER(bool, os_learn_time, (void), true)
ANSWER(bool, os_time_is_apart, (void), false)
ANSWER(void, os_sleep, (int64_t ns), )
ANSWER(void *, os_map, (size_t size), NULL)
ANSWER(void *, os_map_apart, (size_t size), NULL)
ANSWER(void *, os_remap_apart, (void *data, size_t old_size, size_t size), NULL)
ANSWER(void, os_unmap, (void *data, size_t size), )
ANSWER(int, os_pid, (void), 0)
ANSWER(bool, os_keeps_orphans, (void), false)
ANSWER(int, os_parent, (void), 0)
ANSWER(uint32_t, os_user, (void), UINT32_MAX)
ANSWER(bool, os_is_privileged, (void), true)
ANSWER(bool, os_goes_on, (bool alone), false)
ANSWER(uint16_t, os_random, (void), 0)
ANSWER(int, os_working_directory, (char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_host_name, (char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_user_name, (uint32_t uid, char *data, size_t capacity), OS_ERROR_MISSING)
ANSWER(int64_t, os_executable, (char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_executable_by_name, (char *data, size_t capacity, const char *name, struct text known),
	OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_command_line, (char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(void, os_close_from, (int first), )
ANSWER(void, os_raise_descriptor_limit, (void), )
ANSWER(int, os_descriptor_limit, (void), INT32_MAX)
ANSWER(struct text, os_boot, (char text[OS_BOOT_MAX]), (struct text){text, 0})
ANSWER(uint64_t, os_pid_namespace, (void), 0)
ANSWER(bool, os_pid_namespace_is_gone, (uint64_t number, uint64_t start), false)
ANSWER(uint64_t, os_pid_view, (int pid), 0)
ANSWER(uint64_t, process_peak_rss_kib, (void), 0)
ANSWER(bool, process_has_children, (void), true)
ANSWER(int, process_children, (int *pids, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(bool, process_children_are_apart, (void), false)
ANSWER(bool, process_ignores_children, (void), false)
ANSWER(int, thread_io, (uint64_t counters[COUNTER_COUNT]), OS_ERROR_UNSUPPORTED)

WEAK uint64_t process_begun_rss_kib(bool *waited)
{
	*waited = true;
	return 0;
}

WEAK void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib)
{
	*usage = (struct process_usage){0};
}

WEAK void thread_usage(uint64_t cpu_ns[2])
{
	cpu_ns[0] = cpu_ns[1] = 0;
}

WEAK int64_t thread_used_ns(void)
{
	return 0;
}

WEAK int64_t thread_queued_ns(void)
{
	return -1;
}

WEAK void process_own_usage(uint64_t cpu_ns[2])
{
	cpu_ns[0] = cpu_ns[1] = 0;
}

WEAK void process_children_usage(uint64_t cpu_ns[2])
{
	cpu_ns[0] = cpu_ns[1] = 0;
}

/* -- files --------------------------------------------------------------------------------------------- */

ANSWER(int, os_append, (int directory, const char *path, struct text data, uint64_t limit), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_append_owned, (int directory, const char *path, struct text data, uint32_t owner), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_create, (int directory, const char *path, struct text data), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_read, (int directory, const char *path, char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_read_once, (int directory, const char *path, char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_read_of_root, (const char *path, char *data, size_t capacity), OS_ERROR_MISSING)
ANSWER(int, os_open, (int directory, const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_open_as, (uint32_t user, uint32_t group, const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_open_append, (int directory, const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_open_write, (int directory, const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_open_directory, (int directory, const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(void, os_close, (int descriptor), )
ANSWER(int64_t, os_read_at, (int descriptor, char *data, size_t capacity, uint64_t offset), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_write, (int descriptor, struct text data), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_write_at, (int descriptor, struct text data, uint64_t offset), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_size, (int descriptor), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_output, (int descriptor, char *data, size_t capacity, uint64_t *at), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_read_link, (int directory, const char *path, char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_make_directory, (const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_rename, (int directory, const char *from, const char *to), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_remove, (int directory, const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_remove_directory, (const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_make_link, (const char *target, int directory, const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(bool, os_exists, (int directory, const char *path), false)
ANSWER(int, os_list, (const char *path, void (*take)(void *context, const char *name), void *context),
	OS_ERROR_UNSUPPORTED)
ANSWER(int, os_check_directory, (const char *path, bool sticky_allowed), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_lock, (int descriptor, bool shared), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_hold, (int descriptor), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_holder, (int descriptor), 0)
ANSWER(int64_t, os_age_ns, (int directory, const char *path), OS_ERROR_UNSUPPORTED)
ANSWER(int64_t, os_mounts, (char *data, size_t capacity), OS_ERROR_UNSUPPORTED)
ANSWER(int, os_file_facts, (struct text mounts, const char *path, struct file_facts *facts), OS_ERROR_UNSUPPORTED)

WEAK int os_open_table(int directory, const char *path, uint32_t user, struct os_table *table)
{
	*table = (struct os_table){.file = OS_ERROR_UNSUPPORTED};
	return OS_ERROR_UNSUPPORTED;
}

WEAK void os_mark_slow(int descriptor, uint32_t mode)
{
	(void)descriptor;
	(void)mode;
}

WEAK void os_volatile_directory(struct buffer *out)
{
	buffer_string(out, "/tmp");
}

/* -- the machine -------------------------------------------------------------------------------------- */

struct system_state {
	char nothing;
};

ANSWER(size_t, system_state_size, (void), sizeof(struct system_state))
ANSWER(int, system_open, (struct system_state * state), OS_ERROR_UNSUPPORTED)
ANSWER(void, system_close, (struct system_state * state), )
ANSWER(void, system_pause, (struct system_state * state), )
ANSWER(unsigned, system_cpus, (const struct system_state *state), 1)
ANSWER(struct system_oom, system_oom, (const struct system_state *state), (struct system_oom){"", 0})
ANSWER(int, system_oom_kills, (const char *file, uint64_t *kills), OS_ERROR_UNSUPPORTED)
ANSWER(bool, system_has_meters, (void), false)
ANSWER(void, system_find_gpus, (const char *root, system_takes_gpu *take, void *context), )
ANSWER(struct text, system_firmware, (const char *root, enum firmware_field field, char bytes[FIRMWARE_TEXT_MAX]),
	(struct text){bytes, 0})
ANSWER(int, system_group_cpu, (const struct system_state *state, uint64_t *cpu_ns), OS_ERROR_UNSUPPORTED)
ANSWER(int, system_group_processes, (const struct system_state *state, int *pids, size_t capacity),
	OS_ERROR_UNSUPPORTED)
ANSWER(uint64_t, system_memory_in_use_kib, (struct system_state * state), 0)
ANSWER(double, system_tmpfs_used_mib, (struct system_state * state), UNKNOWN)

WEAK void system_read(struct system_state *state, int64_t elapsed_ns, struct cell *cells)
{
	row_begin(cells, &tables[TABLE_system]);
}

WEAK void system_read_facts(struct system_facts *facts, const char *root)
{
	*facts = (struct system_facts){.vcpus = UNKNOWN,
		.memory_mib = UNKNOWN,
		.memory_limit_mib = UNKNOWN,
		.cpu_limit = UNKNOWN,
		.parent_start = UNKNOWN,
		.script_start = UNKNOWN};
}

/* -- watching and health checks ------------------------------------------------------------------------ */

ANSWER(int, os_watch, (const char *directory), OS_ERROR_UNSUPPORTED)
ANSWER(bool, os_watch_heard, (int watched, const char *name), false)
ANSWER(void, os_examine, (const char *root, health_take *take, void *context), )

/* NOLINTEND(misc-unused-parameters,bugprone-macro-parentheses) */
