/* SPDX-License-Identifier: Apache-2.0 */
/* An empty library, linked without a C library, to measure the cost of LD_PRELOAD alone. */
int rtrack_bench_empty;
