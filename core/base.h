/* The vocabulary of the whole tree: text, bounded buffers and the string operations that the injected library needs and
 * cannot take from a C library.
 *
 * Everything in core/ is freestanding: no allocation, no stdio, no errno, no state. A function takes text and numbers
 * and gives text and numbers; its caller does the input and output. */
#ifndef RTRACK_CORE_BASE_H
#define RTRACK_CORE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A stretch of bytes that belongs to another object; not terminated. */
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
/* What follows the last '/', or all of it. */
struct text text_basename(struct text path);
/* The offset of the first `byte` at or after `from`, or text.length. */
size_t text_find(struct text text, char byte, size_t from);
/* The position behind the item that begins at `from`. Commas and newlines separate the items of a list; in a list that
 * begins with a newline, newlines alone do, and its items may hold commas. */
static inline size_t text_item_end(struct text list, size_t from)
{
	while (from < list.length && list.data[from] != '\n' && (list.data[from] != ',' || list.data[0] == '\n'))
		from++;
	return from;
}

/* The bytes of the UTF-8 character at text[at], 1 … 4; 0 where there is none: torn, longer than needed, half of a
 * surrogate pair, or above U+10FFFF (Unicode 15, table 3-7). What follows a byte that cannot go on is not read. */
size_t text_character(struct text text, size_t at);

/* The value of NAME in a NULL-terminated block of NAME=VALUE strings, or NULL. */
const char *environment_get(char *const *environment, const char *name);

/* A bounded output: writes past the capacity are dropped and remembered in `full`. */
struct buffer {
	char *data;
	size_t length;
	size_t capacity;
	bool full;
};

/* A call takes less of the library than the words of it in each place. */
struct buffer buffer_over(char *data, size_t capacity);
#define BUFFER(array) buffer_over((array), sizeof(array))

void buffer_byte(struct buffer *out, char byte);
void buffer_text(struct buffer *out, struct text text);
void buffer_string(struct buffer *out, const char *string);
void buffer_unsigned(struct buffer *out, uint64_t value);
/* `value` in at least `width` decimal digits, zero-filled. */
void buffer_padded(struct buffer *out, uint64_t value, unsigned width);
/* Terminates the content with a NUL and returns it; on overflow the content is cut, `full` set. */
char *buffer_terminate(struct buffer *out);

#endif
