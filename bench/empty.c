/* A library that does nothing, linked without a C library: what LD_PRELOAD costs by itself. */
int rtrack_bench_empty;
