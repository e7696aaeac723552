/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that every message of rtrack-run is one line, whatever it is about. */
#include "launcher/message.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <errno.h>

static const char *content(const char *name)
{
	static char text[8192];
	char path[4096];
	(void)snprintf(path, sizeof path, "%s/%s", scratch_directory(), name);
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	(void)fclose(file);
	return text;
}

int main(void)
{
	enum { LONG = 6000, CUT = 4096 };
	static char longer[LONG + 1];
	char path[4096];

	scratch_collect_messages();
	errno = ENOENT;
	message_print("'%s' cannot be made: %d", "x", 7);
	is_number(errno, ENOENT, "errno is unchanged");
	is_text(scratch_messages(), "rtrack-run: 'x' cannot be made: 7\n", "a message");
	message_print("a\nb\tc\033[0m\177d");
	is_text(scratch_messages(), "rtrack-run: a?b?c?[0m?d\n", "control bytes are replaced");
	message_print("%s", "\303\244");
	is_text(scratch_messages(), "rtrack-run: \303\244\n", "letters of any language are kept");
	memset(longer, 'x', LONG);
	message_print("%s", longer);
	const char *seen = scratch_messages();
	ok(strlen(seen) <= CUT && strlen(seen) > CUT - 4, "a long message is cut");
	ok(seen[strlen(seen) - 1] == '\n' && strchr(seen, '\n') == seen + strlen(seen) - 1, "  and still a line");

	(void)snprintf(path, sizeof path, "%s/log", scratch_directory());
	message_debug("", "to no file");
	message_debug("/nowhere/log", "to nowhere");
	message_debug(path, "%d", 1);
	message_debug(path, "%d", 2);
	is_text(content("log"), "rtrack-run: 1\nrtrack-run: 2\n", "diagnostics go to their file, one per line");
	is_text(scratch_messages(), "", "  and nowhere else");
	return done();
}
