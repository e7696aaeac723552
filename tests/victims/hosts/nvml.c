/* Stands in for the library of NVIDIA's driver: three GPUs, of which the second has fallen off its bus. With FAILS set,
 * as where the driver does not match it. */
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"NVIDIA T4", NULL, "NVIDIA T4"};

int nvmlInit_v2(void)
{
	return getenv("FAILS") ? 18 : 0;
}

int nvmlShutdown(void)
{
	return 0;
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
	*count = 3;
	return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
	*device = (void *)&names[index];
	return names[index] ? 0 : 15;
}

int nvmlDeviceGetName(void *device, char *name, unsigned size)
{
	const char *const *which = device;
	strncpy(name, *which, size);
	return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, unsigned long long memory[3])
{
	(void)device;
	memory[0] = 16ull << 30;
	return 0;
}
