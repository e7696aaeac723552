/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the writer of a file, and the jobs in it.
 *
 * A tool may allow fewer names than rtrack. Where a changed name has the same meaning (Kubernetes, AWS Batch, Docker),
 * the job is renamed. Snakemake's rules are Python names, and a different name is a different rule, so such a job is
 * omitted. A job is also omitted if its new name equals that of an earlier job. */
#define _GNU_SOURCE
#include "report/advice/dialect_file.h"

#include "report/advice/dialect_writers.h"
#include "report/say/alloc.h"
#include "report/say/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	writers_file *write;
	writers_names *name; /* converts a job's name for the tool; NULL if the tool accepts any name */
} table[DIALECT_COUNT] = {
	[DIALECT_slurm] = {writers_slurm, NULL},
	[DIALECT_nextflow] = {writers_nextflow, NULL},
	[DIALECT_snakemake] = {writers_snakemake, writers_name_snakemake},
	[DIALECT_kubernetes] = {writers_kubernetes, writers_name_kubernetes},
	[DIALECT_metaflow] = {writers_metaflow, NULL},
	[DIALECT_batch] = {writers_batch, writers_name_batch},
	[DIALECT_docker] = {writers_docker, writers_name_docker},
	[DIALECT_airflow] = {writers_airflow, NULL},
};

/* -- texts ----------------------------------------------------------------------------------------- */

void writers_comment(FILE *out, const char *text)
{
	struct text all = text_of(text);

	for (size_t at = 0; at < all.length;) {
		struct utf8_shown shown = utf8_show(all, at, false);
		fputs(shown.code == 0 ? "?" : shown.text, out);
		at += shown.length;
	}
}

void writers_name(const char *name, const char *others, bool lower, char text[WRITERS_NAME_SIZE])
{
	size_t length = 0;

	for (; *name && length < WRITERS_NAME_SIZE - 1; name++) {
		unsigned char byte = (unsigned char)*name;
		bool plain = byte < 128 && (isalnum(byte) || strchr(others, byte));
		/* The first byte must be a letter or digit in every tool. */
		if (length == 0 && !(byte < 128 && isalnum(byte)))
			continue;
		text[length++] = !plain ? '-' : lower ? (char)tolower(byte) : (char)byte;
	}
	while (length > 0 && !isalnum((unsigned char)text[length - 1]))
		length--;
	text[length] = '\0';
}

/* -- selection of jobs ----------------------------------------------------------------------------- */

bool file_has_job(const struct dialect_job *jobs, size_t index, enum dialect dialect)
{
	char name[WRITERS_NAME_SIZE], other[WRITERS_NAME_SIZE];
	writers_names *name_of = table[dialect].name;

	if (!name_of)
		return true;
	name_of(jobs[index].name, name);
	for (size_t i = 0; *name && i < index; i++) {
		name_of(jobs[i].name, other);
		if (strcmp(name, other) == 0)
			return false;
	}
	return *name != '\0';
}

static size_t choose(struct dialect_job *chosen, const struct dialect_job *jobs, size_t count, enum dialect dialect)
{
	size_t taken = 0;

	for (size_t i = 0; i < count; i++)
		if (file_has_job(jobs, i, dialect))
			chosen[taken++] = jobs[i];
	return taken;
}

char *file_of_jobs(const struct dialect_job *jobs, size_t count, enum dialect dialect)
{
	struct dialect_job *chosen = xcalloc(count, sizeof *chosen);
	char *text = NULL;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);

	table[dialect].write(out, chosen, choose(chosen, jobs, count, dialect));
	xclose_memstream(out);
	free(chosen);
	return text;
}
