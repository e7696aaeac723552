/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the fdinfo of graphics driver clients. */
#include "gpu/fdinfo.h"

#include <string.h>

#define MIB 1048576.0

/* Removes a prefix from the key. Returns false if the key does not begin with it. */
static bool strip(struct text *key, const char *prefix)
{
	size_t length = text_length(prefix);
	if (!text_starts(*key, prefix))
		return false;
	*key = (struct text){key->data + length, key->length - length};
	return true;
}

static void copy(char out[FDINFO_NAME_MAX], struct text text)
{
	size_t length = text.length < FDINFO_NAME_MAX - 1 ? text.length : FDINFO_NAME_MAX - 1;
	memcpy(out, text.data, length);
	out[length] = '\0';
}

static struct fdinfo_engine *engine_of(struct fdinfo *info, struct text name)
{
	for (size_t i = 0; i < info->engines; i++)
		if (text_is(name, info->engine[i].name))
			return &info->engine[i];
	if (info->engines == FDINFO_ENGINES_MAX || name.length == 0 || name.length >= FDINFO_NAME_MAX)
		return NULL;
	struct fdinfo_engine *engine = &info->engine[info->engines++];
	*engine = (struct fdinfo_engine){.capacity = 1};
	copy(engine->name, name);
	return engine;
}

/* Splits a value into its number and its unit. */
static bool read_value(struct text value, uint64_t *number, struct text *unit)
{
	size_t end = text_find(value, ' ', 0);
	size_t behind = end;

	while (behind < value.length && value.data[behind] == ' ')
		behind++;
	*unit = (struct text){value.data + behind, value.length - behind};
	return number_read_unsigned((struct text){value.data, end}, number) == 0;
}

/* Returns whether a region is the device's own memory: "vram" in amdgpu, "vram0" in xe, "local0" in i915. */
static bool is_vram(struct text region)
{
	return text_starts(region, "vram") || text_starts(region, "local");
}

struct memory {
	double resident_mib;
	double older_mib; /* value of the key that older kernels use */
};

static void take_memory(double *sum, uint64_t number, struct text unit)
{
	double bytes = (double)number;

	if (text_is(unit, "KiB"))
		bytes *= 1024;
	else if (text_is(unit, "MiB"))
		bytes *= MIB;
	known_add(sum, bytes / MIB);
}

static void take_engine(struct fdinfo *info, struct text key, uint64_t number)
{
	struct fdinfo_engine *engine;

	if (strip(&key, "drm-engine-capacity-")) {
		engine = engine_of(info, key);
		if (engine && number > 0)
			engine->capacity = number;
	} else if (strip(&key, "drm-engine-") || strip(&key, "drm-cycles-")) {
		engine = engine_of(info, key);
		if (engine)
			engine->busy = number;
	} else if (strip(&key, "drm-total-cycles-")) {
		engine = engine_of(info, key);
		if (engine)
			engine->total = number;
	}
}

static void take(struct fdinfo *info, struct memory *memory, struct text key, struct text value, bool *client)
{
	struct text unit;
	uint64_t number;

	if (text_is(key, "drm-pdev"))
		copy(info->device, value);
	if (!read_value(value, &number, &unit))
		return;
	take_engine(info, key, number);
	if (text_is(key, "drm-client-id")) {
		info->client = number;
		*client = true;
	} else if (strip(&key, "drm-resident-") && is_vram(key)) {
		take_memory(&memory->resident_mib, number, unit);
	} else if (strip(&key, "drm-memory-") && is_vram(key)) {
		take_memory(&memory->older_mib, number, unit);
	}
}

bool fdinfo_parse(struct text text, struct fdinfo *info)
{
	struct memory memory = {UNKNOWN, UNKNOWN};
	bool client = false;

	*info = (struct fdinfo){.vram_mib = UNKNOWN};
	for (size_t start = 0, end; start < text.length; start = end + 1) {
		end = text_find(text, '\n', start);
		struct text line = {text.data + start, end - start};
		size_t colon = text_find(line, ':', 0);
		size_t value = colon + 1;
		while (value < line.length && (line.data[value] == ' ' || line.data[value] == '\t'))
			value++;
		if (colon < line.length && text_starts(line, "drm-"))
			take(info, &memory, (struct text){line.data, colon},
				(struct text){line.data + value, line.length > value ? line.length - value : 0},
				&client);
	}
	info->vram_mib = known_first(memory.resident_mib, memory.older_mib);
	return client;
}
