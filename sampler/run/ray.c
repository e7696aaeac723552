/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the job of a Ray worker that Ray started before the job. */
#include "sampler/run/ray.h"

#include "os/file.h"
#include "os/process.h"

enum { LOG_HEAD = 2048, JOB_MOST = 64 /* hexadecimal digits */ };

static bool is_job(struct text job)
{
	for (size_t i = 0; i < job.length; i++)
		if (!((job.data[i] >= '0' && job.data[i] <= '9') || (job.data[i] >= 'a' && job.data[i] <= 'f')))
			return false;
	return job.length > 0 && job.length <= JOB_MOST && !text_is(job, RAY_NO_JOB);
}

/* Returns the job in the first whole line ":job_id:JOB" of a log, or an empty text. */
static struct text find_job(struct text log)
{
	static const char mark[] = ":job_id:";

	for (size_t start = 0, end; start < log.length; start = end + 1) {
		struct text line = {log.data + start, 0};
		end = text_find(log, '\n', start);
		line.length = end - start;
		if (end == log.length || !text_starts(line, mark))
			continue;
		struct text job = {line.data + sizeof mark - 1, line.length - (sizeof mark - 1)};
		if (is_job(job))
			return job;
	}
	return (struct text){NULL, 0};
}

/* Returns the offset of RAY_NO_JOB in the line of the label "job" or of the group, or line.length for other lines. */
static size_t find_no_job(struct text line)
{
	static const char ending[] = RAY_NO_JOB "\"";
	struct text whole = line;

	whole.length -= text_ends(line, ",");
	if (!text_starts(line, "    \"job\": \"" RAY_NO_JOB) && !text_starts(line, "  \"group\": \""))
		return line.length;
	return text_ends(whole, ending) ? whole.length - (sizeof ending - 1) : line.length;
}

static int write_job(struct buffer *out, struct text file, const void *how)
{
	const struct text *job = how;

	for (size_t start = 0; start < file.length;) {
		size_t stop = text_find(file, '\n', start);
		struct text line = {file.data + start, stop - start};
		size_t at = find_no_job(line);
		buffer_text(out, (struct text){line.data, at});
		if (at < line.length) {
			buffer_text(out, *job);
			at += sizeof RAY_NO_JOB - 1;
		}
		buffer_text(out, (struct text){line.data + at, line.length - at});
		buffer_byte(out, '\n');
		start = stop + 1;
	}
	return 0;
}

bool run_find_ray_job(const char *directory, int pid)
{
	char log[LOG_HEAD];
	int64_t length = process_read_stdout(pid, log, sizeof log);
	struct text job = find_job((struct text){log, length > 0 ? (size_t)length : 0});

	if (job.length == 0)
		return false;
	int at = os_open_directory(OS_HERE, directory);
	(void)run_rewrite(at, write_job, &job);
	os_close(at);
	return true;
}
