/* The clocks, memory and the calling process for a system of which nothing is known: no time passes, there is no
 * memory, and no user has a name. */
#include "os/self.h"

#include "os/clock.h"
#include "os/memory.h"

int64_t os_now_ns(void)
{
	return 0;
}

int64_t os_since_boot_ns(void)
{
	return 0;
}

bool os_learn_time(void)
{
	return true;
}

bool os_time_is_apart(void)
{
	return false;
}

void os_sleep(int64_t ns)
{
	(void)ns;
}

void *os_map(size_t size)
{
	(void)size;
	return NULL;
}

void *os_map_apart(size_t size)
{
	return os_map(size);
}

void *os_remap_apart(void *data, size_t old_size, size_t size)
{
	(void)data, (void)old_size, (void)size;
	return NULL;
}

void os_unmap(void *data, size_t size)
{
	(void)data, (void)size;
}

int os_pid(void)
{
	return 0;
}

bool os_keeps_orphans(void)
{
	return false;
}

int os_parent(void)
{
	return 0;
}

uint32_t os_user(void)
{
	return UINT32_MAX;
}

bool os_is_privileged(void)
{
	return true;
}

bool os_goes_on(bool alone)
{
	(void)alone;
	return false;
}

uint16_t os_random(void)
{
	return 0;
}

int os_working_directory(char *data, size_t capacity)
{
	(void)data, (void)capacity;
	return OS_ERROR_UNSUPPORTED;
}

int os_host_name(char *data, size_t capacity)
{
	(void)data, (void)capacity;
	return OS_ERROR_UNSUPPORTED;
}

int os_user_name(uint32_t uid, char *data, size_t capacity)
{
	(void)uid, (void)data, (void)capacity;
	return OS_ERROR_MISSING;
}

int64_t os_executable(char *data, size_t capacity)
{
	(void)data, (void)capacity;
	return OS_ERROR_UNSUPPORTED;
}

int64_t os_executable_by_name(char *data, size_t capacity, const char *name, struct text known)
{
	(void)data, (void)capacity, (void)name, (void)known;
	return OS_ERROR_UNSUPPORTED;
}

int64_t os_command_line(char *data, size_t capacity)
{
	(void)data, (void)capacity;
	return OS_ERROR_UNSUPPORTED;
}

void os_close_all(void)
{
}

void os_raise_descriptor_limit(void)
{
}

int os_descriptor_limit(void)
{
	return INT32_MAX;
}

struct text os_boot(char text[OS_BOOT_MAX])
{
	return (struct text){text, 0};
}

uint64_t os_pid_namespace(void)
{
	return 0;
}

bool os_pid_namespace_is_gone(uint64_t number, uint64_t start)
{
	(void)number;
	(void)start;
	return false;
}

uint64_t os_pid_view(int pid)
{
	(void)pid;
	return 0;
}

uint64_t process_peak_rss_kib(void)
{
	return 0;
}

uint64_t process_begun_rss_kib(bool *waited)
{
	*waited = true;
	return 0;
}

void process_read_self(struct process_usage *usage, uint64_t before_kib, uint64_t small_kib)
{
	(void)before_kib, (void)small_kib;
	*usage = (struct process_usage){0};
}

void thread_usage(uint64_t cpu_ns[2])
{
	cpu_ns[0] = cpu_ns[1] = 0;
}

void process_own_usage(uint64_t cpu_ns[2])
{
	cpu_ns[0] = cpu_ns[1] = 0;
}

bool process_has_children(void)
{
	return true;
}

int process_children(int *pids, size_t capacity)
{
	(void)pids;
	(void)capacity;
	return OS_ERROR_UNSUPPORTED;
}

bool process_children_are_apart(void)
{
	return false;
}

bool process_awaits_any_kind(void)
{
	return false;
}

bool process_ignores_children(void)
{
	return false;
}

void process_children_usage(uint64_t cpu_ns[2])
{
	cpu_ns[0] = cpu_ns[1] = 0;
}

int thread_io(uint64_t counters[COUNTER_COUNT])
{
	(void)counters;
	return OS_ERROR_UNSUPPORTED;
}
