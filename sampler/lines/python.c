/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the call stack of CPython in another process. */
#include "sampler/lines/python.h"

#include "core/figures.h"
#include "core/number.h"
#include "core/pattern.h"
#include "os/clock.h"
#include "sampler/lines/image.h"
#include "sampler/lines/table.h"

enum { NONE = UINT16_MAX, OWNER_GENERATOR = 1, OWNER_C = 3 };
enum { OBJECT_TYPE = 8, OBJECT_SIZE = 16, TEXT_HASH = 24, TEXT_STATE = 32, BYTES_DATA = 32 };
enum { DEEPER_MAX = 32 }; /* maximum number of new frames that calls may add during a reading */
enum { PATH, NAME, TEXTS };

static const struct python_layout layouts[] = {
#define PYTHON(minor, head, threads, next, native, cframe, frame, back, code, instruction, owner, file, name, table,   \
	first, start, text)                                                                                            \
	{minor, head, threads, next, native, cframe, frame, back, code, instruction, owner, file, name, table, first,  \
		start, text},
#include "sampler/lines/python.def"
};

/* These functions return how many bytes of an object are read. Fields after the last one that is used are not read. */
static size_t frame_size(const struct python_layout *layout)
{
	size_t end = figures_larger(layout->back, figures_larger(layout->code, layout->instruction)) + sizeof(uint64_t);
	return layout->owner == NONE ? end : figures_larger(end, layout->owner + 1u);
}

static size_t code_size(const struct python_layout *layout)
{
	return figures_larger(
		       figures_larger(layout->file, layout->name), figures_larger(layout->table, layout->first)) +
	       sizeof(uint64_t);
}

static size_t thread_size(const struct python_layout *layout)
{
	size_t end = figures_larger(layout->next, layout->cframe == NONE ? layout->frame : layout->cframe) +
		     sizeof(uint64_t);
	return layout->native == NONE ? end : figures_larger(end, layout->native + sizeof(uint64_t));
}

/* -- the interpreter -- */

/* Parses _Py_DebugOffsets (Include/internal/pycore_debug_offsets.h). Each group of offsets follows the size of its
 * structure. Python 3.14 has more groups, so the position of a group depends on the version. The first field of the
 * thread group has the same value in all versions, and is checked. */
bool python_read_offsets(const uint64_t words[PYTHON_DEBUG_WORDS], struct python_layout *layout)
{
	enum { COOKIE, VERSION, FREE_THREADED, RUNTIME, INTERPRETER = RUNTIME + 3 };
	unsigned minor = words[VERSION] >> 16 & 0xff;
	const uint64_t *thread = words + INTERPRETER + (minor >= 14 ? 16 : 13);
	const uint64_t *frame = thread + 9, *code = frame + (minor >= 14 ? 8 : 6);
	const uint64_t wanted[] = {words[RUNTIME + 2], words[INTERPRETER + 3], thread[2], thread[4], thread[6],
		frame[1], frame[2], frame[3], frame[5], code[1], code[3], code[4], code[5], code[9]};

	if (__builtin_memcmp(words, "xdebugpy", 8) != 0 || words[VERSION] >> 24 != 3 || minor < 13 || minor > 14 ||
		words[FREE_THREADED] != 0)
		return false;
	if (thread[1] != 0 || thread[2] != 8 || thread[3] != 16)
		return false;
	for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++)
		if (wanted[i] >= (i == 0 ? 8192 : i == 1 ? 65536 - 1 : i < 5 ? 1024 : i < 9 ? 112 : 240))
			return false;
	*layout = (struct python_layout){.minor = (uint16_t)minor,
		.head = (uint16_t)wanted[0],
		.threads = (uint16_t)wanted[1],
		.next = (uint16_t)wanted[2],
		.native = (uint16_t)wanted[4],
		.cframe = NONE,
		.frame = (uint16_t)wanted[3],
		.back = (uint16_t)wanted[5],
		.code = (uint16_t)wanted[6],
		.instruction = (uint16_t)wanted[7],
		.owner = (uint16_t)wanted[8],
		.file = (uint16_t)wanted[9],
		.name = (uint16_t)wanted[10],
		.table = (uint16_t)wanted[11],
		.first = (uint16_t)wanted[12],
		.start = (uint16_t)wanted[13],
		.text = 40};
	return true;
}

