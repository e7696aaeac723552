/* Where runs are, and which run a process belongs to; see run.h.
 *
 * A process usually knows its run by RTRACK_RUN. One whose environment was emptied is found through its
 * ancestors: the root of each living run is noted in <spool>/.live/PID, a symbolic link that says
 * "<start ticks>:<run id>". */
#include "sampler/run_names.h"

#include "core/number.h"
#include "sampler/os.h"

enum { ANCESTORS_MAX = 64 };

void run_spool(struct buffer *out, const struct run_start *start)
{
	char directory[SPOOL_PATH_MAX];
	struct buffer chosen = BUFFER(directory);
	spool_directory(&chosen, start->settings->text[SETTING_ID_SPOOL], start->environment, os_user());
	(void)buffer_terminate(&chosen);
	if (directory[0] != '/') {
		char here[SPOOL_PATH_MAX];
		if (os_working_directory(here, sizeof here) == 0) {
			buffer_string(out, here);
			buffer_byte(out, '/');
		}
	}
	buffer_string(out, directory);
	while (out->length > 1 && out->data[out->length - 1] == '/')
		out->length--;
}

void run_path(struct buffer *out, const struct run_start *start)
{
	char host[65] = "";
	(void)os_host_name(host, sizeof host);
	run_spool(out, start);
	buffer_byte(out, '/');
	spool_write_id(out, start->time_ns / 1000000000, text_of(host), start->pid, start->random);
}

int run_live_path(struct buffer *out, const char *directory, int pid)
{
	struct text path = text_of(directory);
	path.length -= text_basename(path).length;
	buffer_text(out, path);
	buffer_string(out, RUN_LIVE_DIRECTORY);
	if (pid > 0) {
		buffer_byte(out, '/');
		buffer_unsigned(out, (uint64_t)pid);
	}
	(void)buffer_terminate(out);
	return out->full ? ERROR_TOO_LONG : 0;
}

struct text run_id(const char *directory)
{
	return text_basename(text_of(directory));
}

bool run_is_ours(const char *directory)
{
	return directory[0] == '/' && text_length(directory) + 32 <= SPOOL_PATH_MAX &&
	       os_check_directory(directory, false) == 0;
}

static bool run_of_process(struct buffer *out, const char *spool_entry, int pid, uint64_t start_ticks)
{
	char path[SPOOL_PATH_MAX];
	char target[SPOOL_ID_MAX + 32];
	struct buffer link = BUFFER(path);
	uint64_t ticks;

	if (run_live_path(&link, spool_entry, pid) != 0)
		return false;
	int64_t length = os_read_link(OS_HERE, path, target, sizeof target);
	struct text text = {target, length > 0 ? (size_t)length : 0};
	size_t colon = text_find(text, ':', 0);
	struct text id = {text.data + colon + 1, text.length - colon - 1};
	if (colon >= text.length || number_read_unsigned((struct text){target, colon}, &ticks) != 0 ||
		ticks != start_ticks || text_find(id, '/', 0) < id.length || text_starts(id, "."))
		return false;
	struct text spool = text_of(spool_entry);
	buffer_text(out, (struct text){spool.data, spool.length - text_basename(spool).length});
	buffer_text(out, id);
	return run_is_ours(buffer_terminate(out)) && !out->full;
}

bool run_find_ancestor(struct buffer *out, const struct run_start *start, int ppid)
{
	char entry[SPOOL_PATH_MAX];
	struct buffer spool = BUFFER(entry);
	struct process_reading reading;
	char live[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(live);

	run_spool(&spool, start);
	buffer_string(&spool, "/x");
	if (run_live_path(&path, buffer_terminate(&spool), 0) != 0 || !os_exists(OS_HERE, live))
		return false;
	for (int depth = 0; depth < ANCESTORS_MAX && ppid > 1; depth++) {
		if (process_read(ppid, false, &reading) != 0)
			return false;
		out->length = 0;
		if (run_of_process(out, entry, ppid, reading.start_ticks))
			return true;
		ppid = reading.ppid;
	}
	return false;
}
