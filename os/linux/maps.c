/* SPDX-License-Identifier: Apache-2.0 */
/* Parses /proc/PID/maps. */
#include "os/file.h"
#include "os/linux/proc.h"

static uint64_t read_hexadecimal(struct text text, size_t *at)
{
	uint64_t value = 0;

	for (; *at < text.length; ++*at) {
		char byte = text.data[*at];
		if (byte >= '0' && byte <= '9')
			value = value << 4 | (uint64_t)(byte - '0');
		else if (byte >= 'a' && byte <= 'f')
			value = value << 4 | (uint64_t)(byte - 'a' + 10);
		else
			break;
	}
	return value;
}

static struct mapping read_mapping(struct text line)
{
	size_t at = 0;
	struct mapping mapping = {.from = read_hexadecimal(line, &at)};

	at++;
	mapping.to = read_hexadecimal(line, &at);
	struct text mode = parse_word(line, &at), offset = parse_word(line, &at);
	mapping.touchable = mode.length > 1 && (mode.data[0] != '-' || mode.data[1] != '-');
	mapping.shared = mode.length > 3 && mode.data[3] == 's';
	size_t within = 0;
	mapping.offset = read_hexadecimal(offset, &within);
	mapping.device = parse_word(line, &at);
	mapping.inode = parse_word(line, &at);
	while (at < line.length && line.data[at] == ' ')
		at++;
	if (at < line.length)
		mapping.path = (struct text){line.data + at, line.length - at};
	return mapping;
}

void proc_open_mappings(struct mappings *mappings, int pid, struct buffer data)
{
	char name[64];
	struct buffer out = BUFFER(name);

	*mappings = (struct mappings){.file = os_open(OS_HERE, proc_path(&out, pid, "maps")), .data = data};
}

/* Reads more text, and returns whether there was any. The kernel fills a buffer that is smaller than a page completely,
 * so the text may end within a line. The beginning of that line is kept, and the next read continues it. A line that is
 * longer than the buffer is dropped. */
static bool read_on(struct mappings *mappings, size_t begun)
{
	size_t kept = mappings->text.length > begun ? mappings->text.length - begun : 0;

	mappings->too_long = mappings->too_long || kept == mappings->data.capacity;
	kept = kept == mappings->data.capacity ? 0 : kept;
	for (size_t i = 0; i < kept; i++)
		mappings->data.data[i] = mappings->data.data[begun + i];
	int64_t length = os_read_at(
		mappings->file, mappings->data.data + kept, mappings->data.capacity - kept, mappings->offset);
	mappings->offset += length > 0 ? (uint64_t)length : 0;
	mappings->text = (struct text){mappings->data.data, kept + (length > 0 ? (size_t)length : 0)};
	mappings->at = 0;
	return length > 0;
}

bool proc_next_mapping(struct mappings *mappings, struct mapping *mapping)
{
	struct text line;

	while (mappings->file >= 0) {
		size_t begun = mappings->at;
		if (parse_line(mappings->text, &mappings->at, &line) && mappings->at <= mappings->text.length) {
			bool is_rest = mappings->too_long;
			mappings->too_long = false;
			if (is_rest)
				continue;
			*mapping = read_mapping(line);
			return true;
		}
		if (!read_on(mappings, begun))
			break;
	}
	return false;
}
