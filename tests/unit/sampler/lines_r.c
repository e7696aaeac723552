/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of sampler/lines/r.c: it finds the script of a command line, and the line of an expression in it, and reads
 * contexts that change while they are read. */
#include "sampler/lines/r.h"

#include "tests/unit/lib/fake_objects.h"
#include "tests/unit/lib/fake_os.h"
#include "tests/unit/lib/tap.h"

/* -- the script -- */

static const char *script_of(const char *command, size_t length)
{
	static char path[R_PATH_SIZE];
	struct buffer out = BUFFER(path);
	struct text found = r_script_path((struct text){command, length}, &out);

	path[found.length] = '\0';
	return path;
}
#define SCRIPT_OF(command) script_of(command, sizeof(command) - 1)

static void check_command(void)
{
	is_text(SCRIPT_OF("/usr/lib/R/bin/exec/R\0--no-echo\0--file=job.R\0--args\0--file=x"), "job.R",
		"Rscript job.R");
	is_text(SCRIPT_OF("R\0-f\0/home/me/job.R\0--restart\0"), "/home/me/job.R", "R CMD BATCH job.R");
	is_text(SCRIPT_OF("R\0--file=my~+~own~+~job.R\0"), "my own job.R", "a path with blanks");
	is_text(SCRIPT_OF("R\0--no-echo\0-e\0f(1)\0--file=job.R\0"), "", "with an expression there is no script");
	is_text(SCRIPT_OF("R\0--args\0-f\0job.R\0"), "", "an argument of the program is not a script");
	is_text(SCRIPT_OF("R\0-f\0"), "", "a command line that ends after -f");
}

static char text[] = "library(stats)\n"               /* 1 */
		     "x <- 1; y <- 2\n"               /* 2 */
		     "# f(x)\n"                       /* 3 */
		     "f <- function(n) {\n  n\n}\n"   /* 4 to 6 */
		     "f(x)\n"                         /* 7 */
		     "eval(parse(text = \"f(y)\"))\n" /* 8 */
		     "f(x)   # again\n"               /* 9 */
		     "f(y)";                          /* 10 */

static void check_lines(void)
{
	static const struct {
		const char *parsed;
		bool whole;
		int line;
		const char *what;
	} looks[] = {
		{"library(stats)\n", true, 1, "the first expression"},
		{"x <- 1;", true, 2, "the first of two on a line"},
		{" y <- 2\n", true, 2, "the second of two"},
		{"# f(x)\nf <- function(n) {\n  n\n}\n", true, 4, "a comment before the expression is skipped"},
		{"f(x)\n", true, 7, "a text that is also in a comment"},
		{"f(x)\n", true, 7, "the same expression keeps its line"},
		{"eval(parse(text = \"f(y)\"))\n", true, 8, "an expression that parses a text itself"},
		{"g(y)", true, 0, "an expression that is not in the script has no line"},
		{"f(x) ", true, 9, "the same text further down, after another expression"},
		{"f(y)", true, 10, "the last line without a newline; text in quotes is not an expression"},
		{"x <- 1;", true, 2, "an expression further up is found as well"},
		{"ction(n) {\n  n\n}\n", false, 4, "the end of a long expression"},
		{"", true, 0, "nothing was parsed"},
		{"\n# only a comment", true, 0, "only a comment was parsed"},
	};
	struct r_script script = {.data = text, .length = sizeof text - 1};

	for (size_t i = 0; i < ARRAY_LENGTH(looks); i++)
		is_number(
			r_script_line(&script, text_of(looks[i].parsed), looks[i].whole), looks[i].line, looks[i].what);
	script.data = NULL;
	is_number(r_script_line(&script, TEXT("f(x)"), true), 0, "a script that cannot be read has no lines");
}

/* -- contexts: objects of R in memory -- */

enum { AT = FAKE_OBJECTS };
enum { CONTEXT = AT, GLOBAL = AT + 8, LAST = AT + 16, RING = AT + 32, BEGIN = RING + R_PARSED_SIZE };
enum { SYMBOL = 1, LIST = 2, CLOSURE = 3, ENVIRONMENT = 4, CALL = 6, CHARACTERS = 9, STRINGS = 16, VECTOR = 19 };
static const struct r r = {
	.pid = FAKE_INTERPRETER, .context = CONTEXT, .environment = GLOBAL, .parsed = RING, .parsed_last = LAST};

