/* The four functions that a compiler may call without being asked (GCC manual, "Standards": freestanding
 * environments), which the library cannot take from a C library. Hidden: no host ever sees them. */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);

/* Without this attribute the compiler recognises the loops and calls the very functions they make. */
#if defined(__clang__)
#define NO_RECOGNITION __attribute__((no_builtin))
#else
#define NO_RECOGNITION __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

NO_RECOGNITION void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
	unsigned char *target = to;
	const unsigned char *source = from;
	while (count-- > 0)
		*target++ = *source++;
	return to;
}

NO_RECOGNITION void *memmove(void *to, const void *from, size_t count)
{
	unsigned char *target = to;
	const unsigned char *source = from;
	if (target < source) {
		while (count-- > 0)
			*target++ = *source++;
	} else {
		while (count-- > 0)
			target[count] = source[count];
	}
	return to;
}

NO_RECOGNITION void *memset(void *to, int byte, size_t count)
{
	unsigned char *target = to;
	while (count-- > 0)
		*target++ = (unsigned char)byte;
	return to;
}

NO_RECOGNITION int memcmp(const void *a, const void *b, size_t count)
{
	const unsigned char *left = a;
	const unsigned char *right = b;
	for (; count > 0; count--, left++, right++)
		if (*left != *right)
			return *left < *right ? -1 : 1;
	return 0;
}
