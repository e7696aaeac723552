-- The programs that used the most CPU time on all machines. A process counts for the last program that it ran.
with images as (
	select run, pid, start_ticks, argMax(exe, timestamp) as program
	from "start" where exe is not null
	group by run, pid, start_ticks
)
select program, count(*) as processes, count(distinct run) as runs, sum(utime + stime) / 3600 as cpu_hours,
	max(peak_rss_mib) as largest_mib
from "exit" join images using (run, pid, start_ticks)
group by program
order by cpu_hours desc, program
limit 20;
