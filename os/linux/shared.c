/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the shared memory of a process, for process_read_shared. Reads RssShmem in /proc/PID/status, and
 * /proc/PID/maps. */
#include "os/process.h"

#include "os/file.h"
#include "os/linux/proc.h"

enum { MAPPINGS_MAX = 10000, KIB = 1024 };

static void name_object(struct process_shared *shared, const struct mapping *mapping)
{
	struct buffer out = BUFFER(shared->object);

	out.capacity--;
	buffer_text(&out, mapping->device);
	buffer_byte(&out, ' ');
	buffer_text(&out, mapping->inode);
	shared->object[out.length] = '\0';
}

/* RssShmem is the resident part of all shared mappings. If it is larger than all mappings except the largest together,
 * the difference must belong to the largest mapping. */
void process_read_shared(int pid, struct process_shared *shared)
{
	enum { LEAST_KIB = 16384 };
	char text[PROC_TEXT_MAX * 2];
	struct mappings mappings;
	struct mapping mapping;
	uint64_t resident = proc_read_status(pid, "RssShmem:"), all = 0, largest = 0;
	bool more = resident >= LEAST_KIB;

	*shared = (struct process_shared){0};
	if (!more)
		return;
	proc_open_mappings(&mappings, pid, BUFFER(text));
	for (int i = 0; i < MAPPINGS_MAX && (more = proc_next_mapping(&mappings, &mapping)); i++) {
		uint64_t kib = (mapping.to - mapping.from) / KIB;
		all += mapping.shared ? kib : 0;
		if (!mapping.shared || kib <= largest)
			continue;
		largest = kib;
		shared->size_kib = mapping.offset / KIB + kib;
		name_object(shared, &mapping);
	}
	os_close(mappings.file);
	if (!more)
		shared->kib = figures_above(resident, all - largest);
	if (shared->kib > largest)
		shared->kib = largest;
}
