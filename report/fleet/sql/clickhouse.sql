@ Views for ClickHouse. As for DuckDB, files are read whole and split by functions of strings.

@type TEXT: Nullable(String)
@type CELL: Nullable(String)
@type JSON: Nullable(String)
@type NUMBER: Nullable(Float64)
@type WHOLE: Nullable(Int64)
@type TIME: Nullable(DateTime64(3, 'UTC'))
@type DATE: Nullable(Date)
@type MAP: Map(String, String)
@type YES_NO: Nullable(Bool)
@unknown MAP: map()

@read TEXT: JSONExtract({text}, 'Nullable(String)')
@read JSON: nullIf(nullIf({text}, ''), 'null')
@read CELL: if({text} like '"%"', replaceAll(substring({text}, 2, length({text}) - 2), '""', '"'), nullIf({text}, ''))
@read NUMBER: toFloat64OrNull({text})
@read WHOLE: toInt64OrNull({text})
@read TIME: fromUnixTimestamp64Milli(toInt64(round(toFloat64OrNull({text}) * 1000)), 'UTC')
@read MAP: JSONExtract({text}, 'Map(String, String)')
@read YES_NO: cast(if({text} in ('true', 'false'), {text} = 'true', null) as Nullable(Bool))

@cell: cells[indexOf(head, '"{column}"')]
@key: JSONExtractRaw(object, '{path}')
@date: toDate(parseDateTimeOrNull(substring(run, 1, 8), '%Y%m%d', 'UTC'))
@wall seconds: toFloat64(toUnixTimestamp64Milli(stop_time) - toUnixTimestamp64Milli(start_time)) / 1000
@path begins:  where startsWith(_path, {directory})

@file
select splitByChar('/', _path)[-2] as run, toValidUTF8(content) as content from file({files}, 'RawBLOB', 'content String'){beginning}
@object
select substring(splitByChar('/', _path)[-2], 5) as run, toValidUTF8(content) as content from s3({files}, 'RawBLOB', 'content String'){beginning}

@from table
union all
select run, {date} as "date",
{each value}from (select run, head, {split} as cells from (
with files as (
{each file})
select run, splitByChar(',', lines[1]) as head, arrayJoin(arraySlice(lines, 2, length(lines) - 2)) as line
from (select run, splitByChar('\n', content) as lines from files)
) as rows) as parts
@split system: splitByChar(',', line)
@split process: splitByChar(',', line)
@split: if(countSubstrings(line, ',') + 1 = length(head), splitByChar(',', line), extractAll(concat(',', line), ',("(?:[^"]|"")*"|[^,]*)'))

@from json
union all
select run, {date} as "date",
{each value}from (select run, {owner column}, content as object from (
{contents}) as files where JSONType(content) = 'Object') as objects
@contents totals
select run, extract(content, '([{]"wall_seconds"[^\n]*)') as content from (
{each file}) as digests

@from parquet
union all
select run, {date} as "date"{each name} from file({parquet files}, 'Parquet', 'run String{each parquet column}'){beginning}
@from parquet objects
union all
select run, {date} as "date"{each name} from s3({parquet files}, 'Parquet', 'run String{each parquet column}'){beginning}
@parquet column: , "{column}" {parquet type}
@parquet type: {type}
@parquet type TIME: Nullable(DateTime64(3, ''UTC''))
