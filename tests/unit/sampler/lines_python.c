/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the reader of Python code lines, with line tables and offsets recorded from interpreters, and with a
 * simulated stack that changes while it is read. */
#include "sampler/lines/python.h"

#include "sampler/lines/table.h"
#include "tests/unit/lib/fake_objects.h"
#include "tests/unit/lib/fake_os.h"
#include "tests/unit/lib/tap.h"

/* -- line tables -- */

/* One function, as each version compiled it. It has a comprehension, a loop, a call on two lines, and a gap of 300
 * lines. The expected lines are from that version's dis module, each up to an offset in the byte code. */
static const struct {
	int minor, first;
	size_t length;
	const uint8_t *table;
	struct {
		int to, line;
	} lines[16];
} recorded[] = {
	/* clang-format off */
	{8, 1, 24, (const uint8_t *)"\000\001\004\002\022\002\004\001\010\001\004\001\002\377\006\177\000\177\000\060\002\001\002\377",
		{{2, 2}, {20, 4}, {24, 6}, {32, 7}, {36, 8}, {38, 9}, {44, 8}, {46, 310}, {48, 311}, {52, 310}}},
	{9, 1, 24, (const uint8_t *)"\000\001\004\002\022\002\004\001\010\001\004\001\002\377\006\177\000\177\000\060\002\001\002\377",
		{{2, 2}, {20, 4}, {24, 6}, {32, 7}, {36, 8}, {38, 9}, {44, 8}, {46, 310}, {48, 311}, {52, 310}}},
	{10, 1, 26, (const uint8_t *)"\004\001\022\002\004\002\010\001\004\001\002\001\004\377\004\376\000\177\000\177\002\062\002\001\004\377",
		{{2, 2}, {20, 4}, {24, 6}, {32, 7}, {36, 8}, {38, 9}, {42, 8}, {46, 6}, {48, 310}, {50, 311}, {54, 310}}},
	{11, 1, 111, (const uint8_t *)"\200\000\330\010\011\200\101\360\004\001\011\017\360\000\001\011\017\225\105\230\041\221\110\224\110\360\000\001\011\017\361\000\001\011\017\364\000\001\011\017\200\101\340\012\013\360\000\003\005\015\330\010\011\210\121\211\006\210\001\335\010\011\210\041\330\012\013\361\003\001\011\015\364\000\001\011\015\360\000\001\011\015\360\005\000\013\014\360\000\003\005\015\360\140\011\000\015\016\330\010\011\361\003\001\015\012\360\000\001\005\013",
		{{0, 1}, {4, 2}, {54, 4}, {58, 6}, {68, 7}, {82, 8}, {84, 9}, {100, 8}, {104, 6}, {106, 310}, {108, 311}, {114, 310}}},
	{12, 1, 97, (const uint8_t *)"\200\000\330\010\011\200\101\344\024\031\230\041\223\110\366\000\001\011\017\210\161\331\014\015\362\003\000\012\013\360\000\001\011\017\200\101\360\000\001\011\017\341\012\013\330\010\011\210\121\211\006\210\001\334\010\011\210\041\330\012\013\364\003\001\011\015\362\005\000\013\014\360\140\011\000\015\016\330\010\011\361\003\001\015\012\360\000\001\005\013\371\362\145\011\001\011\017",
		{{0, 1}, {4, 2}, {40, 4}, {44, 5}, {56, 4}, {60, 6}, {70, 7}, {82, 8}, {84, 9}, {94, 8}, {100, 6}, {102, 310}, {104, 311}, {110, 310}, {114, 0}, {120, 4}}},
	{13, 1, 98, (const uint8_t *)"\200\000\330\010\011\200\101\344\024\031\230\041\224\110\363\000\001\011\017\221\110\210\161\334\014\015\367\003\000\012\013\221\110\200\101\360\000\001\011\017\346\012\013\330\010\011\210\121\211\006\210\001\334\010\011\210\041\330\012\013\364\003\001\011\015\367\005\000\013\014\210\041\360\140\011\000\015\016\330\010\011\361\003\001\015\012\360\000\001\005\013\371\362\145\011\001\011\017",
		{{0, 1}, {4, 2}, {40, 4}, {50, 5}, {74, 4}, {88, 6}, {98, 7}, {110, 8}, {112, 9}, {122, 8}, {140, 6}, {142, 310}, {144, 311}, {150, 310}, {154, 0}, {160, 4}}},
	{14, 1, 93, (const uint8_t *)"\200\000\330\010\011\200\101\344\024\031\230\041\224\110\363\000\001\011\017\221\110\210\161\334\014\015\367\003\000\012\013\210\021\221\110\200\101\360\000\001\011\017\347\012\013\330\010\011\210\121\215\006\210\001\334\010\011\210\041\330\012\013\366\003\001\011\015\360\134\011\000\015\016\330\010\011\365\003\001\015\012\360\000\001\005\013\371\362\145\011\001\011\017",
		{{0, 1}, {4, 2}, {40, 4}, {50, 5}, {76, 4}, {92, 6}, {110, 7}, {122, 8}, {124, 9}, {138, 8}, {140, 310}, {142, 311}, {156, 310}, {160, 0}, {166, 4}}},
	/* clang-format on */
};

