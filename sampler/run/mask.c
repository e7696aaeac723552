/* SPDX-License-Identifier: Apache-2.0 */
/* Masks secrets in command lines, in one pass and without allocating memory: the constructor calls it in every
 * program. */
#include "sampler/run/mask.h"

#include "core/pattern.h"
#include "sampler/run/secret_options.h"
#include "sampler/run/secret_tokens.h"

static bool is_space(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '\0';
}

static bool is_quote(char byte)
{
	return byte == '\'' || byte == '"' || byte == '`';
}

static bool is_of_name(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
	       byte == '_' || byte == '-' || byte == '.';
}

static char folded(char byte)
{
	if (byte >= 'a' && byte <= 'z')
		return (char)(byte - 'a' + 'A');
	return byte == '-' || byte == '.' ? '_' : byte;
}

/* If `word` begins at `at` in `name`, returns the end of the word, otherwise 0. The name may have '_' between the
 * letters. */
static size_t held_end(struct text name, size_t at, struct text word)
{
	for (size_t i = 0; i < word.length; at++) {
		char byte = at < name.length ? folded(name.data[at]) : '\0';
		if (byte == word.data[i])
			i++;
		else if (byte != '_' || i == 0)
			return 0;
	}
	return at;
}

/* Returns whether a word of secrets.def begins with this letter. This quick check avoids a search at most positions of
 * a name. */
static bool begins_row(char letter)
{
#define SECRET(word) | 1u << ((word)[0] - 'A')
#define NO_SECRET SECRET
#define SECRET_LAST SECRET
#define NO_SECRET_AFTER(word)
	const uint32_t letters = 0
#include "sampler/run/secrets.def"
		;
	return letter >= 'A' && letter <= 'Z' && (letters >> (letter - 'A') & 1);
}

/* Returns whether a name is the name of a secret, according to the rows of secrets.def that match at offset `at`. */
static bool is_secret_at(struct text name, size_t at)
{
	/* The kinds of rows. `rows` contains the word of each row, followed by a byte with its kind. */
	enum { HOLDS = 1, NOT, LAST, NOT_AFTER };
	static const char rows[] =
#define SECRET(word) word "\1"
#define NO_SECRET(word) word "\2"
#define SECRET_LAST(word) word "\3"
#define NO_SECRET_AFTER(word) "__" word "_\4"
#include "sampler/run/secrets.def"
		;
	bool found = false;

	for (const char *row = rows; *row;) {
		struct text word = {row, 0};
		while (*row++ > NOT_AFTER)
			word.length++;
		size_t end = held_end(name, row[-1] == NOT_AFTER ? 0 : at, word);
		if (end == 0)
			continue;
		if (row[-1] == NOT_AFTER ? end == at : row[-1] == NOT && end == at + word.length)
			return false;
		/* A word of SECRET_LAST must begin at the start of the name, after '_', or at a capital letter as in
		 * smtpPass. */
		found |= row[-1] == HOLDS || (name.length == end && (at != 1 || name.data[0] != '-') &&
						     (at == 0 || folded(name.data[at - 1]) == '_' ||
							     (name.data[at] <= 'Z' && name.data[at - 1] >= 'a')));
	}
	return found;
}

static bool is_matched(const struct mask *mask, struct text text)
{
	for (size_t start = 0; start < mask->patterns.length;) {
		size_t end = text_find(mask->patterns, ',', start);
		struct text pattern = {mask->patterns.data + start, end - start};
		if (pattern.length > 0 && pattern_match(pattern, text))
			return true;
		start = end + 1;
	}
	return false;
}

static bool is_secret(const struct mask *mask, struct text name)
{
	struct text bare = name;

	for (size_t i = 0; i < name.length; i++)
		if (begins_row(folded(name.data[i])) && is_secret_at(name, i))
			return true;
	while (bare.length > 0 && bare.data[0] == '-')
		bare = (struct text){bare.data + 1, bare.length - 1};
	return name.length > 0 && (is_matched(mask, name) || is_matched(mask, bare));
}

static size_t name_end(struct text text, size_t at)
{
	while (at < text.length && is_of_name(text.data[at]))
		at++;
	return at;
}

