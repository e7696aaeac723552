/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of where phases begin in series of every kind, and of series without phases. */
#include "report/advice/split.h"

#include "core/number.h"
#include "tests/unit/lib/tap.h"

#include <stdlib.h>

enum { ROWS = 400 };

/* Returns a number between 0 and 1, the same in every run. */
static double noise(size_t row)
{
	uint32_t bits = (uint32_t)row * 2654435761U;
	bits ^= bits >> 15;
	bits *= 2246822519U;
	bits ^= bits >> 13;
	return (double)bits / 4294967296.0;
}

static double constant(size_t row)
{
	(void)row;
	return 4;
}

static double noisy(size_t row)
{
	return 8 * noise(row);
}

static double step(size_t row)
{
	return (row < 160 ? 1 : 8) + 0.4 * noise(row);
}

static double noisy_step(size_t row)
{
	return (row < 160 ? 1 : 7) + 2 * noise(row);
}

static double two_steps(size_t row)
{
	return (row < 80 ? 1 : row < 300 ? 6 : 2) + noise(row);
}

static double small_step(size_t row)
{
	return (row < 200 ? 8 : 7) + 0.1 * noise(row);
}

static double tiny_step(size_t row)
{
	return row < 200 ? 0.01 : 0.2;
}

static double ramp(size_t row)
{
	return 16.0 * (double)row / ROWS;
}

static double ramp_and_level(size_t row)
{
	return row < 200 ? 8.0 * (double)row / 200 : 8;
}

static double spike(size_t row)
{
	return row >= 200 && row < 208 ? 64 : 2;
}

static double last_spike(size_t row)
{
	return row >= ROWS - 9 ? 64 : 2;
}

static double wave(size_t row)
{
	return 5 + 5 * sin((double)row * 6.283 / 40);
}

static double square(size_t row)
{
	return row / 20 % 2 == 0 ? 1 : 8;
}

static double quick_square(size_t row)
{
	return row / 3 % 2 == 0 ? 1 : 8;
}

static double nothing(size_t row)
{
	(void)row;
	return UNKNOWN;
}

static double step_with_holes(size_t row)
{
	return row < 10 || row % 3 == 0 ? UNKNOWN : step(row);
}

static double absurd(size_t row)
{
	return row % 2 == 0 ? 1e308 : -1e308;
}

static const struct {
	const char *what;
	double (*cpu)(size_t row);
	double (*memory)(size_t row);
	size_t rows;
	size_t count, ends[SEGMENTS_MAX];
} cases[] = {
	{"a constant", constant, constant, ROWS, 1, {ROWS}},
	{"noise", noisy, constant, ROWS, 1, {ROWS}},
	{"one step", step, constant, ROWS, 2, {160, ROWS}},
	{"a step in noise", noisy_step, noisy, ROWS, 2, {160, ROWS}},
	{"a step of the second series", constant, step, ROWS, 2, {160, ROWS}},
	{"the same step in both series", step, noisy_step, ROWS, 2, {160, ROWS}},
	{"two steps", two_steps, constant, ROWS, 3, {80, 300, ROWS}},
	{"different steps in both series", step, two_steps, ROWS, 4, {80, 160, 300, ROWS}},
	{"a step by an eighth", small_step, constant, ROWS, 1, {ROWS}},
	{"a step from almost nothing to a little", tiny_step, constant, ROWS, 1, {ROWS}},
	{"a ramp", ramp, constant, ROWS, 1, {ROWS}},
	{"a ramp and then a level", ramp_and_level, constant, ROWS, 1, {ROWS}},
	{"a step beside a ramp", step, ramp, ROWS, 2, {160, ROWS}},
	{"a spike", spike, constant, ROWS, 1, {ROWS}},
	{"a spike at the end", last_spike, constant, ROWS, 1, {ROWS}},
	{"a wave", wave, constant, ROWS, 1, {ROWS}},
	{"ten rises and falls", square, constant, ROWS, 1, {ROWS}},
	{"rises and falls all the time", quick_square, constant, ROWS, 1, {ROWS}},
	{"only unknown values", nothing, nothing, ROWS, 1, {ROWS}},
	{"a step, with the other series unknown", step, nothing, ROWS, 2, {160, ROWS}},
	{"a step with holes", step_with_holes, constant, ROWS, 2, {160, ROWS}},
	{"absurd values", absurd, constant, ROWS, 1, {ROWS}},
	{"too few values", step, constant, 9, 1, {9}},
	{"one figure", step, constant, 1, 1, {1}},
	{"no figure", step, constant, 0, 0, {0}},
};

