/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes (SHA-256, FNV-1a) and base64. */
#ifndef RTRACK_REPORT_SAY_HASH_H
#define RTRACK_REPORT_SAY_HASH_H

#include "core/base.h"

/* HASH_HEX_SIZE and HASH_BASE64_SIZE include the NUL */
enum { HASH_SIZE = 32, HASH_HEX_SIZE = 2 * HASH_SIZE + 1, HASH_BASE64_SIZE = 45 };

/* Stores the SHA-256 of `content` in `out`, as bytes. */
void hash_sha256(struct text content, uint8_t out[HASH_SIZE]);
/* Stores the SHA-256 of `content` in `hex`, in lower-case hexadecimal. */
void hash_hex(struct text content, char hex[HASH_HEX_SIZE]);
/* Stores the SHA-256 of `content` in base64, which is the form that a Content-Security-Policy requires. */
void hash_base64(struct text content, char base64[HASH_BASE64_SIZE]);

/* Returns the FNV-1a hash of all data so far. `hash` is the result for the data before `content`, or HASH_FNV1A if
 * there is none. */
#define HASH_FNV1A UINT64_C(14695981039346656037)
uint64_t hash_fnv1a(uint64_t hash, struct text content);

/* Appends `content` to `out` in base64 (RFC 4648), padded with '='. If `url` is true, uses the alphabet that is safe in
 * URLs. */
void base64_write(struct buffer *out, struct text content, bool url);

#endif
