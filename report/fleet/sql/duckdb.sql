@ Views for DuckDB. Files are read whole and split by functions of strings. Its CSV reader takes 2 ms for a file (DuckDB
@ 2.0, ten times as long), takes an incomplete last line for a row, and rejects a file with bytes that are not UTF-8.

@type TEXT: VARCHAR
@type CELL: VARCHAR
@type JSON: VARCHAR
@type NUMBER: DOUBLE
@type WHOLE: BIGINT
@type TIME: TIMESTAMP
@type DATE: DATE
@type MAP: MAP(VARCHAR, VARCHAR)
@type YES_NO: BOOLEAN

@ A cast that fails takes ten times as long as a cast of null.
@read TEXT: {text}
@read JSON: {text}
@read CELL: case when {text} like '"%"' then replace({text}[2:-2], '""', '"') else nullif({text}, '') end
@read NUMBER: try_cast(nullif({text}, '') as DOUBLE)
@read WHOLE: try_cast(nullif({text}, '') as BIGINT)
@read TIME: epoch_ms(try_cast(round(try_cast({text} as DOUBLE) * 1000) as BIGINT))
@read MAP: try_cast(try_cast({text} as JSON) as MAP(VARCHAR, VARCHAR))
@read YES_NO: try_cast({text} as BOOLEAN)

@cell: cells[list_position(head, '"{column}"')]
@key: object[{position}]
@json path: '$.{path}'{, }
@date: cast(try_strptime(run[:8], '%Y%m%d') as DATE)
@wall seconds: (epoch_ms(stop_time) - epoch_ms(start_time)) / 1000.0
@path begins:  where starts_with(filename, {directory})

@ DuckDB has no text with bytes that are not UTF-8. In a file with such bytes, all beyond ASCII becomes \xNN.
@content: coalesce(try(decode(content)), replace(replace(replace(replace(content::varchar, '\x0A', chr(10)), '\x22', '"'), '\x27', ''''), '\x5C', '\'))
@file
select parse_path(filename, '/')[-2] as run, {content} as content from read_blob({files}){beginning}

@from table
union all by name
select run, {date} as "date",
{each value}from (select run, head, {split} as cells from (
with files as (
{each file})
select run, string_split(lines[1], ',') as head, unnest(lines[2:-2]) as line
from (select run, string_split(content, chr(10)) as lines from files)
) as rows) as parts
@ A line of a table without texts has no quotes.
@split system: string_split(line, ',')
@split process: string_split(line, ',')
@split: case when len(string_split(line, ',')) = len(head) then string_split(line, ',') else regexp_extract_all(',' || line, ',("(?:[^"]|"")*"|[^,]*)', 1) end

@ All keys are extracted by one call, which takes a third of the time of one call for each.
@from json
union all by name
select run, {date} as "date",
{each value}from (select run, {owner column}, json_extract_string(content, [{each json path}]) as object from (
{contents}) as files where json_type(try_cast(content as JSON)) = 'OBJECT') as objects
@contents totals
select run, regexp_extract(content, '([{]"wall_seconds"[^\n]*)', 1) as content from (
{each file}) as digests

@from rows
union all by name
select run, {date} as "date",
{each row value}from read_csv({rows file}, columns = {'run': 'VARCHAR'{each row column}}, header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, new_line = '\n')
@row value
	{row read} as "{column}"{,}
@row read: {read}
@row read CELL: {row}
@row: "{column}"
@row column: , '{column}': 'VARCHAR'

@ The program wrote each JSON file on one line.
@json rows
select run, content from read_csv({rows file}, columns = {'run': 'VARCHAR', 'content': 'VARCHAR'}, header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, new_line = '\n')
@from parquet
union all by name
{parquet}
@parquet: select * from read_parquet({parquet files}, filename = true, hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true){beginning}

@ DuckDB fails where a pattern matches no object. Therefore variables hold the statements that read a bucket, or ones
@ without rows. In a batch the first line names the columns; the others may be in any order.
@variables
set variable rtrack_{table}_{index} = (select case when count(*) > 0 then {quoted objects}
else {no objects} end from glob({files}));
set variable rtrack_{table}_{index}_parquet = (select case when count(*) > 0 then {quoted parquet}
else {no objects} end from glob({parquet files}));
@objects
select parse_path(filename, '/')[-2][5:] as run, string_agg(line, chr(10) order by not starts_with(line, '"timestamp"')) || chr(10) as content from read_csv({files}, columns = {'line': 'VARCHAR'}, delim = E'\x01', quote = '', escape = '', header = false, auto_detect = false, filename = true, hive_partitioning = false, compression = 'gzip', ignore_errors = true){beginning}
 group by filename
@no objects: 'select null::varchar as run, null::varchar as content where false'
@object
select run, content from query(getvariable('rtrack_{table}_{index}'))
@from parquet objects
union all by name
select * from query(getvariable('rtrack_{table}_{index}_parquet'))
