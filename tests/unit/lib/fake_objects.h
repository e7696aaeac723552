/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated objects of an interpreter, in the memory of the process FAKE_INTERPRETER, from which peek_read copies. They
 * can change during a reading. */
#ifndef RTRACK_TESTS_FAKE_OBJECTS_H
#define RTRACK_TESTS_FAKE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

enum { FAKE_INTERPRETER = 9, FAKE_OBJECTS = 0x1000 /* start of the memory */ };

/* Starts with an empty memory, in which the file at `path` is mapped. Nothing changes during readings. The first
 * `reserved` bytes are for the caller. fake_room assigns the rest. */
void fake_objects(const char *path, size_t reserved);

uint64_t fake_room(size_t size); /* returns the address of the next `size` bytes, which are 0 */
uint8_t *fake_bytes(uint64_t at);
void fake_put(uint64_t at, uint64_t value);
uint64_t fake_word(uint64_t at);

/* Calls `change` once, after this many ranges have been copied. */
void fake_change_after(unsigned ranges, void (*change)(void));

#endif