/* Returns the minor version from a file name, such as "python3.8" or "libpython3.8m.so.1.0", or 0 if it has none. */
static unsigned version_of(struct text name)
{
	uint64_t minor = 0;

	for (size_t i = 0; i + 9 < name.length; i++) {
		struct text rest = {name.data + i, name.length - i};
		if (!text_starts(rest, "python3."))
			continue;
		size_t end = 8;
		while (end < rest.length && rest.data[end] >= '0' && rest.data[end] <= '9')
			end++;
		return number_read_unsigned((struct text){rest.data + 8, end - 8}, &minor) == 0 && minor < 99
			       ? (unsigned)minor
			       : 0;
	}
	return 0;
}

/* Returns whether a file is a Python interpreter. An extension module such as "_json.cpython-311-x86_64-linux-gnu.so"
 * is not. */
static bool is_python(struct text name)
{
	return text_starts(name, "python") || text_starts(name, "libpython");
}

static bool find_layout(struct python *python, const struct image *image, struct text name)
{
	uint64_t words[PYTHON_DEBUG_WORDS], at = image_find(image, "Py_Version");
	unsigned minor = version_of(name);
	uint32_t version = 0;

	if (image_copy(python->pid, python->runtime, words, sizeof words) &&
		python_read_offsets(words, &python->layout))
		return true;
	/* Since 3.11, the variable Py_Version contains the version. */
	if (at != 0 && image_copy(python->pid, at, &version, sizeof version))
		minor = version >> 24 == 3 ? version >> 16 & 0xff : 0;
	for (size_t i = 0; i < ARRAY_LENGTH(layouts); i++)
		if (layouts[i].minor == minor && (at != 0) == (minor >= 11)) {
			python->layout = layouts[i];
			return true;
		}
	return false;
}

static bool take_image(void *context, struct text path, uint64_t at)
{
	struct python *python = context;
	struct image image;
	struct text name = text_basename(path);

	if (!is_python(name) || image_open(&image, python->pid, at) != 0)
		return false;
	python->runtime = image_find(&image, "_PyRuntime");
	python->code_type = image_find(&image, "PyCode_Type");
	python->text_type = image_find(&image, "PyUnicode_Type");
	python->bytes_type = image_find(&image, "PyBytes_Type");
	if (python->runtime != 0 && python->code_type != 0 && python->text_type != 0 && python->bytes_type != 0 &&
		find_layout(python, &image, name))
		return true;
	python->runtime = 0;
	return false;
}

int python_find(struct python *python, int pid, struct python_room *room)
{
	*python = (struct python){.pid = pid};
	return peek_images(pid, BUFFER(room->maps), take_image, python) == 1 ? 0 : -1;
}

/* -- threads -- */

size_t python_threads(const struct python *python, struct python_thread threads[PYTHON_THREADS_MAX])
{
	const struct python_layout *layout = &python->layout;
	uint8_t bytes[1024 + sizeof(uint64_t)];
	uint64_t interpreter, at;
	size_t count = 0;

	if (!image_copy(python->pid, python->runtime + layout->head, &interpreter, sizeof interpreter) ||
		!image_copy(python->pid, interpreter + layout->threads, &at, sizeof at))
		return 0;
	while (at != 0 && count < PYTHON_THREADS_MAX) {
		if (!image_copy(python->pid, at, bytes, thread_size(layout)))
			return 0;
		threads[count++] = (struct python_thread){.at = at,
			.frame = (layout->cframe == NONE ? at : image_word(bytes, layout->cframe)) + layout->frame,
			.native = layout->native == NONE ? 0 : image_word(bytes, layout->native)};
		at = image_word(bytes, layout->next);
	}
	return count;
}

/* -- a stack -- */

