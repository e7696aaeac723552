/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the parsers of /proc on any bytes. They must stay inside their input, and must return texts inside it. */
#include "fuzz/fuzz.h"
#include "os/linux/parse.h"

static void require_inside(struct text all, struct text part)
{
	REQUIRE(part.data >= all.data && part.data + part.length <= all.data + all.length);
}

static void try_lines(struct text all)
{
	static char space[8192];
	struct text line;
	struct mount mount;

	for (size_t at = 0; parse_line(all, &at, &line);) {
		require_inside(all, line);
		if (parse_mount(line, &mount) != 0)
			continue;
		const struct text *texts[] = {
			&mount.device, &mount.point, &mount.type, &mount.source, &mount.root, &mount.options};
		for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
			require_inside(line, *texts[i]);
		struct buffer out = BUFFER(space);
		parse_unescape(mount.point, &out);
		REQUIRE(out.length <= mount.point.length);
	}
	for (size_t at = 0; at < all.length;) {
		struct text word = parse_word(all, &at);
		require_inside(all, word);
		if (word.length == 0)
			at++;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static parse_key keys[] = {"VmHWM:", "rchar:", "a"};
	char *copy = fuzz_copy(data, size, false);
	struct text text = {copy, size};
	uint64_t values[3] = {0};
	struct stat_fields fields = {.threads = 7};

	if (parse_stat(text, &fields) != 0)
		REQUIRE(fields.threads == 7);
	parse_values(text, keys, ARRAY_LENGTH(keys), values);
	values[0] = 7;
	if (parse_value(text, "some ", &values[0]) != 0)
		REQUIRE(values[0] == 7);
	uint64_t times[CPU_FIELDS];
	REQUIRE(parse_cpu_line(text, times) <= CPU_FIELDS);
	parse_net_dev(text, values);
	values[0] = 7;
	if (parse_pressure(text, &values[0]) != 0)
		REQUIRE(values[0] == 7);
	(void)parse_cpu_list(text);
	try_lines(text);
	free(copy);
	return 0;
}