static size_t word_end(struct text text, size_t at)
{
	while (at < text.length && !is_space(text.data[at]) && !is_quote(text.data[at]))
		at++;
	return at;
}

/* Returns the end of a value that begins at `at`: the next space outside quotes and parentheses, as in "$(cat key)" and
 * (a b). If `nested`, an escaped quote also begins a quoted text, which ends at the next escaped quote of that kind. */
static size_t shell_end(struct text text, size_t at, bool nested)
{
	char quote = '\0';
	bool escaped = false; /* the quoted text began with an escaped quote */
	int open = 0;         /* number of open parentheses */

	for (; at < text.length && (quote != '\0' || open > 0 || !is_space(text.data[at])); at++) {
		bool backslash = text.data[at] == '\\' && at + 1 < text.length && quote != '\'' && !escaped;
		at += backslash;
		char byte = text.data[at];
		if (quote != '\'' && !backslash)
			open += (byte == '(') - (byte == ')' && open > 0);
		if (quote != '\0') {
			if (byte == quote && !backslash) {
				quote = '\0';
				escaped = false;
			}
		} else if (is_quote(byte) && (nested || !backslash)) {
			quote = byte;
			escaped = backslash;
		}
	}
	return at;
}

/* Returns the end of a value. An escaped quote may be a literal character, or begin a quoted text of a nested shell.
 * The longer of the two values is masked. */
static size_t value_end(struct text text, size_t at)
{
	size_t plain = shell_end(text, at, false);
	size_t nested = shell_end(text, at, true);
	return plain > nested ? plain : nested;
}

/* Returns the end of the value of the name at offset `name`. If the name directly follows a quote, as in "NAME=VALUE",
 * the value ends at the closing quote. This does not apply to assignments in program text. The value of an HTTP header
 * ends at the end of the line. A header has the form `Name: value` inside quotes, or `Name:Scheme value` with a scheme
 * of letters. */
static size_t end_of_named(const struct mask *mask, struct text text, size_t name, size_t at, bool assigned)
{
	bool spaced = mask->is_script;

	for (size_t i = 0; i < name && !spaced; i++)
		spaced = is_space(text.data[i]);
	if (!spaced)
		return text.length;
	if (name == 0 || assigned || !is_quote(text.data[name - 1])) {
		size_t end = value_end(text, at), letters = at;
		while (letters < end && (uint8_t)((text.data[letters] | 0x20) - 'a') < 26)
			letters++;
		bool header = text.data[at - 1] == ' '
				      ? text.data[at - 2] == ':'
				      : text.data[at - 1] == ':' && letters == end && text.data[name] < 'a';
		return header ? text_find(text, '\n', end) : end;
	}
	/* If the opening quote was escaped, the closing one must be too. */
	bool escaped = name > 1 && text.data[name - 2] == '\\';
	size_t quote = text_find(text, text.data[name - 1], at);
	while (!escaped && quote < text.length && text.data[quote - 1] == '\\')
		quote = text_find(text, text.data[name - 1], quote + 1);
	size_t end = quote < text.length ? value_end(text, quote + 1) : quote;
	return end == quote + 1 ? quote : end;
}

/* Writes the mask in place of a value, unless the value is empty. */
static size_t write_masked(struct buffer *out, size_t at, size_t end)
{
	if (end > at)
		buffer_string(out, MASKED);
	return end;
}

/* Masks the value of a name. A number may be harmless: a single digit (x264 --pass 1), or a number of tokens. If the
 * user has set patterns, all numbers are masked. */
static size_t write_value(const struct mask *mask, struct buffer *out, struct text text, size_t at, size_t end)
{
	size_t digit = at;

	while (digit < end && text.data[digit] >= '0' && text.data[digit] <= '9')
		digit++;
	bool harmless = digit == end && mask->patterns.length == 0 && (mask->of_tokens || end - at == 1);
	return harmless ? at : write_masked(out, at, end);
}

/* Returns whether the user of a URL may be a token, as in https://TOKEN@github.com/a/b: a token is long, or has a
 * digit. Other schemes, such as ssh, have no tokens there. */
