/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/spool/series.h on good, odd and broken files. */
#include "report/spool/series.h"

#include "tests/unit/lib/run_files.h"
#include "tests/unit/lib/tap.h"

#include <errno.h>
#include <stdlib.h>

#define WANTED (SERIES_COLUMN(PROCESS_utime) | SERIES_COLUMN(PROCESS_memory_mib) | SERIES_COLUMN(PROCESS_gpu_usage))

static struct series load(const char *content)
{
	struct series series;
	scratch_write("process.csv", content);
	if (series_load(&series, files_of(scratch_directory()), TABLE_process, WANTED) != 0)
		series = (struct series){0};
	return series;
}

static void whole_file(void)
{
	struct series series = load("\"timestamp\",\"utime\",\"later\",\"memory_mib\",\"cpu_usage\",\"gpu_usage\"\n"
				    "100.000,0.25,7,12.500,0.2500,\n"
				    "101.000,0.50,7,,0.5000,\n"
				    "102.000,0.125,7,10.000,0.1250,\n");
	ok(series.rows == 3 && series.left_out == 0, "every row is read");
	is_number(series_value(&series, PROCESS_timestamp, 2), 102, "the timestamp is always read");
	is_number(series_value(&series, PROCESS_memory_mib, 1), UNKNOWN, "an empty cell is unknown");
	is_number(series_value(&series, PROCESS_stime, 0), UNKNOWN, "a column missing in the file is unknown");
	ok(!series.columns[PROCESS_cpu_usage], "only requested columns are kept");
	is_number(series_sum(&series, PROCESS_utime), 0.875, "sum");
	is_number(series_mean(&series, PROCESS_memory_mib), 11.25, "the mean is over known cells");
	is_number(series_max(&series, PROCESS_memory_mib), 12.5, "maximum");
	is_number(series_last(&series, PROCESS_memory_mib), 10, "last");
	is_number(series_sum(&series, PROCESS_gpu_usage), UNKNOWN, "a sum of unknown cells is unknown");
	is_number(series_mean(&series, PROCESS_gpu_usage), UNKNOWN, "a mean of unknown cells is unknown");
	is_number(series_max(&series, PROCESS_gpu_usage), UNKNOWN, "a maximum of unknown cells is unknown");
	is_text(scratch_messages(), "", "a good file gives no message");
	series_free(&series);
}

static void broken_rows(void)
{
	struct series series = load("\"timestamp\",\"utime\",\"memory_mib\"\n"
				    "1,2,3\n"
				    "1,2\n"
				    "1,2,3,4\n"
				    "soon,2,3\n"
				    "\"2,2,3\n"
				    "\n"
				    "2,many,3\n"
				    "3,nan,inf\n"
				    "4,1e308,-1e400\n"
				    "5,2,3\r\n"
				    "6,2,3");
	const char *said = scratch_messages();
	ok(series.rows == 5 && series.left_out == 6, "malformed lines are left out");
	is_number(series_sum(&series, PROCESS_utime), 1e308, "a cell that is not a number is unknown");
	is_number(series_max(&series, PROCESS_memory_mib), 3, "an infinite cell is unknown");
	ok(strstr(said, "line 3: not a row of this table; left out 5 such lines") != NULL,
		"the first malformed line is reported");
	ok(strstr(said, "line 12: incomplete; left out") != NULL, "a torn line is reported");
	ok(strstr(said, "line 8: not a number; took 4 such cells as unknown") != NULL,
		"a cell that is not a number is reported");
	series_free(&series);
}

static void huge_numbers(void)
{
	struct series series = load("\"timestamp\",\"utime\"\n1,1e308\n2,1e308\n3,-1\n");
	is_number(series_sum(&series, PROCESS_utime), UNKNOWN, "a sum beyond the largest double is unknown");
	is_number(series_max(&series, PROCESS_utime), 1e308, "the maximum is known although the sum is not");
	series_free(&series);
}

static void unreadable(const char *content, const char *what, bool said_before)
{
	struct series series = {.rows = 1};
	scratch_write("process.csv", content);
	ok(series_load(&series, files_of(scratch_directory()), TABLE_process, WANTED) == -1 && series.rows == 0, what);
	const char *said = scratch_messages();
	if (said_before)
		is_text(said, "", "a problem is reported once");
	else
		ok(strstr(said, "rtrack-report: '") == said && strstr(said, "' cannot be read: ") &&
				strchr(said, '\n') == strrchr(said, '\n'),
			"an unreadable file gives one message");
}

