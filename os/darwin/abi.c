/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the layouts of abi.h against Apple's headers. */
#include "os/darwin/abi.h"

#include <mach/host_info.h>
#include <mach/vm_statistics.h>
#include <net/if.h>
#include <net/if_var.h>
#include <net/route.h>
#include <stddef.h>
#include <sys/proc.h>
#include <sys/proc_info.h>
#include <sys/resource.h>
#include <sys/sysctl.h>
#include <sys/types.h>

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs)
#define SAME_PLACE(ours, field, theirs, member)                                                                        \
	_Static_assert(offsetof(ours, field) == offsetof(theirs, member) &&                                            \
			       sizeof(((ours *)0)->field) == sizeof(((theirs *)0)->member),                            \
		#theirs ", " #member)

#define TASK(field, member) SAME_PLACE(struct darwin_task, field, struct proc_taskinfo, member)
SAME_SIZE(struct darwin_task, struct proc_taskinfo);
TASK(resident_size, pti_resident_size);
TASK(total_user, pti_total_user);
TASK(total_system, pti_total_system);
TASK(faults, pti_faults);
TASK(pageins, pti_pageins);
TASK(switches, pti_csw);
TASK(threads, pti_threadnum);

#define RUSAGE(field, member)                                                                                          \
	SAME_PLACE(struct darwin_rusage, field, struct rusage_info_v4, member);                                        \
	SAME_PLACE(struct darwin_rusage, field, struct rusage_info_v6, member)
_Static_assert(offsetof(struct darwin_rusage, flags) == sizeof(struct rusage_info_v4), "struct rusage_info_v4");
SAME_SIZE(struct darwin_rusage, struct rusage_info_v6);
SAME_PLACE(struct darwin_rusage, energy, struct rusage_info_v6, ri_energy_nj);
_Static_assert((int)DARWIN_RUSAGE_10_13 == RUSAGE_INFO_V4 && (int)DARWIN_RUSAGE_13 == RUSAGE_INFO_V6, "RUSAGE_INFO_V6");
RUSAGE(user_time, ri_user_time);
RUSAGE(system_time, ri_system_time);
RUSAGE(pageins, ri_pageins);
RUSAGE(resident_size, ri_resident_size);
RUSAGE(footprint, ri_phys_footprint);
RUSAGE(child_user_time, ri_child_user_time);
RUSAGE(child_system_time, ri_child_system_time);
RUSAGE(child_pageins, ri_child_pageins);
RUSAGE(child_elapsed_time, ri_child_elapsed_abstime);
RUSAGE(disk_read, ri_diskio_bytesread);
RUSAGE(disk_written, ri_diskio_byteswritten);
RUSAGE(peak_footprint, ri_lifetime_max_phys_footprint);

#define PROCESS(field, member) SAME_PLACE(struct darwin_process, field, struct kinfo_proc, member)
SAME_SIZE(struct darwin_process, struct kinfo_proc);
PROCESS(start_s, kp_proc.p_starttime.tv_sec);
PROCESS(start_us, kp_proc.p_starttime.tv_usec);
PROCESS(flags, kp_proc.p_flag);
PROCESS(state, kp_proc.p_stat);
PROCESS(pid, kp_proc.p_pid);
PROCESS(ignored, kp_proc.p_sigignore);
PROCESS(name, kp_proc.p_comm);
PROCESS(wait_status, kp_proc.p_xstat);
PROCESS(user, kp_eproc.e_ucred.cr_uid);
PROCESS(parent, kp_eproc.e_ppid);
_Static_assert(DARWIN_NO_CHILD_WAIT == P_NOCLDWAIT, "p_flag of sys/proc.h");
_Static_assert(DARWIN_RUNS == SRUN && DARWIN_SLEEPS == SSLEEP && DARWIN_STOPPED == SSTOP && DARWIN_ZOMBIE == SZOMB,
	"p_stat of sys/proc.h");

#define MEMORY(field, member) SAME_PLACE(struct darwin_memory, field, struct vm_statistics64, member)
SAME_SIZE(struct darwin_memory, struct vm_statistics64);
MEMORY(free, free_count);
MEMORY(active, active_count);
MEMORY(inactive, inactive_count);
MEMORY(wired, wire_count);
MEMORY(purgeable, purgeable_count);
MEMORY(speculative, speculative_count);
MEMORY(compressor, compressor_page_count);
MEMORY(external, external_page_count);
MEMORY(internal, internal_page_count);

SAME_SIZE(struct darwin_swap, struct xsw_usage);
SAME_PLACE(struct darwin_swap, used, struct xsw_usage, xsu_used);

#define INTERFACE(field, member) SAME_PLACE(struct darwin_interface, field, struct if_msghdr2, member)
SAME_SIZE(struct darwin_interface, struct if_msghdr2);
INTERFACE(length, ifm_msglen);
INTERFACE(type, ifm_type);
INTERFACE(flags, ifm_flags);
INTERFACE(received_bytes, ifm_data.ifi_ibytes);
INTERFACE(sent_bytes, ifm_data.ifi_obytes);
_Static_assert(DARWIN_INTERFACE == RTM_IFINFO2 && DARWIN_LOOPBACK == IFF_LOOPBACK, "net/if.h, net/route.h");
_Static_assert(DARWIN_TICKS == CPU_STATE_MAX && DARWIN_TICKS_USER == CPU_STATE_USER &&
		       DARWIN_TICKS_SYSTEM == CPU_STATE_SYSTEM && DARWIN_TICKS_IDLE == CPU_STATE_IDLE &&
		       DARWIN_TICKS_NICE == CPU_STATE_NICE,
	"cpu_ticks of mach/host_info.h");
