-- What was asked for and not used, by job and user, the most memory first. Memory counts with the run's peak. A run that
-- used more than it asked for wasted nothing. Each rank of a group counts with the request of its whole machine; where
-- there are any, "rtrack-report waste" counts that once.
select job, "user", count(*) as runs,
	sum(requested_memory_mib / 1024 * wall_seconds / 3600) as asked_gib_hours,
	sum(case when peak_memory_mib >= requested_memory_mib then 0
		else (requested_memory_mib - peak_memory_mib) / 1024 * wall_seconds / 3600 end) as unused_gib_hours,
	sum(requested_cpu * wall_seconds / 3600) as asked_cpu_hours,
	sum(case when cpu_seconds >= requested_cpu * wall_seconds then 0
		else (requested_cpu * wall_seconds - cpu_seconds) / 3600 end) as unused_cpu_hours
from runs join totals using (run)
where counted_in is null and (requested_memory_mib is not null or requested_cpu is not null)
group by job, "user"
order by unused_gib_hours desc, unused_cpu_hours desc, job, "user"
limit 20;
