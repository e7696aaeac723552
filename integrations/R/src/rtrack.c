/* SPDX-License-Identifier: Apache-2.0 */
/* What librtrack.so has for a program, called where it is loaded; include/rtrack.h of rtrack says what each does. */
#define _GNU_SOURCE
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

#include <dlfcn.h>

/* A name that R does not know as its own, since dlsym would find ours in place of the library's. */
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

static const R_CallMethodDef methods[] = {
	{"C_mark", (DL_FUNC)mark, 1},
	{"C_flush", (DL_FUNC)flush, 0},
	{"C_stop", (DL_FUNC)stop, 0},
	{NULL, NULL, 0},
};

void R_init_rtrack(DllInfo *info)
{
	R_registerRoutines(info, NULL, methods, NULL, NULL);
	R_useDynamicSymbols(info, FALSE);
}
