/* The name of a program as users know it; see label.h. */
#include "report/model/label.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_MOST = 64 }; /* columns: what is longer is no name of a program */

/* "python3.11", but not "python-config" or "shuf". */
static bool is_interpreter(const char *program)
{
	static const char *const names[] = {
		"python", "perl", "ruby", "node", "julia", "Rscript", "bash", "dash", "sh", "zsh"};

	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		size_t length = strlen(names[i]);
		if (strncmp(program, names[i], length) == 0 &&
			program[length + strspn(program + length, "0123456789.")] == '\0')
			return true;
	}
	return false;
}

/* The base name of a word of a command line, if it is a plain name: an option or the title of a server is none. */
static struct text name_in(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
	struct text name = text_basename((struct text){word, strcspn(word, " ")});

	if (*word == '-' || name.length > LABEL_MOST || strspn(name.data, plain) < name.length)
		name.length = 0;
	return name;
}

/* The word of a command line that is the script of an interpreter; "". */
static const char *script_in(const char *program, const char *command)
{
	static const char file[] = " --file="; /* Rscript job.R runs R --no-echo --no-restore --file=job.R */
	const char *found = strcmp(program, "R") == 0 ? strstr(command, file) : NULL;
	const char *second = command + strcspn(command, " ");

	return found ? found + strlen(file) : is_interpreter(program) ? second + strspn(second, " ") : "";
}

struct label label_of(const char *program, const char *command)
{
	struct text typed = name_in(command), script = name_in(script_in(program, command));
	struct text name = script.length > 0 ? script : typed.length > 0 ? typed : text_of(program);
	struct label label;

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
