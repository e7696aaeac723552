/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the call stack of R in another process. */
#include "sampler/lines/r.h"

#include "os/clock.h"
#include "os/memory.h"
#include "os/process.h"
#include "sampler/lines/image.h"

/* Offsets in struct RCNTXT (Defn.h) on x86-64, where the sigjmp_buf in this struct has 200 bytes. The fields up to
 * `cloenv` have been the same since R 3.6. */
enum { CONTEXT_BACK = 0, CONTEXT_FLAG = 8, CONTEXT_FUNCTION = 232, CONTEXT_CALL = 248, CONTEXT_ENVIRONMENT = 256 };
enum { OF_FUNCTION = 4, FLAG_MAX = 255 };
/* Offsets in struct SEXPREC (Rinternals.h). */
enum { CAR = 32, CDR = 40, TAG = 48, NAME = 32, LENGTH = 32, DATA = 48 };
enum { FORMALS = 32, ENVIRONMENT = 48, VARIABLES = 32, HASH_TABLE = 48 };
enum {
	PARAMETERS_MAX = 8, /* maximum number of parameters in the name of a function */
	LOCALS_MAX = 64     /* maximum number of local variables that are searched for the label of a chunk */
};
enum { TYPE_MASK = 31, UTF8 = 1 << 11 };
enum type {
	NIL = 0,
	SYMBOL = 1,
	LIST = 2,
	CLOSURE = 3,
	FRAMES = 4,
	CALL = 6,
	CHARACTERS = 9,
	STRINGS = 16,
	VECTOR = 19
};

/* -- R -- */

/* Returns whether the structures of an R version are known. `description`: DESCRIPTION file of the package base, which
 * contains a line such as "Version: 4.2.2". */
static bool is_known(struct text description)
{
	struct text line;

	for (size_t at = 0; at < description.length; at += line.length + 1) {
		line = (struct text){description.data + at, description.length - at};
		line.length = text_find(line, '\n', 0);
		if (text_starts(line, "Version: 3.6."))
			return true;
		if (text_starts(line, "Version: 4.") && line.length > 12 && line.data[12] == '.')
			return line.data[11] >= '0' && line.data[11] <= '6';
	}
	return false;
}

/* Returns the length of R_HOME in a path that ends in /lib/libR.so or, for an R without that library, in /bin/exec/R.
 * Returns 0 for other paths. */
static size_t home_length(struct text path)
{
	static const char *const ends[] = {"/lib/libR.so", "/bin/exec/R"};

	for (size_t i = 0; i < ARRAY_LENGTH(ends); i++) {
		size_t length = text_length(ends[i]);
		if (path.length > length && text_is((struct text){path.data + path.length - length, length}, ends[i]))
			return path.length - length;
	}
	return 0;
}

static bool knows_version(int pid, struct text path)
{
	char description[1024], file[R_PATH_SIZE];
	struct buffer out = BUFFER(file);

	buffer_text(&out, (struct text){path.data, home_length(path)});
	buffer_string(&out, "/library/base/DESCRIPTION");
	if (out.full)
		return false;
	int64_t length = peek_file(pid, (struct text){file, out.length}, description, sizeof description);
	return length > 0 && is_known((struct text){description, (size_t)length});
}

static bool take_image(void *context, struct text path, uint64_t at)
{
	struct r *r = context;
	struct image image;

	if (home_length(path) == 0 || image_open(&image, r->pid, at) != 0)
		return false;
	r->context = image_find(&image, "R_GlobalContext");
	r->environment = image_find(&image, "R_GlobalEnv");
	r->parsed = image_find(&image, "R_ParseContext");
	r->parsed_last = image_find(&image, "R_ParseContextLast");
	if (r->context != 0 && r->environment != 0 && r->parsed != 0 && r->parsed_last != 0 &&
		knows_version(r->pid, path))
		return true;
	r->context = 0;
	return false;
}

int r_find(struct r *r, int pid, struct r_room *room)
{
	*r = (struct r){.pid = pid};
#ifdef __x86_64__
	return peek_images(pid, BUFFER(room->maps), take_image, r) == 1 ? 0 : -1;
#else
	(void)room, (void)take_image;
	return -1;
#endif
}

/* -- the script -- */

