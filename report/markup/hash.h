/* SHA-256 of a text in base64, as a Content-Security-Policy names the scripts and styles it allows. */
#ifndef RTRACK_REPORT_MARKUP_HASH_H
#define RTRACK_REPORT_MARKUP_HASH_H

#include "core/base.h"

enum { HASH_BASE64_SIZE = 45 }; /* 32 bytes in base64, and the NUL */

void hash_base64(struct text content, char base64[HASH_BASE64_SIZE]);

#endif
