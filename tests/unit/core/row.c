/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of CSV rows: a written row can be read back, and an incomplete row is detected. */
#include "core/row.h"
#include "core/spool.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

static void check_header(void)
{
	char space[1024];
	struct buffer out = BUFFER(space);

	row_write_header(&out, &tables[TABLE_start]);
	is_text(content(&out),
		"\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"exe\",\"command\",\"earlier_peak_mib\"\n",
		"a quoted header line");
}

static void check_written(void)
{
	char space[1024];
	struct buffer out = BUFFER(space);
	struct cell cells[START_COLUMNS] = {
		[START_timestamp] = CELL_NUMBER(1763690160.5),
		[START_pid] = CELL_NUMBER(7),
		[START_start_ticks] = CELL_NUMBER(UNKNOWN),
		[START_ppid] = CELL_NUMBER(1),
		[START_exe] = CELL_TEXT(TEXT("/bin/a b")),
		[START_command] = CELL_TEXT(TEXT("say \"hi, you\"\n\tthere \x7f\xc3\xa9")),
		[START_earlier_peak_mib] = CELL_NUMBER(1.25),
	};
	static const char row[] = "1763690160.500,7,,1,\"/bin/a b\",\"say \"\"hi, you\"\"  there  \xc3\xa9\",1.250\n";

	row_write(&out, &tables[TABLE_start], cells);
	is_text(content(&out), row, "numbers bare, texts quoted, the unknown empty, control bytes as spaces");

	struct text fields[START_COLUMNS];
	is_number(row_split(space, out.length - 1, fields, START_COLUMNS), START_COLUMNS, "the row is read back");
	is_text(string_of(fields[START_command]), "say \"hi, you\"  there  \xc3\xa9",
		"the text of the row is unchanged");
	is_text(string_of(fields[START_start_ticks]), "", "the unknown cell of the row is empty");

	char small[16];
	out = BUFFER(small);
	row_write(&out, &tables[TABLE_start], cells);
	ok(out.full, "a row that does not fit marks its buffer as full");
}

static void check_split(void)
{
	static const struct {
		const char *line;
		int count; /* -1 if the row is incomplete */
		const char *fields[3];
	} rows[] = {
		{"", 1, {""}},
		{"a", 1, {"a"}},
		{"a,b", 2, {"a", "b"}},
		{",", 2, {"", ""}},
		{"a,", 2, {"a", ""}},
		{"a,,b", 3, {"a", "", "b"}},
		{"a,b\r", 2, {"a", "b"}},
		{"\r", 1, {""}},
		{"\"a,b\",c", 2, {"a,b", "c"}},
		{"\"\"", 1, {""}},
		{"\"\"\"\"", 1, {"\""}},
		{"\"a\"\"b\",\"\",c", 3, {"a\"b", "", "c"}},
		{"a\"b,c", 2, {"a\"b", "c"}},
		{"1,2,3,4,5", 5, {"1", "2", "3"}},
		{"\"open", -1, {NULL}},
		{"1,\"open", -1, {NULL}},
		{"\"shut\"x,1", -1, {NULL}},
		{"1,\"", -1, {NULL}},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char line[64];
		struct text fields[3];
		strcpy(line, rows[i].line);
		int count = row_split(line, strlen(line), fields, 3);
		if (!ok(count == rows[i].count, rows[i].line))
			printf("# expected: %d\n#     seen: %d\n", rows[i].count, count);
		for (int field = 0; field < rows[i].count && field < 3 && field < count; field++)
			is_text(string_of(fields[field]), rows[i].fields[field], rows[i].line);
	}
}

/* The longest possible start row fits into SPOOL_ROW_MAX. */
static void check_longest(void)
{
	static char command[SPOOL_COMMAND_MAX], exe[SPOOL_COMMAND_MAX], space[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(space);
	struct cell cells[START_COLUMNS];

	memset(command, '"', sizeof command);
	memset(exe, '"', sizeof exe);
	for (int i = 0; i < START_COLUMNS; i++)
		cells[i] = CELL_NUMBER(4294967295.0);
	cells[START_exe] = CELL_TEXT(((struct text){exe, 1024}));
	cells[START_command] = CELL_TEXT(((struct text){command, sizeof command}));
	row_write(&out, &tables[TABLE_start], cells);
	ok(!out.full, "a row of nothing but quotes fits");
}

int main(void)
{
	check_header();
	check_written();
	check_split();
	check_longest();
	return done();
}
