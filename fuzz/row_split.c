/* SPDX-License-Identifier: Apache-2.0 */
/* Splits any line with row_split. Every field must lie inside the line. row_split must also read back what row_write
 * has written. */
#include "core/row.h"
#include "core/spool.h"
#include "fuzz/fuzz.h"

static void require_inside(const char *line, size_t size, const struct text *fields, int count)
{
	for (int i = 0; i < count; i++) {
		REQUIRE(fields[i].data >= line && fields[i].data <= line + size);
		REQUIRE(fields[i].length <= (size_t)(line + size - fields[i].data));
	}
}

/* Writes a start row whose command line is these bytes, and reads it back. */
static void require_read_back(struct text command)
{
	static char space[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(space);
	struct text fields[START_COLUMNS];
	struct cell cells[START_COLUMNS] = {
		[START_exe] = CELL_TEXT(TEXT("/bin/\"x\"")), [START_command] = CELL_TEXT(command)};

	if (command.length > SPOOL_COMMAND_MAX)
		command.length = cells[START_command].text.length = SPOOL_COMMAND_MAX;
	row_write(&out, &tables[TABLE_start], cells);
	REQUIRE(!out.full && space[out.length - 1] == '\n');
	REQUIRE(memchr(space, '\n', out.length) == space + out.length - 1);
	REQUIRE(row_split(space, out.length - 1, fields, START_COLUMNS) == START_COLUMNS);
	REQUIRE(text_is(fields[START_exe], "/bin/\"x\""));
	REQUIRE(fields[START_command].length == command.length);
	for (size_t i = 0; i < command.length; i++) {
		unsigned char byte = (unsigned char)command.data[i];
		char written = fields[START_command].data[i];
		REQUIRE(written == (byte < 0x20 || byte == 0x7f ? ' ' : (char)byte));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = fuzz_copy(data, size, false);
	struct text fields[4];

	require_read_back((struct text){line, size});
	int count = row_split(line, size, fields, 4);
	REQUIRE(count == -1 || count >= 1);
	require_inside(line, size, fields, count < 4 ? count : 4);
	free(line);
	return 0;
}
