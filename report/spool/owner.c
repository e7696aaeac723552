/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the user to whom a run belongs. */
#include "report/spool/owner.h"

#include "report/say/array.h"

#include <pwd.h>
#include <unistd.h>

/* Returns the name of a user. Each name is looked up only once, because it may come from a server. */
static const char *name_of(uid_t user)
{
	static struct known {
		uid_t user;
		char *name;
	} * known;
	static size_t count;

	for (size_t i = 0; i < count; i++)
		if (known[i].user == user)
			return known[i].name;
	const struct passwd *entry = getpwuid(user);
	array_grow(&known, count, sizeof *known);
	known[count] = (struct known){user, entry ? xstrdup(entry->pw_name) : xasprintf("%u", (unsigned)user)};
	return known[count++].name;
}

const char *owner_foreign(uid_t user)
{
	return user == 0 || user == geteuid() ? NULL : name_of(user);
}

const char *owner_user(const struct files *files, const char *claimed)
{
	const char *foreign = files->directory < 0 ? NULL : owner_foreign(files->owner);

	return foreign ? foreign : claimed;
}
