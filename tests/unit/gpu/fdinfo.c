/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how much of a GPU each process uses, by the format of the kernel's document gpu/drm-usage-stats.rst. */
#include "gpu/fdinfo.h"

#include "tests/unit/lib/tap.h"

static bool parse(const char *text, struct fdinfo *info)
{
	return fdinfo_parse(text_of(text), info);
}

static void check_amdgpu(void)
{
	struct fdinfo info;

	ok(parse("pos:\t0\nflags:\t02100002\nmnt_id:\t24\nino:\t1240\ndrm-driver:\tamdgpu\ndrm-client-id:\t21\n"
		 "drm-pdev:\t0000:03:00.0\npasid:\t32771\ndrm-total-cpu:\t0\ndrm-total-vram:\t300 MiB\n"
		 "drm-memory-vram:\t262144 KiB\ndrm-memory-gtt: \t2048 KiB\ndrm-engine-gfx:\t1500000000 ns\n"
		 "drm-engine-compute:\t25 ns\n",
		   &info),
		"amdgpu");
	is_text(info.device, "0000:03:00.0", "the bus address");
	is_number((double)info.client, 21, "the client's number");
	is_number(info.vram_mib, 256, "the card's memory, without system memory");
	is_number((double)info.engines, 2, "the number of engines");
	is_text(info.engine[0].name, "gfx", "the name of an engine");
	is_number((double)info.engine[0].busy, 1.5e9, "busy time of an engine");
	ok(parse("drm-client-id: 1\ndrm-memory-vram: 5 MiB\ndrm-resident-vram: 3 MiB\n", &info) && info.vram_mib == 3,
		"of an old and a new key for one figure, the new one counts");
}

static void check_intel(void)
{
	struct fdinfo info;

	ok(parse("drm-driver: i915\ndrm-pdev: 0000:00:02.0\ndrm-client-id: 7\ndrm-engine-render: 25662044495 ns\n"
		 "drm-engine-copy: 0 ns\ndrm-engine-video: 0 ns\ndrm-engine-capacity-video: 2\n"
		 "drm-resident-system0: 7 MiB\n",
		   &info),
		"i915");
	is_number((double)info.engines, 3, "a capacity is not an engine");
	is_number((double)info.engine[2].capacity, 2, "a capacity belongs to its engine");
	is_number(info.vram_mib, UNKNOWN, "a card in system memory has no memory of its own");
	ok(parse("drm-driver:\txe\ndrm-client-id:\t3\ndrm-resident-vram0:\t1 MiB\ndrm-resident-vram1:\t1024 KiB\n"
		 "drm-cycles-ccs:\t500\ndrm-total-cycles-ccs:\t1000\n",
		   &info),
		"xe");
	is_number(info.vram_mib, 2, "both parts of the memory are added");
	is_number((double)info.engine[0].total, 1000, "total cycles of an engine");
}

static void check_nonsense(void)
{
	struct fdinfo info;
	char many[4096] = "drm-client-id: 1\n";

	ok(!parse("", &info), "nothing");
	ok(!parse("pos:\t0\nflags:\t02\n", &info), "fdinfo of an unrelated file");
	ok(!parse("drm-driver: amdgpu\n", &info), "a missing client number");
	ok(!parse("drm-client-id: -3\n", &info), "a negative client number");
	ok(!parse("drm-client-id\n:\n::\n", &info), "keys without values");
	for (int i = 0; i < 30; i++)
		snprintf(many + strlen(many), sizeof many - strlen(many), "drm-engine-e%d: 1 ns\n", i);
	ok(parse(many, &info) && info.engines == FDINFO_ENGINES_MAX, "more engines than fit");
	ok(parse("drm-client-id: 1\ndrm-engine-: 5 ns\ndrm-engine-capacity-x: 0\n", &info) && info.engines == 1 &&
			info.engine[0].capacity == 1,
		"an engine without a name, and a capacity without an engine");
}

int main(void)
{
	check_amdgpu();
	check_intel();
	check_nonsense();
	return done();
}
