/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of parsers of /proc, on texts captured from a machine (scripts/capture) and on malformed texts. */
#include "os/linux/parse.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

/* Returns the content of a file of tests/fixtures/proc, valid until the next call. */
static struct text captured(const char *name)
{
	static char space[16384];
	char path[128];
	(void)snprintf(path, sizeof path, "tests/fixtures/proc/%s", name);
	FILE *file = fopen(path, "r");
	if (!file) {
		perror(path);
		return (struct text){space, 0};
	}
	size_t length = fread(space, 1, sizeof space, file);
	(void)fclose(file);
	return (struct text){space, length};
}

static void check_stat(void)
{
	struct stat_fields fields = {0};

	is_number(parse_stat(captured("pid_stat"), &fields), 0, "a name such as 'a) S 1 (b' is read correctly");
	ok(fields.state == 'S', "state");
	is_number(fields.ppid, 8919, "parent");
	is_number(fields.group, 8915, "group of processes");
	is_number((double)fields.minor_faults, 88, "minor faults, without the children's 144");
	is_number((double)fields.major_faults, 0, "major faults");
	is_number((double)fields.utime, 29, "user time");
	is_number((double)fields.stime, 0, "system time");
	is_number((double)fields.children_utime, 27, "user time of reaped children");
	is_number((double)fields.children_stime, 14, "system time of reaped children");
	is_number(fields.threads, 1, "threads");
	is_number((double)fields.start_ticks, 718654, "start");
	is_number((double)fields.rss_pages, 382, "resident pages");
	is_number((double)fields.start_code, 94533111279616, "start of the code");
	is_number((double)fields.start_stack, 140736323658096, "start of the stack");
	is_number(fields.wait_status, 0, "no status before the end");

	ok(!fields.is_tracker, "the process belongs to a job");
	is_number(parse_stat(text_of("7 (rtrack-gpu) S 1 7 7 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 9 0 1"), &fields), 0,
		"rtrack-gpu");
	ok(fields.is_tracker, "the process belongs to the tracker");
	is_number(parse_stat(text_of("7 (librtrack.so) R 1 7 7 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 9 0 1"), &fields), 0,
		"a keeper before it set its name is read");
	ok(fields.is_tracker, "a keeper before it set its name belongs to the tracker");

	is_number(parse_stat(captured("pid_stat_zombie"), &fields), 0, "a zombie");
	ok(fields.state == 'Z', "the state of a zombie is Z");
	is_number(fields.wait_status, 7 << 8, "the status of the zombie is 7");
	is_number(parse_stat(captured("pid_stat_killed"), &fields), 0, "a zombie that was killed");
	is_number(fields.wait_status, 9, "the signal that killed the zombie is 9");

	/* This text was seen on Linux 6.18, 7 times in 20,000, just after a pidfd had reported the end. */
	is_number(parse_stat(text_of("2692 (x) X 741 739 25881 0 -1 4227148 18 0 0 0 0 0 0 0 20 0 1 0 169255 0 0"),
			  &fields),
		0, "a process that its parent is reaping is read");
	ok(fields.state == 'Z', "a process that is being reaped has ended");
	is_number((double)fields.threads, 1, "a process that is being reaped has one thread");
}

static void check_odd_stat(void)
{
#define TO_START " -5 6 7 8 -1 0 1 2 3 4 10 11 12 13 20 0 2 0 99 4096"
/* This text was seen on Linux 6.18, once in some thousand readings just when the process ended. */
#define RELEASED(state) "1 (x) " state " 0 -1 -1 0 -1 4227148 19 0 0 0 0 0 0 0 20 0 0 0 3459665 0 0"
	static const struct {
		const char *what;
		const char *text;
		int result;
		unsigned threads;
	} rows[] = {
		{"nothing", "", -1, 7},
		{"no name", "1 x R 1", -1, 7},
		{"a name alone", "1 (x)", -1, 7},
		{"a state alone", "1 (x) R", -1, 7},
		{"a state of two letters", "1 (x) RR" TO_START " 5", -1, 7},
		{"cut before the resident pages", "1 (x) R" TO_START, -1, 7},
		{"cut after the resident pages", "1 (x) R" TO_START " 5", 0, 2},
		{"words that are not numbers", "1 (x) R 4 a b c d e f g h i j k l m n o p q r s t u v", 0, 0},
		{"the first process of a container", "1 (x) R 0 a b c d e f g h i j k l m n o 1 p q r s", 0, 1},
		{"numbers past 64 bits", "1 (x) R" TO_START " 99999999999999999999999999", 0, 2},
		{"only brackets", "))))", -1, 7},
		{"a zombie that is being released", RELEASED("Z"), -1, 7},
		{"a dead one that is being released", RELEASED("X"), -1, 7},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct stat_fields fields = {.threads = 7};
		is_number(parse_stat(text_of(rows[i].text), &fields), rows[i].result, rows[i].what);
		is_number(fields.threads, rows[i].threads,
			rows[i].result < 0 ? "  the fields are unchanged" : "  the fields are read up to the error");
	}
}

