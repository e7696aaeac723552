/* SPDX-License-Identifier: Apache-2.0 */
/* Imports arbitrary data as a snapshot, like `rtrack-report import`. The import must read the data to its end, and
 * write only valid rows. */
#include "fuzz/fuzz.h"
#include "report/fleet/snapshot.h"

static void write_table(const char *rows, size_t length)
{
	char *table = NULL;
	size_t size;
	FILE *out = open_memstream(&table, &size);

	REQUIRE(out);
	const char *problem = snapshot_write_table(out, rows, length, NULL);
	REQUIRE(fclose(out) == 0);
	REQUIRE(problem || size == 0 || table[size - 1] == '\n');
	free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size, false);
	struct snapshot snapshot;

	if (!snapshot_read(&snapshot, text, size)) {
		for (size_t i = 0; i < ARRAY_LENGTH(snapshot.rows); i++)
			if (snapshot.rows[i].length > 0)
				write_table(snapshot.rows[i].text, snapshot.rows[i].length);
		snapshot_free(&snapshot);
	}
	write_table(text, size);
	if (snapshot_is_csv(text, size)) {
		char *json;
		if (!snapshot_of_csv(&json, text, size)) {
			REQUIRE(!snapshot_read(&snapshot, json, strlen(json)));
			snapshot_free(&snapshot);
		}
		free(json);
	}
	free(text);
	return 0;
}
