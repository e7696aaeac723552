/* Rows side by side; see sentinel_rows.h. */
#include "report/fleet/sentinel_rows.h"

#include "report/fleet/rows_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHOLE_MAX = 1 << 26 };

struct sides {
	struct rows_out system;
	struct rows_out process;
};

static void close_sides(struct sides *sides)
{
	rows_out_close(&sides->system);
	rows_out_close(&sides->process);
}

static int open_sides(struct sides *sides, const char *run)
{
	*sides = (struct sides){.system = {.open = false}};
	if (rows_out_open(&sides->system, run, TABLE_system) == 0 &&
		rows_out_open(&sides->process, run, TABLE_process) == 0)
		return 0;
	close_sides(sides);
	return -1;
}

uint64_t sentinel_rows_count(const char *run)
{
	struct sides sides;
	uint64_t count = 0;

	if (open_sides(&sides, run) != 0)
		return 0;
	if (sides.system.open && sides.process.open)
		count = sides.system.rows < sides.process.rows ? sides.system.rows : sides.process.rows;
	close_sides(&sides);
	return count;
}

static int write_rows(gzFile out, const char *run, uint64_t first, uint64_t last)
{
	struct sides sides;

	if (open_sides(&sides, run) != 0)
		return -1;
	rows_out_csv_header(&sides.system, out, "system_", true);
	rows_out_csv_header(&sides.process, out, "process_", false);
	gzputc(out, '\n');
	for (uint64_t row = 0; row < last && rows_out_next(&sides.system) && rows_out_next(&sides.process); row++) {
		if (row < first)
			continue;
		rows_out_csv(&sides.system, out, true);
		rows_out_csv(&sides.process, out, false);
		gzputc(out, '\n');
	}
	close_sides(&sides);
	return 0;
}

static int read_whole(struct text *rows, const char *path)
{
	struct stat status;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	char *data = NULL;
	int result = -1;

	if (file >= 0 && fstat(file, &status) == 0 && status.st_size < WHOLE_MAX)
		data = malloc((size_t)status.st_size + 1);
	if (data && read(file, data, (size_t)status.st_size) == status.st_size) {
		data[status.st_size] = '\0';
		*rows = (struct text){data, (size_t)status.st_size};
		result = 0;
	} else {
		free(data);
	}
	if (file >= 0)
		close(file);
	return result;
}

int sentinel_rows_read(struct text *rows, const char *run, uint64_t first, uint64_t last, bool packed, const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	gzFile out = file < 0 ? NULL : gzdopen(file, packed ? "wb6" : "wT");

	if (!out) {
		if (file >= 0)
			close(file);
		return -1;
	}
	int result = write_rows(out, run, first, last);
	if (gzclose(out) != Z_OK) {
		errno = errno ? errno : EIO;
		return -1;
	}
	return result == 0 ? read_whole(rows, path) : -1;
}
