/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the name under which users know a program. */
#include "report/model/label.h"

#include "core/job_name.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_MOST = 64 }; /* longer words are not names of programs */

/* Returns the base name of a word of a command line, or "" if the word is no program name: an option, or a title
 * that a server has set, such as "nginx:". */
static struct text name_in(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
	struct text name = text_basename((struct text){word, strcspn(word, " ")});

	if (*word == '-' || name.length > LABEL_MOST || strspn(name.data, plain) < name.length)
		name.length = 0;
	return name;
}

struct label label_of(const char *program, const char *command)
{
	enum { WORDS = 32 }; /* the script is expected within the first words of a command line */
	char copy[1024], *words[WORDS], *rest = NULL;
	int count = 0;
	struct text name = name_in(command);
	struct label label;

	snprintf(copy, sizeof copy, "%s", command);
	if (job_is_interpreter(text_of(program)))
		for (char *word = strtok_r(copy, " ", &rest); word && count < WORDS; word = strtok_r(NULL, " ", &rest))
			words[count++] = word;
	if (count > 0) {
		struct text script = name_in(job_script(words, count).data);
		name = script.length > 0 ? script : name;
	}
	if (name.length == 0)
		name = text_of(program);
	snprintf(label.text, sizeof label.text, "%.*s", (int)name.length, name.data);
	return label;
}

struct label process_label(const struct process *process)
{
	return label_of(process_program(process), process->command ? process->command : "");
}

const char *process_program(const struct process *process)
{
	const char *slash = process->exe ? strrchr(process->exe, '/') : NULL;

	return slash ? slash + 1 : process->exe ? process->exe : "(unknown)";
}
