/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the files of the simulated operating system share, and that tests do not use. */
#ifndef RTRACK_TESTS_FAKE_PARTS_H
#define RTRACK_TESTS_FAKE_PARTS_H

void fake_bail_out(const char *what);
void fake_move_on(void);
void fake_reset_memory(void);
void fake_reset_files(void);
void fake_reset_processes(void);

void fake_close_all(void);

/* fake_follow opens a descriptor of the process `number`, and returns it or a negative error. fake_followed
 * returns the process to which a descriptor belongs, or -1. */
int fake_follow(int number);
int fake_followed(int descriptor);

#endif
