-- Runs in which a process was killed because memory ran out, the latest first. The evidence is the kernel's count of
-- out-of-memory kills, or --max-memory. If the control group was removed, and the count with it, a kill counts if the
-- peak was at least four fifths of the limit. `kills` counts processes. The status is finished if the script went on.
with counted as (
	select run, sum(cgroup_oom_kills) as kernel_kills, max(cgroup_memory_limit_mib) as group_limit_mib
	from system
	group by run
),
ended as (
	select run, sum(case when exit_signal = 9 or exact = 0 then 1 else 0 end) as killed
	from exit
	group by run
),
deaths as (
	select job, run, "user", host, start_time, status, killed_by, peak_memory_mib,
		coalesce(limits_memory_mib, nullif(least(coalesce(group_limit_mib, 1e12), coalesce(requested_memory_mib, 1e12),
			coalesce(server_memory_mib, 1e12)), 1e12)) as limit_mib,
		case when killed_by = 'oom' or limits_reached = 'memory' then 1 else 0 end as told,
		least(coalesce(kernel_kills, 0), coalesce(killed, 0)) as seen,
		case when status = 'killed' and killed_by is null and exit_code is null then 1 else 0 end as silent
	from runs join totals using (run) left join counted using (run) left join ended using (run)
)
select job, run, "user", host, start_time as latest, status, greatest(told, seen, silent) as kills,
	peak_memory_mib as largest_peak_mib, limit_mib as largest_limit_mib
from deaths
where told > 0 or seen > 0 or (silent > 0 and peak_memory_mib >= 0.8 * limit_mib)
order by latest desc, run
limit 100;
