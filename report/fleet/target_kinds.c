/* The kinds of targets. */
#include "report/fleet/target_kinds.h"

#include "core/number.h"
#include "report/fleet/otlp.h"
#include "report/fleet/pushgateway.h"
#include "report/fleet/s3.h"
#include "report/fleet/sentinel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct target_kind *const kinds[] = {&s3_target, &otlp_target, &otlp_secure_target, &pushgateway_target,
	&pushgateway_secure_target, &sentinel_target};

/* "user:password@" would stand in the command line. */
static bool names_user(const char *url)
{
	const char *host = strstr(url, "://");
	size_t length = host ? strcspn(host + 3, "/?#") : 0;
	return host && memchr(host + 3, '@', length);
}

static bool is_plain(const char *url)
{
	for (; *url; url++)
		if ((unsigned char)*url < ' ' || *url == 0x7f)
			return false;
	return true;
}

int target_open(struct target *target, const char *url)
{
	*target = (struct target){.url = url, .wait = UNKNOWN};
	http_forbid_core();
	(void)snprintf(target->said, sizeof target->said, "%.*s", (int)strcspn(url, "?#"), url);
	if (names_user(url)) {
		(void)snprintf(target->said, sizeof target->said, "%.*s", (int)strcspn(url, ":"), url);
		(void)snprintf(target->why, sizeof target->why, "%s",
			"the URL must not hold a user or a password: set them in the environment");
		return -1;
	}
	for (size_t i = 0; i < ARRAY_LENGTH(kinds) && is_plain(url); i++) {
		if (strncmp(url, kinds[i]->scheme, strlen(kinds[i]->scheme)) != 0)
			continue;
		if (!http_library()) {
			(void)snprintf(target->why, sizeof target->why, "this rtrack-report was built without libcurl");
			return -1;
		}
		target->kind = kinds[i];
		return kinds[i]->open(target);
	}
	(void)snprintf(target->why, sizeof target->why, "expected %s",
		"s3://BUCKET/PREFIX, otlp+http://HOST:PORT, pushgateway+http://HOST:PORT or sentinel:");
	return -1;
}

void target_close(struct target *target)
{
	if (target->kind && target->kind->close)
		target->kind->close(target);
	free(target->own);
	target->own = NULL;
	target->kind = NULL;
}
