/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration of libcurl for `make static`, which compiles the sources of libcurl into rtrack-report.
 *
 * libcurl's configure script takes 20 s to write such a file for one compiler and one machine. This file is for every
 * 64-bit Linux with glibc or musl. It enables HTTP, HTTP proxies, TLS by mbed TLS, and S3 signatures. */
#define CURL_DISABLE_ALTSVC 1
#define CURL_DISABLE_COOKIES 1
#define CURL_DISABLE_DICT 1
#define CURL_DISABLE_DOH 1
#define CURL_DISABLE_FILE 1
#define CURL_DISABLE_FTP 1
#define CURL_DISABLE_GETOPTIONS 1
#define CURL_DISABLE_GOPHER 1
#define CURL_DISABLE_HSTS 1
#define CURL_DISABLE_IMAP 1
#define CURL_DISABLE_IPFS 1
#define CURL_DISABLE_LDAP 1
#define CURL_DISABLE_LDAPS 1
#define CURL_DISABLE_MIME 1
#define CURL_DISABLE_MQTT 1
#define CURL_DISABLE_NETRC 1
#define CURL_DISABLE_NTLM 1
#define CURL_DISABLE_POP3 1
#define CURL_DISABLE_PROGRESS_METER 1
#define CURL_DISABLE_RTSP 1
#define CURL_DISABLE_SMB 1
#define CURL_DISABLE_SMTP 1
#define CURL_DISABLE_TELNET 1
#define CURL_DISABLE_TFTP 1

#define USE_MBEDTLS 1
/* Host names are resolved in a thread, so that the timeout also applies to DNS. */
#define USE_THREADS_POSIX 1
#define ENABLE_IPV6 1
#define USE_IPV6 1
#define HTTP_ONLY 1

#define CURL_EXTERN_SYMBOL
#define CURL_OS "Linux"
#define OS "Linux"

#define HAVE_ARPA_INET_H 1
#define HAVE_ATOMIC 1
#define HAVE_BOOL_T 1
#define HAVE_CLOCK_GETTIME_MONOTONIC 1
#define HAVE_CONNECT 1
#define HAVE_FCNTL 1
#define HAVE_FCNTL_H 1
#define HAVE_FCNTL_O_NONBLOCK 1
#define HAVE_FREEADDRINFO 1
#define HAVE_GETADDRINFO 1
#define HAVE_GETADDRINFO_THREADSAFE 1
#define HAVE_GETHOSTNAME 1
#define HAVE_GETPEERNAME 1
#define HAVE_GETPPID 1
#define HAVE_GETSOCKNAME 1
#define HAVE_GETTIMEOFDAY 1
#define HAVE_GMTIME_R 1
#define HAVE_IFADDRS_H 1
#define HAVE_IF_NAMETOINDEX 1
#define HAVE_INET_NTOP 1
#define HAVE_INET_PTON 1
#define HAVE_INTTYPES_H 1
#define HAVE_LOCALE_H 1
#define HAVE_LONGLONG 1
#define HAVE_MSG_NOSIGNAL 1
#define HAVE_NETDB_H 1
#define HAVE_NETINET_IN_H 1
#define HAVE_NETINET_TCP_H 1
#define HAVE_NET_IF_H 1
#define HAVE_PIPE 1
#define HAVE_POLL 1
#define HAVE_POLL_FINE 1
#define HAVE_POLL_H 1
#define HAVE_PTHREAD_H 1
#define HAVE_RECV 1
#define HAVE_SA_FAMILY_T 1
#define HAVE_SELECT 1
#define HAVE_SEND 1
#define HAVE_SIGACTION 1
#define HAVE_SIGNAL 1
#define HAVE_SIGNAL_H 1
#define HAVE_SNPRINTF 1
#define HAVE_SOCKADDR_IN6_SIN6_SCOPE_ID 1
#define HAVE_SOCKET 1
#define HAVE_SOCKETPAIR 1
#define HAVE_STDATOMIC_H 1
#define HAVE_STDBOOL_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDIO_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRCASECMP 1
#define HAVE_STRDUP 1
#define HAVE_STRINGS_H 1
#define HAVE_STRING_H 1
#define HAVE_STRTOK_R 1
#define HAVE_STRTOLL 1
#define HAVE_STRUCT_SOCKADDR_STORAGE 1
#define HAVE_STRUCT_TIMEVAL 1
#define HAVE_SUSECONDS_T 1
#define HAVE_SYS_IOCTL_H 1
#define HAVE_SYS_PARAM_H 1
#define HAVE_SYS_POLL_H 1
#define HAVE_SYS_RESOURCE_H 1
#define HAVE_SYS_SELECT_H 1
#define HAVE_SYS_SOCKET_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_UN_H 1
#define HAVE_UNISTD_H 1
#define HAVE_VARIADIC_MACROS_C99 1
#define HAVE_VARIADIC_MACROS_GCC 1
#define CURL_SA_FAMILY_T sa_family_t
#define GETHOSTNAME_TYPE_ARG2 size_t
#define STDC_HEADERS 1

/* GNU and POSIX define strerror_r differently. */
#define HAVE_STRERROR_R 1
#if defined(__GLIBC__) || (defined(__has_include) && __has_include(<features.h>))
#include <features.h>
#endif
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
#define HAVE_GLIBC_STRERROR_R 1
#else
#define HAVE_POSIX_STRERROR_R 1
#endif

#define SIZEOF_CURL_OFF_T 8
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_OFF_T 8
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_TIME_T 8
#define SIZEOF_CURL_SOCKET_T 4
