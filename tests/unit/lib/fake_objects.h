/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of an interpreter as they lie in the memory of process FAKE_INTERPRETER, which peek_read copies, and changes
 * of them while they are read. */
#ifndef RTRACK_TESTS_FAKE_OBJECTS_H
#define RTRACK_TESTS_FAKE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

enum { FAKE_INTERPRETER = 9, FAKE_OBJECTS = 0x1000 /* where the memory begins */ };

/* An empty memory, with the file at `path` mapped. Its first `reserved` bytes are for the caller, the rest is for
 * fake_room. Nothing changes while it is read. */
void fake_objects(const char *path, size_t reserved);

uint64_t fake_room(size_t size); /* where the next `size` bytes are; they are 0 */
uint8_t *fake_bytes(uint64_t at);
void fake_put(uint64_t at, uint64_t value);
uint64_t fake_word(uint64_t at);

/* `change` is called once, when so many ranges have been copied. */
void fake_change_after(unsigned ranges, void (*change)(void));

#endif