static enum line_table format_of(int minor)
{
	return minor >= 11 ? LINE_TABLE_LOCATIONS : minor == 10 ? LINE_TABLE_RANGES : LINE_TABLE_LNOTAB;
}

static void check_tables(void)
{
	char what[64];

	for (size_t i = 0; i < ARRAY_LENGTH(recorded); i++) {
		int wrong = 0, place = 0;
		for (size_t k = 0;
			k < ARRAY_LENGTH(recorded[i].lines) && recorded[i].lines[k].to + recorded[i].lines[k].line > 0;
			k++)
			for (; place <= recorded[i].lines[k].to; place += 2)
				wrong += line_table_find(format_of(recorded[i].minor), recorded[i].table,
						 recorded[i].length, recorded[i].first,
						 place) != recorded[i].lines[k].line;
		(void)snprintf(
			what, sizeof what, "3.%d: each instruction has the line of the dis module", recorded[i].minor);
		is_number(wrong, 0, what);
		is_number(place > 50, 1, "there are enough instructions");
	}
	is_number(line_table_find(LINE_TABLE_LNOTAB, (const uint8_t *)"", 0, 7, -1), 7,
		"a function that has not begun is at its first line");
	is_number(line_table_find(LINE_TABLE_LOCATIONS, (const uint8_t *)"\377\377\377", 3, 7, 1 << 30), 0,
		"an offset after the table has no line");
	is_number(line_table_find(LINE_TABLE_LOCATIONS, (const uint8_t *)"\360\377\377\377\377\377\377\377", 8, 1, 0),
		0, "lines below 1 are invalid");
}

/* -- offsets -- */

/* The first words of _PyRuntime in versions 3.13.0 and 3.14.10. */
/* clang-format off */
static const uint64_t recorded_13[PYTHON_DEBUG_WORDS] = {8750607829840520312, 51183856, 0, 283320, 608, 632, 194968, 7272, 7264, 7344, 7400, 7656, 7640, 7648, 16, 7752, 0, 7768, 7760, 304, 0, 8, 16, 72, 152, 160, 232, 32, 80, 8, 0, 56, 72, 70, 208, 112, 120, 128, 136, 68, 52, 96, 104, 200, 16, 8, 416, 24, 88, 168, 32, 24, 16, 40, 24, 16, 48, 32, 40, 24, 16, 32, 16, 24};
static const uint64_t recorded_14[PYTHON_DEBUG_WORDS] = {8750607829840520312, 51251952, 0, 316616, 784, 808, 225864, 7280, 7272, 7344, 7360, 7408, 7688, 7672, 7680, 16, 7784, 0, 7800, 7792, 7992, 0, 832, 0, 8, 16, 72, 152, 160, 232, 32, 88, 8, 0, 56, 80, 74, 64, 0, 216, 112, 120, 128, 136, 68, 52, 96, 104, 208, 0, 16, 8, 416, 24, 88, 168, 40, 32, 16, 40, 24, 16, 200, 24};
/* clang-format on */

