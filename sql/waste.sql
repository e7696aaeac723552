-- Requested but unused resources by job and user, the most memory first. The used memory is the peak of the run. A run
-- that used more than it requested wasted nothing. The script, steps and ranks of a job on one host share one request.
-- It counts once: under the name of the first of them, for the duration of the longest.
with parts as (
	select "run", "user", host, coalesce(allocation, "run") as share, wall_seconds, cpu_seconds, peak_memory_mib,
		requested_memory_mib, requested_cpu,
		first_value(job) over (partition by coalesce(allocation, "run"), host order by start_time, "run") as first_job
	from runs join totals using (run)
	where counted_in is null and (requested_memory_mib is not null or requested_cpu is not null)
),
shares as (
	select first_job, "user", share, host, count(*) as share_runs,
		max(requested_memory_mib) / 1024 * max(wall_seconds) / 3600 as asked_gib,
		sum(peak_memory_mib / 1024 * wall_seconds) / 3600 as used_gib,
		max(requested_cpu) * max(wall_seconds) / 3600 as asked_cpu,
		sum(cpu_seconds) / 3600 as used_cpu
	from parts
	group by first_job, "user", share, host
)
select first_job as job, "user", cast(sum(share_runs) as bigint) as runs, sum(asked_gib) as asked_gib_hours,
	sum(case when used_gib >= asked_gib then 0 else asked_gib - used_gib end) as unused_gib_hours,
	sum(asked_cpu) as asked_cpu_hours,
	sum(case when used_cpu >= asked_cpu then 0 else asked_cpu - used_cpu end) as unused_cpu_hours
from shares
group by job, "user"
order by unused_gib_hours desc, unused_cpu_hours desc, job, "user"
limit 20;
