/* libcurl, looked for when it is first needed; see libcurl.h. */
#include "report/services/libcurl.h"

#include "core/base.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Debian also has it under this second name, built with another library for TLS. */
static const char *const files[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"};

static const struct {
	const char *name;
	size_t place;
} calls[] = {
#define LIBCURL_CALL(name) {"curl_" #name, offsetof(struct libcurl, name)},
	LIBCURL_CALLS(LIBCURL_CALL)
#undef LIBCURL_CALL
};

static bool find_calls(struct libcurl *found, void *library)
{
	for (size_t i = 0; i < ARRAY_LENGTH(calls); i++) {
		void *call = dlsym(library, calls[i].name);
		if (!call)
			return false;
		/* C has no conversion from the address of data to that of a function. */
		memcpy((char *)found + calls[i].place, &call, sizeof call);
	}
	return true;
}

const struct libcurl *libcurl_get(void)
{
	static struct libcurl found;
	static bool looked;
	static bool ready;

	for (size_t i = 0; !looked && !ready && i < ARRAY_LENGTH(files); i++) {
		void *library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
		ready = library && find_calls(&found, library) && found.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
	}
	looked = true;
	return ready ? &found : NULL;
}