static bool passes(const uint64_t *words, int changed, uint64_t value)
{
	uint64_t copy[PYTHON_DEBUG_WORDS];
	struct python_layout layout;

	memcpy(copy, words, sizeof copy);
	if (changed >= 0)
		copy[changed] = value;
	return python_read_offsets(copy, &layout);
}

static void check_offsets(void)
{
	struct python_layout layout;

	ok(python_read_offsets(recorded_13, &layout) && layout.frame == 72 && layout.owner == 70 &&
			layout.start == 200 && layout.native == 160 && layout.threads == 7344,
		"offsets of 3.13 are read");
	ok(python_read_offsets(recorded_14, &layout) && layout.frame == 72 && layout.owner == 74 &&
			layout.start == 208 && layout.native == 160 && layout.threads == 7344,
		"offsets of 3.14 are read");
	ok(!passes(recorded_14, 0, 1), "another cookie is refused");
	ok(!passes(recorded_14, 1, 0x30f00f0), "3.15, which is unknown, is refused");
	ok(!passes(recorded_13, 1, 0x30e00f0), "a version with another version's groups is refused");
	ok(!passes(recorded_13, 2, 1), "a free-threaded build is refused");
	ok(!passes(recorded_13, 31, (uint64_t)1 << 62), "an invalid offset is refused");
}

/* -- texts -- */

static const char *decoded(uint32_t kind, const void *data, size_t size)
{
	static char text[64];
	uint8_t head[PYTHON_HEAD_SIZE] = {0};
	struct buffer out = BUFFER(text);
	uint32_t state = kind << 2;

	memcpy(head + 32, &state, sizeof state);
	(void)python_decode(head, data, size, &out);
	return buffer_terminate(&out);
}

static void check_texts(void)
{
	is_text(decoded(1, "/home/a b.py", 12), "/home/a b.py", "ASCII");
	is_text(decoded(1, "M\374ller", 6), "M\303\274ller", "Latin-1");
	is_text(decoded(2, "\261\003\254\040", 4), "\316\261\342\202\254", "characters of two bytes");
	is_text(decoded(4, "\200\366\001\000", 4), "\360\237\232\200", "characters of four bytes");
	is_text(decoded(1, "a\nb", 3), "a?b", "control characters are replaced");
	is_text(decoded(2, "\000\330", 2), "?", "half a surrogate pair is replaced");
	ok(python_is_installed(text_of("/usr/lib/python3.11/json/encoder.py")) &&
			python_is_installed(text_of("/venv/lib/python3.9/site-packages/numpy/core.py")) &&
			python_is_installed(text_of("/usr/lib/python3/dist-packages/yaml/__init__.py")) &&
			python_is_installed(text_of("<frozen importlib._bootstrap>")),
		"files of the interpreter and of installed packages");
	ok(!python_is_installed(text_of("/home/me/python3/job.py")) && !python_is_installed(text_of("<stdin>")) &&
			!python_is_installed(text_of("<ipython-input-3-abc>")) &&
			!python_is_installed(text_of("job.py")),
		"files of the user");
}

/* -- a stack -- */

/* Indexes of simulated objects of CPython 3.12, in words of 8 bytes. */
enum {
	AT = FAKE_OBJECTS,
	CODE_TYPE = AT + 8,
	TEXT_TYPE = AT + 16,
	BYTES_TYPE = AT + 24,
	TOP = AT + 32,
	BEGIN = AT + 64
};

