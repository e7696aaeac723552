/* Requests of all jobs; see requests.h.
 *
 * By the allowance rule a job needs no more than what is kept of its runs. The classic rule looks at the latest of them
 * by itself, which is read whole for that. */
#include "report/commands/requests.h"

#include "report/advice/classic.h"
#include "report/commands/advice.h"
#include "report/commands/groups.h"

/* A run that is gone meanwhile, or cannot be read, says nothing. */
static int ask_classic(struct recommendation *recommendation, const struct jobs *jobs, const struct job *job,
	const struct requests_wish *wish)
{
	struct run run;
	struct model model;
	const struct model_wish needs = recommend_wish();

	if (runs_open(&run, &jobs->runs, job->names[0]) != 0)
		return 0;
	model_read(&model, &run, &needs);
	int result = classic_make(recommendation, &model, wish->allowance.earlier) == 0 ? 1 : -1;
	recommend_note_basis(recommendation, &model);
	classic_heed_limit(recommendation, &model);
	model_free(&model);
	run_close(&run);
	return result;
}

/* Of a job of ranks. Returns 0 where it is none, or they cannot be read together. */
static int ask_of_ranks(struct recommendation *recommendation, const struct jobs *jobs, const struct job *job,
	const struct requests_wish *wish)
{
	struct run run;
	struct group group;
	int result = 0;

	if (runs_open(&run, &jobs->runs, job->names[0]) != 0)
		return 0;
	if (groups_is_rank(&run) && groups_read_of_rank(&group, &run, NULL, 0, wish->allowance.earlier) == 0) {
		result = advice_of_group(recommendation, &group, &wish->allowance) == 0 ? 1 : -1;
		recommend_note_few(recommendation);
		group_free(&group);
	}
	run_close(&run);
	return result;
}

int requests_make(struct recommendation *recommendation, const struct jobs *jobs, const struct job *job,
	const struct requests_wish *wish)
{
	struct uses uses;

	*recommendation = (struct recommendation){.classic = wish->classic};
	if (wish->classic)
		return ask_classic(recommendation, jobs, job, wish);
	int ranks = ask_of_ranks(recommendation, jobs, job, wish);
	if (ranks != 0)
		return ranks;
	/* The latest counts as one run more, as where it is asked about by itself. */
	if (jobs_read_uses(&uses, jobs, job, wish->allowance.earlier + 1) != 0)
		return -1;
	int result = uses.count > 0;
	if (result > 0 &&
		allowance_of_uses(recommendation, &uses, uses.items[uses.count - 1].vcpus, &wish->allowance) != 0)
		result = -1;
	if (result > 0)
		recommend_note_few(recommendation);
	uses_free(&uses);
	return result;
}
