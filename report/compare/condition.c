/* Conditions on how a figure changed; see condition.h. */
#include "report/compare/condition.h"

#include "core/number.h"

#include <math.h>
#include <string.h>

const char *const measure_names[MEASURE_COUNT] = {
#define MEASURE(name, unit, label, value) #name,
#include "report/compare/measures.def"
#undef MEASURE
};

/* -- texts ----------------------------------------------------------------------------------------- */

static struct text behind(struct text text, size_t count)
{
	return (struct text){text.data + count, text.length - count};
}

static bool starts_with(struct text text, char byte)
{
	return text.length > 0 && text.data[0] == byte;
}

static struct text without_spaces(struct text text)
{
	while (starts_with(text, ' '))
		text = behind(text, 1);
	while (text.length > 0 && text.data[text.length - 1] == ' ')
		text.length--;
	return text;
}

/* Removes `byte` from the beginning of the text, if it is there. */
static bool take(struct text *text, char byte)
{
	bool there = starts_with(*text, byte);
	if (there)
		*text = behind(*text, 1);
	return there;
}

/* -- reading --------------------------------------------------------------------------------------- */

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
	bool minus = starts_with(text, '-');
	bool is_signed = take(&text, '+') || take(&text, '-');
	bool percent = text.length > 0 && text.data[text.length - 1] == '%';

	text.length -= percent;
	if (text.length == 0 || starts_with(text, '-') || number_read(text, &condition->amount) != 0 ||
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
	size_t length = 0;
	text = without_spaces(text);
	*condition = (struct condition){.text = text};
	while (length < text.length && text.data[length] != '<' && text.data[length] != '>')
		length++;
	if (find_measure(without_spaces((struct text){text.data, length}), &condition->measure) != 0)
		return "expected the name of a figure, as in --format json, before < or >";
	text = behind(text, length);
	if (text.length == 0)
		return "expected <, <=, > or >= behind the name";
	condition->less = starts_with(text, '<');
	text = behind(text, 1);
	condition->or_equal = take(&text, '=');
	return read_amount(condition, without_spaces(text));
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

/* -- judging --------------------------------------------------------------------------------------- */

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
