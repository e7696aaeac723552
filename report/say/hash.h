/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes (SHA-256, FNV-1a) and base64. */
#ifndef RTRACK_REPORT_SAY_HASH_H
#define RTRACK_REPORT_SAY_HASH_H

#include "core/base.h"

enum { HASH_SIZE = 32, HASH_HEX_SIZE = 2 * HASH_SIZE + 1, HASH_BASE64_SIZE = 45 }; /* the last two include the NUL */

/* Computes the SHA-256 of `content`. */
void hash_sha256(struct text content, uint8_t out[HASH_SIZE]);
/* Writes the SHA-256 of `content` in lower-case hexadecimal. */
void hash_hex(struct text content, char hex[HASH_HEX_SIZE]);
/* Writes the SHA-256 of `content` in base64, the form in which a Content-Security-Policy lists allowed scripts and
 * styles. */
void hash_base64(struct text content, char base64[HASH_BASE64_SIZE]);

/* FNV-1a of `content`. `hash` is the hash of the preceding data, or HASH_FNV1A at the start. */
#define HASH_FNV1A UINT64_C(14695981039346656037)
uint64_t hash_fnv1a(uint64_t hash, struct text content);

/* Appends `content` in base64 (RFC 4648), padded with '='. `url` selects the URL-safe alphabet. */
void base64_write(struct buffer *out, struct text content, bool url);

#endif
