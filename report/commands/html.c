/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report html: writes the page of a run, or of a group that is presented as one run.
 *
 * The page shows everything that can be read. A run that has neither series nor processes gets no page. An incomplete
 * page is removed, so that it is not mistaken for a complete one. */
#define _GNU_SOURCE
#include "report/advice/waste_price.h"
#include "report/commands/advice.h"
#include "report/commands/commands.h"
#include "report/commands/many.h"
#include "report/compare/side.h"
#include "report/history/inner_jobs_read.h"
#include "report/page/charts.h"
#include "report/page/page_file.h"
#include "report/page/trend_page.h"
#include "report/page/run_page.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/services/facts.h"

#include <stdlib.h>
#include <string.h>

/* Data of the page in addition to the model. The page has pointers to this data. */
struct material {
	char *command;
	char *labels;
	struct history history;
	struct past past;
	struct recommendation recommendation;
	struct waste_money waste_money;
	struct inner_jobs inner_jobs;
	char *over_time; /* HTML of the section on the job's runs */
};

struct model_wish html_wish(const struct options *options)
{
	struct model_wish wish = recommend_wish();

	(void)options;
	wish.sections |= PAGE_SECTIONS;
	wish.process_columns |= charts_columns(TABLE_process);
	wish.system_columns |= charts_columns(TABLE_system);
	return wish;
}

/* Returns the HTML of the section on the job's runs. The caller must free it. */
static char *make_over_time(const struct model *model)
{
	struct trend trend;
	char *text;
	size_t size;
	FILE *out = xopen_memstream(&text, &size);

	trend_read(&trend, model);
	trend_write_section(out, &trend, model->run->id, NULL);
	trend_free(&trend);
	xclose_memstream(out);
	return text;
}

/* Reads the other runs of the job. If `given` is set, the page is part of a site, which has already supplied these
 * runs. */
static void read_others(struct material *material, const struct model *model, bool given)
{
	if (!given)
		history_read(&material->history, model->run, HISTORY_RUNS);
	if (!given && !model->group)
		material->over_time = make_over_time(model);
	inner_jobs_read(&material->inner_jobs, model);
	material->command = run_command_line(model->run);
	material->labels = run_labels_line(model->run);
	past_make(&material->past, &model->totals, &model->stats, &material->history);
}

static void release(struct material *material)
{
	history_free(&material->history);
	inner_jobs_free(&material->inner_jobs);
	free(material->command);
	free(material->labels);
	free(material->over_time);
}

/* Adds the recommendation. Returns 0, or -1 after a message. */
static int advise_page(
	struct page *page, struct material *material, const struct options *options, const struct uses *earlier)
{
	if (!page->model->usable)
		return 0;
	page->recommendation = &material->recommendation;
	page->priced = options_given(options, OPTION_prices) || options_given(options, OPTION_catalog);
	if (advice_make_by(&material->recommendation, options, page->model, earlier) != 0)
		return -1;
	struct price_question question = advice_prices(options);
	struct waste *waste = &material->recommendation.waste;
	if (waste->runs > 0 && waste_price(&material->waste_money, waste, &question, true) != 0)
		return -1;
	page->waste_money = material->waste_money.between;
	page->waste_currency = material->waste_money.currency;
	return advice_price_jobs(&material->inner_jobs, options);
}

static int write_page(const struct options *options, const struct page *page)
{
	const char *path = options->text[OPTION_output];
	if (path && strcmp(path, "-") == 0) {
		if (page_write(stdout, page) == 0)
			return EXIT_DONE;
		/* main() reports errors of stdout. */
		return ferror(stdout) ? EXIT_NO_DATA : message_cannot_write("-");
	}
	char *name = path ? NULL : page_file_name(page->model->run->id);
	int status = path ? page_file_write(path, page_write, page) : page_file_replace(name, page_write, page);
	if (status == EXIT_DONE && options->json)
		status = json_print_string("file", path ? path : name);
	else if (status == EXIT_DONE && name)
		printf("%s\n", name);
	if (status == EXIT_DONE && options_given(options, OPTION_open))
		status = page_file_open(path ? path : name);
	free(name);
	return status;
}

/* Returns whether the options are consistent. Prints a message if not. */
static bool may_be_written(const struct options *options)
{
	bool to_stdout = options_is(options, OPTION_output, "-");

	if (options_given(options, OPTION_open) && to_stdout)
		message_print("--open needs a file: use -o FILE");
	else if (options->json && to_stdout)
		message_print("--format json and -o - both write to stdout: give -o a file");
	else
		return true;
	return false;
}

/* Writes the page of a model. If the page is part of a site, `given` has the other runs of the job; otherwise `given`
 * is NULL. */
static int make_page(const struct options *options, const struct model *model, struct material *material,
	const struct page_given *given)
{
	struct page page = {.model = model,
		.history = &material->history,
		.inner_jobs = &material->inner_jobs,
		.past = &material->past,
		.waste_money = UNKNOWN,
		.waste_currency = ""};
	int status = EXIT_NO_DATA;

	if (!model->usable && model->system.rows == 0) {
		message_print("'%s' has no records", model->run->directory);
		release(material);
		return EXIT_NO_DATA;
	}
	read_others(material, model, given != NULL);
	if (advise_page(&page, material, options, given ? &given->earlier : NULL) == 0) {
		page.command = material->command;
		page.labels = material->labels;
		page.over_time = material->over_time;
		page.assets = given ? "../assets/" : NULL;
		page.site = given ? given->site : NULL;
		page.place = given ? given->place : NULL;
		status = given ? page_file_replace(given->path, page_write, &page) : write_page(options, &page);
	}
	release(material);
	return status;
}

int html_model(const struct options *options, const struct model *model)
{
	struct material material = {.command = NULL};

	return may_be_written(options) ? make_page(options, model, &material, NULL) : EXIT_USAGE;
}

int html_page_of_site(const struct options *options, struct run *run, struct page_given *given)
{
	const struct model_wish wish = html_wish(options);
	struct material material = {.history = given->history, .over_time = given->over_time};
	struct model model;

	given->history = (struct history){0};
	given->over_time = NULL;
	facts_add(run, CLOUD_ASK_NONE);
	model_read(&model, run, &wish);
	int status = make_page(options, &model, &material, given);
	model_free(&model);
	return status;
}