static bool is_token_user(struct text scheme, struct text user, bool has_password)
{
	bool digit = false;

	for (size_t i = 0; i < user.length; i++)
		digit |= user.data[i] >= '0' && user.data[i] <= '9';
	return (text_ends(scheme, "http") || text_ends(scheme, "https")) &&
	       (user.length >= 20 || (digit && !has_password));
}

/* Copies a URL, starting at "://". Masks the password in it, or a token in place of the user. Returns where to
 * continue. */
static size_t write_user(const struct mask *mask, struct buffer *out, struct text text, size_t at)
{
	size_t colon = 0, sign = 0, user = at + 3, end = user;
	bool number = true; /* only digits since the colon, so this may be a port */

	buffer_string(out, "://");
	for (; end < text.length && !is_space(text.data[end]) && !is_quote(text.data[end]); end++) {
		char byte = text.data[end];
		/* Outside a password, these characters end the host and port. A password may contain them without
		 * percent-encoding. */
		if ((number || sign > 0) && text_find(TEXT("/?#"), byte, 0) < 3)
			break;
		number = colon == 0 || (number && byte >= '0' && byte <= '9');
		if (byte == ':' && colon == 0)
			colon = end;
		if (byte == '@')
			sign = end;
	}
	bool has_colon = colon > 0 && colon < sign;
	size_t user_end = has_colon ? colon : sign;
	struct text name = {text.data + user, sign > 0 ? user_end - user : 0};
	bool is_token = is_token_user((struct text){text.data, at}, name, has_colon && colon + 1 < sign);
	if (end == text.length && mask->cut)
		sign = end;
	if (is_token)
		(void)write_masked(out, user, user_end);
	if (colon == 0 || colon > sign)
		return is_token ? user_end : user;
	buffer_text(out, is_token ? TEXT(":") : (struct text){text.data + user, colon + 1 - user});
	return write_masked(out, colon + 1, sign);
}

/* Skips the separator between a name and its value: '=', ": " of a header, ':' of JSON after the quote that ends the
 * name, or ':' of pass:VALUE. `end` is the end of the name. Returns the start of the value, or `end` if there is no
 * value. */
static size_t value_begin(struct text text, struct text name, size_t end, bool *json)
{
	size_t at = end;

	*json = false;
	while (at < text.length && text.data[at] == '\\')
		at++;
	if (at < text.length && is_quote(text.data[at]) && name.data[0] != '-') {
		for (at++; at < text.length && text.data[at] == ' ';)
			at++;
		*json = at < text.length && text.data[at] == ':';
		return *json ? at + 1 : end;
	}
	if (end < text.length && text.data[end] == '=')
		return end + 1;
	if (end + 1 >= text.length || text.data[end] != ':')
		return end;
	if (text.data[end + 1] == '\\' && end + 2 < text.length)
		end++;
	bool header = name.data[0] >= 'A' && name.data[0] <= 'Z';
	return text.data[end + 1] == ' ' ? end + 2 : header || text_is(name, "pass") ? end + 1 : at;
}

/* Skips the assignment after a name in program text: `NAME = VALUE`, `NAME <- VALUE`, `x["NAME"] = VALUE`. Returns the
 * start of the value, or `end` if no value follows. Calls, list elements and options are not masked. */
static size_t assigned_begin(struct text text, struct text name, size_t end)
{
	size_t at = end;

	while (at < text.length && (text.data[at] == '\\' || is_quote(text.data[at])))
		at++;
	bool bracket = at < text.length && text.data[at] == ']';
	if (name.data[0] == '-' || (at > end && !bracket))
		return end;
	at += bracket;
	while (at < text.length && text.data[at] == ' ')
		at++;
	bool arrow = at + 1 < text.length && text.data[at] == '<' && text.data[at + 1] == '-';
	if (!arrow && (at == end || at == text.length || text.data[at] != '='))
		return end;
	for (at += 1 + arrow; at < text.length && (text.data[at] == '=' || text.data[at] == '>');)
		at++;
	while (at < text.length && text.data[at] == ' ')
		at++;
	if (at + 1 < text.length && text.data[at] == '-' && text.data[at + 1] == '-')
		return end;
	for (size_t i = at, word = word_end(text, at); i < word; i++)
		if (text.data[i] == '(' || text.data[i] == '[')
			return end;
	return at < text.length ? at : end;
}