static uint64_t object(int type, uint64_t first, uint64_t second, uint64_t third)
{
	uint64_t at = fake_room(R_OBJECT_SIZE);
	fake_put(at, (uint64_t)type);
	fake_put(at + 32, first);
	fake_put(at + 40, second);
	fake_put(at + 48, third);
	return at;
}

static uint64_t characters(const char *name)
{
	uint64_t at = object(CHARACTERS, strlen(name), 0, 0);
	(void)fake_room(strlen(name));
	memcpy(fake_bytes(at + 48), name, strlen(name));
	return at;
}

static uint64_t symbol(const char *name)
{
	return object(SYMBOL, characters(name), 0, 0);
}

static uint64_t call(uint64_t callee)
{
	return object(CALL, callee, 0, 0);
}

static uint64_t context(uint64_t back, uint32_t flag, uint64_t of, uint64_t environment)
{
	uint64_t at = fake_room(R_CONTEXT_SIZE);
	fake_put(at, back);
	fake_put(at + 8, flag);
	fake_put(at + 232, object(CLOSURE, 0, 0, environment));
	fake_put(at + 248, of);
	return at;
}

static uint64_t top, fit, library, inner;

static void build(void)
{
	fake_objects("/usr/lib/R/lib/libR.so", BEGIN - AT);
	uint64_t global = object(ENVIRONMENT, 0, 0, 0), base = object(ENVIRONMENT, 0, 0, 0);
	uint64_t package = object(LIST, symbol("stats"), object(LIST, symbol("sd"), 0, 0), 0);
	fake_put(GLOBAL, global);
	top = context(0, 0, 0, 0);
	fit = context(top, 12, call(symbol("fit")), global);
	library = context(fit, 4, call(object(CALL, symbol("::"), package, 0)), base);
	inner = context(context(library, 1, 0, 0), 4, call(symbol("var")), base);
	fake_put(CONTEXT, inner);
	memcpy(fake_bytes(RING + 1), "f(x)\n", 5);
	fake_put(LAST, 5);
}

static struct r_room room;
static struct r_script script;

static const char *where(void)
{
	static char said[256];
	static const char *const names[] = {"read", "idle", "changed", "strange", "refused"};
	struct place place;
	enum place_result result = r_read(&r, &script, &room, &place);

	if (result != PLACE_READ)
		return names[result];
	(void)snprintf(said, sizeof said, "%.*s:%d in %.*s of %zu%s", (int)place.file.length, place.file.data,
		place.line, (int)place.function.length, place.function.data, place.depth, place.cut ? ", cut" : "");
	return said;
}

static void returned(void)
{
	fake_put(CONTEXT, library);
}

static void called_another(void)
{
	fake_put(inner + 248, call(symbol("other")));
}

static void all_anew(void)
{
	fake_put(fit + 248, call(symbol("other")));
}

static void check_contexts(void)
{
	script = (struct r_script){.path = "job.R", .data = text, .length = sizeof text - 1};
	build();
	is_text(where(), "job.R:7 in fit of 3", "the script's line, and the innermost function of the user");
	struct place_frame frame;
	ok(r_frame(&script, &room, 2, &frame) && text_is(frame.function, "sd") && frame.file.length == 0 && !frame.own,
		"a package's function is named as itself");
	ok(r_frame(&script, &room, 3, &frame) && text_is(frame.function, "fit") && text_is(frame.file, "job.R") &&
			frame.own,
		"a function that was defined at top level is the user's");
	ok(r_frame(&script, &room, 4, &frame) && text_is(frame.function, "<toplevel>") && frame.line == 7,
		"the outermost frame is the script's expression");
	ok(!r_frame(&script, &room, 1, &frame) && !r_frame(&script, &room, 5, &frame),
		"a context without a function is no frame");
	fake_put(GLOBAL, 0);
	is_text(where(), "job.R:7 in var of 3", "without a function of the user, the innermost function counts");
	fake_put(CONTEXT, top);
	is_text(where(), "job.R:7 in <toplevel> of 1", "without any function");
	fake_put(CONTEXT, 0);
	is_text(where(), "idle", "R that has not started an expression");
	script.path[0] = '\0';
	script.data = NULL;
	build();
	is_text(where(), "<stdin>:0 in fit of 3", "R without a script");
	fake_memory.pid = 8;
	is_text(where(), "refused", "a process that cannot be read");
}