static void check_values(void)
{
	static const struct {
		const char *file;
		const char *key;
		uint64_t value;
	} rows[] = {
		{"pid_status", "VmHWM:", 1692},
		{"pid_status", "VmRSS:", 1692},
		{"pid_status", "voluntary_ctxt_switches:", 6},
		{"pid_status", "nonvoluntary_ctxt_switches:", 5},
		{"pid_status", "Vm", UINT64_MAX},
		{"pid_status", "ctxt_switches:", UINT64_MAX},
		{"pid_status", "Name:", UINT64_MAX},
		{"pid_io", "rchar:", 60014936},
		{"pid_io", "wchar:", 60000000},
		{"pid_io", "read_bytes:", 0},
		{"pid_io", "write_bytes:", 60006400},
		{"pid_smaps_rollup", "Pss:", 252},
		{"pid_smaps_rollup", "Rss:", 1692},
		{"pid_smaps_rollup_swapped", "Pss:", 1180},
		{"pid_smaps_rollup_swapped", "SwapPss:", 734},
		{"pid_smaps_rollup_swapped", "Pss_File:", 140},
		{"pid_smaps_rollup_swapped", "Private_Hugetlb:", 0},
		{"meminfo", "MemTotal:", 24684092},
		{"meminfo", "SwapTotal:", 0},
		{"meminfo", "Hugepagesize:", 2048},
		{"meminfo", "HugePages_Total:", 0},
		{"meminfo", "NoSuchThing:", UINT64_MAX},
		{"stat", "ctxt ", 9875056},
		{"stat", "procs_running ", 1},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		uint64_t value = UINT64_MAX;
		int result = parse_value(captured(rows[i].file), rows[i].key, &value);
		ok(value == rows[i].value, rows[i].key);
		is_number(result, value == UINT64_MAX ? -1 : 0, "  and the result");
	}
}

static void check_many_values(void)
{
	static parse_key keys[] = {"wchar:", "no_such:", "rchar:", "write_bytes:"};
	uint64_t values[ARRAY_LENGTH(keys)] = {1, 2, 3, 4};

	parse_values(captured("pid_io"), keys, ARRAY_LENGTH(keys), values);
	is_number((double)values[0], 60000000, "several keys in one pass: the first key");
	is_number((double)values[1], 2, "a missing key leaves its value unchanged");
	is_number((double)values[2], 60014936, "keys in any order");
	is_number((double)values[3], 60006400, "cancelled_write_bytes is not taken for write_bytes");
}

static void check_machine(void)
{
	uint64_t pair[2] = {7, 7};
	uint64_t times[CPU_FIELDS] = {0};
	uint64_t total_us = 7;

	is_number(parse_cpu_line(captured("stat"), times), CPU_FIELDS, "the line of all processors");
	is_number((double)(times[0] + times[1]), 201356 + 3966, "user time with nice");
	is_number((double)(times[2] + times[5] + times[6]), 115287 + 736, "system time with interrupts");
	is_number((double)times[7], 166, "time that the hypervisor took");
	is_number(parse_cpu_line(TEXT("cpu0 1 2 3"), times), -1, "the line of a single processor is not read");
	is_number(parse_cpu_line(TEXT("cpu  5"), times), 1, "a short line has fewer fields");
	is_number((double)times[0], 5, "the field of a short line");

	parse_net_dev(captured("net_dev"), pair);
	is_number((double)pair[0], 365848939, "received by all interfaces but lo");
	is_number((double)pair[1], 687500, "sent by all interfaces but lo");
	parse_net_dev(TEXT("lo:1 1 1 1 1 1 1 1 1\neth0:5 1 1 1 1 1 1 1 6 1\neth1: 10\nx"), pair);
	is_number((double)pair[0], 15, "a number directly after the colon");
	is_number((double)pair[1], 6, "a short line");

	is_number(parse_pressure(captured("pressure_io"), &total_us), 0, "pressure");
	is_number((double)total_us, 31924119, "the total of the line \"some\"");
	is_number(parse_pressure(TEXT("full avg10=0 total=5\n"), &total_us), -1, "no line \"some\"");
	is_number(parse_pressure(TEXT("some avg10=0\n"), &total_us), -1, "no total");
	is_number(parse_pressure(TEXT("some total=x\n"), &total_us), -1, "a total that is not a number");
	is_number((double)total_us, 31924119, "after an error, the value is unchanged");
}

