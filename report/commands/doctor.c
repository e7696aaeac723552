/* rtrack-report doctor: what of this machine works for rtrack and what does not, with what to do about it. */
#include "report/commands/commands.h"

#include "core/spool.h"
#include "report/say/json.h"
#include "report/say/message.h"
#include "report/say/terminal.h"
#include "report/services/health.h"

#include <string.h>

enum { WORD_WIDTH = 6, TITLE_WIDTH = 14 };

static const struct {
	const char *word;
	enum colour colour;
} words[] = {
	[HEALTH_FINE] = {"ok", COLOUR_good},
	[HEALTH_LESS] = {"less", COLOUR_warn},
	[HEALTH_BAD] = {"bad", COLOUR_bad},
	[HEALTH_OPEN] = {"open", COLOUR_dim},
};

struct visit {
	struct terminal terminal;
	cJSON *checks; /* NULL: print them */
	bool bad;
};

/* Words below one another from `indent` on; a word that is longer than a line stands alone in one. */
static void print_wrapped(const struct terminal *terminal, const char *text, unsigned indent)
{
	unsigned room = terminal->width > indent + 20 ? terminal->width - indent : 20;

	while (*text) {
		size_t end = 0, length = strlen(text);
		for (size_t i = 0; i <= length; i++)
			if ((text[i] == ' ' || text[i] == '\0') && (i <= room || end == 0))
				end = i;
		char line[SPOOL_PATH_MAX];
		snprintf(line, sizeof line, "%.*s", (int)end, text);
		terminal_text(terminal, line, (unsigned)sizeof line, 0);
		fputc('\n', terminal->out);
		text += end + (text[end] == ' ');
		if (*text)
			fprintf(terminal->out, "%*s", (int)indent, "");
	}
}

static void take_check(void *context, enum health_check check, enum health health, const char *finding)
{
	struct visit *visit = context;
	const struct terminal *terminal = &visit->terminal;

	visit->bad |= health == HEALTH_BAD;
	if (visit->checks) {
		cJSON *row = cJSON_CreateObject();
		cJSON_AddStringToObject(row, "check", health_words[check].key);
		cJSON_AddStringToObject(row, "result", words[health].word);
		cJSON_AddStringToObject(row, "finding", finding);
		if (health == HEALTH_FINE)
			cJSON_AddNullToObject(row, "remedy");
		else
			cJSON_AddStringToObject(row, "remedy", health_words[check].remedy);
		cJSON_AddItemToArray(visit->checks, row);
		return;
	}
	terminal_colour(terminal, words[health].colour);
	terminal_text(terminal, words[health].word, WORD_WIDTH, WORD_WIDTH);
	terminal_colour(terminal, COLOUR_plain);
	terminal_text(terminal, health_words[check].title, TITLE_WIDTH, TITLE_WIDTH);
	print_wrapped(terminal, finding, WORD_WIDTH + TITLE_WIDTH);
	if (health == HEALTH_FINE)
		return;
	fprintf(terminal->out, "%*s", WORD_WIDTH + TITLE_WIDTH, "");
	print_wrapped(terminal, health_words[check].remedy, WORD_WIDTH + TITLE_WIDTH);
}

int doctor_command(const struct options *options, const char *spool)
{
	struct visit visit = {.terminal = terminal_of(stdout)};
	cJSON *json = options->json ? cJSON_CreateObject() : NULL;

	if (options->json) {
		visit.checks = cJSON_AddArrayToObject(json, "checks");
		if (!visit.checks) {
			message_print("out of memory");
			cJSON_Delete(json);
			return EXIT_NO_DATA;
		}
	}
	health_examine(spool, take_check, &visit);
	if (json) {
		cJSON_AddBoolToObject(json, "works", !visit.bad);
		if (json_print(json) != 0)
			return EXIT_NO_DATA;
	}
	return visit.bad ? EXIT_NO_DATA : EXIT_DONE;
}