struct text r_script_path(struct text command, struct buffer *out)
{
	bool next = false;

	for (size_t at = 0; at < command.length;) {
		struct text argument = {command.data + at, command.length - at};
		argument.length = text_find(argument, '\0', 0);
		at += argument.length + 1;
		bool named = text_starts(argument, "--file=");
		if (text_is(argument, "--args") || text_is(argument, "-e"))
			break;
		if (named || next) {
			for (size_t i = named ? 7 : 0; i < argument.length; i++) {
				struct text rest = {argument.data + i, argument.length - i};
				/* R's front end replaces a blank by "~+~". */
				bool blank = text_starts(rest, "~+~");
				buffer_byte(out, blank ? ' ' : rest.data[0]);
				i += blank ? 2 : 0;
			}
			break;
		}
		next = text_is(argument, "-f");
	}
	return (struct text){out->data, out->full ? 0 : out->length};
}

void r_script_open(struct r_script *script, int pid)
{
	char command[4096], unused[1], path[R_PATH_SIZE];
	struct buffer exe = buffer_over(unused, 0), arguments = BUFFER(command), out = BUFFER(path);

	__builtin_memset(script, 0, sizeof *script);
	process_describe(pid, &exe, &arguments);
	struct text name = r_script_path((struct text){command, arguments.length}, &out);
	if (name.length == 0 || name.length >= sizeof script->path)
		return;
	__builtin_memcpy(script->path, name.data, name.length);
	char *data = os_map_apart(R_SCRIPT_MAX);
	if (!data)
		return;
	int64_t length = peek_file(pid, name, data, R_SCRIPT_MAX);
	/* A larger file would be truncated, so it is not used. */
	if (length > 0 && length < R_SCRIPT_MAX) {
		script->data = data;
		script->length = (size_t)length;
	} else {
		os_unmap(data, R_SCRIPT_MAX);
	}
}

