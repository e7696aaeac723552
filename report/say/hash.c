/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4), FNV-1a and base64 (RFC 4648).
 *
 * The page's Content-Security-Policy has the hashes of one script and one style sheet. Browsers do not run any other
 * script, for example one injected through a job's name. The hashes are computed here rather than at build time, so
 * that the build needs only standard tools. */
#include "report/say/hash.h"

#include <string.h>

static const uint32_t rounds[] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152,
	0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138,
	0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70,
	0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
	0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa,
	0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t value, unsigned by)
{
	return value >> by | value << (32 - by);
}

static void compress(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64];
	for (unsigned i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (unsigned i = 16; i < 64; i++) {
		uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
		uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
		w[i] = w[i - 16] + s0 + w[i - 7] + s1;
	}
	uint32_t v[8];
	memcpy(v, state, sizeof(v));
	for (unsigned i = 0; i < 64; i++) {
		uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
		uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + rounds[i] + w[i];
		uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
		uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

void hash_sha256(struct text content, uint8_t out[HASH_SIZE])
{
	uint32_t state[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	const uint8_t *data = (const uint8_t *)content.data;
	size_t left = content.length;
	for (; left >= 64; left -= 64, data += 64)
		compress(state, data);

	uint8_t tail[128] = {0};
	size_t padded = left < 56 ? 64 : 128;
	uint64_t bits = (uint64_t)content.length * 8;
	if (left > 0)
		memcpy(tail, data, left);
	tail[left] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		tail[padded - 1 - i] = (uint8_t)(bits >> 8 * i);
	compress(state, tail);
	if (padded == 128)
		compress(state, tail + 64);
	for (unsigned i = 0; i < 32; i++)
		out[i] = (uint8_t)(state[i / 4] >> 8 * (3 - i % 4));
}

void hash_hex(struct text content, char hex[HASH_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes[HASH_SIZE];

	hash_sha256(content, bytes);
	for (size_t i = 0; i < HASH_SIZE; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	hex[2 * HASH_SIZE] = '\0';
}

void hash_base64(struct text content, char base64[HASH_BASE64_SIZE])
{
	struct buffer out = {.data = base64, .capacity = HASH_BASE64_SIZE};
	uint8_t bytes[HASH_SIZE];

	hash_sha256(content, bytes);
	base64_write(&out, (struct text){(const char *)bytes, HASH_SIZE}, false);
	buffer_terminate(&out);
}

uint64_t hash_fnv1a(uint64_t hash, struct text content)
{
	for (size_t i = 0; i < content.length; i++)
		hash = (hash ^ (unsigned char)content.data[i]) * UINT64_C(1099511628211);
	return hash;
}

void base64_write(struct buffer *out, struct text content, bool url)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	for (size_t i = 0; i < content.length; i += 3) {
		uint32_t group = 0;
		for (size_t j = 0; j < 3; j++)
			group = group << 8 | (i + j < content.length ? (unsigned char)content.data[i + j] : 0);
		for (unsigned j = 0; j < 4; j++) {
			uint32_t digit = group >> 6 * (3 - j) & 63;
			char byte = digit < 62 ? alphabet[digit] : (url ? "-_" : "+/")[digit - 62];
			buffer_byte(out, i + j <= content.length ? byte : '=');
		}
	}
}
