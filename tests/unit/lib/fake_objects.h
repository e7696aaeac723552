/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated objects of an interpreter. They are in the memory of the process FAKE_INTERPRETER, from which peek_read
 * copies. A test can change them during a reading. */
#ifndef RTRACK_TESTS_FAKE_OBJECTS_H
#define RTRACK_TESTS_FAKE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

enum { FAKE_INTERPRETER = 9, FAKE_OBJECTS = 0x1000 /* start of the memory */ };

/* Clears the memory, and maps the file at `path` into it. The first `reserved` bytes are for the caller. The function
 * fake_room allocates the rest. */
void fake_objects(const char *path, size_t reserved);

uint64_t fake_room(size_t size); /* allocates `size` zero bytes and returns their address */
uint8_t *fake_bytes(uint64_t at);
void fake_put(uint64_t at, uint64_t value);
uint64_t fake_word(uint64_t at);

/* Calls `change` once, after peek_read has copied `ranges` ranges. */
void fake_change_after(unsigned ranges, void (*change)(void));

#endif
