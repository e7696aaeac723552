/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the private memory of a process from a sample of its pages.
 *
 * smaps_rollup walks all page tables of a process, and the threads of the process cannot map memory meanwhile. pagemap
 * walks only the requested range, and reports for each page whether only one process maps it. pagemap is therefore read
 * in parts of 512 pages. For a large process, only a sample of the parts is read, and the result is extrapolated. */
#include "os/process.h"

#include "os/file.h"
#include "os/linux/proc.h"

enum {
	PART_PAGES = 512,
	PARTS_MAX = 1024,   /* maximum number of parts to read, which takes about 20 ms if all pages are present */
	SAMPLE_KIB = 65536, /* size of the sample of a large process, which takes about 1 ms to read */
	MAPPINGS_MAX = 10000
};
/* Bits of an entry of /proc/PID/pagemap (Documentation/admin-guide/mm/pagemap.rst). */
#define ENTRY_PRESENT (1ull << 63)
#define ENTRY_EXCLUSIVE (1ull << 56)

struct count {
	int pagemap;
	unsigned parts;
	uint64_t step;  /* every `step`-th part is read */
	uint64_t first; /* index of the first part to read, which depends on the pid */
	uint64_t present;
	uint64_t own;
};

static void count_part(struct count *count, uint64_t from, uint64_t to)
{
	uint64_t entries[PART_PAGES];
	int64_t length =
		os_read_at(count->pagemap, (char *)entries, (to - from) * sizeof *entries, from * sizeof *entries);

	for (int64_t i = 0; i < length / (int64_t)sizeof *entries; i++) {
		count->present += (entries[i] & ENTRY_PRESENT) != 0;
		count->own += (entries[i] & ENTRY_PRESENT) && (entries[i] & ENTRY_EXCLUSIVE);
	}
	count->parts++;
}

/* Reads those parts of a mapping that belong to the sample. `from` and `to` are page numbers. */
static void count_mapping(struct count *count, uint64_t from, uint64_t to)
{
	uint64_t part = from / PART_PAGES;

	part += (count->first + count->step - part % count->step) % count->step;
	for (; part * PART_PAGES < to && count->parts < PARTS_MAX; part += count->step) {
		uint64_t begin = part * PART_PAGES, end = begin + PART_PAGES;
		count_part(count, begin > from ? begin : from, end < to ? end : to);
	}
}

/* Reads the sample of all mappings. Inaccessible mappings (---p) are skipped, because they have no pages. */
static void count_mappings(struct count *count, int pid)
{
	uint64_t page = proc_page_kib() * 1024;
	char data[4096];
	struct mappings mappings;
	struct mapping mapping;

	proc_open_mappings(&mappings, pid, buffer_over(data, sizeof data));
	for (int i = 0; i < MAPPINGS_MAX && proc_next_mapping(&mappings, &mapping); i++)
		if (mapping.touchable)
			count_mapping(count, mapping.from / page, mapping.to / page);
	os_close(mappings.file);
}

uint64_t process_count_own_kib(int pid, uint64_t rss_kib)
{
	char path[64];
	struct buffer out = BUFFER(path);
	struct count count = {.step = 1 + rss_kib / SAMPLE_KIB};
	count.first = (uint64_t)pid % count.step;
	count.pagemap = os_open(OS_HERE, proc_path(&out, pid, "pagemap"));
	if (count.pagemap >= 0)
		count_mappings(&count, pid);
	os_close(count.pagemap);
	/* Too few pages are present if the process has called exec since `rss_kib` was read. */
	if (count.present == 0 || count.present * count.step * proc_page_kib() < rss_kib / 2)
		return UINT64_MAX;
	return (uint64_t)((double)rss_kib * ((double)count.own / (double)count.present));
}
