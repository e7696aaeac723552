/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and evaluates the conditions of `watch --when`. */
#include "report/compare/alert.h"

#include "core/number.h"
#include "report/compare/condition.h"

#include <math.h>
#include <string.h>

enum resource { RESOURCE_nothing, RESOURCE_cpu, RESOURCE_memory, RESOURCE_gpu, RESOURCE_seconds };

static const struct {
	const char *name;
	int column;
	enum resource resource;
	int total; /* total that `previous` stands for, or TOTAL_COUNT if none */
} ticks[ALERT_TICKS] = {
#define ALERT_FIGURE(column, resource, total) {#column, PROCESS_##column, RESOURCE_##resource, TOTAL_##total},
#include "report/compare/alerts.def"
};

static const char *const names[ALERT_NAMES] = {"", "limit", "requested", "previous"};

/* -- parsing --------------------------------------------------------------------------------------- */

static const char *const unexpected = "expected CONDITION such as memory_mib>0.9*limit, cpu_usage<0.01 for 10m, "
				      "memory_mib>limit within 5m, ended or failed";

static int find_figure(struct text name)
{
	for (int i = 0; i < ALERT_TICKS; i++)
		if (text_is(name, ticks[i].name))
			return i;
	for (int i = 0; i < TOTAL_COUNT; i++)
		if (text_is(name, total_table[i].name))
			return ALERT_TICKS + i;
	return -1;
}

static int take_number(struct text *text, double *number)
{
	struct text taken = scan_word(text, SCAN_DIGITS);

	return taken.length > 0 && number_read(taken, number) == 0 && isfinite(*number) ? 0 : -1;
}

static int take_name(struct text *text, enum alert_name *name)
{
	struct text word = scan_word(text, SCAN_LETTERS);

	for (int i = 1; i < ALERT_NAMES; i++) {
		if (!text_is(word, names[i]))
			continue;
		*name = (enum alert_name)i;
		return 0;
	}
	return -1;
}

static const char *read_bound(struct alert *alert, struct text *text)
{
	static const char wrong[] = "expected a bound such as 100, limit, 0.9*requested or 2*previous";
	bool number = take_number(text, &alert->factor) == 0;

	if (number && !scan_byte(text, '*'))
		return NULL;
	if (take_name(text, &alert->name) != 0)
		return wrong;
	if (number)
		return NULL;
	alert->factor = 1;
	return scan_byte(text, '*') && take_number(text, &alert->factor) != 0 ? wrong : NULL;
}

static const char *read_time(struct alert *alert, struct text *text)
{
	static const char wrong[] = "expected a time such as 90s, 10m, 2h or 1d behind for or within";
	static const char units[] = "smhd";
	static const double seconds[] = {1, 60, 3600, 86400};
	struct text word = scan_word(text, SCAN_LETTERS);
	double number;

	if (word.length == 0 && text->length == 0)
		return NULL;
	bool within = text_is(word, "within");
	if (!within && !text_is(word, "for"))
		return "expected nothing behind the bound, or for TIME, or within TIME";
	if (alert->figure >= ALERT_TICKS)
		return "for and within are for figures of a tick: cpu_usage, memory_mib, swap_mib, gpu_usage, "
		       "gpu_vram_mib or members";
	if (take_number(text, &number) != 0 || text->length != 1 || !strchr(units, text->data[0]) ||
		text->data[0] == '\0')
		return wrong;
	number *= seconds[strchr(units, text->data[0]) - units];
	if (!(number > 0 && number <= 1e9))
		return wrong;
	*(within ? &alert->within_seconds : &alert->for_seconds) = number;
	return NULL;
}

const char *alert_read(struct alert *alert, struct text text)
{
	*alert = (struct alert){.text = text, .for_seconds = UNKNOWN, .within_seconds = UNKNOWN};
	struct text word = scan_word(&text, SCAN_LETTERS);
	if (text.length == 0 && (text_is(word, "ended") || text_is(word, "failed"))) {
		alert->kind = text_is(word, "ended") ? ALERT_ENDED : ALERT_FAILED;
		return NULL;
	}
	alert->figure = find_figure(word);
	if (alert->figure < 0)
		return unexpected;
	if (!scan_comparison(&text, &alert->less, &alert->or_equal))
		return "expected <, <=, > or >= behind the figure";
	const char *wrong = read_bound(alert, &text);
	return wrong ? wrong : read_time(alert, &text);
}

/* -- evaluation ------------------------------------------------------------------------------------ */

uint64_t alert_columns(void)
{
	uint64_t columns = 0;

	for (int i = 0; i < ALERT_TICKS; i++)
		columns |= SERIES_COLUMN(ticks[i].column);
	return columns;
}

static enum resource resource_of(int figure)
{
	if (figure < ALERT_TICKS)
		return ticks[figure].resource;
	switch (figure - ALERT_TICKS) {
	case TOTAL_wall_seconds:
		return RESOURCE_seconds;
	case TOTAL_mean_cpu_usage:
		return RESOURCE_cpu;
	case TOTAL_peak_swap_mib:
	case TOTAL_peak_tmpfs_mib:
		return RESOURCE_nothing;
	default:
		return total_table[figure - ALERT_TICKS].unit == UNIT_mib ? RESOURCE_memory : RESOURCE_nothing;
	}
}

