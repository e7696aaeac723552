/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the results of calls.h. */
#include "os/darwin/parse.h"

#include "core/number.h"

#define MICROSECONDS 1000000u
#define BYTES_PER_MIB 1048576.0

/* The division comes first, because the product could overflow. */
uint64_t parse_units_ns(struct darwin_timebase base, uint64_t units)
{
	if (base.units == 0)
		return units;
	return units / base.units * base.nanoseconds + units % base.units * base.nanoseconds / base.units;
}

uint64_t parse_start(const struct darwin_process *process)
{
	return process->start_s <= 0 ? 0 : (uint64_t)process->start_s * MICROSECONDS + (uint64_t)process->start_us;
}

static char state_letter(char state)
{
	switch (state) {
	case DARWIN_RUNS:
		return 'R';
	case DARWIN_STOPPED:
		return 'T';
	case DARWIN_ZOMBIE:
		return 'Z';
	default:
		return 'S';
	}
}

/* Returns whether a process has the name of a keeper, which is a process that hosts only a sampler. */
static bool is_tracker_name(const char name[DARWIN_NAME_MAX])
{
	return text_is(text_of(name), "rtrack-keeper");
}

void parse_process(const struct darwin_process *process, struct process_reading *reading)
{
	enum { CHILD_ENDED = 20 }; /* SIGCHLD on macOS */
	char name[DARWIN_NAME_MAX];

	for (size_t i = 0; i < sizeof name; i++)
		name[i] = process->name[i];
	name[sizeof name - 1] = '\0';
	*reading = (struct process_reading){
		.id = {process->pid, parse_start(process)},
		.ppid = process->parent,
		.state = state_letter(process->state),
		.wait_status = process->state == DARWIN_ZOMBIE ? process->wait_status : 0,
		.is_tracker = is_tracker_name(name),
		.ignores_children = (process->ignored >> (CHILD_ENDED - 1) & 1) != 0 ||
				    (process->flags & DARWIN_NO_CHILD_WAIT) != 0,
	};
	for (size_t i = 0; i + 1 < sizeof reading->name && i < sizeof name; i++)
		reading->name[i] = name[i];
	for (int i = 0; i < GAUGE_COUNT; i++)
		reading->gauge[i] = GAUGE_UNKNOWN;
	reading->gauge[GAUGE_RSS_KIB] = 0;
	reading->gauge[GAUGE_THREADS] = 0;
}

/* macOS adds no disk I/O of ended children to the parent. Tracked children record their disk I/O themselves. */
void parse_rusage(const struct darwin_rusage *rusage, struct darwin_timebase base, struct process_reading *reading)
{
	uint64_t *own = reading->own;
	uint64_t *inclusive = reading->inclusive;

	own[COUNTER_USER_NS] = parse_units_ns(base, rusage->user_time);
	own[COUNTER_SYSTEM_NS] = parse_units_ns(base, rusage->system_time);
	own[COUNTER_DISK_READ] = rusage->disk_read;
	own[COUNTER_DISK_WRITE] = rusage->disk_written;
	own[COUNTER_MAJOR_FAULTS] = rusage->pageins;
	for (int i = 0; i < COUNTER_COUNT; i++)
		inclusive[i] = own[i];
	inclusive[COUNTER_USER_NS] += parse_units_ns(base, rusage->child_user_time);
	inclusive[COUNTER_SYSTEM_NS] += parse_units_ns(base, rusage->child_system_time);
	inclusive[COUNTER_MAJOR_FAULTS] += rusage->child_pageins;
	reading->has_reaped = rusage->child_elapsed_time > 0;
	reading->energy_nj = (int64_t)rusage->energy;
	reading->cpu_ns = own[COUNTER_USER_NS] + own[COUNTER_SYSTEM_NS];
	reading->gauge[GAUGE_RSS_KIB] = rusage->resident_size / 1024;
}

/* Returns the string at *at, including its NUL if present. */
static struct text take_string(struct text data, size_t *at)
{
	size_t end = text_find(data, '\0', *at);
	struct text string = {data.data + *at, (end < data.length ? end + 1 : end) - *at};
	*at += string.length;
	return string;
}

/* Returns `count` strings, or, if `counted` is false, all strings before the first empty one. */
static struct text take_strings(struct text data, size_t *at, uint64_t count, bool counted)
{
	struct text strings = {data.data + *at, 0};

	for (uint64_t i = 0; *at < data.length && (!counted || i < count); i++) {
		if (!counted && data.data[*at] == '\0')
			break;
		strings.length += take_string(data, at).length;
	}
	return strings;
}

int parse_arguments(struct text data, struct parse_arguments *parts)
{
	uint32_t count = 0;
	size_t at = sizeof count;

	if (data.length < sizeof count)
		return OS_ERROR_NO_DATA;
	for (size_t i = 0; i < sizeof count; i++) /* Both processors that macOS supports are little-endian. */
		count |= (uint32_t)(unsigned char)data.data[i] << 8 * i;
	parts->path = take_string(data, &at);
	if (parts->path.length > 0 && parts->path.data[parts->path.length - 1] == '\0')
		parts->path.length--;
	while (at < data.length && data.data[at] == '\0')
		at++;
	parts->arguments = take_strings(data, &at, count, true);
	parts->environment = take_strings(data, &at, 0, false);
	return 0;
}

void parse_interfaces(struct text data, uint64_t bytes[2])
{
	bytes[0] = bytes[1] = 0;
	for (size_t at = 0; at + 4 <= data.length;) {
		struct darwin_interface message;
		size_t length = (size_t)(unsigned char)data.data[at] | (size_t)(unsigned char)data.data[at + 1] << 8;
		if (length < 4 || length > data.length - at)
			return;
		if (data.data[at + 3] == DARWIN_INTERFACE && length >= sizeof message) {
			for (size_t i = 0; i < sizeof message; i++)
				((char *)&message)[i] = data.data[at + i];
			if (!(message.flags & DARWIN_LOOPBACK)) {
				bytes[0] += message.received_bytes;
				bytes[1] += message.sent_bytes;
			}
		}
		at += length;
	}
}

void parse_memory(
	const struct darwin_memory *memory, uint64_t page_bytes, uint64_t total_bytes, struct parse_memory *figures)
{
	double page_mib = (double)page_bytes / BYTES_PER_MIB;
	double total_mib = (double)total_bytes / BYTES_PER_MIB;
	uint64_t free = memory->free > memory->speculative ? memory->free - memory->speculative : 0;
	uint64_t anonymous = memory->internal > memory->purgeable ? memory->internal - memory->purgeable : 0;

	*figures = (struct parse_memory){
		.free = (double)free * page_mib,
		.used = (double)(anonymous + memory->wired + memory->compressor) * page_mib,
		.cached = (double)((uint64_t)memory->external + memory->purgeable) * page_mib,
		.active = (double)memory->active * page_mib,
		.inactive = (double)memory->inactive * page_mib,
	};
	if (figures->used > total_mib)
		figures->used = total_mib;
	figures->available = total_mib - figures->used;
}

int parse_disk(const char *device)
{
	static const char prefix[] = "/dev/disk";
	struct text text = text_of(device);
	int number = 0;
	size_t at = sizeof prefix - 1;

	if (!text_starts(text, prefix) || text.length == at)
		return -1;
	for (; at < text.length && text.data[at] >= '0' && text.data[at] <= '9' && number < 10000; at++)
		number = number * 10 + (text.data[at] - '0');
	return at > sizeof prefix - 1 && (at == text.length || text.data[at] == 's') ? number : -1;
}