static void add_range(struct python_room *room, void *ours, uint64_t theirs, size_t size)
{
	room->ours[room->ranges] = (struct peek_range){(uint64_t)(uintptr_t)ours, size};
	room->theirs[room->ranges++] = (struct peek_range){theirs, size};
}

/* Copies the ranges that were added with add_range. Returns how many of them were copied completely. */
static size_t copy_ranges(const struct python *python, struct python_room *room)
{
	int64_t copied = peek_read(python->pid, room->ours, room->theirs, room->ranges);
	size_t count = 0;

	while (count < room->ranges && copied >= (int64_t)room->ours[count].size)
		copied -= (int64_t)room->ours[count++].size;
	room->ranges = 0;
	return count;
}

/* Reads the frames from the innermost outward. Returns their number, or 0 if one is unreadable. */
static size_t walk(const struct python *python, uint64_t at, struct python_room *room)
{
	const struct python_layout *layout = &python->layout;
	size_t count = 0;

	while (at != 0 && count < PYTHON_FRAMES_MAX) {
		if (!image_copy(python->pid, at, room->frames[count], frame_size(layout)))
			return 0;
		room->at[count] = at;
		room->codes[count].at = image_word(room->frames[count], layout->code) & ~(uint64_t)3;
		at = image_word(room->frames[count++], layout->back);
	}
	room->deeper = at != 0;
	return count;
}

/* Returns whether the interpreter has inserted this frame for a call from C. Such a frame has no Python code. */
static bool is_of_c(const struct python_layout *layout, const uint8_t *frame)
{
	return layout->owner != NONE && frame[layout->owner] >= OWNER_C;
}

/* Returns whether the outermost frame belongs to a generator. Every generator has a caller. If the caller's frame is
 * missing, the generator is just being suspended, and its frame is no longer part of the stack. */
static bool is_detached(const struct python_layout *layout, const struct python_room *room)
{
	return layout->owner != NONE && !room->deeper && room->frames[room->all - 1][layout->owner] == OWNER_GENERATOR;
}

/* Returns whether a frame runs Python code of the user. The frame that CPython inserts when a class is called does not.
 * Its file name and its function name are the same text. */
static bool is_code(const struct python_layout *layout, const struct python_room *room, size_t index)
{
	const uint8_t *object = room->codes[index].object;
	return !is_of_c(layout, room->frames[index]) &&
	       image_word(object, layout->file) != image_word(object, layout->name);
}

/* Determines which part of a text is read. If the buffer is too small, the end of a path or the beginning of a name is
 * read. */
static bool text_part(
	const struct python_layout *layout, const uint8_t *head, int which, uint64_t *offset, size_t *size)
{
	size_t room = which == PATH ? PYTHON_PATH_SIZE : PYTHON_NAME_SIZE;
	uint64_t length = image_word(head, OBJECT_SIZE);
	uint32_t state;

	__builtin_memcpy(&state, head + TEXT_STATE, sizeof state);
	unsigned kind = state >> 2 & 7;
	bool compact = state >> 5 & 1, ascii = state >> 6 & 1;
	if ((kind != 1 && kind != 2 && kind != 4) || !compact || length > 1 << 20)
		return false;
	*offset = layout->text + (ascii ? 0u : layout->text == 40 ? 16u : 24u);
	*size = (size_t)length * kind;
	if (*size > room) {
		*offset += which == PATH ? *size - room : 0;
		*size = room;
	}
	return true;
}

/* Reads code objects with their texts, from the outermost frame inward, until one is unreadable or invalid. Returns the
 * number of frames before that one. Frames of C code are skipped, but counted. */
