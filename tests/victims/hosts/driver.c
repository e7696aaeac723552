/* A simulated library of NVIDIA's driver (NVML). It answers as its script says: the file with the library's path and
 * ".script" appended. The script is read again at each call, so that a test can change the answers. Each line is one
 * of:
 *
 *   devices N                     the number of devices; each has 16 GiB, 0 %, 50 W, 40 °C
 *   usage DEVICE PERCENT          power DEVICE MILLIWATTS     temperature DEVICE CELSIUS     total DEVICE MIB
 *   used DEVICE MIB               energy DEVICE MILLIJOULES   throttle DEVICE REASONS        mig DEVICE MODE
 *   process DEVICE PID MIB SM     a process; MIB is -1 if unknown; SM is in per cent, or -1 without a sample
 *   fail CALL DEVICE CODE         CALL is the name of a function without its version; DEVICE is -1 for all
 *   slow CALL MILLISECONDS        busy CALL MILLISECONDS        the call sleeps, or uses that much CPU time
 *   random SEED                   each call for each device returns a random status and figure, by that seed
 *   crash CALL
 *
 * With -DOLD the newer versions of its functions are missing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINES_MAX = 256, MIB = 1048576 };

static char lines[LINES_MAX][128];
static int line_count;
static uint64_t chance;

static uint64_t draw(void)
{
	chance ^= chance << 13;
	chance ^= chance >> 7;
	chance ^= chance << 17;
	return chance;
}

/* The script has lines "KEY DEVICE NUMBER…". Returns the n-th number after a key and a device, or `otherwise` if there
 * is none. */
static long long value_of(const char *key, long long device, int nth, long long otherwise)
{
	for (int i = line_count - 1; i >= 0; i--) {
		char word[64];
		long long numbers[4] = {0};
		if (sscanf(lines[i], "%63s %lld %lld %lld %lld", word, &numbers[0], &numbers[1], &numbers[2],
			    &numbers[3]) > 1 &&
			strcmp(word, key) == 0 && (device < 0 || numbers[0] == device))
			return numbers[nth];
	}
	return otherwise;
}

static void read_script(void)
{
	char path[4096];
	Dl_info info;

	line_count = 0;
	if (!dladdr((void *)&read_script, &info))
		return;
	snprintf(path, sizeof path, "%s.script", info.dli_fname);
	FILE *script = fopen(path, "r");
	while (script && line_count < LINES_MAX && fgets(lines[line_count], sizeof lines[0], script))
		line_count++;
	if (script)
		fclose(script);
	if (chance == 0)
		chance = (uint64_t)value_of("random", -1, 0, 0);
}

static void burn(long long ms)
{
	clock_t end = clock() + ms * CLOCKS_PER_SEC / 1000;
	while (clock() < end)
		;
}

/* Delays a call or aborts, if the script says so. Returns the status that the script sets for the call. */
static int begin(const char *call, long long device)
{
	int code = 0;
	char word[64];
	long long number, which;

	read_script();
	for (int i = 0; i < line_count; i++) {
		if (sscanf(lines[i], "slow %63s %lld", word, &number) == 2 && strcmp(word, call) == 0)
			usleep((useconds_t)number * 1000);
		if (sscanf(lines[i], "busy %63s %lld", word, &number) == 2 && strcmp(word, call) == 0)
			burn(number);
		if (sscanf(lines[i], "crash %63s", word) == 1 && strcmp(word, call) == 0)
			abort();
		if (sscanf(lines[i], "fail %63s %lld %lld", word, &which, &number) == 3 && strcmp(word, call) == 0 &&
			(which < 0 || which == device))
			code = (int)number;
	}
	/* Initialisation must sometimes succeed, because otherwise no other function would ever be called. */
	if (chance != 0 && draw() % 4 == 0)
		code = (int)(draw() % 30);
	return code;
}

/* Returns `value`, or sometimes a random number if the script asks for random numbers. */
static unsigned long long figure(unsigned long long value)
{
	static const unsigned long long odd[] = {
		0, 1, 100, 101, 4294967295u, UINT64_MAX, UINT64_MAX - 1, 1ull << 63, 1ull << 40, 12345};
	return chance == 0 || draw() % 2 == 0 ? value : odd[draw() % (sizeof odd / sizeof odd[0])];
}

#define DEVICE(handle) ((long long)(intptr_t)(handle)-1)

int nvmlInit_v2(void)
{
	return begin("Init", -1);
}

int nvmlShutdown(void)
{
	return begin("Shutdown", -1);
}

int nvmlDeviceGetCount_v2(unsigned *count)
{
	int code = begin("GetCount", -1);
	*count = (unsigned)figure((unsigned long long)value_of("devices", -1, 0, 1));
	return code;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
	int code = begin("GetHandle", index);
	*device = (void *)(intptr_t)(index + 1);
	return code;
}

static int text(const char *call, void *device, const char *format, char *out, unsigned size)
{
	int code = begin(call, DEVICE(device));
	snprintf(out, size, format, (int)DEVICE(device));
	if (chance != 0 && draw() % 2 == 0)
		for (unsigned i = 0; i < size; i++)
			out[i] = (char)draw();
	return code;
}

int nvmlDeviceGetName(void *device, char *name, unsigned size)
{
	return text("GetName", device, "NVIDIA T%d", name, size);
}

