/* A library that does nothing: what any LD_PRELOAD costs, whatever is in it. Linked without a C library. */
int rtrack_bench_empty;
