/* Glob patterns; see pattern.h. */
#include "core/pattern.h"

bool pattern_match(struct text pattern, struct text subject)
{
	size_t p = 0;
	size_t s = 0;
	size_t star = SIZE_MAX; /* where to go back to: the last '*' seen, and what it had swallowed */
	size_t swallowed = 0;

	while (s < subject.length) {
		if (p < pattern.length && pattern.data[p] == '*') {
			star = p++;
			swallowed = s;
		} else if (p < pattern.length && (pattern.data[p] == '?' || pattern.data[p] == subject.data[s])) {
			p++;
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
