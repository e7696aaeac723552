/* SPDX-License-Identifier: Apache-2.0 */
/* Derives the name of a job from its command line. */
#include "core/job_name.h"

/* How to find the script in an interpreter's arguments. The script is the first argument that is not an option, unless
 * an option names it. A wrapper (env, nice) runs another command line instead of a script. */
struct interpreter {
	struct text name; /* name of the program without a version suffix: "python3.11" is "python" */
	/* Options that take the next argument as their value; space-separated, with a space at both ends. */
	struct text valued;
	struct text inlined; /* options whose value is program text; the job is then named after the interpreter */
	/* Options whose value names the script: " -m ", or " --file= " if the value is in the same argument. */
	struct text named;
	int operands; /* for a wrapper, 1 + number of arguments before the command; otherwise 0 */
};

/* One interpreter per line, with the fields in the order of the struct. A table of pointers would need relocations in
 * every process that loads the library. */
static const char interpreters[] =
	"Rscript|| -e ||0\n"
	"R| -g --gui -d --debugger | -e | -f --file= |0\n"
	"littler| -l -d | -e ||0\n"
	"python| -W -X --check-hash-based-pycs | -c | -m |0\n"
	"pypy| -W -X | -c | -m |0\n"
	"perl| -I -M -m -F | -e -E ||0\n"
	"ruby| -I -r -C -E | -e ||0\n"
	"node| -r --require --import --loader -C --conditions | -e --eval -p --print ||0\n"
	"julia| -L --load -J --sysimage -H --home | -e --eval -E --print ||0\n"
	"java| -cp -classpath --class-path -p --module-path --add-modules || -jar -m --module |0\n"
	"bash| -O +O -o +o --rcfile --init-file | -c ||0\n"
	"dash| -o +o | -c ||0\n"
	"zsh| -o +o | -c ||0\n"
	"ksh| -o +o | -c ||0\n"
	"sh| -o +o | -c ||0\n"
	"env| -u --unset -C --chdir |||1\n"
	"nice| -n |||1\n"
	"ionice| -c -n |||1\n"
	"nohup||||1\n"
	"setsid||||1\n"
	"stdbuf| -i -o -e |||1\n"
	"time| -f -o |||1\n"
	"timeout| -k -s |||2\n"
	"taskset||||2\n"
	"chrt| -T -P -D |||2\n"
	"numactl| -i -w -p -m -C -N -P --interleave --preferred --membind --physcpubind --cpunodebind |||1\n"
	"xvfb-run| -e -f -n -p -s -w |||1\n"
	"ld.so| --library-path --preload --audit --argv0 --inhibit-rpath --glibc-hwcaps-prepend --glibc-hwcaps-mask "
	"|||1\n";

static struct text without_version(struct text name)
{
	while (name.length > 1 && ((name.data[name.length - 1] >= '0' && name.data[name.length - 1] <= '9') ||
					  name.data[name.length - 1] == '.'))
		name.length--;
	return name;
}

/* Fills *found with the row of a program. Returns false if there is none. */
static bool find_interpreter(struct text program, struct interpreter *found)
{
	struct text rows = TEXT(interpreters);
	struct text name = without_version(program);

	/* The dynamic loader also runs the program given as its argument: ld-linux-x86-64.so.2, ld-musl-x86_64.so.1. */
	if ((text_starts(name, "ld-") || text_starts(name, "ld64")) && text_ends(name, ".so"))
		name = TEXT("ld.so");
	for (size_t start = 0; start < rows.length;) {
		size_t end = text_find(rows, '\n', start);
		struct text cells[4];
		for (size_t i = 0; i < ARRAY_LENGTH(cells); i++) {
			size_t bar = text_find(rows, '|', start);
			cells[i] = (struct text){rows.data + start, bar - start};
			start = bar + 1;
		}
		if (text_equal(name, cells[0])) {
			*found = (struct interpreter){cells[0], cells[1], cells[2], cells[3], rows.data[start] - '0'};
			return true;
		}
		start = end + 1;
	}
	return false;
}

/* Returns the matching word of the list " a b c ", or an empty text. A word that ends in '=' matches arguments that
 * begin with it, other words only equal arguments. */
