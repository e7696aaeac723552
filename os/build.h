/* SPDX-License-Identifier: Apache-2.0 */
/* Build facts for display: processor, C library and compiler. The time and the directory of the build are left out,
 * because they would make builds irreproducible.
 *
 * Include a header of the C library before this one. */
#ifndef RTRACK_OS_BUILD_H
#define RTRACK_OS_BUILD_H

#if defined(__x86_64__)
#define BUILD_MACHINE "x86-64"
#elif defined(__aarch64__)
#define BUILD_MACHINE "aarch64"
#elif defined(__riscv) && __riscv_xlen == 64
#define BUILD_MACHINE "riscv64"
#else
#define BUILD_MACHINE "another processor"
#endif

#define BUILD_WORD(number) #number
#define BUILD_NUMBER(number) BUILD_WORD(number)

#if defined(__clang__)
#define BUILD_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define BUILD_COMPILER "gcc " __VERSION__
#else
#define BUILD_COMPILER "another compiler"
#endif

#if defined(__GLIBC__)
#define BUILD_C_LIBRARY "glibc " BUILD_NUMBER(__GLIBC__) "." BUILD_NUMBER(__GLIBC_MINOR__)
#else
#define BUILD_C_LIBRARY "another C library"
#endif

/* BUILD_LIBRARY is the file name of the library. The other two macros are the command that opens a page, and whether
 * the system's own programs refuse to load other libraries (macOS System Integrity Protection). */
#if defined(__APPLE__)
#define BUILD_LIBRARY "librtrack.dylib"
#define BUILD_OPENER "open"
#define BUILD_PROTECTED 1
#else
#define BUILD_LIBRARY "librtrack.so"
#define BUILD_OPENER "xdg-open"
#define BUILD_PROTECTED 0
#endif

#define BUILD_FACTS "built for " BUILD_MACHINE " with " BUILD_C_LIBRARY " by " BUILD_COMPILER

#endif
