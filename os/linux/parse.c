/* SPDX-License-Identifier: Apache-2.0 */
/* Parsers of texts in /proc and /sys. */
#include "os/linux/parse.h"

#include "core/number.h"
#include "core/pattern.h"

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

struct text parse_word(struct text text, size_t *at)
{
	size_t start = *at;
	while (start < text.length && is_blank(text.data[start]))
		start++;
	size_t end = start;
	while (end < text.length && !is_blank(text.data[end]) && text.data[end] != '\n')
		end++;
	*at = end;
	return (struct text){text.data + start, end - start};
}

bool parse_line(struct text text, size_t *at, struct text *line)
{
	if (*at >= text.length)
		return false;
	size_t end = text_find(text, '\n', *at);
	*line = (struct text){text.data + *at, end - *at};
	*at = end + 1;
	return true;
}

/* Parses the next word as an unsigned number. Returns 0 if the word is not a number. */
static uint64_t next_number(struct text text, size_t *at)
{
	uint64_t value = 0;
	(void)number_read_unsigned(parse_word(text, at), &value);
	return value;
}

int parse_stat(struct text text, struct stat_fields *fields)
{
	size_t at = text.length;
	while (at > 0 && text.data[at - 1] != ')')
		at--;
	if (at == 0)
		return -1;
	struct text name = {text.data, at}; /* The name follows the pid and is in parentheses. */
	size_t begin = text_find(name, '(', 0) + 1;
	struct text state = parse_word(text, &at);
	if (state.length != 1)
		return -1;
	/* Fields are numbered from 1 in proc(5); the state is field 3. */
	enum {
		FIRST = 4,
		PPID = 4,
		PGRP = 5,
		MINFLT = 10,
		CMINFLT = 11,
		MAJFLT = 12,
		CMAJFLT = 13,
		UTIME = 14,
		STIME = 15,
		CUTIME = 16,
		CSTIME = 17,
		THREADS = 20,
		STARTTIME = 22,
		RSS = 24,
		STARTCODE = 26,
		STARTSTACK = 28,
		SIGIGNORE = 33,
		EXIT_CODE = 52,
		LAST = EXIT_CODE
	};
	uint64_t values[LAST + 1] = {0};
	for (int field = FIRST; field <= LAST; field++) {
		struct text word = parse_word(text, &at);
		if (word.length == 0 && field <= RSS)
			return -1;
		/* If this fails, the value stays 0. Only fields that are not used can be negative, such as tpgid. */
		(void)number_read_unsigned(word, &values[field]);
	}
	if (values[PPID] == 0 && values[THREADS] == 0)
		return -1;
	/* A zombie has state X (dead) while its parent reaps it. The state can last if the parent waits for a CPU. */
	*fields = (struct stat_fields){
		.state = state.data[0] == 'X' ? 'Z' : state.data[0],
		.is_tracker = text_ends(name, "(rtrack-gpu)") || text_ends(name, "(rtrack-sampler)") ||
			      text_ends(name, "(librtrack.so)"),
		.ppid = (int)values[PPID],
		.group = (int)values[PGRP],
		.minor_faults = values[MINFLT],
		.children_minor_faults = values[CMINFLT],
		.major_faults = values[MAJFLT],
		.children_major_faults = values[CMAJFLT],
		.utime = values[UTIME],
		.stime = values[STIME],
		.children_utime = values[CUTIME],
		.children_stime = values[CSTIME],
		.threads = (uint32_t)values[THREADS],
		.start_ticks = values[STARTTIME],
		.rss_pages = values[RSS],
		.start_code = values[STARTCODE],
		.start_stack = values[STARTSTACK],
		.ignored = values[SIGIGNORE],
		.wait_status = (uint32_t)values[EXIT_CODE],
	};
	for (size_t i = 0; begin + i + 1 < name.length && i + 1 < sizeof fields->name; i++)
		fields->name[i] = name.data[begin + i];
	return 0;
}

int64_t parse_ahead(struct text text)
{
	const double most = 9e9; /* maximum in seconds: above the kernel's own limit, and below 2^63 ns */
	struct text line;
	double seconds = 0;
	uint64_t nanoseconds = 0;

	for (size_t at = 0; parse_line(text, &at, &line);) {
		size_t behind = 0;
		if (!text_is(parse_word(line, &behind), "boottime"))
			continue;
		(void)number_read(parse_word(line, &behind), &seconds);
		nanoseconds = next_number(line, &behind);
	}
	if (!(seconds > -most && seconds < most && nanoseconds < 1000000000))
		return 0;
	return (int64_t)seconds * 1000000000 + (int64_t)nanoseconds;
}

void parse_values(struct text text, parse_key *keys, size_t count, uint64_t *values)
{
	struct text line;
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		found += keys[i][0] == '\0';
	for (size_t at = 0; found < count && parse_line(text, &at, &line);) {
		for (size_t i = 0; i < count; i++) {
			if (line.length == 0 || line.data[0] != keys[i][0] || !text_starts(line, keys[i]))
				continue;
			size_t behind = text_length(keys[i]);
			(void)number_read_unsigned(parse_word(line, &behind), &values[i]);
			found++;
		}
	}
}

