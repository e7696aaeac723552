/* The files of a process under /proc; see proc.h. */
#include "os/linux/proc.h"

#include "os/file.h"

char *proc_path(struct buffer *out, int pid, const char *name)
{
	buffer_string(out, "/proc/");
	if (pid == 0)
		buffer_string(out, "self");
	else
		buffer_unsigned(out, (uint64_t)pid);
	buffer_byte(out, '/');
	buffer_string(out, name);
	return buffer_terminate(out);
}

int64_t proc_read(int pid, const char *name, char *data, size_t capacity)
{
	char path[64];
	struct buffer out = BUFFER(path);
	return os_read_once(OS_HERE, proc_path(&out, pid, name), data, capacity);
}

int proc_read_stat(int pid, struct stat_fields *fields)
{
	char text[PROC_TEXT_MAX];
	int64_t length = proc_read(pid, "stat", text, sizeof text);
	if (length < 0)
		return (int)length;
	return parse_stat((struct text){text, (size_t)length}, fields) == 0 ? 0 : OS_ERROR_NO_PROCESS;
}

int proc_read_io(int pid, const char *name, uint64_t counters[COUNTER_COUNT])
{
	static const char *const keys[] = {"rchar:", "wchar:", "read_bytes:", "write_bytes:"};
	uint64_t values[ARRAY_LENGTH(keys)] = {0};
	char text[PROC_TEXT_MAX];
	int64_t length = proc_read(pid, name, text, sizeof text);
	if (length <= 0)
		return OS_ERROR_DENIED;
	parse_values((struct text){text, (size_t)length}, keys, ARRAY_LENGTH(keys), values);
	counters[COUNTER_READ_CHARS] = values[0];
	counters[COUNTER_WRITE_CHARS] = values[1];
	counters[COUNTER_DISK_READ] = values[2];
	counters[COUNTER_DISK_WRITE] = values[3];
	return 0;
}
