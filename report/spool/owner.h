/* SPDX-License-Identifier: Apache-2.0 */
/* The user to whom a run belongs.
 *
 * run.json names a user, but its owner can write any name there. The name in run.json is therefore used only if the
 * run's directory belongs to root or to the caller: root may have copied the runs of others, and callers could only
 * deceive themselves. For any other run, the user is the owner of its directory. */
#ifndef RTRACK_REPORT_SPOOL_OWNER_H
#define RTRACK_REPORT_SPOOL_OWNER_H

#include "report/spool/files.h"

/* Returns the name of a user, or NULL for root and the caller, who are trusted to name the users of their runs. A user
 * without a name is returned as a number. The result remains valid until the program ends. */
const char *owner_foreign(uid_t user);

/* Returns the name of the user to whom a run belongs. `claimed` is the name in run.json. The result is `claimed` itself
 * or remains valid until the program ends. */
const char *owner_user(const struct files *files, const char *claimed);

#endif