int parse_value(struct text text, const char *key, uint64_t *value)
{
	struct text line;
	for (size_t at = 0; parse_line(text, &at, &line);) {
		if (text_starts(line, key)) {
			size_t behind = text_length(key);
			return number_read_unsigned(parse_word(line, &behind), value);
		}
	}
	return -1;
}

int parse_cpu_line(struct text text, uint64_t ticks[CPU_FIELDS])
{
	size_t at = 4;
	int count = 0;

	if (!text_starts(text, "cpu "))
		return -1;
	while (count < CPU_FIELDS && number_read_unsigned(parse_word(text, &at), &ticks[count]) == 0)
		count++;
	return count;
}

void parse_net_dev(struct text text, uint64_t bytes[2])
{
	struct text line;
	bytes[0] = bytes[1] = 0;
	for (size_t start = 0; parse_line(text, &start, &line);) {
		size_t colon = text_find(line, ':', 0);
		size_t at = 0;
		struct text name = parse_word((struct text){line.data, colon}, &at);
		if (colon == line.length || text_is(name, "lo"))
			continue;
		at = colon + 1;
		bytes[0] += next_number(line, &at);
		for (int skipped = 0; skipped < 7; skipped++) /* skips the seven other figures of received packets */
			(void)parse_word(line, &at);
		bytes[1] += next_number(line, &at);
	}
}

int parse_pressure(struct text text, uint64_t *total_us)
{
	struct text line;
	for (size_t start = 0; parse_line(text, &start, &line);) {
		if (!text_starts(line, "some "))
			continue;
		for (size_t at = 0;;) {
			struct text word = parse_word(line, &at);
			if (word.length == 0)
				return -1;
			if (text_starts(word, "total="))
				return number_read_unsigned((struct text){word.data + 6, word.length - 6}, total_us);
		}
	}
	return -1;
}

unsigned parse_cpu_list(struct text text)
{
	unsigned count = 0;
	while (text.length > 0 && (text.data[text.length - 1] == '\n' || text.data[text.length - 1] == '\0'))
		text.length--;
	for (size_t start = 0; start < text.length;) {
		size_t end = text_find(text, ',', start);
		struct text range = {text.data + start, end - start};
		size_t dash = text_find(range, '-', 0);
		uint64_t first;
		uint64_t last;
		if (number_read_unsigned((struct text){range.data, dash}, &first) == 0) {
			last = first;
			if (dash < range.length)
				(void)number_read_unsigned(
					(struct text){range.data + dash + 1, range.length - dash - 1}, &last);
			if (last >= first && last - first < 65536)
				count += (unsigned)(last - first + 1);
		}
		start = end + 1;
	}
	return count;
}

int parse_mount(struct text line, struct mount *mount)
{
	/* Format: 36 35 98:0 /root /point rw,noatime shared:1 - type source options */
	size_t at = 0;
	(void)parse_word(line, &at);
	(void)parse_word(line, &at);
	struct mount found;
	found.device = parse_word(line, &at);
	found.root = parse_word(line, &at);
	found.point = parse_word(line, &at);
	(void)parse_word(line, &at);
	struct text word;
	do {
		word = parse_word(line, &at);
	} while (word.length > 0 && !text_is(word, "-"));
	found.type = parse_word(line, &at);
	found.source = parse_word(line, &at);
	found.options = parse_word(line, &at);
	if (found.type.length == 0)
		return -1;
	*mount = found;
	return 0;
}

bool parse_is_network(struct text type)
{
	return pattern_list_match(TEXT("nfs*,cifs*,smb*,9p*,fuse*,ceph*,lustre*,afs*,glusterfs*,beegfs*,gpfs*,pvfs*,"
				       "orangefs*,virtiofs*,coda*,ncp*,autofs*"),
		type);
}

void parse_unescape(struct text text, struct buffer *out)
{
	for (size_t i = 0; i < text.length; i++) {
		const char *byte = text.data + i;
		bool octal = byte[0] == '\\' && i + 3 < text.length && byte[1] >= '0' && byte[1] <= '3' &&
			     byte[2] >= '0' && byte[2] <= '7' && byte[3] >= '0' && byte[3] <= '7';
		if (octal) {
			buffer_byte(out, (char)((byte[1] - '0') * 64 + (byte[2] - '0') * 8 + (byte[3] - '0')));
			i += 3;
		} else {
			buffer_byte(out, byte[0]);
		}
	}
}

struct text parse_field(struct text text, const char *key, char separator)
{
	struct text line;
	for (size_t at = 0; parse_line(text, &at, &line);) {
		if (!text_starts(line, key))
			continue;
		size_t start = text_find(line, separator, 0) + 1;
		size_t end = line.length;
		while (start < end && (is_blank(line.data[start]) || line.data[start] == '"'))
			start++;
		while (end > start && (is_blank(line.data[end - 1]) || line.data[end - 1] == '"'))
			end--;
		if (start < end)
			return (struct text){line.data + start, end - start};
	}
	return (struct text){NULL, 0};
}