static void test_segments(void)
{
	double cpu[ROWS], memory[ROWS];

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		const struct level levels[] = {{cpu, 0.25}, {memory, 0.25}};
		size_t ends[SEGMENTS_MAX] = {0};
		for (size_t row = 0; row < cases[i].rows; row++) {
			cpu[row] = cases[i].cpu(row);
			memory[row] = cases[i].memory(row);
		}
		size_t count = segments_find(levels, 2, cases[i].rows, ends);
		bool same = count == cases[i].count;
		for (size_t j = 0; same && j < count; j++)
			same = ends[j] == cases[i].ends[j];
		if (ok(same, cases[i].what))
			continue;
		printf("#     seen:");
		for (size_t j = 0; j < count; j++)
			printf(" %zu", ends[j]);
		printf("\n");
	}
}

/* Makes rows of one second: 40 min with 1 CPU and 2,000 MiB, then 20 min with 8 CPUs, 12,000 MiB and one GPU. */
static struct series make_run(size_t rows)
{
	static const int columns[] = {PROCESS_timestamp, PROCESS_utime, PROCESS_stime, PROCESS_cpu_usage,
		PROCESS_memory_mib, PROCESS_disk_read_bytes, PROCESS_gpu_usage, PROCESS_gpu_vram_mib};
	struct series series = {.table = &tables[TABLE_process], .rows = rows};

	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
		series.columns[columns[i]] = calloc(rows + 1, sizeof(double));
	for (size_t row = 0; row < rows; row++) {
		bool late = row >= rows / 3 * 2;
		double cpu = late ? 8 : 1;
		series.columns[PROCESS_timestamp][row] = 1000.0 + (double)row + 1;
		series.columns[PROCESS_utime][row] = cpu * 0.75;
		series.columns[PROCESS_stime][row] = cpu * 0.25;
		series.columns[PROCESS_cpu_usage][row] = cpu;
		series.columns[PROCESS_memory_mib][row] = late ? 12000 : 2000;
		series.columns[PROCESS_disk_read_bytes][row] = late ? 0 : 1e6;
		series.columns[PROCESS_gpu_usage][row] = late ? 0.9 : 0;
		series.columns[PROCESS_gpu_vram_mib][row] = late ? 10000 : 0;
	}
	return series;
}

