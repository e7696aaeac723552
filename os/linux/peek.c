/* os/peek.h on Linux: process_vm_readv(2), /proc/PID/maps, /proc/PID/task/TID/schedstat. */
#include "os/peek.h"

#include "core/number.h"
#include "os/file.h"
#include "os/linux/parse.h"
#include "os/linux/proc.h"
#include "os/linux/sys.h"

int64_t peek_read(int pid, const struct peek_range *ours, const struct peek_range *theirs, size_t count)
{
	return SYS_CALL6(__NR_process_vm_readv, pid, ours, count, theirs, count, 0);
}

/* A line of maps: "START-END MODE OFFSET DEVICE INODE   PATH". Whether a file's beginning is mapped at *at. */
static bool read_mapping(struct text line, struct text *path, uint64_t *at)
{
	size_t place = 0;
	uint64_t offset = 1;

	*at = 0;
	for (; place < line.length && line.data[place] != '-'; place++) {
		char byte = line.data[place];
		*at = *at << 4 | (uint64_t)(byte <= '9' ? byte - '0' : byte - 'a' + 10);
	}
	for (int field = 0; field < 5 && place < line.length; field++) {
		while (place < line.length && line.data[place] == ' ')
			place++;
		size_t end = text_find(line, ' ', place);
		if (field == 2)
			for (offset = 0; place < end; place++)
				offset |= (uint64_t)(line.data[place] - '0');
		place = end;
	}
	while (place < line.length && line.data[place] == ' ')
		place++;
	*path = (struct text){line.data + place, line.length - place};
	return offset == 0 && path->length > 0 && path->data[0] == '/';
}

int peek_images(int pid, struct buffer data, bool (*take)(void *context, struct text path, uint64_t at), void *context)
{
	char name[64];
	struct buffer out = BUFFER(name);
	int file = os_open(OS_HERE, proc_path(&out, pid, "maps"));
	uint64_t offset = 0;
	int64_t length;
	int result = 0;

	if (file < 0)
		return file;
	/* The kernel ends each reading with a whole line. One that does not is longer than the room, and is left out.
	 */
	while (result == 0 && (length = os_read_at(file, data.data, data.capacity, offset)) > 0) {
		struct text all = {data.data, (size_t)length}, path;
		uint64_t at;
		for (size_t from = 0; from < all.length && result == 0;) {
			size_t end = text_find(all, '\n', from);
			if (end < all.length && read_mapping((struct text){all.data + from, end - from}, &path, &at))
				result = take(context, path, at);
			from = end + 1;
		}
		offset += (uint64_t)length;
	}
	os_close(file);
	return result;
}

/* Its first number is the time on a CPU. */
uint64_t peek_thread_cpu_ns(int pid, uint64_t thread)
{
	char name[48], data[64];
	struct buffer out = BUFFER(name);
	int64_t length = proc_read(pid, proc_of_thread(&out, thread, "schedstat"), data, sizeof data);
	uint64_t ns = 0;

	if (length <= 0)
		return 0;
	struct text text = {data, (size_t)length};
	return number_read_unsigned((struct text){data, text_find(text, ' ', 0)}, &ns) == 0 ? ns : 0;
}
