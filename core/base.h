/* SPDX-License-Identifier: Apache-2.0 */
/* Basic types of the whole program: text, bounded buffers, and string operations. They need no C library, because the
 * library that is loaded into every job must not use one.
 *
 * The code in core/ does not allocate memory, use stdio or errno, or keep global state. Its functions convert between
 * text and numbers; the callers do the I/O. */
#ifndef RTRACK_CORE_BASE_H
#define RTRACK_CORE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A range of bytes owned by another object; not NUL-terminated. */
struct text {
	const char *data;
	size_t length;
};

#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

size_t text_length(const char *string);
struct text text_of(const char *string);
bool text_equal(struct text a, struct text b);
bool text_is(struct text a, const char *string);
bool text_starts(struct text a, const char *prefix);
bool text_ends(struct text a, const char *suffix);
/* Returns the part after the last '/', or the whole path if it has no '/'. */
struct text text_basename(struct text path);
/* Returns the offset of the first `byte` at or after `from`, or text.length if there is none. */
size_t text_find(struct text text, char byte, size_t from);
/* Returns the offset of the first `part`, or text.length if there is none. */
size_t text_search(struct text text, const char *part);
/* Returns the end of the list item that begins at `from`. Commas and newlines separate items. If the list begins with a
 * newline, only newlines separate items, so an item may contain commas. */
static inline size_t text_item_end(struct text list, size_t from)
{
	while (from < list.length && list.data[from] != '\n' && (list.data[from] != ',' || list.data[0] == '\n'))
		from++;
	return from;
}

/* Returns the length (1 to 4) of the UTF-8 character at text[at]. Returns 0 if the character is truncated, overlong, a
 * surrogate, or above U+10FFFF (Unicode 15, table 3-7). Reads no byte after the first invalid one. */
size_t text_character(struct text text, size_t at);

/* Returns the value of NAME in a NULL-terminated array of NAME=VALUE strings, or NULL. */
const char *environment_get(char *const *environment, const char *name);

/* A bounded output buffer. A write beyond the capacity is dropped and sets `full`. */
struct buffer {
	char *data;
	size_t length;
	size_t capacity;
	bool full;
};

/* Returns an empty buffer over `data`. This is a function, because a call takes less code than an initializer. */
struct buffer buffer_over(char *data, size_t capacity);
#define BUFFER(array) buffer_over((array), sizeof(array))

void buffer_byte(struct buffer *out, char byte);
void buffer_text(struct buffer *out, struct text text);
void buffer_string(struct buffer *out, const char *string);
void buffer_unsigned(struct buffer *out, uint64_t value);
/* Appends `value` in decimal, zero-padded to at least `width` digits. */
void buffer_padded(struct buffer *out, uint64_t value, unsigned width);
/* NUL-terminates the content and returns it. On overflow, the content is truncated and `full` is set. */
char *buffer_terminate(struct buffer *out);

#endif
