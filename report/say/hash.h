/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes and base64. */
#ifndef RTRACK_REPORT_SAY_HASH_H
#define RTRACK_REPORT_SAY_HASH_H

#include "core/base.h"

enum { HASH_SIZE = 32, HASH_HEX_SIZE = 2 * HASH_SIZE + 1, HASH_BASE64_SIZE = 45 }; /* the last two with the NUL */

/* SHA-256. */
void hash_sha256(struct text content, uint8_t out[HASH_SIZE]);
/* SHA-256 in lower-case hexadecimal digits. */
void hash_hex(struct text content, char hex[HASH_HEX_SIZE]);
/* SHA-256 in base64, as a Content-Security-Policy names the scripts and styles that it allows. */
void hash_base64(struct text content, char base64[HASH_BASE64_SIZE]);

/* FNV-1a of `content`, continued from the hash of what precedes it; HASH_FNV1A if nothing does. */
#define HASH_FNV1A UINT64_C(14695981039346656037)
uint64_t hash_fnv1a(uint64_t hash, struct text content);

/* Appends `content` in the base64 of RFC 4648, with '=' up to a multiple of four; `url`: in its alphabet for URLs. */
void base64_write(struct buffer *out, struct text content, bool url);

#endif