static void no_series(void)
{
	struct series series;
	unreadable("", "an empty file", false);
	unreadable("\"timestamp\",\"ut", "a torn header", false);
	unreadable("\"colour\"\nred\n", "a header without a timestamp", false);
	unreadable("\"timestamp,\"utime\"\n1,2\n", "a malformed header", true);
	errno = 0;
	ok(series_load(&series, files_of(scratch_make("none")), TABLE_process, WANTED) == -1 && errno == ENOENT,
		"a missing file");
	is_text(scratch_messages(), "", "a missing file gives no message");
	scratch_make("odd");
	scratch_make("odd/process.csv");
	ok(series_load(&series, files_of(scratch_make("odd/x")), TABLE_process, WANTED) == -1,
		"a directory in place of the file");
}

static void random_bytes(void)
{
	enum { LENGTH = 300000, TRIES = 40 };
	static char bytes[LENGTH];
	static const char header[] = "\"timestamp\",\"utime\",\"memory_mib\"\n";
	srandom(1);
	for (int i = 0; i < TRIES; i++) {
		/* Every other random file contains only bytes that occur in rows, so that some rows are valid. */
		for (size_t j = 0; j < LENGTH; j++)
			bytes[j] = i % 2 == 0 ? (char)random() : "0123456789.,,\n\n\"e-"[random() % 18];
		if (i >= 2)
			memcpy(bytes, header, sizeof header - 1);
		struct series series;
		scratch_write_bytes("process.csv", bytes, LENGTH);
		if (series_load(&series, files_of(scratch_directory()), TABLE_process, SERIES_ALL) == 0)
			series_free(&series);
	}
	scratch_messages();
	ok(true, "random bytes do no harm");
}

static void long_lines(void)
{
	enum { LENGTH = 1 << 20 };
	static char bytes[LENGTH];
	static const char header[] = "\"timestamp\",\"utime\"\n";
	struct series series;
	memset(bytes, '1', LENGTH);
	memcpy(bytes, header, sizeof header - 1);
	memcpy(bytes + LENGTH - 5, "\n7,8\n", 5);
	scratch_write_bytes("process.csv", bytes, LENGTH);
	ok(series_load(&series, files_of(scratch_directory()), TABLE_process, WANTED) == 0 && series.rows == 1 &&
			series_value(&series, PROCESS_utime, 0) == 8,
		"a line of a megabyte is left out, the next is read");
	series_free(&series);
	scratch_messages();
}

/* The usage of the last 0.3 s counts as part of the last second. */
static void rate_at_end(void)
{
	double times[] = {101, 102, 103, 103.3}, rates[] = {1, 2, 1, 6}, amounts[] = {1, 2, 1, 1.8};
	struct series series = {.rows = 4, .columns = {times, NULL, rates}};

	is_number(series_rate_at_end(times, rates, 4, 100, 1, 0), 0.3 * 6 + 0.7 * 1, "a short last tick");
	is_number(series_rate_at_end(times, amounts, 4, 100, 1, 1), 1.8 + 0.7 * 1, "a short last tick of amounts");
	is_number(series_rate_at_end(times, amounts, 4, 100, 1, 100), 250, "a short last tick in hundredths");
	is_number(series_rate_at_end(times, rates, 3, 100, 1, 0), 1, "a full last tick is unchanged");
	is_number(
		series_rate_at_end(times, rates, 4, 100, 2, 0), (1.8 + 1 + 0.7 * 2) / 2, "an interval of several rows");
	is_number(series_rate_at_end(times, rates, 4, 100, 10, 0), (1.8 + 1 + 2 + 1) / 3.3,
		"an interval longer than the series");
	is_number(series_rate_at_end(times, rates, 1, 100.5, 1, 0), 1, "a single tick is unchanged");
	is_number(series_rate_at_end(times, rates, 4, 100, UNKNOWN, 0), 6,
		"without an interval, the last tick is unchanged");
	is_number(series_rate_at_end((double[]){1, 1}, rates, 2, 0, 1, 0), 1, "a last tick of no duration");
	is_number(series_rate_at_end(times, (double[]){1, UNKNOWN}, 2, 0, 1, 0), UNKNOWN,
		"an unknown rate stays unknown");
	is_number(series_rate_at_end(times, rates, 0, 0, 1, 0), UNKNOWN, "a series without rows");
	is_number(series_peak_rate(&series, 2, 100, 1), 2.5, "the largest rate");
	is_number(series_rate(&series, 2, 1, 100, 1), 2, "other rates are unchanged");
	is_number(series_peak_rate(&series, 1, 100, 1), UNKNOWN, "a missing column");
}

int main(void)
{
	scratch_collect_messages();
	whole_file();
	broken_rows();
	huge_numbers();
	no_series();
	random_bytes();
	long_lines();
	rate_at_end();
	return done();
}