static void test_phases(size_t rows)
{
	struct series series = make_run(rows);
	struct phases phases;
	double third = (double)rows / 3; /* an integer */

	phases_find(&phases, &series, NULL, 1000, 1);
	ok(phases.count == 2, "loading, then training");
	const struct phase *load = &phases.items[0], *train = &phases.items[1];
	is_number(load->start, 1000, "the first phase begins with the run");
	is_number(load->stop, 1000 + 2 * third, "the boundary is at the change");
	is_number(train->start, load->stop, "the second phase begins where the first ends");
	is_number(train->stop, 1000 + 3 * third, "the second phase ends with the last row");
	is_number(load->cpu_seconds, 2 * third, "CPU time of the first phase");
	is_number(train->cpu_seconds, 8 * third, "CPU time of the second phase");
	is_number(train->mean_cpu, 8, "mean CPU usage");
	is_number(load->peak_memory_mib, 2000, "peak memory");
	is_number(load->read_bytes, 2 * third * 1e6, "bytes");
	is_number(load->write_bytes, UNKNOWN, "figures that were not measured are unknown");
	is_number(split_needs(load, NULL).gpu, 0, "a phase without GPU usage requests none");
	is_number(split_needs(train, NULL).gpu, 1, "a phase with GPU usage requests one");

	/* A single job reserves 8 CPUs, 15 GiB and a GPU all the time. Two jobs reserve 1 CPU and 3 GiB for 40 min,
	 * then 8 CPUs, 15 GiB and a GPU for 20 min. */
	struct split split = split_of(&phases, NULL);
	is_number(split.cpu_seconds, (8 - 1) * 2 * third, "CPUs saved by a split");
	is_number(split.cpu_percent, 100 * 14.0 / 24, "CPUs saved in per cent");
	is_number(split.gib_seconds, (15 - 3) * 2 * third, "memory saved by a split");
	is_number(split.gpu_seconds, 2 * third, "GPUs saved by a split");
	ok(split.worth_it == (third >= 60), "a split is worth it unless a phase is shorter than a minute");
	series_free(&series);
}

static void test_reading(void)
{
	struct series series = make_run(30);
	struct phases phases;

	for (size_t row = 0; row < series.rows; row++)
		series.columns[PROCESS_utime][row] *= 1.05;
	phases_find(&phases, &series, NULL, 1000, 1);
	ok(phases.count == 2, "rows that were read late");
	is_number(phases.items[1].mean_cpu, 8, "a mean is at most the largest rate");
	series_free(&series);
}

static void test_split(void)
{
	struct phases phases = {.count = 2,
		.items = {{.start = 0, .stop = 95, .mean_cpu = 8, .peak_memory_mib = 3000},
			{.start = 95, .stop = 100, .mean_cpu = 7, .peak_memory_mib = UNKNOWN}}};
	struct split split = split_of(&phases, NULL);

	is_number(split.cpu_seconds, 5, "one CPU for 5 s");
	is_number(split.gib_seconds, 0, "unknown memory saves nothing");
	ok(!split.worth_it, "half a per cent is not worth a split");

	/* The rule of the job itself: ten runs of at most 1000 MiB, with a median of 800. This run had 500 MiB. */
	struct rule_answer memory = {.runs = 10, .largest = 1000, .median = 800};
	phases.items[0].peak_memory_mib = 500;
	phases.items[1].peak_memory_mib = 250;
	struct split_basis basis = split_basis_of(&phases, &memory, 500);
	is_number(split_needs(&phases.items[0], &basis).memory_mib, 1216,
		"a phase with the job's peak requests as much: 1000 + 32 + (1000 + 4 * 200) / 10");
	is_number(split_needs(&phases.items[1], &basis).memory_mib, 624,
		"a smaller phase requests in proportion: 500 + 32 + (500 + 4 * 100) / 10");
	memory = (struct rule_answer){.runs = 0, .largest = UNKNOWN, .median = UNKNOWN};
	basis = split_basis_of(&phases, &memory, 500);
	is_number(split_needs(&phases.items[1], &basis).memory_mib, 544,
		"without a finished run, the request is as after one");
}

static void test_none(void)
{
	struct series series = {.table = &tables[TABLE_process]};
	struct phases phases;

	phases_find(&phases, &series, NULL, UNKNOWN, 1);
	ok(phases.count == 0, "a run without a row has no phases");
	series = make_run(9);
	phases_find(&phases, &series, NULL, UNKNOWN, 1);
	ok(phases.count == 0, "a run of nine rows has no phases");
	series_free(&series);
}

int main(void)
{
	test_segments();
	test_phases(3600);
	test_phases(30);
	test_phases(300000);
	test_phases(100053); /* the change is inside a bucket of rows */
	test_reading();
	test_split();
	test_none();
	return done();
}