void r_script_close(struct r_script *script)
{
	if (script->data)
		os_unmap(script->data, R_SCRIPT_MAX);
	script->data = NULL;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Removes blanks and semicolons at the end of an expression. If `whole` is set, also removes blanks, semicolons and
 * comments at its beginning. */
static struct text trim(struct text text, bool whole)
{
	while (whole && text.length > 0 && (is_blank(text.data[0]) || text.data[0] == ';' || text.data[0] == '#')) {
		size_t skipped = text.data[0] == '#' ? text_find(text, '\n', 0) : 1;
		text = (struct text){text.data + skipped, text.length - skipped};
	}
	while (text.length > 0 && (is_blank(text.data[text.length - 1]) || text.data[text.length - 1] == ';'))
		text.length--;
	return text;
}

/* Return whether an expression of the script can begin, or end, at this position. Text inside quotes does not begin an
 * expression of the script, although the program may parse it. */
static bool begins(struct text script, size_t at)
{
	while (at > 0 && (script.data[at - 1] == ' ' || script.data[at - 1] == '\t'))
		at--;
	return at == 0 || script.data[at - 1] == '\n' || script.data[at - 1] == ';';
}

static bool ends(struct text script, size_t at)
{
	return at == script.length || is_blank(script.data[at]) || script.data[at] == ';' || script.data[at] == '#';
}

static size_t find(struct text script, struct text wanted, size_t from, bool whole)
{
	for (size_t at = from; at + wanted.length <= script.length; at++) {
		at = text_find(script, wanted.data[0], at);
		if (at + wanted.length > script.length)
			break;
		if (__builtin_memcmp(script.data + at, wanted.data, wanted.length) == 0 &&
			(!whole || begins(script, at)) && ends(script, at + wanted.length))
			return at;
	}
	return SIZE_MAX;
}

int32_t r_script_line(struct r_script *script, struct text parsed, bool whole)
{
	struct text all = {script->data, script->length}, kept = {script->text, script->text_length};

	parsed = trim(parsed, whole);
	if (!script->data || parsed.length == 0 || parsed.length > sizeof script->text)
		return 0;
	if (text_equal(parsed, kept))
		return script->line;
	__builtin_memcpy(script->text, parsed.data, parsed.length);
	script->text_length = parsed.length;
	size_t at = find(all, parsed, script->from, whole);
	if (at == SIZE_MAX)
		at = find(all, parsed, 0, whole);
	script->line = 0;
	if (at == SIZE_MAX)
		return 0;
	script->from = at + 1;
	script->line = 1;
	for (size_t i = 0; i < at; i++)
		script->line += all.data[i] == '\n';
	return script->line;
}

/* Returns the script line of the text that the parser has read last. The text is in a ring buffer. If it does not fill
 * the buffer, a NUL precedes it. */
static int32_t line_now(const struct r *r, struct r_script *script)
{
	char ring[2][R_PARSED_SIZE], text[R_PARSED_SIZE];
	int32_t last[2];
	size_t length = 0;

	for (int i = 0; i < 2; i++)
		if (!image_copy(r->pid, r->parsed, ring[i], sizeof ring[i]) ||
			!image_copy(r->pid, r->parsed_last, &last[i], sizeof last[i]))
			return 0;
	if (last[0] != last[1] || last[0] < 0 || last[0] >= R_PARSED_SIZE ||
		__builtin_memcmp(ring[0], ring[1], sizeof ring[0]) != 0)
		return 0;
	while (length < sizeof text && ring[0][((size_t)last[0] - length) % sizeof text] != '\0') {
		text[sizeof text - 1 - length] = ring[0][((size_t)last[0] - length) % sizeof text];
		length++;
	}
	return r_script_line(script, (struct text){text + sizeof text - length, length}, length < sizeof text);
}

/* -- contexts -- */

static bool is_function(const uint8_t *context)
{
	return context[CONTEXT_FLAG] & OF_FUNCTION;
}

static uint32_t flag_of(const uint8_t *context)
{
	uint32_t flag;
	__builtin_memcpy(&flag, context + CONTEXT_FLAG, sizeof flag);
	return flag;
}

/* Reads the contexts from the innermost outward. Returns their number, or 0 if one is unreadable. The outermost context
 * is R's top level. */
static size_t walk(const struct r *r, uint64_t at, struct r_room *room, bool *strange)
{
	size_t count = 0;

	while (at != 0 && count < R_CONTEXTS_MAX) {
		if (!image_copy(r->pid, at, room->contexts[count], R_CONTEXT_SIZE))
			return 0;
		*strange |= flag_of(room->contexts[count]) > FLAG_MAX;
		room->at[count] = at;
		at = image_word(room->contexts[count++], CONTEXT_BACK);
	}
	room->deeper = at != 0;
	*strange |= at == 0 && count > 0 && flag_of(room->contexts[count - 1]) != 0;
	return count;
}

static bool same_context(const uint8_t *before, const uint8_t *after)
{
	return image_word(before, CONTEXT_BACK) == image_word(after, CONTEXT_BACK) &&
	       flag_of(before) == flag_of(after) &&
	       (!is_function(before) ||
		       (image_word(before, CONTEXT_CALL) == image_word(after, CONTEXT_CALL) &&
			       image_word(before, CONTEXT_FUNCTION) == image_word(after, CONTEXT_FUNCTION)));
}

/* Reads all contexts again in one copy operation, inward and then outward. Returns how many outer contexts are
 * unchanged. */
static size_t read_again(const struct r *r, struct r_room *room)
{
	uint64_t top = 0;
	size_t same = 0, ranges = 0, size = sizeof top;

	room->ours[ranges] = (struct peek_range){(uint64_t)(uintptr_t)&top, sizeof top};
	room->theirs[ranges++] = (struct peek_range){r->context, sizeof top};
	for (size_t i = 0; i < 2 * room->all; i++) {
		size_t index = i < room->all ? room->all - 1 - i : i - room->all;
		uint8_t *to = i < room->all ? room->again[index] : room->third[index];
		room->ours[ranges] = (struct peek_range){(uint64_t)(uintptr_t)to, R_CONTEXT_SIZE};
		room->theirs[ranges++] = (struct peek_range){room->at[index], R_CONTEXT_SIZE};
		size += R_CONTEXT_SIZE;
	}
	if (peek_read(r->pid, room->ours, room->theirs, ranges) != (int64_t)size)
		return 0;
	while (same < room->all) {
		size_t i = room->all - 1 - same;
		if (!same_context(room->contexts[i], room->again[i]) ||
			!same_context(room->contexts[i], room->third[i]))
			break;
		same++;
		if (room->at[i] == top)
			break;
	}
	return same;
}

static bool read_object(const struct r *r, uint64_t at, uint8_t object[R_OBJECT_SIZE], enum type type)
{
	return image_copy(r->pid, at, object, R_OBJECT_SIZE) && (object[0] & TYPE_MASK) == type;
}

static struct text read_characters(const struct r *r, uint64_t at, struct buffer *out)
{
	uint8_t characters[R_OBJECT_SIZE];
	char name[R_NAME_SIZE];
	uint32_t bits;

	if (!read_object(r, at, characters, CHARACTERS))
		return (struct text){out->data, 0};
	uint64_t length = image_word(characters, LENGTH);
	__builtin_memcpy(&bits, characters, sizeof bits);
	if (length == 0 || length >= sizeof name || !image_copy(r->pid, at + DATA, name, (size_t)length))
		return (struct text){out->data, 0};
	for (size_t i = 0; i < length; i++) {
		uint8_t byte = (uint8_t)name[i];
		bool kept = byte >= ' ' && byte != 0x7f && (byte < 0x80 || bits & UTF8);
		buffer_byte(out, kept ? name[i] : '?');
	}
	return (struct text){out->data, out->length};
}

static struct text read_symbol(const struct r *r, uint64_t at, struct buffer *out)
{
	uint8_t object[R_OBJECT_SIZE];

	if (!read_object(r, at, object, SYMBOL))
		return (struct text){out->data, 0};
	return read_characters(r, image_word(object, NAME), out);
}

/* Returns the name of the called function, as in `f(x)` or `package::f(x)`. */
static struct text read_callee(const struct r *r, uint64_t call, struct buffer *out)
{
	uint8_t object[R_OBJECT_SIZE], head[R_OBJECT_SIZE];
	char name[R_NAME_SIZE];
	struct buffer between_name = BUFFER(name);

	if (!read_object(r, call, object, CALL))
		return (struct text){out->data, 0};
	uint64_t callee = image_word(object, CAR);
	if (read_object(r, callee, head, CALL)) {
		struct text between = read_symbol(r, image_word(head, CAR), &between_name);
		bool known = text_is(between, "::") || text_is(between, ":::") || text_is(between, "$");
		callee = known && read_object(r, image_word(head, CDR), object, LIST) &&
					 read_object(r, image_word(object, CDR), head, LIST)
				 ? image_word(head, CAR)
				 : 0;
	}
	struct text found = callee != 0 ? read_symbol(r, callee, out) : (struct text){out->data, 0};
	if (found.length == 0)
		buffer_string(out, "<anonymous>");
	return (struct text){out->data, out->length};
}

/* Returns whether the user has defined a function. A function that was defined at top level is regarded as the
 * user's. */
static bool is_users(const struct r *r, const uint8_t *context, uint64_t environment)
{
	uint8_t function[R_OBJECT_SIZE];
	return read_object(r, image_word(context, CONTEXT_FUNCTION), function, CLOSURE) &&
	       image_word(function, ENVIRONMENT) == environment;
}

/* Returns whether a name is a variable of the package future, such as "...future.FUN", which holds the function that
 * was passed to future_lapply. */
static bool is_of_future(struct text name)
{
	return text_starts(name, "...future.");
}

static bool is_name_of_future(const struct r *r, uint64_t symbol)
{
	char text[R_NAME_SIZE];
	struct buffer name = BUFFER(text);
	return is_of_future(read_symbol(r, symbol, &name));
}

/* Returns the address of the binding of a global variable that holds a function, or 0. */
static uint64_t find_binding(const struct r *r, struct r_room *room, uint64_t environment, uint64_t function)
{
	uint8_t object[R_OBJECT_SIZE];
	size_t left = R_VARIABLES_MAX;

	if (!read_object(r, environment, object, FRAMES))
		return 0;
	uint64_t table = image_word(object, HASH_TABLE);
	if (!read_object(r, table, object, VECTOR))
		return 0;
	uint64_t length = image_word(object, LENGTH);
	size_t count = length < R_BUCKETS_MAX ? (size_t)length : (size_t)R_BUCKETS_MAX;
	if (!image_copy(r->pid, table + DATA, room->buckets, count * sizeof room->buckets[0]))
		return 0;
	for (size_t i = 0; i < count; i++)
		for (uint64_t at = room->buckets[i]; left > 0 && read_object(r, at, object, LIST);
			at = image_word(object, CDR), left--)
			if (image_word(object, CAR) == function && !is_name_of_future(r, image_word(object, TAG)))
				return at;
	return 0;
}

/* Returns the same from an earlier search, if there was one. */
static uint64_t find_variable(
	const struct r *r, struct r_script *script, struct r_room *room, uint64_t environment, uint64_t function)
{
	for (size_t i = 0; i < R_SEARCHED_MAX; i++)
		if (script->variables[i].function == function)
			return script->variables[i].binding;
	uint64_t binding = find_binding(r, room, environment, function);
	script->variables[script->searched++ % R_SEARCHED_MAX] = (struct r_variable){function, binding};
	return binding;
}

/* Names a function by its parameters, such as "function(fold, rate)". Returns false if they cannot be read. */
static bool read_parameters(const struct r *r, uint64_t function, struct buffer *out)
{
	uint8_t object[R_OBJECT_SIZE];

	if (!read_object(r, function, object, CLOSURE))
		return false;
	buffer_string(out, "function(");
	for (int i = 0; i < PARAMETERS_MAX; i++) {
		if (!image_copy(r->pid, image_word(object, i == 0 ? FORMALS : CDR), object, sizeof object))
			return false;
		if ((object[0] & TYPE_MASK) == NIL)
			break;
		buffer_string(out, i == 0 ? "" : ", ");
		size_t length = out->length;
		if ((object[0] & TYPE_MASK) != LIST || read_symbol(r, image_word(object, TAG), out).length == length)
			return false;
	}
	buffer_byte(out, ')');
	return !out->full;
}

/* Names a function of the user that a function such as lapply has called. The call has the name of lapply's parameter,
 * such as FUN. If a global variable holds the function, the name of the variable replaces this name. Otherwise, the
 * list of the function's parameters replaces it. */
static void name_argument(
	const struct r *r, struct r_script *script, struct r_room *room, uint64_t environment, size_t index)
{
	static const char *const parameters[] = {"FUN", "f", ".f", "fn", "<anonymous>"};
	uint64_t function = image_word(room->contexts[index], CONTEXT_FUNCTION);
	uint8_t object[R_OBJECT_SIZE];
	char text[R_NAME_SIZE];
	struct buffer found = BUFFER(text), name = BUFFER(room->names[index]);
	bool given = is_of_future(text_of(room->names[index]));

	for (size_t i = 0; i < ARRAY_LENGTH(parameters); i++)
		given = given || text_is(text_of(room->names[index]), parameters[i]);
	if (!given)
		return;
	uint64_t binding = find_variable(r, script, room, environment, function);
	/* The binding is read again, because the variable may have another value now. */
	bool named = binding != 0 && read_object(r, binding, object, LIST) && image_word(object, CAR) == function &&
		     read_symbol(r, image_word(object, TAG), &found).length > 0;
	if (!named && !read_parameters(r, function, &found))
		return;
	buffer_text(&name, (struct text){text, found.length});
	(void)buffer_terminate(&name);
}

/* Names a call of knitr's function call_block after the chunk that it executes. The local variable `label` of
 * call_block holds the label of the chunk. Returns false if the label cannot be read. */
static bool name_chunk(const struct r *r, struct r_room *room, size_t index)
{
	uint8_t object[R_OBJECT_SIZE], value[R_OBJECT_SIZE];
	char text[R_NAME_SIZE];
	struct buffer label = BUFFER(text), name = BUFFER(room->names[index]);

	if (!read_object(r, image_word(room->contexts[index], CONTEXT_ENVIRONMENT), object, FRAMES))
		return false;
	uint64_t at = image_word(object, VARIABLES);
	for (int i = 0; i < LOCALS_MAX && read_object(r, at, object, LIST); i++, at = image_word(object, CDR)) {
		label.length = 0;
		if (!text_is(read_symbol(r, image_word(object, TAG), &label), "label"))
			continue;
		label.length = 0;
		if (!read_object(r, image_word(object, CAR), value, STRINGS) || image_word(value, LENGTH) != 1 ||
			read_characters(r, image_word(value, DATA), &label).length == 0)
			return false;
		buffer_string(&name, "chunk ");
		buffer_text(&name, (struct text){text, label.length});
		(void)buffer_terminate(&name);
		return true;
	}
	return false;
}

/* Reads the names of the functions in the unchanged contexts, and which functions are the user's. A name that cannot be
 * read is empty. */
static void read_functions(const struct r *r, struct r_script *script, struct r_room *room)
{
	uint64_t environment = 0;
	bool known = image_copy(r->pid, r->environment, &environment, sizeof environment);

	for (size_t i = room->all - room->same; i < room->all; i++) {
		const uint8_t *context = room->contexts[i];
		struct buffer name = BUFFER(room->names[i]);
		room->own[i] = known && is_function(context) && is_users(r, context, environment);
		if (is_function(context))
			(void)read_callee(r, image_word(context, CONTEXT_CALL), &name);
		(void)buffer_terminate(&name);
		if (room->own[i])
			name_argument(r, script, room, environment, i);
		else if (text_is(text_of(room->names[i]), "call_block"))
			room->own[i] = name_chunk(r, room, i);
	}
}

/* Returns the index of the user's innermost function, or else of the innermost function, or SIZE_MAX if there is
 * none. */
static size_t choose(const struct r_room *room, struct place *place)
{
	size_t chosen = SIZE_MAX;
	bool users = false;

	for (size_t i = room->all - room->same; i < room->all; i++) {
		if (!is_function(room->contexts[i]))
			continue;
		place->depth++;
		if (chosen == SIZE_MAX || (room->own[i] && !users))
			chosen = i;
		users |= room->own[i];
	}
	return chosen;
}

static struct text file_of(const struct r_script *script)
{
	return script->path[0] != '\0' ? text_of(script->path) : TEXT("<stdin>");
}

bool r_frame(const struct r_script *script, const struct r_room *room, size_t index, struct place_frame *frame)
{
	size_t i = room->all - room->same + index;
	bool script_itself = i + 1 == room->all && !room->deeper;

	if (index >= room->same || (room->names[i][0] == '\0' && !script_itself))
		return false;
	*frame = (struct place_frame){.file = script_itself || room->own[i] ? file_of(script) : TEXT(""),
		.line = script_itself ? room->line : 0,
		.function = script_itself ? TEXT("<toplevel>") : text_of(room->names[i]),
		.own = script_itself || room->own[i]};
	return true;
}

enum place_result r_read(const struct r *r, struct r_script *script, struct r_room *room, struct place *place)
{
	uint64_t top;
	bool strange = false;

	*place = (struct place){.line = 0};
	if (!image_copy(r->pid, r->context, &top, sizeof top))
		return PLACE_REFUSED;
	if (top == 0)
		return PLACE_IDLE;
	int64_t begin_ns = os_since_boot_ns();
	room->all = walk(r, top, room, &strange);
	room->same = room->all > 0 ? read_again(r, room) : 0;
	if (room->same == 0)
		return strange ? PLACE_STRANGE : PLACE_CHANGED;
	read_functions(r, script, room);
	size_t chosen = choose(room, place);
	room->line = line_now(r, script);
	/* The contexts are read again, because a function may have returned before its name was read, and its memory
	 * may have been reused. */
	size_t same = read_again(r, room);
	if (same < (chosen != SIZE_MAX ? room->all - chosen : room->same) ||
		os_since_boot_ns() - begin_ns > PLACE_READING_MAX_NS)
		return PLACE_CHANGED;
	if (strange || (chosen != SIZE_MAX && room->names[chosen][0] == '\0'))
		return PLACE_STRANGE;
	room->same = same < room->same ? same : room->same;
	*place = (struct place){.file = file_of(script),
		.line = room->line,
		.function = chosen != SIZE_MAX ? text_of(room->names[chosen]) : TEXT("<toplevel>"),
		.frames = room->same,
		.cut = room->same < room->all,
		.deeper = room->deeper};
	(void)choose(room, place);
	place->depth += chosen == SIZE_MAX;
	return PLACE_READ;
}
