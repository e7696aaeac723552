/* SPDX-License-Identifier: Apache-2.0 */
/* Runs commands of rtrack-report on runs with any content. Every command must terminate. JSON output must be valid,
 * without NaN and infinities.
 *
 * The first byte of the input selects the command. The rest contains the files of one or two runs, each followed by '%'
 * and a newline. Most mutations replace a cell of a row by a boundary value, because random bytes rarely form a row. */
#define _GNU_SOURCE
#include "fuzz/fuzz.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

/* The main function of rtrack-report, renamed by the Makefile. */
int report_main(int count, char **arguments);

int LLVMFuzzerInitialize(int *count, char ***arguments);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
const char *__asan_default_options(void);

enum { WORDS_MAX = 8, RUNS = 2, PATH_SIZE = 128 };

#define RUN_A "20260101T000000Z-host-1-0001"
#define RUN_B "20260102T000000Z-host-1-0002"
#define A SPOOL "/" RUN_A
#define B SPOOL "/" RUN_B
/* The paths are relative, because the target changes to a new directory for each input. */
#define SPOOL "spool"

static const char *const run_names[RUNS] = {A, B};
static const char *const file_names[] = {"run.json", "process.csv", "system.csv", "start.csv", "exit.csv", "member.csv",
	"mark.csv", "gpu.csv", "line.csv", "stack.csv"};

static const struct command {
	bool prints_json; /* whether the command writes JSON to stdout, where the target captures it */
	const char *words[WORDS_MAX];
} commands[] = {
	{false, {"show", A}},
	{true, {"show", A, "--format", "json"}},
	{false, {"show", A, "--short"}},
	{false, {"show", A, "--tree"}},
	{false, {"show", A, "--by", "command"}},
	{true, {"show", A, "--by", "process", "--format", "json"}},
	{true, {"show", A, "--by", "line", "--format", "json"}},
	{false, {"show", A, "--by", "function"}},
	{false, {"show", "--group", "fuzz"}},
	{true, {"show", "--group", "fuzz", "--format", "json"}},
	{true, {"stats", A, "--format", "json"}},
	{false, {"stats", B, "--runs", "5"}},
	{false, {"recommend", A, "--offline"}},
	{true, {"recommend", "--all", "--offline", "--format", "json"}},
	{false, {"waste"}},
	{false, {"list", "--all"}},
	{true, {"list", "--format", "json"}},
	{false, {"list", "--trend"}},
	{false, {"html", A, "--output", "page.html"}},
	{false, {"html", "--group", "fuzz", "--output", "page.html"}},
	{false, {"html", "--all", "--output", "site"}},
	{false, {"compare", A, B}},
	{true, {"compare", B, A, "--align", "phase", "--format", "json"}},
	{false, {"compare", A, B, "--by", "line", "--output", "page.html"}},
	{false, {"export", A, "--to", "snapshot", "--output", "snapshot.json.gz"}},
	{false, {"export", A, "--to", "csv"}},
	{false, {"export", A, "--to", "json"}},
	{false, {"export", A, "--to", "openmetrics"}},
	{false, {"export", A, "--to", "prometheus-textfile"}},
	{false, {"export", A, "--to", "speedscope"}},
	{false, {"prune", "--keep", "1", "--dry-run"}},
};

/* Disables the detection of leaks, because rtrack-report does not free all of its memory before it exits. */
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* -- files ------------------------------------------------------------------------------------------ */

static char directory[] = "/dev/shm/rtrack-fuzz-XXXXXX";
static int before; /* descriptor of the fuzzer's working directory */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status, (void)type, (void)where;
	return remove(path);
}

static void remove_tree(const char *path)
{
	(void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_directory(void)
{
	remove_tree(directory);
}

/* Redirects the output of the commands to /dev/null, because it would fill the log. The fuzzer's own messages still go
 * to stderr. */
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	(void)count, (void)arguments;
	before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	REQUIRE(before >= 0 && mkdtemp(directory));
	atexit(remove_directory);
	stderr = fopen("/dev/null", "w");
	REQUIRE(stderr && dup2(fileno(stderr), STDOUT_FILENO) == STDOUT_FILENO);
	REQUIRE(setenv("HOME", directory, 1) == 0 && setenv("XDG_CACHE_HOME", directory, 1) == 0);
	return 0;
}

static void write_file(const char *path, const uint8_t *data, size_t size)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size);
	close(file);
}

/* Writes the files of the runs. A run without any bytes is not created, and neither is an empty file. */
static void write_runs(const uint8_t *data, size_t size)
{
	char path[PATH_SIZE];

	REQUIRE(mkdir(SPOOL, 0700) == 0);
	for (size_t run = 0; run < RUNS && size > 0; run++) {
		REQUIRE(mkdir(run_names[run], 0700) == 0);
		for (size_t i = 0; i < ARRAY_LENGTH(file_names); i++) {
			const uint8_t *end = size > 0 ? memmem(data, size, "%\n", 2) : NULL;
			size_t length = end ? (size_t)(end - data) : size;
			size_t used = end ? length + 2 : size;
			snprintf(path, sizeof path, "%s/%s", run_names[run], file_names[i]);
			if (length > 0)
				write_file(path, data, length);
			data += used;
			size -= used;
		}
	}
}

