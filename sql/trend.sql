-- How each job changes from week to week. Add `where job = 'NAME'` to select one job.
select job, date_trunc('week', start_time) as week, count(*) as runs, avg(wall_seconds) as mean_seconds,
	avg(cpu_seconds) as mean_cpu_seconds, max(peak_memory_mib) as largest_peak_mib,
	sum(case when status = 'finished' then 0 else 1 end) as not_finished
from runs join totals using (run)
where status <> 'running'
group by job, week
order by job, week;
