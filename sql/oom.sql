-- Runs that were killed for lack of memory, by job: how often, how lately, and what they had.
select job, count(*) as kills, max(start_time) as latest, max(peak_memory_mib) as largest_peak_mib,
	max(coalesce(limits_memory_mib, requested_memory_mib)) as largest_limit_mib
from runs join totals using (run)
where killed_by = 'oom' or limits_reached = 'memory'
group by job
order by kills desc, job
limit 20;