/* -- commands --------------------------------------------------------------------------------------- */

static void require_json(const char *text)
{
	cJSON *json = cJSON_Parse(text);

	REQUIRE(json || *text == '\0');
	cJSON_Delete(json);
}

static void run_command(const struct command *command)
{
	char words[WORDS_MAX][PATH_SIZE];
	char *arguments[WORDS_MAX + 4] = {"rtrack-report"};
	int count = 1;
	char *printed = NULL;
	size_t size = 0;

	for (; count <= WORDS_MAX && command->words[count - 1]; count++) {
		snprintf(words[count - 1], PATH_SIZE, "%s", command->words[count - 1]);
		arguments[count] = words[count - 1];
	}
	arguments[count++] = "--spool";
	arguments[count++] = SPOOL;
	FILE *fuzzers = stdout;
	stdout = open_memstream(&printed, &size);
	REQUIRE(stdout);
	int status = report_main(count, arguments);
	REQUIRE(status == 0 || status == 1);
	REQUIRE(fclose(stdout) == 0);
	stdout = fuzzers;
	if (command->prints_json)
		require_json(printed);
	free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	REQUIRE(chdir(directory) == 0);
	write_runs(data + 1, size - 1);
	run_command(&commands[data[0] % ARRAY_LENGTH(commands)]);
	/* Removes the spool with its cached digests, and the pages that the command may have written. */
	remove_tree(SPOOL);
	remove_tree("site");
	REQUIRE(fchdir(before) == 0);
	return 0;
}

/* -- mutations -------------------------------------------------------------------------------------- */

struct cells {
	uint8_t *data;
	size_t size, max_size;
	unsigned seed;
};

static size_t choose(struct cells *cells, size_t count)
{
	return (size_t)rand_r(&cells->seed) % count;
}

/* Replaces the bytes from `begin` to `end` by `text`. */
static void replace(struct cells *cells, size_t begin, size_t end, const uint8_t *text, size_t length)
{
	if (cells->size - (end - begin) + length > cells->max_size)
		return;
	memmove(cells->data + begin + length, cells->data + end, cells->size - end);
	memcpy(cells->data + begin, text, length);
	cells->size += length - (end - begin);
}

/* Returns the end of the cell that contains the byte at `at`. A cell ends at a delimiter of CSV or JSON. */
static size_t end_of_cell(const struct cells *cells, size_t at)
{
	while (at < cells->size && !memchr(",:\n", cells->data[at], 3))
		at++;
	return at;
}

/* Chooses a random position, and returns the beginning of the cell that contains it. */
static size_t choose_cell(struct cells *cells, size_t *end)
{
	size_t begin = 1 + choose(cells, cells->size - 1);

	while (begin > 1 && !memchr(",:\n", cells->data[begin - 1], 3))
		begin--;
	*end = end_of_cell(cells, begin);
	return begin;
}

static void replace_cell(struct cells *cells)
{
	static const char *const edges[] = {"", "0", "-1", "1", "0.001", "nan", "inf", "1e308", "-1e300", "1e18", "1e9",
		"4294967296", "9223372036854775808", "9007199254740993", "1767225600.000", "2147483647", "\"\"",
		"\"x\"", " null"};
	size_t end, from, to;
	size_t begin = choose_cell(cells, &end);

	if (choose(cells, 4) > 0) {
		const char *edge = edges[choose(cells, ARRAY_LENGTH(edges))];
		replace(cells, begin, end, (const uint8_t *)edge, strlen(edge));
		return;
	}
	from = choose_cell(cells, &to);
	char *copy = fuzz_copy(cells->data + from, to - from, false);
	replace(cells, begin, end, (const uint8_t *)copy, to - from);
	free(copy);
}

/* Copies a line to the place of another line, or inserts it before that line. */
static void copy_line(struct cells *cells)
{
	size_t at = 1 + choose(cells, cells->size - 1);
	const uint8_t *newline = memchr(cells->data + at, '\n', cells->size - at);
	size_t begin = newline ? (size_t)(newline - cells->data) + 1 : at;
	newline = begin < cells->size ? memchr(cells->data + begin, '\n', cells->size - begin) : NULL;
	if (!newline)
		return;
	size_t end = (size_t)(newline - cells->data) + 1;
	size_t next = choose(cells, 2) ? end : begin;
	newline = choose(cells, 2) && end < cells->size ? memchr(cells->data + end, '\n', cells->size - end) : NULL;
	char *copy = fuzz_copy(cells->data + begin, end - begin, false);
	replace(cells, next, newline ? (size_t)(newline - cells->data) + 1 : next, (const uint8_t *)copy, end - begin);
	free(copy);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct cells cells = {data, size, max_size, seed};

	if (size < 2 || choose(&cells, 8) == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	if (choose(&cells, 4) == 0)
		data[0] = (uint8_t)choose(&cells, ARRAY_LENGTH(commands));
	for (size_t count = 1 + choose(&cells, 4); count > 0 && cells.size > 1; count--)
		if (choose(&cells, 5) == 0)
			copy_line(&cells);
		else
			replace_cell(&cells);
	return cells.size;
}