static struct python python = {.pid = FAKE_INTERPRETER,
	.layout = {12, 40, 72, 8, 144, 56, 0, 8, 0, 56, 70, 112, 128, 136, 68, 192, 40},
	.runtime = AT,
	.code_type = CODE_TYPE,
	.text_type = TEXT_TYPE,
	.bytes_type = BYTES_TYPE};

static uint64_t text_object(const char *text)
{
	uint64_t at = fake_room(40 + strlen(text) + 1);
	fake_put(at, 1);
	fake_put(at + 8, TEXT_TYPE);
	fake_put(at + 16, strlen(text));
	fake_put(at + 32, 1 << 2 | 1 << 5 | 1 << 6);
	memcpy(fake_bytes(at + 40), text, strlen(text));
	return at;
}

/* Makes a code object with two instructions, one at `line` and one at the next line. */
static uint64_t code_object(const char *path, const char *name, uint32_t line)
{
	uint64_t at = fake_room(208), table = fake_room(40);
	fake_put(table + 8, BYTES_TYPE);
	fake_put(table + 16, 6);
	memcpy(fake_bytes(table + 32), "\320\000\000\330\000\000", 6);
	*fake_bytes(table + 32) = 0200 | 10 << 3;
	*fake_bytes(table + 35) = 0200 | 11 << 3;
	fake_put(at, 0xffffffff); /* a reference count of 3.12 that makes the object immortal */
	fake_put(at + 8, CODE_TYPE);
	fake_put(at + 68, line);
	fake_put(at + 112, text_object(path));
	fake_put(at + 128, text_object(name));
	fake_put(at + 136, table);
	return at;
}

static uint64_t frame(uint64_t code, uint64_t back, int instruction, int owner)
{
	uint64_t at = fake_room(80);
	fake_put(at, code);
	fake_put(at + 8, back);
	fake_put(at + 56, code + 192 + (uint64_t)instruction * 2);
	*fake_bytes(at + 70) = (uint8_t)owner;
	return at;
}

static uint64_t module, user, library, inner; /* frames, from the outermost inwards */

static void build(void)
{
	fake_objects("/usr/bin/python3.12", BEGIN - AT);
	module = frame(code_object("/home/me/job.py", "<module>", 40), frame(0, 0, 0, 3), 0, 0);
	user = frame(code_object("/home/me/job.py", "fit", 10), module, 1, 0);
	library = frame(code_object("/usr/lib/python3.12/json/decoder.py", "decode", 300), user, 0, 0);
	inner = frame(
		code_object("/usr/lib/python3.12/json/decoder.py", "raw_decode", 340), frame(0, library, 0, 3), 0, 0);
	fake_put(TOP, inner);
}

static const struct python_thread thread = {.frame = TOP};
static struct python_room room;
static struct place place;

/* Number of ranges that the first reading copies: the top, six frames, four code objects, their texts. */
enum { CODES_READ = 1 + 6 + 4 + 8 + 8 };

static const char *where(void)
{
	static char text[256];
	enum place_result result = python_read(&python, &thread, &room, &place);

	if (result != PLACE_READ)
		return result == PLACE_IDLE      ? "idle"
		       : result == PLACE_CHANGED ? "changed"
		       : result == PLACE_STRANGE ? "strange"
						 : "refused";
	struct place_frame innermost = {.line = 0};
	for (size_t i = 0; i < place.frames && innermost.function.length == 0; i++)
		(void)python_frame(&python, &room, i, &innermost);
	(void)snprintf(text, sizeof text, "%.*s:%d in %.*s%s", (int)place.file.length, place.file.data, place.line,
		(int)innermost.function.length, innermost.function.data, place.cut ? ", cut" : "");
	return text;
}

/* Returns all frames, outermost first: the file name, the line, the function, and a '*' if the frame is the user's. */
static const char *frames(void)
{
	static char text[512];
	struct place_frame one;
	int length = 0;

	(void)where();
	for (size_t i = place.frames; i > 0; i--) {
		if (!python_frame(&python, &room, i - 1, &one))
			continue;
		struct text file = text_basename(one.file);
		length += snprintf(text + length, sizeof text - (size_t)length, "%s%.*s:%d %.*s%s",
			length > 0 ? ", " : "", (int)file.length, file.data, one.line, (int)one.function.length,
			one.function.data, one.own ? "*" : "");
	}
	return text;
}