/* A function that lapply calls. */
static void check_argument(void)
{
	build();
	fake_put(fit + 248, call(symbol("FUN")));
	is_text(where(), "<stdin>:0 in FUN of 3",
		"without a global variable, a function has the name of the parameter");
	uint64_t function = fake_word(fit + 232);
	uint64_t variable = object(LIST, function, 0, symbol("fit_one"));
	uint64_t table = object(VECTOR, 2, 0, 0);
	(void)fake_room(16);
	fake_put(table + 56, variable);
	fake_put(fake_word(GLOBAL) + 48, table);
	script.variables[0].function = 0;
	is_text(where(), "<stdin>:0 in fit_one of 3",
		"a function that was passed to lapply has the name of its variable");
	fake_put(variable + 32, 1);
	is_text(where(), "<stdin>:0 in FUN of 3", "not the name of a variable that has another value now");
	fake_put(variable + 32, function);
	fake_put(fit + 248, call(symbol("fit")));
	is_text(where(), "<stdin>:0 in fit of 3", "a function that was called by its own name keeps it");
	fake_put(fit + 248, call(symbol("...future.FUN")));
	is_text(where(), "<stdin>:0 in fit_one of 3",
		"a function that was passed to future_lapply has the name of its variable");
	uint64_t nil = object(0, 0, 0, 0), rate = object(LIST, 0, nil, symbol("rate"));
	fake_put(function + 32, object(LIST, 0, rate, symbol("fold")));
	fake_put(variable + 48, symbol("...future.FUN"));
	memset(script.variables, 0, sizeof script.variables);
	is_text(where(), "<stdin>:0 in function(fold, rate) of 3",
		"in a worker of future, a function has the list of its parameters");
	fake_put(function + 32, nil);
	is_text(where(), "<stdin>:0 in function() of 3", "a function without parameters");
}

/* The function call_block of knitr executes a chunk of a document. */
static void check_chunk(void)
{
	build();
	uint64_t label = object(LIST, object(STRINGS, 1, 0, characters("fit-model")), 0, symbol("label"));
	fake_put(fit + 248, call(symbol("call_block")));
	fake_put(fake_word(fit + 232) + 48, 0);
	is_text(where(), "<stdin>:0 in var of 3", "a function call_block without local variables is no chunk");
	fake_put(fit + 256, object(ENVIRONMENT, object(LIST, 0, label, symbol("params")), 0, 0));
	is_text(where(), "<stdin>:0 in chunk fit-model of 3", "a chunk of knitr has its label");
	fake_put(fake_word(inner + 232) + 48, fake_word(GLOBAL));
	is_text(where(), "<stdin>:0 in var of 3", "a function of the user in a chunk has its own name");
}

static void check_changes(void)
{
	/* The ranges are the top and five contexts, and then the same again. */
	for (unsigned at = 4; at <= 8; at += 4) {
		build();
		fake_change_after(at, called_another);
		is_text(where(), "<stdin>:0 in fit of 2, cut",
			"an inner function that has changed meanwhile is left out");
	}
	build();
	fake_change_after(6, returned);
	is_text(where(), "<stdin>:0 in fit of 2, cut", "an inner function that has returned is left out");
	build();
	fake_change_after(20, all_anew);
	is_text(where(), "changed", "no line if the reported function has changed");
}

static void check_strange(void)
{
	build();
	fake_put(top + 8, 7);
	is_text(where(), "strange", "an outermost context that is not the top level's");
	build();
	fake_put(fit + 8, 0x4000000c);
	is_text(where(), "strange", "a context with an unknown flag");
	build();
	fake_put(top, fit);
	fake_memory.reads = 0;
	(void)where();
	ok(fake_memory.reads < R_CONTEXTS_MAX * 6, "circular contexts end");
	build();
	fake_put(LAST, 1 << 30);
	is_text(where(), "<stdin>:0 in fit of 3", "an invalid ring of expressions has no text");
}

int main(void)
{
	check_command();
	check_lines();
	check_contexts();
	check_argument();
	check_chunk();
	check_changes();
	check_strange();
	return done();
}
