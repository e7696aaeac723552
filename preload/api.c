/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that a tracked program can call. include/rtrack.h looks them up by name. */
#include "preload/host.h"
#include "preload/librtrack.h"
#include "preload/member.h"
#include "preload/root.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT intptr_t rtrack_mark(const char *label);
EXPORT int rtrack_flush(void);
EXPORT int rtrack_stop(void);
EXPORT int rtrack_start(void);

/* For R's `.Call`, the return value is an R object. Other callers use it as an int. */
intptr_t rtrack_mark(const char *label)
{
	bool is_returned = false;
	const char *text = label ? host_label(label, &is_returned) : NULL;
	int result = text ? member_mark(text) : -1;

	return is_returned ? (intptr_t)label : result;
}

int rtrack_flush(void)
{
	return member_is_current() ? root_flush() : -1;
}

int rtrack_stop(void)
{
	return library_stop();
}

int rtrack_start(void)
{
	return library_start();
}
