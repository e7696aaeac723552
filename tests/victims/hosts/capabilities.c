/* A test program that gives up all capabilities: capabilities number|function. It then prints the capabilities of each
 * of its threads. The call capset affects only the calling thread. Programs call it by its number, or through the C
 * library's function, which no header declares. */
#define _GNU_SOURCE
#include <dirent.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int capset(struct __user_cap_header_struct *header, const struct __user_cap_data_struct *data);

int main(int count, char **arguments)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
	DIR *tasks = opendir("/proc/self/task");

	if (count != 2 || !tasks)
		return 2;
	long result = strcmp(arguments[1], "number") == 0 ? syscall(SYS_capset, &header, none) : capset(&header, none);
	if (result != 0)
		return 1;
	for (const struct dirent *task; (task = readdir(tasks));) {
		char text[300];
		(void)snprintf(text, sizeof text, "/proc/self/task/%s/status", task->d_name);
		FILE *status = task->d_name[0] != '.' ? fopen(text, "r") : NULL;
		while (status && fgets(text, sizeof text, status))
			if (strncmp(text, "CapEff:", 7) == 0)
				fputs(text, stdout);
		if (status)
			fclose(status);
	}
	closedir(tasks);
	return 0;
}
