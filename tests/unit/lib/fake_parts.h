/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the files of the simulated operating system, and private to them. */
#ifndef RTRACK_TESTS_FAKE_PARTS_H
#define RTRACK_TESTS_FAKE_PARTS_H

void fake_bail_out(const char *what);
void fake_move_on(void);
void fake_reset_memory(void);
void fake_reset_files(void);
void fake_reset_processes(void);

void fake_close_all(void);

/* fake_follow returns a descriptor of the process `number`, or a negative error. The other function returns the process
 * of a descriptor, or -1. */
int fake_follow(int number);
int fake_followed(int descriptor);

#endif