static struct text find_option(struct text words, struct text argument)
{
	for (size_t start = 0; start < words.length;) {
		size_t end = text_find(words, ' ', start);
		struct text word = {words.data + start, end - start};
		if (word.length > 0 && word.data[word.length - 1] == '=') {
			if (argument.length > word.length &&
				text_equal(word, (struct text){argument.data, word.length}))
				return word;
		} else if (word.length > 0 && text_equal(word, argument)) {
			return word;
		}
		start = end + 1;
	}
	return (struct text){NULL, 0};
}

/* Single-letter options behind one dash, as in "-euo pipefail". Java, and interpreters without inline program text,
 * have options of whole words only. */
enum bundle { BUNDLE_NOTHING, BUNDLE_TAKES_NEXT, BUNDLE_INLINE };

static enum bundle read_bundle(const struct interpreter *interpreter, struct text argument)
{
	if (interpreter->inlined.length == 0 || argument.length < 2 || argument.data[0] != '-' ||
		argument.data[1] == '-')
		return BUNDLE_NOTHING;
	for (size_t i = 1; i < argument.length; i++) {
		const char option[] = {'-', argument.data[i]};
		struct text word = {option, sizeof option};
		if (find_option(interpreter->inlined, word).length > 0)
			return BUNDLE_INLINE;
		if (find_option(interpreter->valued, word).length > 0)
			return i + 1 == argument.length ? BUNDLE_TAKES_NEXT : BUNDLE_NOTHING;
	}
	return BUNDLE_NOTHING;
}

/* Returns the index at which the command begins that a wrapper runs, or 0 if there is none. */
static int skip_wrapper(const struct interpreter *wrapper, char *const *arguments, int count)
{
	int operands = wrapper->operands;
	for (int i = 1; i < count; i++) {
		struct text argument = text_of(arguments[i]);
		if (find_option(wrapper->valued, argument).length > 0)
			i++;
		else if ((argument.length > 0 && argument.data[0] == '-') ||
			 (text_find(argument, '=', 0) < argument.length && text_is(wrapper->name, "env")))
			continue;
		else if (--operands == 0)
			return i;
	}
	return 0;
}

/* Returns the job name of one command line. If a command line within it gives a better name, *next is the index of
 * that; otherwise 0. */
static struct text name_of(char *const *arguments, int count, int *next)
{
	*next = 0;
	if (count <= 0 || arguments[0][0] == '\0')
		return TEXT("unnamed");
	struct text program = text_basename(text_of(arguments[0]));
	if (program.length == 0)
		return text_of(arguments[0]);
	if (program.data[0] == '-' && program.length > 1) /* a login shell */
		program = (struct text){program.data + 1, program.length - 1};
	struct interpreter interpreter;
	struct interpreter other;
	if (!find_interpreter(program, &interpreter))
		return program;
	if (interpreter.operands > 0) {
		*next = skip_wrapper(&interpreter, arguments, count);
		return program;
	}
	for (int i = 1; i < count; i++) {
		struct text argument = text_of(arguments[i]);
		struct text named = find_option(interpreter.named, argument);
		enum bundle bundle = read_bundle(&interpreter, argument);
		if (bundle == BUNDLE_INLINE || find_option(interpreter.inlined, argument).length > 0)
			return program;
		if (named.length > 0 && named.length < argument.length)
			argument = (struct text){argument.data + named.length, argument.length - named.length};
		else if (named.length > 0 && ++i < count)
			argument = text_of(arguments[i]);
		else if (bundle == BUNDLE_TAKES_NEXT || find_option(interpreter.valued, argument).length > 0) {
			i++;
			continue;
		} else if (argument.length > 1 && argument.data[0] == '-')
			continue;
		struct text name = text_basename(argument);
		/* Version managers install scripts with an interpreter's name (bash …/shims/python3 job.py). The
		 * interpreter's command line gives a better name. */
		if (named.length == 0 && find_interpreter(name, &other))
			*next = i;
		return name.length > 0 && !text_is(name, "-") ? name : program;
	}
	return program;
}

bool job_is_interpreter(struct text program)
{
	struct interpreter interpreter;

	return find_interpreter(program, &interpreter) && interpreter.operands == 0;
}

struct text job_name(char *const *arguments, int count)
{
	for (;;) {
		int next;
		struct text name = name_of(arguments, count, &next);
		if (next <= 0 || next >= count)
			return name;
		arguments += next;
		count -= next;
	}
}
