/* SPDX-License-Identifier: Apache-2.0 */
/* Names and small text formats of the spool. */
#include "core/spool.h"

#include "core/number.h"

void spool_directory(struct buffer *out, const char *chosen, char *const *environment, uint32_t uid)
{
	const char *state = environment_get(environment, "XDG_STATE_HOME");
	const char *home = environment_get(environment, "HOME");

	if (chosen && chosen[0] != '\0') {
		buffer_string(out, chosen);
	} else if (state && state[0] == '/') {
		buffer_string(out, state);
		buffer_string(out, "/rtrack");
	} else if (home && home[0] == '/') {
		buffer_string(out, home);
		buffer_string(out, "/.local/state/rtrack");
	} else {
		buffer_string(out, "/var/tmp/rtrack-");
		buffer_unsigned(out, uid);
	}
}

void spool_write_time(struct buffer *out, int64_t seconds)
{
	int64_t days = seconds / 86400;
	unsigned rest = (unsigned)(seconds % 86400);

	/* Converts days to a date, in eras of 400 years that begin on 1 March. This is civil_from_days of H. Hinnant's
	 * "chrono-Compatible Low-Level Date Algorithms". */
	int64_t shifted = days + 719468;
	int64_t era = shifted / 146097;
	unsigned day_of_era = (unsigned)(shifted - era * 146097);
	unsigned year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	unsigned shifted_month = (5 * day_of_year + 2) / 153;
	unsigned day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
	unsigned month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
	int64_t year = (int64_t)year_of_era + era * 400 + (month <= 2 ? 1 : 0);

	buffer_padded(out, (uint64_t)year, 4);
	buffer_padded(out, month, 2);
	buffer_padded(out, day, 2);
	buffer_byte(out, 'T');
	buffer_padded(out, rest / 3600, 2);
	buffer_padded(out, rest / 60 % 60, 2);
	buffer_padded(out, rest % 60, 2);
	buffer_byte(out, 'Z');
}

void spool_write_id(struct buffer *out, int64_t seconds, struct text host, int pid, uint16_t random)
{
	static const char hex[] = "0123456789abcdef";

	spool_write_time(out, seconds);
	buffer_byte(out, '-');
	if (host.length == 0)
		host = TEXT("localhost");
	for (size_t i = 0; i < host.length && i < 64; i++) {
		char byte = host.data[i];
		bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
			     (byte >= '0' && byte <= '9') || byte == '.' || byte == '_' || byte == '-';
		buffer_byte(out, plain ? byte : '_');
	}
	buffer_byte(out, '-');
	buffer_unsigned(out, (uint64_t)pid);
	buffer_byte(out, '-');
	for (int shift = 12; shift >= 0; shift -= 4)
		buffer_byte(out, hex[random >> shift & 15]);
}

int spool_id_pid(struct text id)
{
	size_t end = id.length;
	while (end > 0 && id.data[end - 1] != '-')
		end--;
	if (end < 2)
		return -1;
	size_t start = end - 1;
	while (start > 0 && id.data[start - 1] != '-')
		start--;
	uint64_t pid;
	if (number_read_unsigned((struct text){id.data + start, end - 1 - start}, &pid) != 0 || pid > INT32_MAX)
		return -1;
	return (int)pid;
}

/* Returns the text up to the next byte `end`, and sets *at to the position after that byte. */
static struct text next_part(struct text text, size_t *at, char end)
{
	size_t start = *at < text.length ? *at : text.length;
	size_t stop = text_find(text, end, start);

	*at = stop + 1;
	return (struct text){text.data + start, stop - start};
}

bool spool_parse_note(struct text text, struct spool_note *note)
{
	size_t at = 0, word = 0;
	struct text process = next_part(text, &at, ':');

	if (number_read_unsigned(next_part(process, &word, ' '), &note->start) != 0 || at >= text.length ||
		text.data[at] != '/')
		return false;
	if (number_read_unsigned(next_part(process, &word, ' '), &note->namespace) != 0)
		note->namespace = 0;
	note->directory = (struct text){text.data + at, text.length - at};
	return true;
}

struct spool_lock spool_parse_lock(struct text text)
{
	struct spool_lock lock = {0};
	size_t at = 0;

	if (number_read_unsigned(next_part(text, &at, ' '), &lock.namespace) != 0)
		lock.namespace = 0;
	if (number_read_unsigned(next_part(text, &at, ' '), &lock.view) != 0)
		lock.view = 0;
	if (number_read_unsigned(next_part(text, &at, ' '), &lock.task) != 0)
		lock.task = 0;
	lock.boot = next_part(text, &at, '\n');
	return lock;
}

const char *spool_killer(enum killer killer)
{
	static const char *const words[] = {[KILLER_UNKNOWN] = "",
		[KILLER_OOM] = "oom",
		[KILLER_SIGNAL] = "signal",
		[KILLER_CPU_LIMIT] = "cpu_limit"};
	return words[killer];
}

void spool_write_kills(struct buffer *out, const char *file, uint64_t count)
{
	struct text name = text_of(file);

	buffer_unsigned(out, count);
	buffer_byte(out, ' ');
	if (text_find(name, '\n', 0) == name.length)
		buffer_text(out, name);
	buffer_byte(out, '\n');
}

bool spool_parse_kills(struct text line, struct spool_kills *kills)
{
	size_t at = 0;
	bool good = number_read_unsigned(next_part(line, &at, ' '), &kills->count) == 0;

	kills->file = next_part(line, &at, '\n');
	return good;
}

bool spool_parse_last(struct text text, struct spool_last *last)
{
	size_t at = 0;

	*last = (struct spool_last){.process_row = next_part(text, &at, '\n')};
	last->exit_row = next_part(text, &at, '\n');
	struct text rest = next_part(text, &at, '\n');
	size_t word = 0;
	if (text.length != SPOOL_LAST_SIZE ||
		number_read_unsigned(next_part(rest, &word, ' '), &last->tracker_us) != 0 ||
		!spool_parse_kills(next_part(rest, &word, '\n'), &last->kills))
		return false;
	return last->process_row.length > 0 && last->exit_row.length > 0;
}
