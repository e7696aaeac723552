/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "report/say/alloc.h"

#include "report/say/exit.h"
#include "report/say/message.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void alloc_failed(void)
{
	message_print("out of memory");
	exit(EXIT_NO_DATA);
}

void alloc_begin(void)
{
	cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = xmalloc, .free_fn = free});
}

void *xmalloc(size_t size)
{
	return xreallocarray(NULL, 1, size);
}

void *xcalloc(size_t count, size_t size)
{
	void *block = calloc(count ? count : 1, size ? size : 1);

	if (!block)
		alloc_failed();
	return block;
}

void *xreallocarray(void *block, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		alloc_failed();
	block = realloc(block, bytes ? bytes : 1);
	if (!block)
		alloc_failed();
	return block;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t length)
{
	char *copy = strndup(text, length);

	if (!copy)
		alloc_failed();
	return copy;
}

char *xasprintf(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		alloc_failed();
	va_end(arguments);
	return text;
}

FILE *xopen_memstream(char **text, size_t *length)
{
	FILE *out = open_memstream(text, length);

	if (!out)
		alloc_failed();
	return out;
}

void xclose_memstream(FILE *out)
{
	if (fclose(out) != 0)
		alloc_failed();
}
