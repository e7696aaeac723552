/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the functions that librtrack.so provides to programs, if the library is loaded. include/rtrack.h documents
 * them. */
#define _GNU_SOURCE
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

#include <dlfcn.h>

/* Calls a function of the library without arguments. The C functions here have other names than those of the library,
 * because dlsym could otherwise find them. */
static SEXP call(const char *name)
{
	union {
		void *address;
		int (*call)(void);
	} function = {dlsym(RTLD_DEFAULT, name)};
	return ScalarLogical(function.address && function.call() == 0);
}

static SEXP mark(SEXP label)
{
	union {
		void *address;
		int (*call)(const char *);
	} function = {dlsym(RTLD_DEFAULT, "rtrack_mark")};
	const char *text = translateCharUTF8(STRING_ELT(label, 0));
	return ScalarLogical(function.address && function.call(text) == 0);
}

static SEXP flush(void)
{
	return call("rtrack_flush");
}

static SEXP stop(void)
{
	return call("rtrack_stop");
}

static SEXP start(void)
{
	return call("rtrack_start");
}

static const R_CallMethodDef methods[] = {
	{"C_mark", (DL_FUNC)mark, 1},
	{"C_flush", (DL_FUNC)flush, 0},
	{"C_stop", (DL_FUNC)stop, 0},
	{"C_start", (DL_FUNC)start, 0},
	{NULL, NULL, 0},
};

void R_init_rtrack(DllInfo *info)
{
	R_registerRoutines(info, NULL, methods, NULL, NULL);
	R_useDynamicSymbols(info, FALSE);
}
