/* libcurl, loaded when it is first needed.
 *
 * It brings some thirty libraries with it, and finding and linking those takes ten times as long as everything else at
 * the program's start. Therefore it is not linked but loaded when a question is to be asked; without it the program
 * runs as well and asks nothing. */
#ifndef RTRACK_REPORT_SERVICES_LIBCURL_H
#define RTRACK_REPORT_SERVICES_LIBCURL_H

#include <curl/curl.h>

/* X(name): curl_NAME of its manual. */
#define LIBCURL_CALLS(X)                                                                                               \
	X(global_init)                                                                                                 \
	X(easy_init)                                                                                                   \
	X(easy_setopt)                                                                                                 \
	X(easy_getinfo)                                                                                                \
	X(easy_strerror)                                                                                               \
	X(easy_cleanup)                                                                                                \
	X(multi_init)                                                                                                  \
	X(multi_add_handle)                                                                                            \
	X(multi_remove_handle)                                                                                         \
	X(multi_perform)                                                                                               \
	X(multi_poll)                                                                                                  \
	X(multi_info_read)                                                                                             \
	X(multi_cleanup)                                                                                               \
	X(slist_append)                                                                                                \
	X(slist_free_all)

struct libcurl {
#define LIBCURL_CALL(name) __typeof__(curl_##name) *name;
	LIBCURL_CALLS(LIBCURL_CALL)
#undef LIBCURL_CALL
};

/* The functions, ready for use; NULL: this machine has no libcurl. It stays loaded to the end of the program. */
const struct libcurl *libcurl_get(void);

#endif
