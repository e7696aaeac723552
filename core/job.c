/* The name of a job from its command line; see job.h. */
#include "core/job.h"

/* How an interpreter is told what to run: the first argument that is no option, unless an option says
 * it differently. */
struct interpreter {
	const char *name;    /* of the program, without a version at its end ("python3.11" is "python") */
	const char *valued;  /* options whose value is the next argument, each between spaces */
	const char *inlined; /* options that bring the program text itself: the interpreter's name stays */
	const char *named;   /* options whose value names what is run: " -m ", or " --file= " glued to it */
};

static const struct interpreter interpreters[] = {
	{"Rscript", "", " -e ", ""},
	{"R", " -g --gui -d --debugger ", " -e ", " -f --file= "},
	{"littler", " -l -d ", " -e ", ""},
	{"python", " -W -X --check-hash-based-pycs ", " -c ", " -m "},
	{"pypy", " -W -X ", " -c ", " -m "},
	{"perl", " -I ", " -e -E ", ""},
	{"ruby", " -I -r -C -E ", " -e ", ""},
	{"node", " -r --require --import --loader -C --conditions ", " -e --eval -p --print ", ""},
	{"julia", " -L --load -J --sysimage -H --home ", " -e --eval -E --print ", ""},
	{"java", " -cp -classpath --class-path -p --module-path --add-modules ", "", " -jar -m --module "},
	{"bash", " -O +O -o +o --rcfile --init-file ", " -c ", ""},
	{"dash", " -o +o ", " -c ", ""},
	{"zsh", " -o +o ", " -c ", ""},
	{"ksh", " -o +o ", " -c ", ""},
	{"sh", " -o +o ", " -c ", ""},
};

static struct text without_version(struct text name)
{
	while (name.length > 1 && ((name.data[name.length - 1] >= '0' && name.data[name.length - 1] <= '9') ||
					  name.data[name.length - 1] == '.'))
		name.length--;
	return name;
}

static const struct interpreter *find_interpreter(struct text program)
{
	for (size_t i = 0; i < ARRAY_LENGTH(interpreters); i++)
		if (text_is(without_version(program), interpreters[i].name))
			return &interpreters[i];
	return NULL;
}

/* The word of the list " a b c " that `argument` is, or (for words that end in '=') begins with. */
static struct text find_option(const char *list, struct text argument)
{
	struct text words = text_of(list);
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

struct text job_name(char *const *arguments, int count)
{
	if (count <= 0 || arguments[0][0] == '\0')
		return TEXT("unnamed");
	struct text program = text_basename(text_of(arguments[0]));
	if (program.length == 0)
		return text_of(arguments[0]);
	if (program.data[0] == '-' && program.length > 1) /* a login shell */
		program = (struct text){program.data + 1, program.length - 1};
	const struct interpreter *interpreter = find_interpreter(program);
	if (!interpreter)
		return program;
	for (int i = 1; i < count; i++) {
		struct text argument = text_of(arguments[i]);
		struct text named = find_option(interpreter->named, argument);
		if (find_option(interpreter->inlined, argument).length > 0)
			return program;
		if (named.length > 0 && named.length < argument.length)
			argument = (struct text){argument.data + named.length, argument.length - named.length};
		else if (named.length > 0 && ++i < count)
			argument = text_of(arguments[i]);
		else if (find_option(interpreter->valued, argument).length > 0) {
			i++;
			continue;
		} else if (argument.length > 1 && argument.data[0] == '-')
			continue;
		struct text name = text_basename(argument);
		return name.length > 0 && !text_is(name, "-") ? name : program;
	}
	return program;
}
