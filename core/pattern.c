/* SPDX-License-Identifier: Apache-2.0 */
/* Matches glob patterns. */
#include "core/pattern.h"

/* Returns the end of the bracket expression that begins at `at`. Returns 0 if it has no closing bracket, because the
 * '[' is then literal. */
static size_t class_end(struct text pattern, size_t at)
{
	size_t first = at + 1;

	first += first < pattern.length && (pattern.data[first] == '!' || pattern.data[first] == '^');
	size_t end = text_find(pattern, ']', first + 1);
	return end < pattern.length ? end + 1 : 0;
}

/* Returns whether the bracket expression between `at` and `end` contains the byte. */
static bool is_in_class(struct text pattern, size_t at, size_t end, char byte)
{
	bool not = pattern.data[at + 1] == '!' || pattern.data[at + 1] == '^';
	bool found = false;

	for (size_t i = at + 1 + not ; i + 1 < end; i++) {
		bool range = i + 3 < end && pattern.data[i + 1] == '-';
		unsigned char low = (unsigned char)pattern.data[i];
		unsigned char high = range ? (unsigned char)pattern.data[i + 2] : low;
		found |= (unsigned char)byte >= low && (unsigned char)byte <= high;
		i += range ? 2 : 0;
	}
	return found != not ;
}

/* Returns the length of the pattern element at `at` if the element matches the byte, otherwise 0. */
static size_t match_one(struct text pattern, size_t at, char byte)
{
	size_t end = at < pattern.length && pattern.data[at] == '[' ? class_end(pattern, at) : 0;

	if (end > 0)
		return is_in_class(pattern, at, end, byte) ? end - at : 0;
	return at < pattern.length && (pattern.data[at] == '?' || pattern.data[at] == byte);
}

bool pattern_match(struct text pattern, struct text subject)
{
	size_t p = 0;
	size_t s = 0;
	/* position of the last '*', to which matching backtracks */
	size_t star = SIZE_MAX;
	size_t swallowed = 0;

	while (s < subject.length) {
		size_t one = match_one(pattern, p, subject.data[s]);
		if (p < pattern.length && pattern.data[p] == '*') {
			star = p++;
			swallowed = s;
		} else if (one > 0) {
			p += one;
			s++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			s = ++swallowed;
		} else {
			return false;
		}
	}
	while (p < pattern.length && pattern.data[p] == '*')
		p++;
	return p == pattern.length;
}

bool pattern_list_match(struct text patterns, struct text path)
{
	struct text name = text_basename(path);

	for (size_t start = 0; start < patterns.length;) {
		size_t end = text_find(patterns, ',', start);
		struct text pattern = {patterns.data + start, end - start};
		bool whole = text_find(pattern, '/', 0) < pattern.length;
		if (pattern.length > 0 && pattern_match(pattern, whole ? path : name))
			return true;
		start = end + 1;
	}
	return false;
}