static void check_cpu_list(void)
{
	static const struct {
		const char *list;
		unsigned count;
	} rows[] = {{"0-1\n", 2}, {"0\n", 1}, {"0", 1}, {"0-3,8,10-11\n", 7}, {"", 0}, {"\n", 0}, {",,", 0}, {"3-1", 0},
		{"x", 0}, {"1,x,2", 2}, {"5-", 1}, {"0-18446744073709551615", 0}, {"0-1023", 1024}};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		is_number(parse_cpu_list(text_of(rows[i].list)), rows[i].count, rows[i].list);
}

static void check_mounts(void)
{
	struct text all = captured("mountinfo");
	struct text line;
	struct mount mount = {0};
	char space[64];
	struct buffer point = BUFFER(space);
	size_t lines = 0;
	size_t mounts = 0;

	for (size_t at = 0; parse_line(all, &at, &line); lines++)
		mounts += parse_mount(line, &mount) == 0;
	is_number((double)mounts, 20, "every line is a mount");
	ok(lines == mounts, "each mount is a line");
	is_text(string_of(mount.device), "0:40", "the last one's device number");
	is_text(string_of(mount.root), "/", "root");
	is_text(string_of(mount.type), "tmpfs", "type");
	is_text(string_of(mount.source), "tmpfs", "source");
	is_text(string_of(mount.options), "rw,size=1024k", "options of the superblock");
	is_text(string_of(mount.point), "/mnt/a\\040b\\134c", "the mount point, as written");
	parse_unescape(mount.point, &point);
	is_text(content(&point), "/mnt/a b\\c", "the mount point, decoded");

	struct text odd = TEXT("36 35 98:0 /r /p rw,noatime shared:1 master:2 - ext3 /dev/root rw,errors=continue");
	is_number(parse_mount(odd, &mount), 0, "any number of optional fields");
	is_text(string_of(mount.type), "ext3", "the type after the dash");
	is_number(parse_mount(TEXT("36 35 98:0 / /p rw shared:1"), &mount), -1, "a line without the dash");
	is_number(parse_mount(TEXT(""), &mount), -1, "an empty line");
	is_text(string_of(mount.type), "ext3", "after an error, the mount is unchanged");
}

static void check_unescape(void)
{
	static const char *const rows[][2] = {{"", ""}, {"plain", "plain"}, {"\\040", " "}, {"\\011\\012", "\t\n"},
		{"a\\134040", "a\\040"}, {"\\", "\\"}, {"\\04", "\\04"}, {"\\049", "\\049"}, {"\\440", "\\440"},
		{"\\\\040", "\\ "}, {"\\303\\251", "\xc3\xa9"}};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		char space[32];
		struct buffer out = BUFFER(space);
		parse_unescape(text_of(rows[i][0]), &out);
		is_text(content(&out), rows[i][1], rows[i][0]);
	}
}

static void check_ahead(void)
{
	static const struct {
		const char *text;
		double ns;
	} rows[] = {{"monotonic           0         0\nboottime      1000000         0\n", 1e15},
		{"monotonic           5         0\nboottime           -4 500000000\n", -35e8},
		{"monotonic           5         0\nboottime           -1 990000000", -1e7},
		{"monotonic           5         7\n", 0}, {"", 0}, {"boottime\n7 0\n", 0}, {"boottimes 7 0\n", 0},
		{"boottime 1e300 0\n", 0}, {"boottime nan 0\n", 0}, {"boottime 1 1000000000\n", 0}};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		is_number((double)parse_ahead(text_of(rows[i].text)), rows[i].ns, "the offset of a time namespace");
}

static void check_words(void)
{
	struct text text = TEXT("  one\ttwo \nthree");
	size_t at = 0;

	is_text(string_of(parse_word(text, &at)), "one", "a word");
	is_text(string_of(parse_word(text, &at)), "two", "the next word");
	is_text(string_of(parse_word(text, &at)), "", "no word after the last one of a line");
	is_text(string_of(parse_word(text, &at)), "", "again no word");

	struct text line;
	at = 0;
	ok(parse_line(TEXT("a\n\nb"), &at, &line) && text_is(line, "a"), "the first line");
	ok(parse_line(TEXT("a\n\nb"), &at, &line) && line.length == 0, "an empty line");
	ok(parse_line(TEXT("a\n\nb"), &at, &line) && text_is(line, "b"), "a line without a newline");
	ok(!parse_line(TEXT("a\n\nb"), &at, &line), "no more lines");
}

int main(void)
{
	check_stat();
	check_odd_stat();
	check_values();
	check_many_values();
	check_machine();
	check_cpu_list();
	check_mounts();
	check_unescape();
	check_ahead();
	check_words();
	return done();
}
