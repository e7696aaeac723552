/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and evaluates the conditions of `compare --fail-if`. */
#include "report/compare/condition.h"

#include "core/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const measure_names[MEASURE_COUNT] = {
#define MEASURE(name, unit, label, value) #name,
#include "report/compare/measures.def"
};

/* -- tokens ------------------------------------------------------------------------------------------ */

static void drop(struct text *text, size_t count)
{
	*text = (struct text){text->data + count, text->length - count};
}

static void skip_spaces(struct text *text)
{
	while (text->length > 0 && text->data[0] == ' ')
		drop(text, 1);
}

struct text scan_word(struct text *text, const char *bytes)
{
	skip_spaces(text);
	struct text word = {text->data, 0};
	while (word.length < text->length && text->data[word.length] != '\0' && strchr(bytes, text->data[word.length]))
		word.length++;
	drop(text, word.length);
	skip_spaces(text);
	return word;
}

bool scan_byte(struct text *text, char byte)
{
	bool there = text->length > 0 && text->data[0] == byte;

	if (there)
		drop(text, 1);
	return there;
}

bool scan_comparison(struct text *text, bool *less, bool *or_equal)
{
	*less = scan_byte(text, '<');
	if (!*less && !scan_byte(text, '>'))
		return false;
	*or_equal = scan_byte(text, '=');
	skip_spaces(text);
	return true;
}

/* -- parsing --------------------------------------------------------------------------------------- */

/* Returns the message for a condition on a figure that does not exist. The message suggests a figure whose name
 * contains `name`, if there is one, and lists the first six figures. */
static const char *describe_unknown(struct text name)
{
	enum { NAMED = 6 };
	static char message[400];
	char word[64];
	const char *meant = NULL;
	int used = snprintf(message, sizeof message, "expected the name of a figure before < or >");

	snprintf(word, sizeof word, "%.*s", (int)name.length, name.data);
	for (int i = 0; i < MEASURE_COUNT && *word; i++)
		if (strstr(measure_names[i], word) &&
			(!meant || (strncmp(meant, "peak", 4) != 0 && strncmp(measure_names[i], "peak", 4) == 0)))
			meant = measure_names[i];
	if (meant)
		used += snprintf(message + used, sizeof message - (size_t)used, "; did you mean '%s'?", meant);
	used += snprintf(message + used, sizeof message - (size_t)used, "%s", meant ? " Figures: " : "; figures: ");
	for (int i = 0; i < NAMED; i++)
		used += snprintf(message + used, sizeof message - (size_t)used, "%s, ", measure_names[i]);
	snprintf(message + used, sizeof message - (size_t)used, "... (all: compare --format json)");
	return message;
}

static int find_measure(struct text name, enum measure_id *measure)
{
	for (int i = 0; i < MEASURE_COUNT; i++) {
		if (!text_is(name, measure_names[i]))
			continue;
		*measure = (enum measure_id)i;
		return 0;
	}
	return -1;
}

static const char *read_amount(struct condition *condition, struct text text)
{
	static const char wrong[] = "expected an amount such as 100, +100, +10% or -10%";
	bool minus = scan_byte(&text, '-'), is_signed = minus || scan_byte(&text, '+');
	bool percent = text_ends(text, "%");

	text.length -= percent;
	if (text.length == 0 || text.data[0] == '-' || number_read(text, &condition->amount) != 0 ||
		!isfinite(condition->amount))
		return wrong;
	if (percent && !is_signed)
		return "a percentage needs a sign: +10% or -10%";
	condition->kind = percent ? CONDITION_PERCENT : is_signed ? CONDITION_CHANGE : CONDITION_VALUE;
	if (minus)
		condition->amount = -condition->amount;
	return NULL;
}

static const char *read_comparison(struct condition *condition, struct text text)
{
	(void)scan_word(&text, "");
	while (text_ends(text, " "))
		text.length--;
	*condition = (struct condition){.text = text};
	struct text name = scan_word(&text, SCAN_LETTERS);
	if (find_measure(name, &condition->measure) != 0)
		return describe_unknown(name);
	if (!scan_comparison(&text, &condition->less, &condition->or_equal))
		return "expected <, <=, > or >= behind the name";
	return read_amount(condition, text);
}

const char *conditions_read(struct conditions *conditions, struct text text)
{
	for (size_t start = 0; start <= text.length;) {
		size_t end = start;
		while (end < text.length && text.data[end] != ',')
			end++;
		if (conditions->count == CONDITIONS_MAX)
			return "too many conditions";
		const char *wrong = read_comparison(
			&conditions->items[conditions->count], (struct text){text.data + start, end - start});
		if (wrong)
			return wrong;
		conditions->count++;
		start = end + 1;
	}
	return NULL;
}

/* -- evaluation ------------------------------------------------------------------------------------ */

double condition_percent(double a, double b)
{
	if (!number_known(a) || !number_known(b))
		return UNKNOWN;
	if (a == b)
		return 0;
	return a == 0 ? copysign(INFINITY, b) : 100 * (b - a) / fabs(a);
}

int condition_holds(const struct condition *condition, double a, double b)
{
	double figure = condition->kind == CONDITION_VALUE    ? b
			: condition->kind == CONDITION_CHANGE ? b - a
							      : condition_percent(a, b);

	if (!number_known(figure))
		return -1;
	if (figure == condition->amount)
		return condition->or_equal;
	return condition->less ? figure < condition->amount : figure > condition->amount;
}
