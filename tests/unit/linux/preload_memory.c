/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of preload/memory.c: each function at each offset, length and overlap, compared with a loop over bytes. */
#define memcpy library_memcpy
#define memmove library_memmove
#define memset library_memset
#define memcmp library_memcmp
#include "preload/memory.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp

#include "tests/unit/lib/tap.h"

enum { MOST = 40, ROOM = 3 * MOST };

static unsigned char expected[ROOM], seen[ROOM], source[ROOM];

static void fill(void)
{
	for (int i = 0; i < ROOM; i++) {
		expected[i] = seen[i] = (unsigned char)(i * 7 + 3);
		source[i] = (unsigned char)(251 - i);
	}
}

static bool same(void)
{
	for (int i = 0; i < ROOM; i++)
		if (expected[i] != seen[i])
			return false;
	return true;
}

/* Returns the number of combinations (from, to, count) whose result differs from moving byte by byte. */
static int wrong_moves(void)
{
	int wrong = 0;
	for (size_t from = 0; from < MOST; from++)
		for (size_t to = 0; to < MOST; to++)
			for (size_t count = 0; count < MOST; count++) {
				unsigned char between[MOST];
				fill();
				for (size_t i = 0; i < count; i++)
					between[i] = expected[from + i];
				for (size_t i = 0; i < count; i++)
					expected[to + i] = between[i];
				wrong += library_memmove(seen + to, seen + from, count) != seen + to || !same();
			}
	return wrong;
}

static int wrong_copies(void)
{
	int wrong = 0;
	for (size_t from = 0; from < MOST; from++)
		for (size_t to = 0; to < MOST; to++)
			for (size_t count = 0; count < MOST; count++) {
				fill();
				for (size_t i = 0; i < count; i++)
					expected[to + i] = source[from + i];
				wrong += library_memcpy(seen + to, source + from, count) != seen + to || !same();
			}
	return wrong;
}

static int wrong_fillings(void)
{
	int wrong = 0;
	for (size_t to = 0; to < MOST; to++)
		for (size_t count = 0; count < MOST; count++)
			for (int byte = -1; byte < 300; byte += 7) {
				fill();
				for (size_t i = 0; i < count; i++)
					expected[to + i] = (unsigned char)byte;
				wrong += library_memset(seen + to, byte, count) != seen + to || !same();
			}
	return wrong;
}

static int wrong_comparisons(void)
{
	int wrong = 0;
	for (size_t count = 0; count < MOST; count++)
		for (size_t at = 0; at < MOST; at++) {
			fill();
			seen[at] ^= 0x80;
			int want = at >= count ? 0 : seen[at] < expected[at] ? -1 : 1;
			wrong += library_memcmp(seen, expected, count) != want;
		}
	return wrong;
}

int main(void)
{
	is_number(wrong_moves(), 0, "every move equals a move byte by byte");
	is_number(wrong_copies(), 0, "every copy equals a copy byte by byte");
	is_number(wrong_fillings(), 0, "every fill equals a fill byte by byte");
	is_number(wrong_comparisons(), 0, "every comparison equals one byte by byte");
	return done();
}
