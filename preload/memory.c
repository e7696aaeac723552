/* SPDX-License-Identifier: Apache-2.0 */
/* The four functions that a compiler may call even in freestanding code (GCC manual, "Standards").
 *
 * The library is linked without a C library, so it defines these functions itself and hides them from the host. They
 * process eight bytes at a time, because each tick clears and copies whole tables. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);

/* Prevents the compiler from recognizing a loop below as memcpy or memset and replacing it with a call of itself. */
#if defined(__clang__)
#define NO_RECOGNITION __attribute__((no_builtin))
#else
#define NO_RECOGNITION __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

/* Eight bytes of any type, without alignment. */
struct word {
	uint64_t bits;
} __attribute__((packed, may_alias));

NO_RECOGNITION void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
	unsigned char *target = to;
	const unsigned char *source = from;
	for (; count >= sizeof(struct word); count -= sizeof(struct word)) {
		*(struct word *)target = *(const struct word *)source;
		target += sizeof(struct word);
		source += sizeof(struct word);
	}
	while (count-- > 0)
		*target++ = *source++;
	return to;
}

/* Copies forwards if the target begins before the source, otherwise backwards. In this order, each byte of the source
 * is read before it is overwritten, even if the two areas overlap. */
NO_RECOGNITION void *memmove(void *to, const void *from, size_t count)
{
	unsigned char *target = to;
	const unsigned char *source = from;
	if (target < source) {
		for (; count >= sizeof(struct word); count -= sizeof(struct word)) {
			*(struct word *)target = *(const struct word *)source;
			target += sizeof(struct word);
			source += sizeof(struct word);
		}
		while (count-- > 0)
			*target++ = *source++;
		return to;
	}
	while (count >= sizeof(struct word)) {
		count -= sizeof(struct word);
		*(struct word *)(target + count) = *(const struct word *)(source + count);
	}
	while (count-- > 0)
		target[count] = source[count];
	return to;
}

NO_RECOGNITION void *memset(void *to, int byte, size_t count)
{
	unsigned char *target = to;
	const struct word word = {(unsigned char)byte * (UINT64_MAX / UINT8_MAX)};
	for (; count >= sizeof(word); count -= sizeof(word)) {
		*(struct word *)target = word;
		target += sizeof(word);
	}
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