static size_t read_codes(const struct python *python, struct python_room *room, size_t count, bool *strange)
{
	const struct python_layout *layout = &python->layout;
	const uint16_t texts[TEXTS] = {layout->file, layout->name};
	size_t done = 0;

	for (size_t i = 0; i < count; i++)
		add_range(room, room->codes[count - 1 - i].object, room->codes[count - 1 - i].at,
			is_of_c(layout, room->frames[count - 1 - i]) ? 0 : code_size(layout));
	size_t whole = copy_ranges(python, room);
	for (; done < whole; done++) {
		struct python_code *code = &room->codes[count - 1 - done];
		bool of_c = is_of_c(layout, room->frames[count - 1 - done]);
		if (!of_c && image_word(code->object, OBJECT_TYPE) != python->code_type) {
			*strange = true;
			break;
		}
		for (int t = 0; t < TEXTS; t++)
			add_range(room, code->heads[t], of_c ? 0 : image_word(code->object, texts[t]),
				of_c ? 0 : sizeof code->heads[t]);
	}
	done = copy_ranges(python, room) / TEXTS;
	for (size_t i = 0; i < done; i++) {
		struct python_code *code = &room->codes[count - 1 - i];
		for (int t = 0; t < TEXTS; t++) {
			uint64_t offset = 0;
			size_t size = 0;
			if (!is_of_c(layout, room->frames[count - 1 - i]) &&
				(image_word(code->heads[t], OBJECT_TYPE) != python->text_type ||
					!text_part(layout, code->heads[t], t, &offset, &size))) {
				*strange = true;
				done = i;
				break;
			}
			if (i < done)
				add_range(room, t == PATH ? code->path : code->name,
					image_word(code->object, texts[t]) + offset, size);
		}
	}
	room->ranges = done * TEXTS;
	return copy_ranges(python, room) / TEXTS;
}

static size_t index_of(const struct python_room *room, uint64_t at)
{
	size_t index = 0;

	while (index < room->all && room->at[index] != at)
		index++;
	return index;
}

/* Returns the index of the innermost frame of the last reading that is still on the stack. The search starts at `top`,
 * the current innermost frame, and continues with its callers. */
static size_t find_known(const struct python *python, const struct python_room *room, uint64_t top)
{
	uint8_t frame[PYTHON_FRAME_SIZE];
	size_t index = index_of(room, top);

	for (int i = 0; index == room->all && i < DEEPER_MAX; i++) {
		if (!image_copy(python->pid, top, frame, frame_size(&python->layout)))
			break;
		top = image_word(frame, python->layout.back);
		index = index_of(room, top);
	}
	return index;
}

static bool same_words(const uint8_t *before, const uint8_t *after, const uint16_t *offsets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (image_word(before, offsets[i]) != image_word(after, offsets[i]))
			return false;
	return true;
}

/* Returns whether an object is in use. The reference count of a freed object is 0, or was overwritten with an
 * address. */
static bool is_alive(const uint8_t *object)
{
	uint64_t references = image_word(object, 0);
	return (uint32_t)references != 0 && (references >> 32 & 0xffff) == 0;
}

/* Returns whether two readings of a text are equal. The hash may be missing in the first reading, because CPython
 * computes it at the first use. */
static bool same_text(const uint8_t *before, const uint8_t *after)
{
	static const uint16_t fixed[] = {OBJECT_TYPE, OBJECT_SIZE};
	uint64_t hash = image_word(before, TEXT_HASH);

	return is_alive(after) && same_words(before, after, fixed, ARRAY_LENGTH(fixed)) &&
	       (hash == UINT64_MAX || hash == image_word(after, TEXT_HASH)) &&
	       before[TEXT_STATE] >> 2 == after[TEXT_STATE] >> 2;
}

static bool same_code(
	const struct python_layout *layout, const struct python_code *before, const struct python_code_again *after)
{
	const uint16_t fixed[] = {OBJECT_TYPE, layout->file, layout->name, layout->table};

	return is_alive(after->object) && same_words(before->object, after->object, fixed, ARRAY_LENGTH(fixed)) &&
	       __builtin_memcmp(before->object + layout->first, after->object + layout->first, sizeof(int32_t)) == 0 &&
	       same_text(before->heads[PATH], after->heads[PATH]) && same_text(before->heads[NAME], after->heads[NAME]);
}

