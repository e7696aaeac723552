/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target on files, for compilers without libFuzzer. The arguments are files, or directories whose files are
 * used. Options of libFuzzer are ignored. */
#define _GNU_SOURCE
#include "fuzz/fuzz.h"

#include <ftw.h>
#include <stdio.h>

int LLVMFuzzerInitialize(int *count, char ***arguments) __attribute__((weak));

static unsigned inputs;

static int try_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)where;
	if (type != FTW_F)
		return 0;
	size_t size = (size_t)status->st_size;
	uint8_t *data = malloc(size + 1);
	FILE *file = fopen(path, "rb");
	REQUIRE(data && file && fread(data, 1, size, file) == size);
	fclose(file);
	printf("%s\n", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	inputs++;
	return 0;
}

int main(int count, char **arguments)
{
	char **paths = calloc((size_t)count, sizeof *paths);

	REQUIRE(paths);
	/* The paths are made absolute, because a target may change the working directory. */
	for (int i = 1; i < count; i++)
		paths[i] = *arguments[i] == '-' ? NULL : realpath(arguments[i], NULL);
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&count, &arguments);
	for (int i = 1; i < count; i++)
		if (paths[i])
			REQUIRE(nftw(paths[i], try_file, 16, 0) == 0);
	printf("stat::number_of_executed_units: %u\n", inputs);
	return 0;
}
