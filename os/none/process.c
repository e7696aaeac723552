/* Processes of os/process.h for a system of which nothing is known: every question about one fails. */
#include "os/process.h"

int64_t process_started_ns(uint64_t start)
{
	(void)start;
	return 0;
}

uint64_t process_start_between(int64_t before_ns, int64_t after_ns)
{
	(void)before_ns, (void)after_ns;
	return 0;
}

int process_read(int pid, bool with_io, struct process_reading *reading)
{
	(void)pid, (void)with_io, (void)reading;
	return OS_ERROR_UNSUPPORTED;
}

void process_leave_empty(struct cell *cells)
{
	(void)cells;
}

void process_read_limits(int pid, struct process_limits *limits)
{
	(void)pid;
	*limits = (struct process_limits){UINT64_MAX, UINT64_MAX, 0};
}

uint32_t process_real_user(int pid)
{
	(void)pid;
	return 0;
}

int process_tracer(int pid)
{
	(void)pid;
	return 0;
}

uint64_t process_cpu_ns(int pid)
{
	(void)pid;
	return 0;
}

int process_tally_open(void)
{
	return OS_ERROR_UNSUPPORTED;
}

int process_tally_read(int file, struct process_tally *tally)
{
	(void)file, (void)tally;
	return OS_ERROR_UNSUPPORTED;
}

bool process_shares_memory(int pid, int other)
{
	(void)pid, (void)other;
	return false;
}

int process_read_dear(int pid, uint64_t gauges[GAUGE_COUNT])
{
	(void)pid, (void)gauges;
	return OS_ERROR_UNSUPPORTED;
}

uint64_t process_read_peak_kib(int pid)
{
	(void)pid;
	return 0;
}

int process_read_identity(struct process_id *id)
{
	(void)id;
	return OS_ERROR_UNSUPPORTED;
}

void process_describe(int pid, struct buffer *exe, struct buffer *command)
{
	(void)pid, (void)exe, (void)command;
}

int64_t process_read_environment(int pid, char *data, size_t capacity)
{
	(void)pid, (void)data, (void)capacity;
	return OS_ERROR_UNSUPPORTED;
}

int process_follow(int pid)
{
	(void)pid;
	return OS_ERROR_UNSUPPORTED;
}

int process_signal(struct process_id id, int signal)
{
	(void)id;
	(void)signal;
	return OS_ERROR_UNSUPPORTED;
}

int process_wait_status(int followed, uint32_t *wait_status)
{
	(void)followed, (void)wait_status;
	return OS_ERROR_UNSUPPORTED;
}

int os_wait_for_end(const int *pids, size_t count, int64_t at_most_ns)
{
	(void)pids, (void)count, (void)at_most_ns;
	return OS_ERROR_UNSUPPORTED;
}

int process_list(struct process_list *list)
{
	list->count = 0;
	return OS_ERROR_UNSUPPORTED;
}

int process_list_renew(struct process_list *list, const struct process_list *before, uint64_t from, uint64_t to)
{
	(void)before, (void)from, (void)to;
	list->count = 0;
	return OS_ERROR_UNSUPPORTED;
}

void process_list_release(struct process_list *list)
{
	*list = (struct process_list){NULL, 0, 0};
}
