/* The runs that the options of a command choose. */
#include "report/commands/many.h"

#include "report/history/digest.h"
#include "report/spool/spools.h"

#include <errno.h>

struct choice options_choice(const struct options *options)
{
	return (struct choice){.job = options->text[OPTION_job],
		.group = options->text[OPTION_group],
		.labels = options->lines,
		.user = options->text[OPTION_user],
		.status = options->text[OPTION_status],
		.since = options->number[OPTION_since]};
}

bool many_takes(const struct choice *choice, const struct runs *runs, const char *name, const struct run *run)
{
	struct digest digest;

	if (!choice_has(choice, run))
		return false;
	if (!choice->status)
		return true;
	if (digest_find(&digest, runs, name, NULL, NULL) <= 0)
		return false;
	bool takes = digest_ended(&digest, choice->status);
	digest_free(&digest);
	return takes;
}

int options_list_jobs(struct jobs *jobs, const struct options *options, const char *spool)
{
	const struct choice choice = options_choice(options);
	struct spools spools;

	spools_find(&spools, options->spools, options->spool_count, spool);
	int result = jobs_list(jobs, &spools, &choice);
	if (result != 0)
		runs_say_unlisted(spools.items[0], errno);
	spools_free(&spools);
	return result;
}
