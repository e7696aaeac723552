/* SPDX-License-Identifier: Apache-2.0 */
/* Structures of the macOS kernel. They are declared here so that the code which reads them can be compiled and tested
 * on any system.
 *
 * The layouts are those of Apple's headers, which are stable for existing binaries: sys/proc_info.h, sys/resource.h,
 * sys/sysctl.h, sys/proc.h, mach/vm_statistics.h, net/if.h and net/if_var.h. abi.c compares each layout with these
 * headers. */
#ifndef RTRACK_OS_DARWIN_ABI_H
#define RTRACK_OS_DARWIN_ABI_H

#include <stdint.h>

/* struct proc_taskinfo from proc_pidinfo(PROC_PIDTASKINFO); times are in units of mach_timebase_info. */
struct darwin_task {
	uint64_t virtual_size;
	uint64_t resident_size;
	uint64_t total_user;
	uint64_t total_system;
	uint64_t threads_user;
	uint64_t threads_system;
	int32_t policy;
	int32_t faults;
	int32_t pageins;
	int32_t cow_faults;
	int32_t messages_sent;
	int32_t messages_received;
	int32_t syscalls_mach;
	int32_t syscalls_unix;
	int32_t switches;
	int32_t threads;
	int32_t running;
	int32_t priority;
};

/* struct rusage_info_v6 from proc_pid_rusage(RUSAGE_INFO_V6) of macOS 13. Times are in units of mach_timebase_info, and
 * sizes in bytes. Older kernels fill only the beginning, up to runnable_time, which is struct rusage_info_v4.
 * billed_energy is the energy that other processes used on behalf of this one. */
enum { DARWIN_RUSAGE_10_13 = 4, DARWIN_RUSAGE_13 = 6 }; /* values of RUSAGE_INFO_V4 and RUSAGE_INFO_V6 */
struct darwin_rusage {
	uint8_t uuid[16];
	uint64_t user_time;
	uint64_t system_time;
	uint64_t idle_wakeups;
	uint64_t interrupt_wakeups;
	uint64_t pageins;
	uint64_t wired_size;
	uint64_t resident_size;
	uint64_t footprint;
	uint64_t start_time;
	uint64_t exit_time;
	uint64_t child_user_time;
	uint64_t child_system_time;
	uint64_t child_idle_wakeups;
	uint64_t child_interrupt_wakeups;
	uint64_t child_pageins;
	uint64_t child_elapsed_time;
	uint64_t disk_read;
	uint64_t disk_written;
	uint64_t time_by_class[7];
	uint64_t billed_system_time;
	uint64_t serviced_system_time;
	uint64_t logical_writes;
	uint64_t peak_footprint;
	uint64_t instructions;
	uint64_t cycles;
	uint64_t billed_energy; /* nJ */
	uint64_t serviced_energy;
	uint64_t interval_peak_footprint;
	uint64_t runnable_time;
	uint64_t flags;
	uint64_t fast_user_time; /* this and the next three fields: usage of the performance cores */
	uint64_t fast_system_time;
	uint64_t fast_instructions;
	uint64_t fast_cycles;
	uint64_t energy; /* in nJ; 0 if the processor does not report it */
	uint64_t fast_energy;
	uint64_t unused[14];
};

/* struct kinfo_proc from sysctl(KERN_PROC). Only fields that rtrack reads have names. */
enum { DARWIN_NAME_MAX = 17, DARWIN_NO_CHILD_WAIT = 0x40000000 /* P_NOCLDWAIT */ };
enum { DARWIN_RUNS = 2, DARWIN_SLEEPS = 3, DARWIN_STOPPED = 4, DARWIN_ZOMBIE = 5 }; /* SRUN … SZOMB */
struct darwin_process {
	int64_t start_s; /* start time since the epoch, in seconds and microseconds */
	int32_t start_us;
	char unused_1[20];
	int32_t flags;
	char state;
	char unused_2[3];
	int32_t pid;
	char unused_3[188];
	uint32_t ignored; /* mask of ignored signals; bit N-1 is signal N */
	char unused_4[7];
	char name[DARWIN_NAME_MAX];
	char unused_5[20];
	uint16_t wait_status;
	char unused_6[138];
	uint32_t user; /* effective user */
	char unused_7[136];
	int32_t parent;
	char unused_8[84];
};

/* struct vm_statistics64 from host_statistics64(HOST_VM_INFO64), in pages. */
struct darwin_memory {
	uint32_t free;
	uint32_t active;
	uint32_t inactive;
	uint32_t wired;
	uint64_t unused_1[9];
	uint32_t purgeable;
	uint32_t speculative; /* also included in `free` */
	uint64_t decompressions;
	uint64_t compressions;
	uint64_t swapins;
	uint64_t swapouts;
	uint32_t compressor;
	uint32_t throttled;
	uint32_t external; /* file-backed pages */
	uint32_t internal; /* anonymous pages */
	uint64_t uncompressed;
};

/* struct xsw_usage from sysctl(vm.swapusage), in bytes. */
struct darwin_swap {
	uint64_t total;
	uint64_t available;
	uint64_t used;
	uint32_t page_size;
	uint32_t encrypted;
};

/* Indices of cpu_ticks in host_statistics(HOST_CPU_LOAD_INFO): 100 ticks per second, wrapping at 2^32. */
enum { DARWIN_TICKS_USER, DARWIN_TICKS_SYSTEM, DARWIN_TICKS_IDLE, DARWIN_TICKS_NICE, DARWIN_TICKS };

/* struct if_msghdr2 from sysctl(NET_RT_IFLIST2), packed to 4 bytes. The result also contains messages of other types.
 * Every message begins with its length. */
enum { DARWIN_INTERFACE = 0x12 /* RTM_IFINFO2 */, DARWIN_LOOPBACK = 0x8 /* IFF_LOOPBACK */ };
#pragma pack(push, 4)
struct darwin_interface {
	uint16_t length;
	uint8_t version;
	uint8_t type;
	int32_t addresses;
	int32_t flags;
	uint16_t index;
	uint16_t unused_1;
	int32_t send_queue[3];
	int32_t timer;
	uint8_t unused_2[8];
	uint32_t unused_3[2];
	uint64_t unused_4[6];
	uint64_t received_bytes;
	uint64_t sent_bytes;
	uint64_t unused_5[4];
	uint32_t unused_6[4];
};
#pragma pack(pop)

#endif
