/* What engines call things; see engine.h. */
#include "report/fleet/engine.h"

#include "report/say/utf8.h"

#include <string.h>

/* Bytes that are no UTF-8 make the whole of a file \xNN, for DuckDB has no text with such bytes. */
#define DUCKDB_CONTENT                                                                                                 \
	"coalesce(try(decode(content)), replace(replace(replace(replace(content::varchar, '\\x0A', chr(10)), "         \
	"'\\x22', '\"'), '\\x27', ''''), '\\x5C', '\\'))"

static const struct engine engines[] = {
	{
		.name = "duckdb",
		.types = {"VARCHAR", "DOUBLE", "BIGINT", "TIMESTAMP", "MAP(VARCHAR, VARCHAR)", "VARCHAR", "DATE",
			"BOOLEAN"},
		/* A cast that fails is ten times as dear as one of nothing. */
		.reads = {"@", "try_cast(nullif(@, '') as DOUBLE)", "try_cast(nullif(@, '') as BIGINT)",
			"epoch_ms(try_cast(round(try_cast(@ as DOUBLE) * 1000) as BIGINT))",
			"try_cast(try_cast(@ as JSON) as MAP(VARCHAR, VARCHAR))", "@", "@", "try_cast(@ as BOOLEAN)"},
		.unquote = "case when @ like '\"%\"' then replace(@[2:-2], '\"\"', '\"') else nullif(@, '') end",
		.nothing = "cast(null as @)",
		.empty_map = "cast(null as MAP(VARCHAR, VARCHAR))",
		.key = "'$.",
		.key_separator = ".",
		.key_end = "'",
		.keys = "json_extract_string(content, [@])",
		.cell = "cells[list_position(head, '\"@\"')]",
		.split = "string_split(line, ',')",
		.split_quoted = "case when len(string_split(line, ',')) = len(head) then string_split(line, ',') "
				"else regexp_extract_all(',' || line, ',(\"(?:[^\"]|\"\")*\"|[^,]*)', 1) end",
		.lines = "select run, string_split(lines[1], ',') as head, unnest(lines[2:-2]) as line\n"
			 "from (select run, string_split(content, chr(10)) as lines from files)",
		.date = "cast(try_strptime(run[:8], '%Y%m%d') as DATE)",
		.files = "select parse_path(filename, '/')[-2] as run, " DUCKDB_CONTENT " as content from read_blob(",
		.files_end = ")",
		.files_begin_with = " where starts_with(filename, ",
		.rows = "from read_csv(",
		.rows_column = ", '@': 'VARCHAR'",
		.rows_end = "}, header = false, auto_detect = false, delim = ',', quote = '\"', escape = '\"', nullstr "
			    "= '', "
			    "allow_quoted_nulls = false, new_line = '\\n')",
		.is_object = "json_type(try_cast(content as JSON)) = 'OBJECT'",
		.totals = "regexp_extract(content, '([{]\"wall_seconds\"[^\\n]*)', 1)",
		.parquet = "select * from read_parquet(",
		.parquet_end =
			", filename = true, hive_partitioning = true, hive_types = {'date': DATE}, union_by_name "
			"= true)",
		.parquet_begin_with = " where starts_with(filename, ",
		.bucket = "select * from read_parquet(",
		/* A batch's first line has the columns; the others may stand in any order. */
		.bucket_files = "select parse_path(filename, '/')[-2][5:] as run, string_agg(line, chr(10) order by "
				"not starts_with(line, '\"timestamp\"')) || chr(10) as content from read_csv(",
		.bucket_files_end =
			", columns = {'line': 'VARCHAR'}, delim = E'\\x01', quote = '', escape = '', header = false, "
			"auto_detect = false, filename = true, hive_partitioning = false, compression = 'gzip', "
			"ignore_errors = true)",
		.bucket_files_group = " group by filename",
		.if_there = "select case when count(*) > 0 then @\n"
			    "else 'select null::varchar as run, null::varchar as content where false' end from glob(",
		.union_all = "union all by name",
		.wall_seconds = "(epoch_ms(stop_time) - epoch_ms(start_time)) / 1000.0",
	},
	{
		.name = "clickhouse",
		.types = {"Nullable(String)", "Nullable(Float64)", "Nullable(Int64)", "Nullable(DateTime64(3, 'UTC'))",
			"Map(String, String)", "Nullable(String)", "Nullable(Date)", "Nullable(Bool)"},
		.reads = {"JSONExtract(@, 'Nullable(String)')", "toFloat64OrNull(@)", "toInt64OrNull(@)",
			"fromUnixTimestamp64Milli(toInt64(round(toFloat64OrNull(@) * 1000)), 'UTC')",
			"JSONExtract(@, 'Map(String, String)')", "nullIf(nullIf(@, ''), 'null')", "@",
			"cast(if(@ in ('true', 'false'), @ = 'true', null) as Nullable(Bool))"},
		.unquote = "if(@ like '\"%\"', replaceAll(substring(@, 2, length(@) - 2), '\"\"', '\"'), nullIf(@, "
			   "''))",
		.nothing = "cast(null as @)",
		.empty_map = "cast(map() as Map(String, String))",
		.key = "JSONExtractRaw(object, '",
		.key_separator = "', '",
		.key_end = "')",
		.cell = "cells[indexOf(head, '\"@\"')]",
		.split = "splitByChar(',', line)",
		.split_quoted = "if(countSubstrings(line, ',') + 1 = length(head), splitByChar(',', line), "
				"extractAll(concat(',', line), ',(\"(?:[^\"]|\"\")*\"|[^,]*)'))",
		.lines = "select run, splitByChar(',', lines[1]) as head, arrayJoin(arraySlice(lines, 2, length(lines) "
			 "- "
			 "2)) as line\n"
			 "from (select run, splitByChar('\\n', content) as lines from files)",
		.date = "toDate(parseDateTimeOrNull(substring(run, 1, 8), '%Y%m%d', 'UTC'))",
		.files = "select splitByChar('/', _path)[-2] as run, toValidUTF8(content) as content from file(",
		.files_end = ", 'RawBLOB', 'content String')",
		.files_begin_with = " where startsWith(_path, ",
		.is_object = "JSONType(content) = 'Object'",
		.totals = "extract(content, '([{]\"wall_seconds\"[^\\n]*)')",
		.parquet = "file(",
		.parquet_end = ", 'Parquet', '@')",
		.parquet_begin_with = " where startsWith(_path, ",
		.bucket = "s3(",
		.bucket_files = "select substring(splitByChar('/', _path)[-2], 5) as run, toValidUTF8(content) as "
				"content from s3(",
		.bucket_files_end = ", 'RawBLOB', 'content String')",
		.bucket_files_group = "",
		.union_all = "union all",
		.wall_seconds =
			"toFloat64(toUnixTimestamp64Milli(stop_time) - toUnixTimestamp64Milli(start_time)) / 1000",
		.parquet_typed = true,
		.escapes = true,
	},
};

