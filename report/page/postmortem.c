/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ran out of memory: a sentence on the first screen, and a section with details. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/recommend.h"
#include "report/model/label.h"
#include "report/model/code.h"
#include "report/model/postmortem.h"
#include "report/page/elements.h"

#include <math.h>

static void write_process(FILE *out, const struct process *process)
{
	markup_write(out, "<strong>%-s</strong> (process %d)", process_label(process).text, process->id.pid);
}

/* Writes which process was killed or failed, such as ". The kernel killed gcc (process 12)". */
static void write_victim(FILE *out, const struct postmortem *postmortem)
{
	if (postmortem->victim) {
		markup_write(out, ". %s ",
			number_known(postmortem->used_mib) ? "The process that failed was"
			: postmortem->counted              ? "The kernel killed"
							   : "The killed process was");
		write_process(out, postmortem->victim);
	} else if (postmortem->counted) {
		markup_write(out, ". The kernel killed an unknown process");
	}
}

static void write_limit(FILE *out, const struct postmortem *postmortem)
{
	markup_write(out, "It met <strong>%s</strong>, <strong>%s</strong>", postmortem_limit_words(postmortem->limit),
		units_figure(UNIT_mib, postmortem->limit_mib).text);
}

/* Writes " at its limit of 500 MiB (--max-memory).", or " at the limit of its control group, 500 MiB." */
static void write_lack_limit(FILE *out, const struct postmortem *postmortem)
{
	bool own = postmortem->limit == POSTMORTEM_OWN;

	markup_write(out, " at %s", own ? "its limit" : postmortem_limit_words(postmortem->limit));
	if (number_known(postmortem->limit_mib))
		markup_write(out, "%s <strong>%s</strong>", own ? " of" : ",",
			units_figure(UNIT_mib, postmortem->limit_mib).text);
	markup_write(out, "%s.", own ? " <span>(--max-memory)</span>" : "");
}

/* Writes two sentences for the first screen: "Out of memory at its limit of 500 MiB (--max-memory). train.py had
 * 505 MiB and grew by 77 MiB/s at train.py:4 in load." */
void page_write_lack(FILE *out, const struct page *page)
{
	const struct postmortem *postmortem = &page->model->postmortem;
	const struct postmortem_holder *largest = postmortem->count > 0 ? &postmortem->holders[0] : NULL;
	const struct process *process = postmortem->victim ? postmortem->victim : largest ? largest->process : NULL;
	const struct code_moment *death = &page->model->code.death;
	char line[CODE_NAME_SIZE];

	for (size_t i = 0; i < postmortem->count; i++)
		if (postmortem->holders[i].process == process)
			largest = &postmortem->holders[i];
	markup_write(out, "<p class=\"error lead\">Out of memory");
	write_lack_limit(out, postmortem);
	if (process)
		markup_write(out, " <strong>%-s</strong>", process_label(process).text);
	if (process && largest && largest->process == process && number_known(largest->held_mib)) {
		double rate = largest->grown_mib / largest->seconds;
		markup_write(out, " had <strong>%s</strong>", units_figure(UNIT_mib, largest->held_mib).text);
		if (rate > 0)
			markup_write(out, " and grew by %s/s", units_figure(UNIT_mib, rate).text);
	} else if (process) {
		markup_write(out, " ran out of it");
	}
	if (process && death->known)
		markup_write(out, " at <code>%-s</code>", code_name(&death->at, line));
	markup_write(out, "%s</p>\n", process ? "." : "");
}

static void write_kill(FILE *out, const struct page *page)
{
	const struct postmortem *postmortem = &page->model->postmortem;

	markup_write(out, "<p>");
	/* The first screen has the limit of --max-memory. */
	if (postmortem->limit == POSTMORTEM_OWN) {
		markup_write(out, "Ended after <strong>%s</strong>", units_duration(page->model->end_seconds).text);
	} else {
		page_write_outcome(out, page);
		markup_write(out, ". ");
		write_limit(out, postmortem);
	}
	write_victim(out, postmortem);
	if (postmortem->victim) {
		if (number_known(postmortem->used_mib))
			markup_write(out, ", with <strong>%s</strong> of that in use,",
				units_figure(UNIT_mib, postmortem->used_mib).text);
		if (number_known(postmortem->time)) {
			markup_write(out, " at ");
			time_write(out, "", postmortem->time);
		}
	}
	markup_write(out, ".</p>\n");
}

static void write_holder(FILE *out, const struct postmortem_holder *holder)
{
	double rate = holder->grown_mib / holder->seconds;

	markup_write(out, "<tr><th scope=\"row\" class=\"name\"><span>%-s</span>", process_label(holder->process).text);
	if (holder->process->command)
		markup_write(out, "<code>%-s</code>", holder->process->command);
	markup_write(out, "</th><td class=\"number\">%d</td><td class=\"number\">%s</td>", holder->process->id.pid,
		units_figure(UNIT_mib, holder->held_mib).text);
	if (number_known(rate))
		markup_write(out, "<td class=\"number\">%s%s/s</td><td class=\"number\">%s</td>", rate < 0 ? "−" : "+",
			units_figure(UNIT_mib, fabs(rate)).text, units_duration(holder->seconds).text);
	else
		markup_write(out, "<td class=\"number\">–</td><td class=\"number\">–</td>");
	markup_write(out, "</tr>\n");
}

static void write_holders(FILE *out, const struct postmortem *postmortem)
{
	if (postmortem->count == 0)
		return;
	table_begin(out, NULL, "Holder|#Process|#Memory at the end|#Grew by|#in the last");
	for (size_t i = 0; i < postmortem->count; i++)
		write_holder(out, &postmortem->holders[i]);
	table_end(out, NULL);
	markup_write(out, "\n");
}

bool page_write_outlived(FILE *out, const struct page *page)
{
	char text[256];

	if (!page->model->postmortem.outlived)
		return false;
	postmortem_describe_outlived(&page->model->postmortem, text, sizeof text);
	markup_write(out, "<p class=\"warning\">The kernel killed %-s, and the job went on.</p>\n", text);
	return true;
}

void page_write_postmortem(FILE *out, const struct page *page)
{
	const struct postmortem *postmortem = &page->model->postmortem;

	if (!postmortem->found)
		return;
	markup_write(out, "<div class=\"card postmortem\">\n");
	write_kill(out, page);
	write_holders(out, postmortem);
	page_write_moment(out, &page->model->code.death, "at the end");
	markup_write(out, "<p class=\"note\">By %s, and by the last minute of each process’ memory.",
		postmortem->counted ? "what the kernel counted" : "how it ended near that limit");
	markup_more(out, "report.md#post-mortem");
	markup_write(out, "</div>");
}