int nvmlDeviceGetUUID(void *device, char *uuid, unsigned size)
{
	return text("GetUUID", device, "GPU-0000000%d", uuid, size);
}

int nvmlDeviceGetUtilizationRates(void *device, unsigned rates[2])
{
	int code = begin("GetUtilizationRates", DEVICE(device));
	rates[0] = (unsigned)figure((unsigned long long)value_of("usage", DEVICE(device), 1, 0));
	rates[1] = (unsigned)figure(0);
	return code;
}

int nvmlDeviceGetMemoryInfo(void *device, unsigned long long memory[3])
{
	int code = begin("GetMemoryInfo", DEVICE(device));
	memory[0] = figure((unsigned long long)value_of("total", DEVICE(device), 1, 16384) * MIB);
	memory[2] = figure((unsigned long long)value_of("used", DEVICE(device), 1, 0) * MIB);
	memory[1] = memory[0] - memory[2];
	return code;
}

static int whole(const char *call, void *device, const char *key, long long otherwise, unsigned *out)
{
	int code = begin(call, DEVICE(device));
	*out = (unsigned)figure((unsigned long long)value_of(key, DEVICE(device), 1, otherwise));
	return code;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
	return whole("GetPowerUsage", device, "power", 50000, milliwatts);
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
	(void)sensor;
	return whole("GetTemperature", device, "temperature", 40, celsius);
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz)
{
	(void)type;
	return whole("GetClockInfo", device, "clock", 1500, mhz);
}

int nvmlDeviceGetMigMode(void *device, unsigned *now, unsigned *pending)
{
	*pending = 0;
	return whole("GetMigMode", device, "mig", 0, now);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
	int code = begin("GetCurrentClocksThrottleReasons", DEVICE(device));
	*reasons = figure((unsigned long long)value_of("throttle", DEVICE(device), 1, 0));
	return code;
}

/* The energy comes from the script. Without it, the energy is the current power times the time since boot. */
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
	struct timespec now;
	int code = begin("GetTotalEnergyConsumption", DEVICE(device));
	clock_gettime(CLOCK_MONOTONIC, &now);
	double seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
	double used = (double)value_of("power", DEVICE(device), 1, 50000) * seconds;
	*millijoules = figure((unsigned long long)value_of("energy", DEVICE(device), 1, (long long)used));
	return code;
}

/* Lists the processes of a device. `size` is the size of one entry in bytes. */
static int list(const char *call, void *device, unsigned *count, char *out, size_t size)
{
	int code = begin(call, DEVICE(device));
	unsigned room = *count;

	*count = 0;
	for (int i = 0; i < line_count; i++) {
		long long which, pid, mib, sm;
		if (sscanf(lines[i], "process %lld %lld %lld %lld", &which, &pid, &mib, &sm) != 4 ||
			which != DEVICE(device))
			continue;
		if (*count == room)
			return 7;
		unsigned as_pid = (unsigned)figure((unsigned long long)pid);
		unsigned long long used = mib < 0 ? UINT64_MAX : figure((unsigned long long)mib * MIB);
		memset(out + *count * size, 0, size);
		memcpy(out + *count * size, &as_pid, sizeof as_pid);
		memcpy(out + *count * size + 8, &used, sizeof used);
		++*count;
	}
	if (chance != 0 && draw() % 8 == 0)
		*count = (unsigned)draw();
	return code;
}

#ifdef OLD
int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *count, void *out)
{
	return list("GetComputeRunningProcesses", device, count, out, 16);
}
#else
int nvmlDeviceGetMemoryInfo_v2(void *device, void *memory)
{
	unsigned long long older[3];
	int code = nvmlDeviceGetMemoryInfo(device, older);
	unsigned long long newer[5] = {0, older[0], 0, older[1], older[2]};
	unsigned version;
	memcpy(&version, memory, sizeof version);
	if (version != (sizeof newer | 2 << 24))
		return 25;
	memcpy((char *)memory + 8, newer + 1, sizeof newer - 8);
	return code;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *out)
{
	return list("GetComputeRunningProcesses", device, count, out, 24);
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(void *device, unsigned *count, void *out)
{
	(void)out;
	*count = 0;
	return begin("GetGraphicsRunningProcesses", DEVICE(device));
}

struct sample {
	unsigned pid;
	unsigned long long time_us;
	unsigned values[4];
};

int nvmlDeviceGetProcessUtilization(void *device, struct sample *samples, unsigned *count, unsigned long long since_us)
{
	int code = begin("GetProcessUtilization", DEVICE(device));
	struct timespec now;
	unsigned room = *count;

	(void)since_us;
	clock_gettime(CLOCK_REALTIME, &now);
	*count = 0;
	for (int i = 0; i < line_count && *count < room; i++) {
		long long which, pid, mib, sm;
		if (sscanf(lines[i], "process %lld %lld %lld %lld", &which, &pid, &mib, &sm) != 4 ||
			which != DEVICE(device) || sm < 0)
			continue;
		samples[(*count)++] = (struct sample){(unsigned)figure((unsigned long long)pid),
			figure((unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000),
			{(unsigned)figure((unsigned long long)sm), 0, 0, 0}};
	}
	if (code == 0 && *count == 0)
		code = 6;
	if (chance != 0 && draw() % 8 == 0)
		*count = (unsigned)draw();
	return code;
}
#endif