const struct engine *engine_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LENGTH(engines); i++)
		if (strcmp(engines[i].name, name) == 0)
			return &engines[i];
	return &engines[0];
}

const char *engine_refuses(const struct engine *engine, const struct place *place)
{
	uint32_t code;

	for (const char *at = place->path; *at;) {
		size_t length = utf8_decode(at, &code);
		if (length == 0)
			return "SQL needs a path in UTF-8";
		at += length;
	}
	if (!engine->escapes && strchr(place->path, '\\'))
		return "DuckDB does not read a path with a backslash";
	return NULL;
}

void engine_write(FILE *out, const char *pattern, const char *value)
{
	for (; *pattern; pattern++) {
		if (*pattern == '@')
			fputs(value, out);
		else
			fputc(*pattern, out);
	}
}

static void write_byte(FILE *out, const struct engine *engine, char byte)
{
	if (byte == '\'')
		fputs("''", out);
	else if (byte == '\\' && engine->escapes)
		fputs("\\\\", out);
	else
		fputc(byte, out);
}

void engine_quote(FILE *out, const struct engine *engine, const char *text, const char *rest)
{
	fputc('\'', out);
	for (; *text; text++)
		write_byte(out, engine, *text);
	for (; *rest; rest++)
		write_byte(out, engine, *rest);
	fputc('\'', out);
}

bool engine_quote_files(FILE *out, const struct engine *engine, const char *text, const char *rest)
{
	bool replaced = false;

	fputc('\'', out);
	for (; *text; text++) {
		bool special = strchr("*?[]{}\\", *text) != NULL;
		replaced |= special;
		write_byte(out, engine, special ? '?' : *text);
	}
	fputs(rest, out);
	fputc('\'', out);
	return replaced;
}
