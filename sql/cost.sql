-- Cost by job and user, at prices of your own: change the first line. A run costs what it requested, and what it used
-- where it requested nothing.
with price as (select 0.04 as cpu_hour, 0.005 as gib_hour),
bills as (
	select job, "user", wall_seconds / 3600 as hours, cpu_seconds / 3600 as cpu_hours,
		coalesce(requested_cpu * wall_seconds, cpu_seconds) / 3600 as paid_cpu_hours,
		coalesce(requested_memory_mib, peak_memory_mib) / 1024 * wall_seconds / 3600 as paid_gib_hours
	from runs join totals using (run)
	where counted_in is null
)
select job, "user", count(*) as runs, sum(hours) as hours, sum(cpu_hours) as cpu_hours,
	sum(paid_cpu_hours * cpu_hour + paid_gib_hours * gib_hour) as cost
from bills cross join price
group by job, "user"
order by cost desc, job, "user"
limit 20;
