@ Sections that both engines share. An engine's file comes first, and report/fleet/views.c explains the format.

@head
-- Views of runs that rtrack tracked, for {engine}; made by `rtrack-report sql`.

@view
create or replace view {table} as
{selection}{sources}) as every;

@ Runs without kept totals have sums of columns. Tables give only a lower bound of the peaks, so these stay unknown.
@view totals
create or replace view told as
{selection}{sources}) as every;

-- totals of each run, as rtrack-report stats has them, if it has kept them
create or replace view totals as
select sums."run" as "run", sums."date" as "date", sums.ticks as ticks,
{each total}from (select "run", min("date") as "date", sum(ticks) as ticks, max(wall) as wall_seconds,
	sum(utime) + sum(stime) as cpu_seconds, sum(utime) as user_seconds, sum(stime) as system_seconds,
	sum(disk_read) as disk_read_bytes, sum(disk_write) as disk_write_bytes, max(parent) as counted_in
from (
select "run", "date", 1 as ticks, null as wall, utime, stime, disk_read_bytes as disk_read, disk_write_bytes as disk_write, null as parent from process
union all select "run", "date", 0, {wall seconds}, null, null, null, null, parent from runs
) as parts group by "run") as sums left join told on sums."run" = told."run";

@ The rows without values give each view all its columns, with the types of the tables, whatever the files contain.
@selection
select "run", "date"{each name} from (
select
	cast(null as {type TEXT}) as "run", -- id of the run, the name of its directory
	cast(null as {type DATE}) as "date", -- day of its start, UTC
{each declaration}where false
@name: , "{column}"
@declaration
	cast({unknown} as {type}) as "{column}"{,} -- {label}
@unknown: null

@value
	{read} as "{column}"{,}

@contents: {each file}
@ The user of a run is the owner of its directory, or '' if the owner is unknown. run.json only claims a user. `owner` is
@ null for runs of root and of the caller, whose claim is used.
@source: {source file}
@source runs
select run, content, cast({owner} as {type TEXT}) as owner from (
{source file}) as files
@owner column: null as owner
@owner column runs: owner
@value user
	nullif(coalesce(owner, {read}), '') as "{column}"{,}
@text: {cell}
@text runs: {key}
@text totals: {key}

@total
	{told} as {column}{,}
@told: told.{column}
@told wall_seconds: {told or sum}
@told cpu_seconds: {told or sum}
@told user_seconds: {told or sum}
@told system_seconds: {told or sum}
@told disk_read_bytes: {told or sum}
@told disk_write_bytes: {told or sum}
@told counted_in: {told or sum}
@told or sum: case when told.exact is null then sums.{column} else told.{column} end
