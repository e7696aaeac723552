/* SPDX-License-Identifier: Apache-2.0 */
/* Reads static facts about the machine from sysctl, for os/system.h. */
#include "os/system.h"

#include "os/darwin/calls.h"

#define BYTES_PER_MIB 1048576.0

/* Appends a text from sysctl, without its NUL. */
static void read_text(const char *name, struct buffer *out)
{
	char text[SYSTEM_TEXT_MAX];
	int64_t length = darwin_named(name, text, sizeof text);

	if (length > 1)
		buffer_text(out, (struct text){text, (size_t)length - 1});
}

static void keep(char to[SYSTEM_TEXT_MAX], const char *before, const char *name)
{
	struct buffer out = {to, 0, SYSTEM_TEXT_MAX, false};

	buffer_string(&out, before);
	read_text(name, &out);
	(void)buffer_terminate(&out);
}

void system_read_facts(struct system_facts *facts, const char *root)
{
	uint64_t bytes = 0;
	uint32_t cpus = 0;

	(void)root;
	*facts = (struct system_facts){.vcpus = UNKNOWN,
		.memory_mib = UNKNOWN,
		.memory_limit_mib = UNKNOWN,
		.cpu_limit = UNKNOWN,
		.parent_start = UNKNOWN,
		.script_start = UNKNOWN};
	keep(facts->os, "macOS ", "kern.osproductversion");
	keep(facts->kernel, "", "kern.osrelease");
	keep(facts->architecture, "", "hw.machine");
	keep(facts->cpu_model, "", "machdep.cpu.brand_string");
	if (darwin_named("hw.activecpu", &cpus, sizeof cpus) == (int64_t)sizeof cpus && cpus > 0)
		facts->vcpus = facts->cpus = cpus;
	if (darwin_named("hw.memsize", &bytes, sizeof bytes) == (int64_t)sizeof bytes)
		facts->memory_mib = (double)bytes / BYTES_PER_MIB;
}

/* Returns the model of a Mac. rtrack detects no cloud from the model. */
struct text system_firmware(const char *root, enum firmware_field field, char bytes[FIRMWARE_TEXT_MAX])
{
	struct buffer out = {bytes, 0, FIRMWARE_TEXT_MAX, false};

	(void)root;
	if (field == FIRMWARE_product_name)
		read_text("hw.model", &out);
	return (struct text){bytes, out.length};
}
