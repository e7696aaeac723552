/* SHA-256 of a text: in bytes, and in base64, as a Content-Security-Policy names the scripts and styles it allows. */
#ifndef RTRACK_REPORT_SAY_HASH_H
#define RTRACK_REPORT_SAY_HASH_H

#include "core/base.h"

enum { HASH_SIZE = 32, HASH_BASE64_SIZE = 45 }; /* in base64 with the NUL */

void hash_sha256(struct text content, uint8_t out[HASH_SIZE]);

void hash_base64(struct text content, char base64[HASH_BASE64_SIZE]);

#endif
