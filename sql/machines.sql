-- Machines by CPU usage: the CPU time of their jobs divided by the CPU time that was available while the jobs ran.
select host, max(server_cpu_model) as cpu_model, max(server_vcpus) as cpus, count(*) as runs,
	sum(cpu_seconds) / 3600 as cpu_hours, sum(cpu_seconds) / nullif(sum(wall_seconds * server_vcpus), 0) as use_of_cpus,
	max(peak_memory_mib / server_memory_mib) as most_memory_used
from runs join totals using (run)
where counted_in is null
group by host
order by cpu_hours desc, host
limit 20;
