/* The children of the calling process, of os/self.h on Linux: waitid(2) says for one call whether there are any;
 * /proc/self/task names them, thread by thread, where the kernel has been built with CONFIG_PROC_CHILDREN. */
#include "os/self.h"

#include "core/number.h"
#include "os/file.h"
#include "os/linux/error.h"
#include "os/linux/sys.h"

#include <asm/signal.h>
#include <linux/errno.h>
#include <linux/wait.h>

enum { PIDS_TEXT_MAX = 512, DIRECTORY_MAX = 1024 };

/* What the kernel takes and gives, which is not what a C library's header calls so. */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

bool process_ignores_children(void)
{
	struct kernel_action action = {.flags = 0};
	if (SYS_CALL4(__NR_rt_sigaction, SIGCHLD, 0, &action, sizeof action.mask) < 0)
		return false;
	return action.handler == SIG_IGN || (action.flags & SA_NOCLDWAIT);
}

/* Adds the pids of a text that has a blank behind each. */
static int take_pids(struct text text, int *pids, size_t capacity, int count)
{
	for (size_t start = 0; start < text.length;) {
		size_t end = text_find(text, ' ', start);
		uint64_t pid;
		if (number_read_unsigned((struct text){text.data + start, end - start}, &pid) == 0) {
			if ((size_t)count < capacity)
				pids[count] = (int)pid;
			count++;
		}
		start = end + 1;
	}
	return count;
}

/* A child belongs to the thread that made it. */
static int children_of_thread(int tasks, const char *thread, int *pids, size_t capacity, int count)
{
	char path[32];
	char text[PIDS_TEXT_MAX];
	struct buffer out = BUFFER(path);
	buffer_string(&out, thread);
	buffer_string(&out, "/children");
	int64_t length = os_read(tasks, buffer_terminate(&out), text, sizeof text);
	if (length < 0)
		return (int)length;
	return take_pids((struct text){text, (size_t)length}, pids, capacity, count);
}

static int children_of_threads(int tasks, int *pids, size_t capacity)
{
	char data[DIRECTORY_MAX] __attribute__((aligned(8)));
	int count = 0;
	long length;

	while (count >= 0 && (length = SYS_CALL3(__NR_getdents64, tasks, data, sizeof data)) != 0) {
		if (length < 0)
			return error_of(length);
		for (long at = 0; at < length && count >= 0;) {
			const struct directory_entry *entry = (const void *)(data + at);
			at += entry->length;
			if (entry->name[0] >= '1' && entry->name[0] <= '9')
				count = children_of_thread(tasks, entry->name, pids, capacity, count);
		}
	}
	return count;
}

int process_children(int *pids, size_t capacity)
{
	long result = SYS_CALL5(__NR_waitid, P_ALL, 0, 0, WEXITED | WNOHANG | WNOWAIT | __WALL, 0);
	if (result < 0)
		return result == -ECHILD ? 0 : error_of(result);
	int tasks = os_open_directory(OS_HERE, "/proc/self/task");
	if (tasks < 0)
		return tasks;
	int count = children_of_threads(tasks, pids, capacity);
	os_close(tasks);
	return count;
}
