/* SPDX-License-Identifier: Apache-2.0 */
/* Reads signal masks in /proc/PID/status. */
#include "launcher/linux/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t status_signals(pid_t pid, const char *key)
{
	char path[64];
	char line[256];
	uint64_t signals = 0;

	(void)snprintf(path, sizeof path, "/proc/%d/status", pid);
	FILE *status = fopen(path, "re");
	if (!status)
		return 0;
	while (fgets(line, sizeof line, status))
		if (strncmp(line, key, strlen(key)) == 0)
			signals = strtoull(line + strlen(key), NULL, 16);
	(void)fclose(status);
	return signals;
}
