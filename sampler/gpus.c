/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the GPU and energy figures of rtrack-gpu to the rows of a tick.
 *
 * A driver's calls may take seconds or never return, so the sampler only reads a file that rtrack-gpu writes. On a
 * machine without a GPU or an energy counter, it does not even open the file. */
#include "sampler/sampler.h"
#include "sampler/state.h"

#include "os/gpu.h"

enum { STARTS = 2 }; /* maximum number of starts: the first start, and one restart after a crash */

static const struct gpu_record *record_of(const struct sampler *sampler)
{
	return (const void *)sampler->scratch;
}

/* Reads the record of rtrack-gpu into `scratch`. Returns false if there is no record, or it is invalid or outdated. */
static bool read_record(struct sampler *sampler)
{
	/* Number of attempts: a read fails while rtrack-gpu writes the record, which takes microseconds. */
	enum { TRIES = 3 };
	const struct gpu_record *record = record_of(sampler);
	int *helper = &sampler->tracker.helper_pid[SAMPLER_HELPER_GPU];

	_Static_assert(sizeof *record <= sizeof sampler->scratch, "a record has to fit");
	if (sampler->gpus.file < 0)
		sampler->gpus.file = os_open(sampler->files.at, SPOOL_GPU_FILE);
	for (int i = 0; i < TRIES && sampler->gpus.file >= 0; i++) {
		int64_t length = os_read_at(sampler->gpus.file, sampler->scratch, sizeof *record, 0);
		if (length >= (int64_t)gpu_record_size(0) && record->count <= GPU_USES_MAX &&
			length >= (int64_t)gpu_record_size(record->count) && record->sum == gpu_record_sum(record)) {
			/* Stores the pid of rtrack-gpu, which the record contains. rtrack-run already knows the pid,
			 * because rtrack-gpu is its child. */
			if (*helper == 0 && sampler->place != SAMPLER_IN_LAUNCHER)
				*helper = (int)record->pid;
			return os_since_boot_ns() <= record->until_ns;
		}
	}
	return false;
}

void gpus_open(struct sampler *sampler, const struct settings *settings)
{
	bool keeper = sampler->place == SAMPLER_IN_KEEPER;
	bool there = !settings_is(settings, SETTING_ID_GPU, "off") &&
		     (settings->text[SETTING_ID_NVML][0] != '\0' || system_has_meters());

	/* A keeper never starts rtrack-gpu, but reads its record if it is running. The energy until now is not counted,
	 * because earlier rows contain it. */
	sampler->gpus.starts = there && !keeper ? STARTS : 0;
	sampler->gpus.wanted = there || keeper;
	bool holds = sampler->gpus.wanted && read_record(sampler);
	sampler->passed.series.package_uj = holds ? record_of(sampler)->package_uj : 0;
	sampler->gpus.wanted = sampler->gpus.starts > 0 || sampler->gpus.file >= 0;
}

bool gpus_read(struct sampler *sampler)
{
	sampler->gpus.is_read = sampler->gpus.wanted && read_record(sampler);
	return sampler->gpus.is_read;
}

bool sampler_wants_gpu(struct sampler *sampler)
{
	int helper = sampler->tracker.helper_pid[SAMPLER_HELPER_GPU];

	if (sampler->gpus.starts == 0 || sampler->gpus.is_read || (helper != 0 && process_cpu_ns(helper) != 0))
		return false;
	sampler->gpus.starts--;
	return true;
}

void gpus_write_member(const struct sampler *sampler, struct member *member)
{
	const struct gpu_record *record = record_of(sampler);
	uint64_t other = sampler->gpus.is_read && record->told ? 0 : GAUGE_UNKNOWN;
	struct gpu_use use = {0, other, other};

	for (uint64_t i = 0; sampler->gpus.is_read && i < record->count; i++)
		if (record->uses[i].pid == (uint64_t)member->id.pid)
			use = record->uses[i];
	member->gauge[GAUGE_GPU_USE] = use.usage;
	member->gauge[GAUGE_GPU_KIB] = use.vram_kib;
}

static void write_sums(struct cell *usage, const struct gpu_sums *sums)
{
	_Static_assert(SYSTEM_gpu_vram_mib == SYSTEM_gpu_usage + 1 && SYSTEM_gpu_utilized == SYSTEM_gpu_usage + 2 &&
			       PROCESS_gpu_vram_mib == PROCESS_gpu_usage + 1 &&
			       PROCESS_gpu_utilized == PROCESS_gpu_usage + 2,
		"the three stand side by side");
	usage[0].number = sums->usage;
	usage[1].number = sums->vram_mib;
	usage[2].number = sums->utilized;
}

void gpus_write_process(const struct sampler *sampler, struct cell *cells)
{
	if (sampler->gpus.is_read)
		write_sums(&cells[PROCESS_gpu_usage], &record_of(sampler)->job);
}

void gpus_write_system(struct sampler *sampler, struct cell *cells)
{
	const struct gpu_record *record = record_of(sampler);
	uint64_t *before = &sampler->passed.series.package_uj;

	if (!sampler->gpus.is_read)
		return;
	write_sums(&cells[SYSTEM_gpu_usage], &record->machine);
	if (record->package_uj == UINT64_MAX)
		return;
	/* After a restart, rtrack-gpu counts energy from 0, so a smaller figure is a new count. */
	uint64_t grown = record->package_uj - (record->package_uj >= *before ? *before : 0);
	cells[SYSTEM_package_energy_wh].number = (double)grown / 3.6e9;
	*before = record->package_uj;
}
