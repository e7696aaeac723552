/* NVIDIA's GPUs; see nvml.h. Declarations are those of the NVML API Reference Guide, version 1 of its structures,
 * which every driver has. */
#include "report/services/nvml.h"

#include "core/number.h"

#include <dlfcn.h>
#include <string.h>

enum { GPUS_MAX = 1024, NAME_SIZE = 128 };

struct memory {
	unsigned long long total; /* bytes */
	unsigned long long free;
	unsigned long long used;
};

/* All return 0 when they worked. */
struct library {
	int (*init)(void);
	int (*shutdown)(void);
	int (*count)(unsigned *count);
	int (*handle)(unsigned index, void **device);
	int (*name)(void *device, char *name, unsigned size);
	int (*memory)(void *device, struct memory *memory);
};

/* dlsym gives a pointer to data; what it points to is a function. */
static bool find(void *handle, const char *name, void *function)
{
	void *found = dlsym(handle, name);
	memcpy(function, &found, sizeof found);
	return found != NULL;
}

static bool find_all(void *handle, struct library *library)
{
	return find(handle, "nvmlInit_v2", &library->init) && find(handle, "nvmlShutdown", &library->shutdown) &&
	       find(handle, "nvmlDeviceGetCount_v2", &library->count) &&
	       find(handle, "nvmlDeviceGetHandleByIndex_v2", &library->handle) &&
	       find(handle, "nvmlDeviceGetName", &library->name) &&
	       find(handle, "nvmlDeviceGetMemoryInfo", &library->memory);
}

/* A GPU that fell off its bus is counted and has no handle: it is left out. */
static unsigned read_all(const struct library *library, cJSON *names, double *memory_mib)
{
	unsigned count = 0;
	unsigned read = 0;
	double sum = 0;

	if (library->count(&count) != 0)
		return 0;
	for (unsigned i = 0; i < count && i < GPUS_MAX; i++) {
		char name[NAME_SIZE] = "";
		struct memory memory = {0};
		void *device;
		if (library->handle(i, &device) != 0)
			continue;
		if (library->name(device, name, sizeof name) != 0 || memchr(name, '\0', sizeof name) == NULL)
			strcpy(name, "NVIDIA GPU");
		sum += library->memory(device, &memory) == 0 ? (double)memory.total / 1048576 : UNKNOWN;
		cJSON_AddItemToArray(names, cJSON_CreateString(name));
		read++;
	}
	if (read > 0)
		*memory_mib = sum;
	return read;
}

/* The library stays loaded: it may have threads that run in it. */
unsigned nvml_read(cJSON *names, double *memory_mib)
{
	struct library library;
	void *handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!handle || !find_all(handle, &library) || library.init() != 0)
		return 0;
	unsigned count = read_all(&library, names, memory_mib);
	(void)library.shutdown();
	return count;
}