static bool same_frame(const struct python_layout *layout, const uint8_t *before, const uint8_t *after)
{
	const uint16_t fixed[] = {layout->code, layout->back};
	return same_words(before, after, fixed, ARRAY_LENGTH(fixed)) &&
	       is_of_c(layout, before) == is_of_c(layout, after);
}

/* Adds each frame twice to one copy operation: once on the way inward, once on the way outward. If a call returns
 * during the operation, one of the two copies of its frame differs. The code objects are added last. */
static void add_all_again(const struct python_layout *layout, struct python_room *room, size_t count)
{
	size_t all = room->all;

	for (size_t i = all; i > all - count; i--)
		add_range(room, room->again[i - 1], room->at[i - 1], frame_size(layout));
	for (size_t i = all - count; i < all; i++)
		add_range(room, room->third[i], room->at[i], frame_size(layout));
	for (size_t i = all; i > all - count; i--) {
		struct python_code *code = &room->codes[i - 1];
		struct python_code_again *again = &room->codes_again[i - 1];
		bool of_c = is_of_c(layout, room->frames[i - 1]);
		add_range(room, again->object, code->at, of_c ? 0 : code_size(layout));
		add_range(
			room, again->heads[PATH], image_word(code->object, layout->file), of_c ? 0 : PYTHON_HEAD_SIZE);
		add_range(
			room, again->heads[NAME], image_word(code->object, layout->name), of_c ? 0 : PYTHON_HEAD_SIZE);
	}
}

/* Reads all frames and code objects again. Returns how many of the `count` outermost frames are unchanged. */
static size_t read_again(
	const struct python *python, const struct python_thread *thread, struct python_room *room, size_t count)
{
	const struct python_layout *layout = &python->layout;
	uint64_t top = 0;
	size_t same = 0;

	add_range(room, &top, thread->frame, sizeof top);
	add_all_again(layout, room, count);
	size_t wanted = room->ranges;
	if (copy_ranges(python, room) < wanted)
		return 0;
	size_t left = room->all - find_known(python, room, top);
	count = count < left ? count : left;
	for (; same < count; same++) {
		size_t i = room->all - 1 - same;
		const uint8_t *before = room->frames[i], *again = room->again[i], *third = room->third[i];
		if (!same_frame(layout, before, again) || !same_frame(layout, before, third) ||
			(!is_of_c(layout, before) && !same_code(layout, &room->codes[i], &room->codes_again[i])))
			break;
		/* If the instruction has changed, the inner call has returned, even if its frame looks unchanged. */
		if (image_word(before, layout->instruction) != image_word(again, layout->instruction) ||
			image_word(before, layout->instruction) != image_word(third, layout->instruction))
			return same + 1;
	}
	return same;
}

/* -- texts -- */

static void put_character(struct buffer *out, uint32_t code)
{
	if (code < 0x80) {
		buffer_byte(out, (char)code);
		return;
	}
	if (code >= 0x10000) {
		buffer_byte(out, (char)(0xf0 | (code >> 18 & 7)));
		buffer_byte(out, (char)(0x80 | (code >> 12 & 63)));
	} else if (code >= 0x800) {
		buffer_byte(out, (char)(0xe0 | code >> 12));
	}
	if (code >= 0x800)
		buffer_byte(out, (char)(0x80 | (code >> 6 & 63)));
	else
		buffer_byte(out, (char)(0xc0 | code >> 6));
	buffer_byte(out, (char)(0x80 | (code & 63)));
}

bool python_decode(const uint8_t *head, const uint8_t *data, size_t size, struct buffer *out)
{
	uint32_t state;

	__builtin_memcpy(&state, head + TEXT_STATE, sizeof state);
	unsigned kind = state >> 2 & 7;
	if (kind != 1 && kind != 2 && kind != 4)
		return false;
	for (size_t i = 0; i + kind <= size; i += kind) {
		uint32_t code = 0;
		__builtin_memcpy(&code, data + i, kind);
		bool wrong = code < ' ' || code == 0x7f || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
		put_character(out, wrong ? '?' : code);
	}
	return !out->full;
}

