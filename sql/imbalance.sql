-- Jobs of several ranks, the worst balanced first: the largest CPU time of a rank divided by the mean, the longest
-- duration divided by the mean, and the number of ranks without a run.
select "group", max(job) as job, count(*) as members, count(distinct host) as hosts,
	max(member_of) - count(distinct member_rank) as missing_ranks,
	sum(case when status = 'killed' then 1 else 0 end) as killed,
	max(cpu_seconds) / nullif(avg(cpu_seconds), 0) as cpu_imbalance,
	max(wall_seconds) / nullif(avg(wall_seconds), 0) as time_imbalance
from runs join totals using (run)
where "group" is not null
group by "group"
order by cpu_imbalance desc, "group"
limit 20;
