/* A test program that changes from root to another user: credentials UID. It then prints the user and the capabilities
 * of each of its threads. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(const char *thread)
{
	char path[300];
	char line[256];

	(void)snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
	FILE *status = fopen(path, "r");
	while (status && fgets(line, sizeof line, status))
		if (strncmp(line, "Uid:", 4) == 0 || strncmp(line, "CapEff:", 7) == 0)
			fputs(line, stdout);
	if (status)
		fclose(status);
}

int main(int count, char **arguments)
{
	unsigned user = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 65534;
	struct dirent *entry;

	if (setgid(user) != 0 || setuid(user) != 0)
		return 2;
	DIR *threads = opendir("/proc/self/task");
	while (threads && (entry = readdir(threads)))
		if (entry->d_name[0] != '.')
			show(entry->d_name);
	return 0;
}
