/* SPDX-License-Identifier: Apache-2.0 */
/* Linux implementation of os/peek.h: process_vm_readv(2), and files in /proc/PID. */
#include "os/peek.h"

#include "os/file.h"
#include "os/linux/proc.h"
#include "os/linux/sys.h"

int64_t peek_read(int pid, const struct peek_range *ours, const struct peek_range *theirs, size_t count)
{
	return SYS_CALL6(__NR_process_vm_readv, pid, ours, count, theirs, count, 0);
}

int peek_images(int pid, struct buffer data, bool (*take)(void *context, struct text path, uint64_t at), void *context)
{
	struct mappings mappings;
	struct mapping mapping;
	bool taken = false;

	proc_open_mappings(&mappings, pid, data);
	while (!taken && proc_next_mapping(&mappings, &mapping))
		if (mapping.offset == 0 && mapping.path.length > 0 && mapping.path.data[0] == '/')
			taken = take(context, mapping.path, mapping.from);
	os_close(mappings.file);
	return mappings.file < 0 ? mappings.file : taken;
}

/* Returns the path by which this process can open a file of the process `pid`, or NULL if the path is too long. */
static const char *path_in(struct buffer *out, int pid, struct text path)
{
	(void)proc_path(out, pid, path.length > 0 && path.data[0] == '/' ? "root" : "cwd");
	buffer_byte(out, '/');
	buffer_text(out, path);
	const char *whole = buffer_terminate(out);
	return out->full ? NULL : whole;
}

int64_t peek_file(int pid, struct text path, char *data, size_t capacity)
{
	char name[1024];
	struct buffer out = BUFFER(name);
	const char *at = path_in(&out, pid, path);

	return at ? proc_read_regular(at, data, capacity) : OS_ERROR_OTHER;
}

int peek_list(int pid, struct text path, void (*take)(void *context, const char *name), void *context)
{
	char name[1024];
	struct buffer out = BUFFER(name);
	const char *at = path_in(&out, pid, path);

	return at ? os_list(at, take, context) : OS_ERROR_OTHER;
}

uint64_t peek_thread_cpu_ns(int pid, uint64_t thread)
{
	struct schedstat schedstat;
	return proc_read_schedstat(pid, thread, &schedstat) ? schedstat.used_ns : 0;
}