static struct text decoded(const struct python *python, const struct python_code *code, int which, struct buffer *out)
{
	uint64_t offset;
	size_t size;

	if (text_part(&python->layout, code->heads[which], which, &offset, &size))
		(void)python_decode(code->heads[which], which == PATH ? code->path : code->name, size, out);
	return (struct text){out->data, out->length};
}

static bool has(struct text text, const char *part)
{
	return text_search(text, part) < text.length;
}

/* Code without a file has a name such as "<string>" in CPython. Returns whether such a name denotes code that the user
 * has written: a command line, a notebook cell, or a function that cloudpickle has sent to a worker. */
static bool is_users_text(struct text name)
{
	return text_starts(name, "<ipython-input") || text_is(name, "<stdin>") || text_is(name, "<string>") ||
	       text_is(name, "<dynamic-code>");
}

static bool is_packaged(struct text path)
{
	return has(path, "/site-packages/") || has(path, "/dist-packages/");
}

/* Returns the beginning of a path up to the folder or file of its installed package, such as
 * "/venv/lib/python3.11/site-packages/numpy", or an empty text. */
static struct text package_of(struct text path)
{
	static const char site[] = "/site-packages/", dist[] = "/dist-packages/";
	size_t at = text_search(path, site);

	if (at == path.length)
		at = text_search(path, dist);
	if (at == path.length)
		return (struct text){path.data, 0};
	return (struct text){path.data, text_find(path, '/', at + sizeof site - 1)};
}

bool python_is_installed(struct text path)
{
	return (path.length > 0 && path.data[0] == '<' && !is_users_text(path)) || has(path, "/lib/python3") ||
	       has(path, "/lib64/python3") || is_packaged(path);
}

bool python_is_own(struct text path, struct text patterns)
{
	bool own = !python_is_installed(path);

	for (size_t end = 1; patterns.length > 0 && !own && end <= path.length; end++)
		if (end == path.length || path.data[end] == '/')
			own = pattern_list_match(patterns, (struct text){path.data, end});
	return own;
}

/* Returns whether a file is the user's, or in a package that was installed from a folder on this machine. */
static bool is_own(const struct python *python, struct python_room *room, struct text path)
{
	if (python_is_own(path, python->own))
		return true;
	if (!python->packages)
		return false;
	struct text package = package_of(path);
	return package.length > 0 && packages_is_local(python->packages, python->pid, package,
					     buffer_over((char *)room->table, sizeof room->table));
}

/* -- lines -- */

static uint64_t table_at(const struct python *python, const struct python_room *room, size_t index)
{
	return image_word(room->codes[index].object, python->layout.table);
}

/* Returns the size of a frame's line table, or 0 if there is no line table or it cannot be read. */
static size_t table_size(const struct python *python, const struct python_room *room, size_t index)
{
	uint64_t length = image_word(room->tables[index], OBJECT_SIZE);

	if (!is_code(&python->layout, room, index) ||
		image_word(room->tables[index], OBJECT_TYPE) != python->bytes_type || length > sizeof room->table)
		return 0;
	return (size_t)length;
}

static int32_t line_in(const struct python *python, const struct python_room *room, size_t index, const uint8_t *table)
{
	const struct python_layout *layout = &python->layout;
	const struct python_code *code = &room->codes[index];
	uint64_t place = image_word(room->again[index], layout->instruction);
	int32_t first;

	__builtin_memcpy(&first, code->object + layout->first, sizeof first);
	int64_t in_code = layout->start != NONE ? (int64_t)(place - code->at - layout->start)
			  : layout->minor == 10 ? (int64_t)(int32_t)place * 2
						: (int64_t)(int32_t)place;
	return line_table_find(layout->minor >= 11   ? LINE_TABLE_LOCATIONS
			       : layout->minor == 10 ? LINE_TABLE_RANGES
						     : LINE_TABLE_LNOTAB,
		table, table_size(python, room, index), first, in_code);
}

