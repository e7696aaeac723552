-- Cost by job and user. Change the prices in the first line. A run is charged for its request, or for its use if it
-- requested nothing. The script, steps and ranks of a job on one host share one request. It is charged once: under the
-- name of the first of them, for the duration of the longest.
with price as (select 0.04 as cpu_hour, 0.005 as gib_hour),
parts as (
	select "user", host, coalesce(allocation, "run") as share, wall_seconds, cpu_seconds, peak_memory_mib,
		requested_memory_mib, requested_cpu,
		first_value(job) over (partition by coalesce(allocation, "run"), host order by start_time, "run") as first_job
	from runs join totals using (run)
	where counted_in is null
),
bills as (
	select first_job, "user", share, host, count(*) as share_runs, sum(wall_seconds) / 3600 as run_hours,
		coalesce(max(requested_cpu) * max(wall_seconds), sum(cpu_seconds)) / 3600 as paid_cpu_hours,
		coalesce(max(requested_memory_mib) * max(wall_seconds), sum(peak_memory_mib * wall_seconds)) / 1024 / 3600
			as paid_gib_hours,
		sum(cpu_seconds) / 3600 as used_cpu_hours
	from parts
	group by first_job, "user", share, host
)
select first_job as job, "user", cast(sum(share_runs) as bigint) as runs, sum(run_hours) as hours, sum(used_cpu_hours) as cpu_hours,
	sum(paid_cpu_hours * cpu_hour + paid_gib_hours * gib_hour) as cost
from bills cross join price
group by job, "user"
order by cost desc, job, "user"
limit 20;
