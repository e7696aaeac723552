/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the system in memory share. Private to them. */
#ifndef RTRACK_TESTS_FAKE_PARTS_H
#define RTRACK_TESTS_FAKE_PARTS_H

void fake_bail_out(const char *what);
void fake_move_on(void);
void fake_reset_memory(void);
void fake_reset_files(void);
void fake_reset_processes(void);

void fake_close_all(void);

/* A descriptor of `number`, which is no file's but a process'; or negative. And what it is of, or -1. */
int fake_follow(int number);
int fake_followed(int descriptor);

#endif