/* Sets the lines of the frames below `index`, from the outermost inward, down to `end`. One copy operation reads as
 * many line tables as the buffer can hold; the caller calls again for the others. Returns the index for the next call.
 */
static size_t read_some_lines(const struct python *python, struct python_room *room, size_t index, size_t end)
{
	size_t first = index, used = 0;

	for (; index > end && table_size(python, room, index - 1) <= sizeof room->table - used; index--) {
		size_t size = table_size(python, room, index - 1);
		add_range(
			room, room->table + used, size > 0 ? table_at(python, room, index - 1) + BYTES_DATA : 0, size);
		used += size;
	}
	size_t whole = copy_ranges(python, room);
	used = 0;
	for (size_t i = first; i > first - whole; i--) {
		size_t size = table_size(python, room, i - 1);
		room->lines[i - 1] = size > 0 ? line_in(python, room, i - 1, room->table + used) : 0;
		used += size;
	}
	return index;
}

/* Sets the lines of all unchanged frames. */
static void read_lines(const struct python *python, struct python_room *room)
{
	size_t all = room->all, end = all - room->same;

	for (size_t i = all; i > end; i--) {
		bool code = is_code(&python->layout, room, i - 1);
		room->lines[i - 1] = 0;
		__builtin_memset(room->tables[i - 1], 0, PYTHON_HEAD_SIZE);
		add_range(room, room->tables[i - 1], code ? table_at(python, room, i - 1) : 0,
			code ? PYTHON_HEAD_SIZE : 0);
	}
	(void)copy_ranges(python, room);
	for (size_t left = all; left > end;)
		left = read_some_lines(python, room, left, end);
}

/* -- frames -- */

static bool read_frame(const struct python *python, const struct python_room *room, size_t index, struct buffer *path,
	struct buffer *name, struct place_frame *frame)
{
	size_t i = room->all - room->same + index;

	if (index >= room->same || !is_code(&python->layout, room, i))
		return false;
	*frame = (struct place_frame){.file = decoded(python, &room->codes[i], PATH, path),
		.line = room->lines[i],
		.function = decoded(python, &room->codes[i], NAME, name),
		.own = room->own[i]};
	return true;
}

bool python_frame(const struct python *python, struct python_room *room, size_t index, struct place_frame *frame)
{
	struct buffer path = BUFFER(room->path), name = BUFFER(room->name);
	return read_frame(python, room, index, &path, &name, frame);
}

/* Returns whether a script, such as /usr/bin/pytest, was installed with the package that it calls. In this case, the
 * folder before bin/ in the script's path is the folder before lib/ in the package's path. */
static bool is_installed_script(struct text script, struct text called)
{
	size_t length = 0;

	while (length < script.length && length < called.length && script.data[length] == called.data[length])
		length++;
	struct text rest = {script.data + length, script.length - length};
	return length > 0 && script.data[length - 1] == '/' && text_starts(rest, "bin/") && !text_ends(rest, ".py") &&
	       text_starts((struct text){called.data + length, called.length - length}, "lib") && is_packaged(called);
}

/* How well a frame represents its stack, best first. */
enum rank { RANK_OWN, RANK_PACKAGE, RANK_HIDDEN, RANK_LIBRARY, RANK_FROZEN, RANK_TEXT };

/* Returns the rank of a frame. A function whose name begins with '_' or '<' is not a public function. */
static enum rank rank_of(const struct place_frame *frame)
{
	size_t last = frame->function.length;

	while (last > 0 && frame->function.data[last - 1] != '.')
		last--;
	bool hidden = last < frame->function.length &&
		      (frame->function.data[last] == '_' || frame->function.data[last] == '<');
	if (frame->own)
		return RANK_OWN;
	if (is_packaged(frame->file))
		return hidden ? RANK_HIDDEN : RANK_PACKAGE;
	return text_starts(frame->file, "<frozen ") ? RANK_FROZEN
	       : text_starts(frame->file, "<")      ? RANK_TEXT
						    : RANK_LIBRARY;
}

