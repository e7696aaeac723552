/* What a program can say to the tracker in it; include/rtrack.h looks these up. */
#include "preload/librtrack.h"
#include "preload/member.h"
#include "preload/root.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int rtrack_mark(const char *label);
EXPORT int rtrack_flush(void);
EXPORT int rtrack_stop(void);

int rtrack_mark(const char *label)
{
	return label ? member_mark(label) : -1;
}

int rtrack_flush(void)
{
	return member_is_current() ? root_flush() : -1;
}

int rtrack_stop(void)
{
	return library_stop();
}