/* Remembers a program in the command line, or a name whose value is the next argument (set NAME VALUE). */
static void note_word(struct mask *mask, struct text name)
{
	unsigned program = secret_program(name);

	if (program > 0) {
		mask->program = program;
	} else if (secret_program_sets(mask->program) && is_secret(mask, name)) {
		mask->program = 0;
		mask->awaited = ANY_VALUE;
	}
}

/* Copies the name at `at`, and masks its value if it is the name of a secret. Returns where to continue. */
static size_t write_name(struct mask *mask, struct buffer *out, struct text text, size_t at)
{
	size_t end = name_end(text, at);
	struct text name = {text.data + at, end - at};
	bool json = false;
	size_t value = assigned_begin(text, name, end);
	bool assigned = value > end;
	bool ends_word = end == text.length || is_space(text.data[end]) || is_quote(text.data[end]);

	if (!assigned)
		value = value_begin(text, name, end, &json);
	buffer_text(out, name);
	if (value == end && name.data[0] != '-') {
		if (ends_word)
			note_word(mask, name);
		return end;
	}
	if (!is_secret(mask, name))
		return end;
	mask->of_tokens = held_end(name, name.length - 6, TEXT("TOKENS")) > 0;
	if (value > end) {
		buffer_text(out, (struct text){text.data + end, value - end});
		end = json ? text.length : end_of_named(mask, text, at, value, assigned);
		return write_value(mask, out, text, value, end);
	}
	mask->awaited = ends_word ? ANY_VALUE : '\0';
	return end;
}

/* Masks the token at `at`, which may follow an option of one letter directly (-tTOKEN). Returns where to continue. */
static size_t write_token(struct buffer *out, struct text text, size_t at)
{
	bool option = at + 2 < text.length && text.data[at] == '-' && text.data[at + 1] != '-';
	size_t secret;
	size_t end = secret_token_end(text, option ? at + 2 : at, &secret);

	if (end == 0)
		return at;
	buffer_text(out, (struct text){text.data + at, secret - at});
	return write_masked(out, secret, end);
}

/* Returns whether the value at `at` contains the byte that makes it a secret. In an argument with several words, only
 * the text up to the next space counts, so that masking needs time proportional to the length. */
static bool is_secret_value(struct text text, size_t at, bool whole, char needed)
{
	size_t end = at;

	while (end < text.length && (whole || !is_space(text.data[end])))
		end++;
	return needed == ANY_VALUE || (end - at > 1 && text_find(text, needed, at) < end);
}

/* Masks the value of the preceding option: a whole argument, or the next word of this argument. */
static size_t write_awaited(struct mask *mask, struct buffer *out, struct text text, size_t at)
{
	char needed = mask->awaited;

	mask->awaited = '\0';
	if (text.length - at >= 2 && text.data[at] == '-' && text.data[at + 1] == '-')
		return at;
	if (!is_secret_value(text, at, at == 0, needed))
		return at;
	return write_value(mask, out, text, at, at == 0 ? text.length : value_end(text, at));
}

/* Masks the value of an option that is a secret only for the current program (curl -u). Returns where to continue. */
static size_t write_option(struct mask *mask, struct buffer *out, struct text text, size_t at)
{
	size_t end = word_end(text, at);
	struct secret_option option = secret_option_find(mask->program, (struct text){text.data + at, end - at});
	size_t value = at + option.length;
	bool quoted = at > 0 && is_quote(text.data[at - 1]);
	bool ends = value == text.length || (at > 0 && is_space(text.data[value])) || (quoted && value == end);

	if (option.length == 0 || (!ends && !is_secret_value(text, value, at == 0, option.needed)))
		return at;
	buffer_text(out, (struct text){text.data + at, option.length});
	mask->of_tokens = false;
	if (ends && !option.attached)
		mask->awaited = option.needed;
	if (ends)
		return value;
	if (quoted)
		end = text_find(text, text.data[at - 1], value);
	else
		end = at == 0 ? text.length : value_end(text, value);
	return write_value(mask, out, text, value, end);
}