/* If no frame of a stack is the user's code, the package that holds the program's entry point counts as the user's: it
 * may be an application that was installed with pip. It is the package of the outermost frame, apart from frozen
 * modules and an installed script. A package that the module site imports at the start of Python is not. Returns the
 * index of the innermost frame of this package, or `chosen` if the outermost frame is of no package. */
static size_t own_entry(const struct python *python, struct python_room *room, size_t chosen)
{
	char text[PYTHON_PATH_SIZE];
	struct buffer entry = BUFFER(text);
	struct place_frame frame;

	for (size_t i = room->same; i > 0; i--) {
		if (!python_frame(python, room, i - 1, &frame))
			continue;
		struct text package = package_of(frame.file);
		bool begins = (text_starts(frame.file, "<frozen ") && !text_is(frame.file, "<frozen site>")) ||
			      !python_is_installed(frame.file);
		if (entry.length == 0 && package.length == 0 && !begins)
			break;
		if (entry.length == 0)
			buffer_text(&entry, package);
		if (entry.length == 0 || !text_equal(package, (struct text){text, entry.length}))
			continue;
		room->own[room->all - room->same + i - 1] = true;
		chosen = i - 1;
	}
	return chosen;
}

/* Determines which unchanged frames are the user's code, and fills in the frame that represents the stack. */
static void fill_place(const struct python *python, struct python_room *room, struct place *place)
{
	char text[PYTHON_PATH_SIZE];
	struct buffer script = BUFFER(text);
	size_t chosen = SIZE_MAX, from = room->all - room->same;
	struct place_frame frame;
	enum rank best = RANK_TEXT;
	bool caller_own = true; /* the calling frame is the user's code, or there is no calling frame */

	*place = (struct place){.frames = room->same, .cut = from > 0, .deeper = room->deeper};
	for (size_t i = room->same; i > 0; i--) {
		if (!python_frame(python, room, i - 1, &frame))
			continue;
		/* Libraries execute strings as well: the module site executes the lines of .pth files. Code named
		 * "<string>" is therefore the user's code only if the calling frame is. */
		caller_own = is_own(python, room, frame.file) && (caller_own || !text_is(frame.file, "<string>"));
		frame.own = room->own[from + i - 1] = caller_own;
		if (place->depth == 1 && best == RANK_OWN &&
			is_installed_script((struct text){text, script.length}, frame.file)) {
			room->own[from + chosen] = false;
			best = RANK_LIBRARY;
		}
		if (place->depth++ == 0)
			buffer_text(&script, frame.file);
		if (chosen == SIZE_MAX || rank_of(&frame) <= best) {
			chosen = i - 1;
			best = rank_of(&frame);
		}
	}
	if (best != RANK_OWN)
		chosen = own_entry(python, room, chosen);
	struct buffer path = BUFFER(room->place_path), name = BUFFER(room->place_name);
	if (chosen == SIZE_MAX || !read_frame(python, room, chosen, &path, &name, &frame))
		return;
	place->file = frame.file;
	place->line = frame.line;
	place->function = frame.function;
}

enum place_result python_read(
	const struct python *python, const struct python_thread *thread, struct python_room *room, struct place *place)
{
	uint64_t top;
	bool strange = false;

	*place = (struct place){.depth = 0};
	if (!image_copy(python->pid, thread->frame, &top, sizeof top))
		return PLACE_REFUSED;
	if (top == 0)
		return PLACE_IDLE;
	int64_t begin_ns = os_since_boot_ns();
	room->same = 0;
	room->all = walk(python, top, room);
	if (room->all == 0 || is_detached(&python->layout, room))
		return PLACE_CHANGED;
	size_t known = read_codes(python, room, room->all, &strange);
	room->same = read_again(python, thread, room, known);
	if (os_since_boot_ns() - begin_ns > PLACE_READING_MAX_NS)
		return PLACE_CHANGED;
	if (room->same > 0) {
		read_lines(python, room);
		fill_place(python, room, place);
	}
	if (place->depth > 0)
		return PLACE_READ;
	return strange ? PLACE_STRANGE : PLACE_CHANGED;
}