static const char *chosen(void)
{
	static char text[256];

	(void)where();
	(void)snprintf(text, sizeof text, "%.*s:%d in %.*s", (int)place.file.length, place.file.data, place.line,
		(int)place.function.length, place.function.data);
	return text;
}

static void returned(void)
{
	fake_put(TOP, library);
}

static void called_another(void)
{
	fake_put(inner, code_object("/home/me/other.py", "other", 1));
}

static void all_anew(void)
{
	fake_put(module, code_object("/home/me/other.py", "other", 1));
}

static void check_stack(void)
{
	build();
	is_text(where(), "/home/me/job.py:11 in raw_decode", "the user's line, and the innermost function");
	is_number((double)place.depth, 4, "frames of C functions do not count");
	is_text(chosen(), "/home/me/job.py:11 in fit", "the function is the one that has the line");
	is_text(frames(), "job.py:40 <module>*, job.py:11 fit*, decoder.py:300 decode, decoder.py:340 raw_decode",
		"each frame has its line, and the user's frames are known");
	fake_put(fake_word(inner) + 128, fake_word(fake_word(inner) + 112));
	is_text(where(), "/home/me/job.py:11 in decode",
		"code whose file and name are one text belongs to the interpreter");
	fake_put(TOP, 0);
	is_text(where(), "idle", "a thread without a frame");
	build();
	fake_memory.pid = 8;
	is_text(where(), "refused", "a process that cannot be read");
	build();
	fake_put(TOP, 12345678);
	is_text(where(), "changed", "a frame outside memory");
}

/* Makes a stack of two frames: the outer one calls the inner one. */
static const char *chosen_of(const char *outer_path, const char *outer, const char *inner_path, const char *function)
{
	fake_objects("/usr/bin/python3.12", BEGIN - AT);
	fake_put(TOP,
		frame(code_object(inner_path, function, 7), frame(code_object(outer_path, outer, 8), 0, 0, 0), 0, 0));
	return chosen();
}

