/* SPDX-License-Identifier: Apache-2.0 */
/* Pseudo-random choices for a test (xorshift64). The same seed gives the same choices. They can be logged. */
#ifndef RTRACK_TESTS_CHANCE_H
#define RTRACK_TESTS_CHANCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t chance_state;
__attribute__((unused)) static bool chance_speaks;

#define SAY(...)                                                                                                       \
	do {                                                                                                           \
		if (chance_speaks)                                                                                     \
			printf("# " __VA_ARGS__);                                                                      \
	} while (0)

__attribute__((unused)) static void chance_begin(unsigned seed)
{
	chance_state = 88172645463325252u + seed * 2654435761u;
}

__attribute__((unused)) static unsigned draw(unsigned below)
{
	chance_state ^= chance_state << 13;
	chance_state ^= chance_state >> 7;
	chance_state ^= chance_state << 17;
	return (unsigned)(chance_state >> 11) % below;
}

#endif