/* Returns whether a pattern of the user matches the whole word at `at`, and not only a value in it. The word includes
 * trailing '=', because base64 may end with them. */
static bool is_masked_word(const struct mask *mask, struct text text, size_t at)
{
	size_t end = word_end(text, at);
	size_t name = name_end(text, at);
	size_t value = name;

	if (mask->patterns.length == 0 || text.data[at] == '-' || at == end ||
		!is_matched(mask, (struct text){text.data + at, end - at}))
		return false;
	while (value < end && text.data[value] == '=')
		value++;
	return name == at || value == name || value == end ||
	       !is_secret(mask, (struct text){text.data + at, name - at});
}

/* Masks the word at `at` if the whole word is secret. Returns where to continue. */
static size_t write_word(struct mask *mask, struct buffer *out, struct text text, size_t at)
{
	bool first = at == 0;
	bool spaced = first || is_space(text.data[at - 1]);

	/* A backslash before a newline separates words too. */
	bool goes_on = text.data[at] == '\\' && at + 1 < text.length && text.data[at + 1] == '\n';
	if (mask->awaited && (first || (spaced && !is_space(text.data[at]) && !goes_on)))
		return write_awaited(mask, out, text, at);
	if (!spaced && !is_quote(text.data[at - 1]))
		return at;
	if (is_masked_word(mask, text, at))
		return write_masked(out, at, word_end(text, at));
	return text.data[at] == '-' ? write_option(mask, out, text, at) : at;
}

/* Copies a byte that is not part of a name. In a script, the byte may end a command, and then the options of its
 * program no longer apply. `*quote` is the open quote, or NUL. */
static void write_other(struct mask *mask, struct buffer *out, struct text text, size_t at, char *quote)
{
	char byte = text.data[at];
	bool separates = byte == '\n' ? at > 0 && text.data[at - 1] != '\\'
				      : text_find(TEXT(";|&"), byte, 0) < 3 && at + 1 < text.length &&
						is_space(text.data[at + 1]);

	if (is_quote(byte) && (*quote == '\0' || *quote == byte))
		*quote = *quote == '\0' ? byte : '\0';
	if (separates && mask->is_script && *quote == '\0')
		mask->program = 0;
	buffer_byte(out, byte);
}

void mask_write(struct mask *mask, struct buffer *out, struct text argument)
{
	bool off = text_is(mask->patterns, "off");
	char quote = '\0';

	if (off)
		buffer_text(out, argument);
	if (argument.length == 0)
		mask->awaited = '\0';
	for (size_t at = 0; !off && at < argument.length && !out->full;) {
		size_t before = at;
		at = write_word(mask, out, argument, at);
		if (at == before && is_of_name(argument.data[at]))
			at = write_token(out, argument, at);
		if (at != before)
			continue;
		if (text_starts((struct text){argument.data + at, argument.length - at}, "://"))
			at = write_user(mask, out, argument, at);
		else if (is_of_name(argument.data[at]))
			at = write_name(mask, out, argument, at);
		else
			write_other(mask, out, argument, at++, &quote);
	}
	/* After "-c", "-lc" and similar options, the next argument is a shell script. */
	mask->is_script = argument.length >= 2 && argument.length <= 4 && argument.data[0] == '-' &&
			  argument.data[1] != '-' && argument.data[argument.length - 1] == 'c';
}

void mask_join(struct mask *mask, struct buffer *out, struct text arguments)
{
	while (arguments.length > 0 && arguments.data[arguments.length - 1] == '\0')
		arguments.length--;
	for (size_t start = 0; start < arguments.length && !out->full;) {
		size_t end = text_find(arguments, '\0', start);
		if (start > 0)
			buffer_byte(out, ' ');
		mask_write(mask, out, (struct text){arguments.data + start, end - start});
		start = end + 1;
	}
}