static void check_own(void)
{
	static const char site[] = "/venv/lib/python3.12/site-packages/mine/train.py";

	is_text(chosen_of("<frozen runpy>", "_run_code", "<dynamic-code>", "fit"), "<dynamic-code>:7 in fit",
		"a function that cloudpickle has sent is the user's");
	is_text(chosen_of("<frozen runpy>", "_run_code", site, "slow"),
		"/venv/lib/python3.12/site-packages/mine/train.py:7 in slow",
		"without code of the user, a package comes before the interpreter's frames");
	is_text(chosen_of(site, "fit", "/venv/lib/python3.12/site-packages/np/core.py", "C._sum"),
		"/venv/lib/python3.12/site-packages/mine/train.py:8 in fit",
		"a public function comes before a private one");
	is_text(chosen_of(site, "fit", "/venv/lib/python3.12/site-packages/np/core.py", "sum"),
		"/venv/lib/python3.12/site-packages/mine/train.py:8 in fit",
		"the package of the program's entry point is the user's if no other code is");
	is_text(chosen_of("/usr/lib/python3.12/threading.py", "run", "/venv/lib/python3.12/site-packages/np/core.py",
			"sum"),
		"/venv/lib/python3.12/site-packages/np/core.py:7 in sum", "a thread has no entry point in a package");
	is_text(chosen_of("<frozen importlib>", "_load", "/usr/lib/python3.12/re.py", "compile"),
		"/usr/lib/python3.12/re.py:7 in compile", "the standard library comes before frozen modules");
	is_text(chosen_of("/venv/bin/train", "<module>", site, "slow"),
		"/venv/lib/python3.12/site-packages/mine/train.py:7 in slow",
		"a script that was installed with its package is not the user's");
	is_text(chosen_of("/venv/bin/train.py", "<module>", site, "slow"), "/venv/bin/train.py:8 in <module>",
		"a script beside a package is the user's if its name ends in .py");
	is_text(chosen_of("/home/me/bin/train", "<module>", site, "slow"), "/home/me/bin/train:8 in <module>",
		"a script in another folder than the package is the user's");
	is_text(chosen_of("/home/me/job.py", "<module>", "<string>", "f"), "<string>:7 in f",
		"a text that the user executes is the user's");
	is_text(chosen_of("<frozen site>", "addpackage", "<string>", "f"), "<frozen site>:8 in addpackage",
		"a text that a library executes is not the user's");
	struct place_frame frame;
	(void)chosen_of("<frozen runpy>", "_run_code", site, "slow");
	ok(python_frame(&python, &room, 0, &frame) && frame.own, "the frame of the entry point is the user's");
	(void)chosen_of("<frozen site>", "main", site, "slow");
	ok(python_frame(&python, &room, 0, &frame) && !frame.own,
		"a package that Python imports at its start is not the user's");
	python.own = TEXT("other,mine");
	is_text(chosen_of("/home/me/job.py", "<module>", site, "slow"),
		"/venv/lib/python3.12/site-packages/mine/train.py:7 in slow",
		"a package that RTRACK_OWN names is the user's");
	python.own = TEXT("*/mine/train.py");
	ok(text_is(place.function, "slow"), "a pattern with a slash matches the path");
	python.own = TEXT("min");
	is_text(chosen_of("/home/me/job.py", "<module>", site, "slow"), "/home/me/job.py:8 in <module>",
		"a pattern matches whole names");
	python.own = TEXT("");
}

#define SITE "/venv/lib/python3.12/site-packages/"

/* Installs a package with this name from `url`. */
static void install(const char *name, const char *url, const char *record)
{
	char path[128];

	(void)snprintf(path, sizeof path, SITE "%s-1.0.dist-info", name);
	fake_directory(path);
	(void)snprintf(path, sizeof path, SITE "%s-1.0.dist-info/direct_url.json", name);
	fake_write(path, url);
	(void)snprintf(path, sizeof path, SITE "%s-1.0.dist-info/RECORD", name);
	fake_write(path, record);
}

static bool is_chosen(const char *path)
{
	(void)chosen_of("/home/me/job.py", "<module>", path, "f");
	return text_is(place.file, path);
}

static void check_packages(void)
{
	static struct packages packages;

	fake_reset();
	fake_directory("/venv/lib/python3.12/site-packages");
	fake_write("/home/me/my project/pyproject.toml", "");
	install("mine", "{\"dir_info\": {}, \"url\": \"file:///home/me/my%20project\"}",
		"../../../bin/train,,\nmine-1.0.dist-info/RECORD,,\nmine/train.py,,8\nmine/fit.py,,9\nalone.py,,9\n");
	install("other", "{\"archive_info\": {}, \"url\": \"file:///home/me/my%20project\"}", "other/core.py,,9\n");
	install("gone", "{\"dir_info\": {}, \"url\": \"file:///home/builder/gone\"}", "gone/core.py,,9\n");
	install("far", "{\"vcs_info\": {}, \"url\": \"https://far.example/far\"}", "far/core.py,,9\n");
	python.packages = &packages;
	ok(is_chosen(SITE "mine/fit.py") && is_chosen(SITE "alone.py"),
		"a package that was installed from a folder is the user's");
	ok(!is_chosen(SITE "mine2/fit.py"), "a package with a similar name is not");
	ok(!is_chosen(SITE "other/core.py"), "a package that was installed from an archive is not");
	ok(!is_chosen(SITE "gone/core.py"), "a package that was built on another machine is not");
	ok(!is_chosen(SITE "far/core.py"), "a package that was installed from a repository is not");
	install("later", "{\"dir_info\": {}, \"url\": \"file:///home/me/my%20project\"}", "later/core.py,,9\n");
	ok(!is_chosen(SITE "later/core.py"), "a site-packages folder is read once");
	for (int i = 0; i < PACKAGES_SITES_MAX; i++) {
		char path[64];
		(void)snprintf(path, sizeof path, "/venv%d/lib/python3.12/site-packages/np/core.py", i);
		(void)is_chosen(path);
	}
	is_number((double)packages.count, PACKAGES_SITES_MAX, "a limited number of site-packages folders is read");
	python.packages = NULL;
}

