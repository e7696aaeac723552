/* Whatever the files of a run hold, rtrack-report reads them to their ends: run.json and the tables, with all that is
 * worked out of them. The input is those files one after another, each ended by a line of its own with a '%'. */
#define _GNU_SOURCE
#include "fuzz/fuzz.h"
#include "report/model/programs.h"
#include "report/model/stats.h"
#include "report/model/model.h"
#include "report/spool/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);

static char directory[] = "/dev/shm/rtrack-fuzz-XXXXXX";
static const char *const names[] = {"run.json", "process.csv", "system.csv", "start.csv", "exit.csv", "member.csv"};

static void remove_directory(void)
{
	char path[64];
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		snprintf(path, sizeof path, "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
}

/* What is said of each file would fill a disk; the fuzzer itself writes to descriptor 2. */
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	(void)count;
	(void)arguments;
	REQUIRE(mkdtemp(directory));
	atexit(remove_directory);
	stderr = fopen("/dev/null", "w");
	REQUIRE(stderr);
	return 0;
}

static void write_file(const char *name, const uint8_t *data, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size);
	close(file);
}

static void write_files(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const uint8_t *end = size > 0 ? memmem(data, size, "%\n", 2) : NULL;
		size_t length = end ? (size_t)(end - data) : size;
		size_t used = end ? length + 2 : size;
		write_file(names[i], data, length);
		data += used;
		size -= used;
	}
}

static void require_figures(const struct model *model, const struct run *run)
{
	struct stats stats;
	struct stats again;

	stats_make(&stats, &model->process, &model->system, run->interval);
	cJSON *json = stats_json(&stats);
	stats_read_json(&again, json);
	for (int i = 0; i < STAT_COUNT; i++)
		REQUIRE(number_known(stats.of[i].max) || !number_known(again.of[i].max));
	cJSON_Delete(json);
	json = cJSON_CreateObject();
	totals_write_json(&model->totals, json);
	char *text = cJSON_PrintUnformatted(json);
	REQUIRE(text && !strstr(text, "nan") && !strstr(text, "inf"));
	cJSON_free(text);
	cJSON_Delete(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct run run;
	const struct model_wish wish = {.sections = MODEL_PROGRAMS | MODEL_PROCESSES | MODEL_COURSE | MODEL_STATS,
		.process_columns = SERIES_ALL,
		.system_columns = SERIES_ALL};
	struct model model;

	write_files(data, size);
	REQUIRE(run_open(&run, directory) == 0);
	char *line = run_command_line(&run);
	free(line);
	if (model_read(&model, &run, &wish) == 0) {
		require_figures(&model, &run);
		model_free(&model);
	}
	run_close(&run);
	return 0;
}
