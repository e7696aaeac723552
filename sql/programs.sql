-- The programs that used the most CPU time on all machines. A process counts for the last program that it executed.
with images as (
	select run, pid, start_ticks, argMax(exe, timestamp) as program
	from "start" where exe is not null
	group by run, pid, start_ticks
), ends as (
	-- A process that executed other programs has a row for each of them, each with the usage of the process so far.
	select run, pid, start_ticks, max(utime) + max(stime) as cpu, max(peak_rss_mib) as peak_mib
	from "exit"
	group by run, pid, start_ticks
)
select program, count(*) as processes, count(distinct run) as runs, sum(cpu) / 3600 as cpu_hours,
	max(peak_mib) as largest_mib
from ends join images using (run, pid, start_ticks)
group by program
order by cpu_hours desc, program
limit 20;