static void moved_on(void)
{
	*fake_bytes(user + 56) -= 2;
}

/* The function `inner` has returned, but its old frame is still in memory. */
static void called_elsewhere(void)
{
	fake_put(TOP, frame(fake_word(library), library, 0, 0));
}

static void file_anew(void)
{
	fake_put(fake_word(inner) + 112, text_object("file"));
}

static void text_anew(void)
{
	fake_put(fake_word(fake_word(inner) + 112) + 16, 4);
}

static void freed(void)
{
	fake_put(fake_word(inner), 0x7f00dead0000);
}

static void took_long(void)
{
	fake_pass(FAKE_SECOND / 100);
}

static void check_changes(void)
{
	for (unsigned at = 8; at < 16; at += 7) {
		build();
		fake_change_after(at, called_another);
		is_text(where(), "/home/me/job.py:11 in decode, cut",
			"an inner frame that has changed meanwhile is left out");
	}
	build();
	fake_change_after(9, returned);
	is_text(where(), "/home/me/job.py:11 in decode, cut", "an inner frame that has returned is left out");
	static void (*const changes[])(void) = {called_elsewhere, file_anew, text_anew, freed};
	static const char *const names[] = {
		"an inner frame that has returned is left out, even if its memory is unchanged",
		"an inner frame whose code object has another file by then is left out",
		"an inner frame whose file has another text by then is left out",
		"an inner frame whose code object was freed is left out"};
	for (size_t i = 0; i < ARRAY_LENGTH(changes); i++) {
		build();
		fake_change_after(CODES_READ, changes[i]);
		is_text(where(), "/home/me/job.py:11 in decode, cut", names[i]);
	}
	build();
	fake_change_after(9, moved_on);
	is_text(where(), "/home/me/job.py:10 in fit, cut", "calls of a frame that has moved on are left out");
	build();
	fake_put(module + 8, 0);
	*fake_bytes(module + 70) = 1;
	is_text(where(), "changed", "a stack that ends in a generator's frame has no line");
	build();
	fake_change_after(9, took_long);
	is_text(where(), "changed", "no line if the reader was delayed in between");
	build();
	fake_change_after(9, all_anew);
	is_text(where(), "changed", "no line if the outermost frame has changed");
}

static void check_strange(void)
{
	build();
	python.code_type++;
	is_text(where(), "strange", "no line if a code object has an unknown type");
	python.code_type--;
	python.text_type++;
	is_text(where(), "strange", "no line if a text has an unknown type");
	python.text_type--;
	python.bytes_type++;
	is_text(where(), "/home/me/job.py:0 in raw_decode", "a line table of an unknown type gives no line");
	python.bytes_type--;
	fake_put(module + 8, inner);
	fake_memory.reads = 0;
	(void)where();
	ok(fake_memory.reads <= PYTHON_FRAMES_MAX + 16, "a circular stack ends");
	build();
	const uint64_t end = fake_room(0);
	for (uint64_t at = BEGIN; at < end; at += 8)
		if (fake_word(at) == BYTES_TYPE)
			fake_put(at + 8, (uint64_t)1 << 62);
	is_text(where(), "/home/me/job.py:0 in raw_decode", "a line table of 2^62 bytes gives no line");
}

int main(void)
{
	check_tables();
	check_offsets();
	check_texts();
	check_stack();
	check_own();
	check_packages();
	check_changes();
	check_strange();
	return done();
}
