/* SPDX-License-Identifier: Apache-2.0 */
/* Finds GPUs without a driver's library. NVIDIA's driver lists its GPUs in /proc. amdgpu reports the memory of each GPU
 * in /sys (kernel document gpu/amdgpu/driver-misc.rst). */
#include "os/system.h"

#include "core/number.h"
#include "os/file.h"
#include "os/linux/parse.h"

enum { BOARDS_MAX = 64, NAME_MAX_LENGTH = 64, PATH_LENGTH = 4096 };

/* The names in a directory. They are sorted, so that the order of the GPUs is reproducible. */
struct boards {
	char names[BOARDS_MAX][NAME_MAX_LENGTH];
	size_t count;
};

static bool is_before(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (unsigned char)*a < (unsigned char)*b;
}

static void take_name(void *context, const char *name)
{
	struct boards *boards = context;
	size_t length = text_length(name);
	size_t at = boards->count;

	if (boards->count == BOARDS_MAX || length >= NAME_MAX_LENGTH || name[0] == '.')
		return;
	for (; at > 0 && is_before(name, boards->names[at - 1]); at--)
		__builtin_memcpy(boards->names[at], boards->names[at - 1], NAME_MAX_LENGTH);
	__builtin_memcpy(boards->names[at], name, length + 1);
	boards->count++;
}

/* Reads the file ROOT/DIRECTORY/NAME/FILE. */
static struct text read_of(
	const char *root, const char *directory, const char *name, const char *file, char *data, size_t capacity)
{
	char path[PATH_LENGTH];
	struct buffer out = BUFFER(path);

	buffer_string(&out, root);
	buffer_string(&out, directory);
	buffer_byte(&out, '/');
	buffer_string(&out, name);
	buffer_string(&out, file);
	int64_t length = os_read(OS_HERE, buffer_terminate(&out), data, capacity);
	return (struct text){data, length > 0 ? (size_t)length : 0};
}

static void list_boards(struct boards *boards, const char *root, const char *directory)
{
	char path[PATH_LENGTH];
	struct buffer out = BUFFER(path);

	boards->count = 0;
	buffer_string(&out, root);
	buffer_string(&out, directory);
	(void)os_list(buffer_terminate(&out), take_name, boards);
}

static void find_nvidia(const char *root, struct boards *boards, system_takes_gpu *take, void *context)
{
	static const char directory[] = "/proc/driver/nvidia/gpus";
	char data[1024];

	list_boards(boards, root, directory);
	for (size_t i = 0; i < boards->count; i++) {
		struct text text = read_of(root, directory, boards->names[i], "/information", data, sizeof data);
		struct text model = parse_field(text, "Model:", ':');
		if (model.length > 0)
			take(context, SYSTEM_GPU_NVIDIA, model, UNKNOWN);
	}
}

static void find_amd(const char *root, struct boards *boards, system_takes_gpu *take, void *context)
{
	static const char directory[] = "/sys/class/drm";
	char data[64];

	list_boards(boards, root, directory);
	for (size_t i = 0; i < boards->count; i++) {
		uint64_t bytes;
		size_t at = 0;
		/* Skip connectors, such as "card0-DP-1". */
		struct text name = text_of(boards->names[i]);
		if (!text_starts(name, "card") || text_find(name, '-', 0) < name.length)
			continue;
		struct text text =
			read_of(root, directory, boards->names[i], "/device/mem_info_vram_total", data, sizeof data);
		if (number_read_unsigned(parse_word(text, &at), &bytes) == 0)
			take(context, SYSTEM_GPU_AMD, TEXT("AMD GPU"), (double)bytes / 1048576);
	}
}

/* NVIDIA's driver creates /dev/nvidiactl when it is loaded. Other GPUs have a render node if they can compute, but the
 * console graphics of a server does not. The energy counter is tested by opening it, because it is usually readable
 * only to root. */
bool system_has_meters(void)
{
	if (os_exists(OS_HERE, "/dev/nvidiactl") || os_exists(OS_HERE, "/dev/dri/renderD128"))
		return true;
	int counter = os_open(OS_HERE, "/sys/class/powercap/intel-rapl:0/energy_uj");
	os_close(counter);
	return counter >= 0;
}

void system_find_gpus(const char *root, system_takes_gpu *take, void *context)
{
	struct boards boards;

	find_nvidia(root, &boards, take, context);
	find_amd(root, &boards, take, context);
}
