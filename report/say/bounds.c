/* SPDX-License-Identifier: Apache-2.0 */
/* The messages for exceeded bounds. */
#include "report/say/bounds.h"

const char *bound_message(enum bound bound)
{
	static const char *const messages[] = {
#define BOUND(name, limit, message) message,
#include "report/say/bounds.def"
	};

	return messages[bound];
}