static double limit_of(enum resource resource, const struct model *model)
{
	switch (resource) {
	case RESOURCE_memory:
		return model->limit.mib;
	case RESOURCE_cpu:
		return known_first(model->run->cpus, model->run->vcpus);
	case RESOURCE_seconds:
		return known_first(model->run->limit_seconds, run_asked(model->run, "seconds"));
	default:
		return UNKNOWN;
	}
}

static double bound_of(const struct alert *alert, const struct model *model, const struct totals *previous)
{
	static const char *const asked[] = {[RESOURCE_cpu] = "cpu",
		[RESOURCE_memory] = "memory_mib",
		[RESOURCE_gpu] = "gpu",
		[RESOURCE_seconds] = "seconds"};
	enum resource resource = resource_of(alert->figure);
	int total = alert->figure < ALERT_TICKS ? ticks[alert->figure].total : alert->figure - ALERT_TICKS;

	switch (alert->name) {
	case ALERT_LIMIT:
		return alert->factor * limit_of(resource, model);
	case ALERT_REQUESTED:
		return asked[resource] ? alert->factor * run_asked(model->run, asked[resource]) : UNKNOWN;
	case ALERT_PREVIOUS:
		return previous && total < TOTAL_COUNT ? alert->factor * total_value(previous, (enum total_id)total)
						       : UNKNOWN;
	default:
		return alert->factor;
	}
}

static bool compares(const struct alert *alert, double value, double bound)
{
	if (value == bound)
		return alert->or_equal;
	return alert->less ? value < bound : value > bound;
}

/* Finds the first row in which the condition holds, or has held for the required time (`for`). That time starts again
 * after a row that lacks the figure. */
static struct alert_verdict judge_rows(const struct alert *alert, const struct model *model, double bound)
{
	const struct series *series = &model->process;
	int column = ticks[alert->figure].column;
	struct alert_verdict verdict = {-1, UNKNOWN, bound};
	double since = UNKNOWN, before = model->run->start_time;

	for (size_t i = 0; i < series->rows; i++) {
		double value = series_value(series, column, i);
		double time = series_value(series, PROCESS_timestamp, i);
		bool holds = number_known(value) && compares(alert, value, bound);
		if (number_known(value))
			verdict = (struct alert_verdict){0, value, bound};
		if (!holds)
			since = UNKNOWN;
		else if (!number_known(since))
			since = before;
		if (holds && (!number_known(alert->for_seconds) || time - since >= alert->for_seconds)) {
			verdict.holds = 1;
			return verdict;
		}
		before = time;
	}
	return verdict;
}

/* Computes a regression line through the rows of the last within_seconds and extrapolates it by the same time. The rows
 * must cover at least half of within_seconds. */
static struct alert_verdict judge_course(const struct alert *alert, const struct model *model, double bound)
{
	const struct series *series = &model->process;
	int column = ticks[alert->figure].column;
	double last = series->rows > 0 ? series_value(series, PROCESS_timestamp, series->rows - 1) : UNKNOWN;
	double count = 0, first = last, t1 = 0, v1 = 0, t2 = 0, tv = 0;

	for (size_t i = series->rows; i-- > 0;) {
		double value = series_value(series, column, i);
		double time = series_value(series, PROCESS_timestamp, i) - last;
		if (time < -alert->within_seconds)
			break;
		if (!number_known(value))
			continue;
		first = time + last;
		count++;
		t1 += time;
		v1 += value;
		t2 += time * time;
		tv += time * value;
	}
	double spread = count * t2 - t1 * t1;
	struct alert_verdict verdict = {-1, UNKNOWN, bound};
	if (count < 3 || !(spread > 0) || last - first < alert->within_seconds / 2)
		return verdict;
	double slope = (count * tv - t1 * v1) / spread;
	double now = (v1 - slope * t1) / count; /* value of the regression line at the last row */
	verdict.value = now + slope * alert->within_seconds;
	verdict.holds = compares(alert, verdict.value, bound);
	return verdict;
}

struct alert_verdict alert_judge(const struct alert *alert, const struct model *model, const struct totals *previous)
{
	bool running = strcmp(model->run->status, "running") == 0;
	struct alert_verdict verdict = {!running, UNKNOWN, UNKNOWN};

	if (alert->kind == ALERT_ENDED)
		return verdict;
	if (alert->kind == ALERT_FAILED) {
		verdict.holds = !running && model->outcome != OUTCOME_FINISHED;
		return verdict;
	}
	double bound = bound_of(alert, model, previous);
	if (!number_known(bound))
		return (struct alert_verdict){-1, UNKNOWN, UNKNOWN};
	if (alert->figure < ALERT_TICKS)
		return number_known(alert->within_seconds) ? judge_course(alert, model, bound)
							   : judge_rows(alert, model, bound);
	double value = total_value(&model->totals, (enum total_id)(alert->figure - ALERT_TICKS));
	return (struct alert_verdict){number_known(value) ? compares(alert, value, bound) : -1, value, bound};
}
