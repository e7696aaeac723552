/* What the records of a run may lack, case by case: who reaped whom, and what his account is worth. */
#include "report/model/totals.h"

#include "tests/unit/lib/scratch.h"
#include "tests/unit/lib/tap.h"

#include <stdio.h>
#include <string.h>

/* Who says it, and how it ended for who may have reaped it. */
#define EXIT_HEADER                                                                                                    \
	"\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"utime\",\"stime\",\"peak_rss_mib\",\"source\",\"exact\","    \
	"\"missing_cpu\",\"children_peak_mib\",\"children_utime\",\"children_stime\",\"exact_peak\","                  \
	"\"children_left\",\"children_ignored\""
#define START_HEADER "\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"exe\",\"command\"\n"
#define RUN                                                                                                            \
	"{\"status\": \"finished\", \"start_time\": 100, \"stop_time\": 104, \"interval\": 1, \"pid\": 10, "           \
	"\"server\": {\"vcpus\": 2, \"memory_mib\": 1000, \"architecture\": \"x86_64\"}, \"tracker\": {"

/* A root of 1 s and 10 MiB and a child of 1 s that was killed, 30 MiB when it was last seen, of which 0.5 s may be
 * missing; nothing is resident at the end. */
struct row {
	const char *what;
	const char *tracker; /* of run.json, behind RUN */
	const char *root;  /* of exit.csv, from exact on: exact, missing, peak, user and system time of children, … */
	const char *child; /* with its own figures */
	double missing;    /* at most, without what the root's own end took; UNKNOWN: nothing bounds it */
	double most_mib;   /* UNKNOWN: all that the machine has */
	bool cpu;          /* what is called exact */
	bool memory;
};

#define QUIET "\"mode\": \"preload\", \"cgroup_cpu\": 2, \"cgroup_shared\": 0}}"
#define HOLDS_NAMELESS "\"mode\": \"preload\", \"nameless_mib\": 500, \"cgroup_cpu\": 2, \"cgroup_shared\": 0}}"
#define QUIET_AMONG_OTHERS "\"mode\": \"preload\", \"cgroup_cpu\": 2, \"cgroup_shared\": 1}}"
/* Of rtrack-run, in a control group whose others were idle. */
#define LAUNCHED "\"mode\": \"launcher\", \"cgroup_cpu\": 2, \"cgroup_shared\": 1}}"
#define LAUNCHED_AMONG_BUSY "\"mode\": \"launcher\", \"cgroup_cpu\": 3, \"cgroup_shared\": 1}}"
#define LAUNCHED_UNASKED "\"mode\": \"launcher\"}}"
#define ALL_BORN_KNOWN "\"mode\": \"preload\", \"births_known\": 1}}"
#define MORE_TOLD "\"self\",1,,50,1.015,0,1,0,0"
#define TOLD "\"self\",1,,50,1,0,1,0,0"
#define TRANSLATED "\"self\",0,,50,1,0,0,0,0"
#define LEFT "\"self\",1,,50,1,0,1,1,0"
#define IGNORED "\"self\",1,,,0,0,1,0,1"
#define ADOPTED "\"launcher\",1,,50,0,0,0,0,0"
#define GONE "103,11,9100,10,1,0,30,\"sampler\",0,0.5,,,,0,,"
#define SEEN_REAPED "103,11,9100,10,1,0,30,\"sampler\",0,0,,,,0,,"
#define SEEN_REAPED_LATE "104.01,11,9100,10,1,0,30,\"sampler\",0,0,,,,0,,"
#define ALL_KNOWN "103,11,9100,10,1,0,30,\"sampler\",0,0,,,,0,0,"
#define LOOKED_AT "103,11,9100,10,1,0,30,\"sampler\",0,0.5,,,,0,,0"
#define SAYS_SO "103,11,9100,10,1,0,30,\"self\",1,,0,0,0,1,0,0"
#define SAYS_LESS "103,11,9100,10,0.5,0,30,\"self\",1,,0,0,0,1,0,0"
#define UNASKED "\"self\",1,,50,1,0,1,,0"
#define ITS_CHILD_TOO "\n104.01,12,9200,11,0,0,5,\"sampler\",0,0,,,,0,,"
#define ORPHAN "103,11,9100,1,1,0,30,\"sampler\",0,0.5,,,,0,,"
#define ORPHAN_LATE "104.01,11,9100,1,1,0,30,\"sampler\",0,0.5,,,,0,,"
#define REAPED_UNREAD_CHILD SEEN_REAPED "\n102,12,9200,11,0,0,5,\"sampler\",0,,,,,0,,"
#define REAPED_ZOMBIE_CHILD SEEN_REAPED "\n102,12,9200,11,0,0,,\"sampler\",1,,,,,0,,"
#define OF_LAUNCHER_LATE "104.01,11,9100,1,1,0,45,\"launcher\",1,,45,0,0,1,,0"
#define OF_LAUNCHER "103,11,9100,1,1,0,45,\"launcher\",1,,45,0,0,1,0,0"

static const struct row rows[] = {
	{"whom rtrack-run reaped left nobody to others, also when the root was over", LAUNCHED,
		"\"self\",1,,,0,0,1,0,0", OF_LAUNCHER_LATE, 0, 55, true, true},
	{"a parent that leaves no child has what its children used", QUIET, TOLD, GONE, 0, 60, true, true},
	{"... and lets go of memory without a name after its last word", HOLDS_NAMELESS, TOLD, GONE, 0.31, 60, false,
		true},
	{"... but a child that says nothing may have left children whom nobody saw", "\"mode\": \"preload\"}}", TOLD,
		GONE, 6, UNKNOWN, false, false},
	{"... which the control group denies, if others in it were idle", QUIET_AMONG_OTHERS, TOLD, GONE, 0, 60, true,
		true},
	{"... and rtrack-run would have reaped", LAUNCHED, TOLD, GONE, 0, 60, true, true},
	{"... also where the tick after the root's end finds that the root has reaped it", LAUNCHED, TOLD,
		SEEN_REAPED_LATE, 0, 60, true, true},
	{"... and that one its own child", LAUNCHED, TOLD, SEEN_REAPED_LATE ITS_CHILD_TOO, 0, 110, true, true},
	{"... which says nothing of an orphan", LAUNCHED_UNASKED, TOLD, ORPHAN_LATE, 6, UNKNOWN, false, false},
	{"... nor did it if all are known who were born until it was gone", "\"mode\": \"preload\"}}", TOLD, ALL_KNOWN,
		0, 60, true, true},
	{"... nor anybody if all are known who were born in the run", ALL_BORN_KNOWN, TOLD, GONE, 0, 60, true, true},
	{"... whoever has what is in no row of a child", ALL_BORN_KNOWN, MORE_TOLD, GONE, 0, 60, true, true},
	{"... which else is somebody unknown", "\"mode\": \"preload\"}}", MORE_TOLD, ALL_KNOWN, 6, UNKNOWN, false,
		false},
	{"a parent that could not ask whom it leaves may have left anybody", "\"mode\": \"preload\"}}", UNASKED,
		SAYS_SO, UNKNOWN, UNKNOWN, false, false},
	{"... but rtrack-run has them", LAUNCHED, UNASKED, SAYS_SO, 0, 90, true, true},
	{"a root that valgrind ran ends when nobody listens", QUIET, TRANSLATED, GONE, 0, UNKNOWN, true, false},
	{"... and without a group of its own that may take any time", "\"mode\": \"preload\"}}", TRANSLATED,
		SEEN_REAPED, 6, UNKNOWN, false, false},
	{"a parent that leaves one may have lost it", "\"mode\": \"preload\"}}", LEFT, GONE, 6, UNKNOWN, false, false},
	{"... but not one that went while it lived", QUIET, LEFT, SEEN_REAPED, 0, 60, true, true},
	{"an orphan is in no account, and may have left others", "\"mode\": \"preload\"}}", TOLD, ORPHAN, 6, UNKNOWN,
		false, false},
	{"... but rtrack-run's, and whom its parent reaped who took less than a tick of CPU time",
		"\"mode\": \"launcher\", \"reaped_peak_mib\": 50}}", ADOPTED, OF_LAUNCHER, 0, UNKNOWN, true, true},
	{"... nor is what it was allowed at its beginning all that the machine can have given",
		"\"mode\": \"preload\", \"cpus\": 4}}", TOLD, ORPHAN, 14, UNKNOWN, false, false},
	{"who was gone before a silent parent was reaped by that", ALL_BORN_KNOWN, TOLD, REAPED_UNREAD_CHILD, 0, 110,
		true, true},
	{"... but not one whose zombie was there still", ALL_BORN_KNOWN, TOLD, REAPED_ZOMBIE_CHILD, 0, UNKNOWN, true,
		false},
	{"who ignores the ends of children may have had any", "\"mode\": \"preload\"}}", IGNORED, GONE, 6, UNKNOWN,
		false, false},
	{"no more is missing than the control group used",
		"\"mode\": \"preload\", \"cgroup_cpu\": 2.25, \"cgroup_shared\": 1}}", LEFT, GONE, 0.26, UNKNOWN, false,
		false},
	{"... and nothing, if that is all that is known",
		"\"mode\": \"preload\", \"cgroup_cpu\": 2, \"cgroup_shared\": 1}}", IGNORED, GONE, 0, UNKNOWN, true,
		false},
	{"what a group of the run's own used is missing, whatever the records say",
		"\"mode\": \"preload\", \"cgroup_cpu\": 3, \"cgroup_shared\": 0}}", TOLD, GONE, 1.01, UNKNOWN, false,
		false},
	{"who used more than their group did have been counted twice",
		"\"mode\": \"launcher\", \"cgroup_cpu\": 1.9, \"cgroup_shared\": 0}}", TOLD, LOOKED_AT, 0, 60, false,
		true},
	{"... or were in another, of which theirs tells nothing",
		"\"mode\": \"preload\", \"cgroup_cpu\": 1.9, \"cgroup_shared\": 0}}", TOLD, ORPHAN, 6, UNKNOWN, false,
		false},
	{"what others used in it may be a silent child's",
		"\"mode\": \"preload\", \"cgroup_cpu\": 3, \"cgroup_shared\": 1}}", TOLD, GONE, 1.01, UNKNOWN, false,
		false},
	{"... but rtrack-run has looked at whom it saw", LAUNCHED_AMONG_BUSY, TOLD, LOOKED_AT, 0, 60, true, true},
	{"... and not at others, who may have ignored SIGCHLD", LAUNCHED_AMONG_BUSY, TOLD, GONE, 1.01, UNKNOWN, false,
		false},
	{"... as may somebody whom only an account has", LAUNCHED_AMONG_BUSY, TOLD, SAYS_LESS, 1.01, UNKNOWN, false,
		false},
	{"... where nobody tells what the group used", LAUNCHED_UNASKED, TOLD, SAYS_LESS, 6, UNKNOWN, false, false},
	{"... but not if there was nobody else", LAUNCHED_AMONG_BUSY, TOLD, SAYS_SO, 0, 90, true, true},
	{"an orphan that is still there at the end is not known",
		"\"mode\": \"preload\", \"cgroup_cpu\": 2, \"cgroup_shared\": 2}}", TOLD, GONE, UNKNOWN, UNKNOWN, false,
		false},
};

/* The same of a root that is the child of process 1, which is rtrack-run. */
static const struct row first_rows[] = {
	{"rtrack-run knows less as process 1: who is silent may have let children go by", LAUNCHED_AMONG_BUSY, TOLD,
		GONE, 1.01, UNKNOWN, false, false},
	{"... or somebody whom only an account has", LAUNCHED_AMONG_BUSY, TOLD, SAYS_LESS, 1.01, UNKNOWN, false, false},
	{"... but not if there was nobody else", LAUNCHED_AMONG_BUSY, TOLD, SAYS_SO, 0, 90, true, true},
	{"... nor if the group used no more", "\"mode\": \"launcher\", \"cgroup_cpu\": 2, \"cgroup_shared\": 1}}", TOLD,
		GONE, 0, 60, true, true},
	{"... but it may have used anything where it is not known", LAUNCHED_UNASKED, TOLD, GONE, 6, UNKNOWN, false,
		false},
};

#define BESIDES(seconds, faults) "\"self\",1,,30," seconds ",0,1,0,0,100," faults
#define ZOMBIE(faults) "103,11,9100,1,1,0,30,\"sampler\",1,,,,,0,0,," faults ","
#define SAYS_FAULTS SAYS_SO ",500,"
#define SAYS_NONE ALL_KNOWN ",500,"

/* A child that took 500 page faults, and what the root's account has of children. The ends of children took some 8 ms
 * at most. */
static const struct row fault_rows[] = {
	{"whose faults are all explained had nobody else, whatever the ends cost", "\"mode\": \"preload\"}}",
		BESIDES("1.015", "502"), SAYS_FAULTS, 0, 40, true, true},
	{"... but if they are not", "\"mode\": \"preload\"}}", BESIDES("1.015", "503"), SAYS_FAULTS, 6, UNKNOWN, false,
		false},
	{"... or are fewer than what children had, as it has left some", "\"mode\": \"preload\"}}",
		BESIDES("1.015", "499"), SAYS_FAULTS, 6, UNKNOWN, false, false},
	{"... nor if the child did not tell of its end, and had taken as many before", "\"mode\": \"preload\"}}",
		BESIDES("1.015", "502"), SAYS_NONE, 0, 40, true, true},
	{"... but if it had taken less", "\"mode\": \"preload\"}}", BESIDES("1.015", "503"), SAYS_NONE, 6, UNKNOWN,
		false, false},
	{"who has reaped somebody unknown had him, however little he used", "\"mode\": \"preload\"}}",
		BESIDES("1.001", "506"), SAYS_FAULTS, 6, UNKNOWN, false, false},
	{"... and he may be as large as the largest that was reaped, where a child did not tell of its end", LAUNCHED,
		BESIDES("1.004", "600"), SAYS_NONE, 0, 270, true, true},
	{"... then under rtrack-run what more it used is somebody's", LAUNCHED, BESIDES("1.015", "503"), SAYS_FAULTS, 0,
		76, true, true},
	{"what the end may have used is nobody's", LAUNCHED, BESIDES("1.004", "505"), SAYS_FAULTS, 0, 40, true, true},
	{"... but somebody's whose faults there are", LAUNCHED, BESIDES("1.004", "506"), SAYS_FAULTS, 0, 82, true,
		true},
	{"... each of which may have brought a huge page, of a file in no time", LAUNCHED, BESIDES("1.015", "700"),
		SAYS_FAULTS, 0, 470, true, true},
	{"... but of whom a child that is left to others may have as many", LAUNCHED,
		"\"self\",1,,30,1.015,0,1,1,0,100,503", SAYS_FAULTS, 0, 760, true, true},
	{"an orphan whose zombie was read has what its parent lent it, and what its faults can have brought", QUIET,
		"\"self\",1,,,0,0,1,1,0,100,0", ZOMBIE("100"), 0, 220, true, false},
	{"... which may be no more than what is known", QUIET, "\"self\",1,,,0,0,1,1,0,100,0", ZOMBIE("5"), 0, 40, true,
		true},
};

/* The peak of a child, by who tells what; its parent has 10 MiB, and a largest child of 50 unless told
 * otherwise. */
struct peak {
	const char *what, *root, *child;
	int pid;
	double mib;
};

#define LENT "\"self\",1,,9,1,0,1,0,0"
#define SMALL "103,11,9100,10,1,0,5,\"sampler\",0,0.5,,,,0,,"
#define SILENT "\n104,12,9200,10,0,0,5,\"sampler\",0,0,,,,0,,"

static const struct peak peaks[] = {
	{"what only the parent's account has is the silent child's", TOLD, GONE, 11, 50},
	{"... beside one who told", TOLD, GONE "\n104,12,9200,10,0,0,20,\"self\",1,,,0,0,1,0,0", 11, 50},
	{"... and not if that one had as much", TOLD, GONE "\n104,12,9200,10,0,0,50,\"self\",1,,,0,0,1,0,0", 11, 30},
	{"... nor if a child of that one had", TOLD, GONE "\n104,12,9200,10,0,0,20,\"self\",1,,50,0,0,1,0,0", 11, 30},
	{"... nor beside another silent one", TOLD, GONE SILENT, 11, 30},
	{"... nor is it that one's", TOLD, GONE SILENT, 12, 5},
	{"... nor if it had a child itself", TOLD, SEEN_REAPED ITS_CHILD_TOO, 11, 30},
	{"... nor if fork may have lent it", LENT, SMALL, 11, 5},
	{"... nor where the parent did not tell", "\"sampler\",0,,50,1,0,0,0,0", GONE, 11, 30},
	{"... nor of an orphan", TOLD, ORPHAN, 11, 30},
	{"... nor where somebody unknown was reaped", "\"self\",1,,50,1.1,0,1,0,0", GONE, 11, 30},
};

/* `columns`: with what both rows end beside EXIT_HEADER; `ppid`: of the root; `mib`: NULL, or where to put the peak of
 * the process `pid`. */
static struct totals totals_of(const struct row *row, const char *columns, int ppid, int pid, double *mib)
{
	struct totals totals = {0};
	struct run run;
	struct series process, system;
	struct processes processes;
	char text[1000];

	(void)snprintf(text, sizeof text, RUN "%s", row->tracker);
	scratch_write("run.json", text);
	(void)snprintf(text, sizeof text, EXIT_HEADER "%s\n%s\n104,10,9000,%d,1,0,10,%s\n", columns, row->child, ppid,
		row->root);
	scratch_write("exit.csv", text);
	series_load(&process, scratch_directory(), TABLE_process, TOTALS_PROCESS_COLUMNS);
	series_load(&system, scratch_directory(), TABLE_system, TOTALS_SYSTEM_COLUMNS);
	bool made = run_open(&run, scratch_directory()) == 0 && processes_load(&processes, scratch_directory()) == 0 &&
		    totals_make(&totals, &run, &process, &system, &processes) == 0;
	if (!ok(made, row->what))
		return totals;
	for (size_t i = 0; mib && i < processes.count; i++)
		if (processes.items[i].id.pid == pid)
			*mib = process_best_usage(&processes.items[i]).peak_memory_mib;
	processes_free(&processes);
	series_free(&process);
	series_free(&system);
	run_close(&run);
	return totals;
}

static void check(const struct row *row, const char *columns, int ppid)
{
	struct totals totals = totals_of(row, columns, ppid, 0, NULL);
	/* What the root's end took is at most 1 ms, where nothing is resident, and three times that on a busy
	 * machine, of which a bound speaks that is more than what exact may lack; and what was read at several
	 * instants is 10 ms. */
	bool least = totals.missing_cpu_seconds_at_most >= row->missing - 1e-9;
	bool same = least && totals.missing_cpu_seconds_at_most <= row->missing + 0.0031;
	ok(same || !(number_known(row->missing) || number_known(totals.missing_cpu_seconds_at_most)),
		"  what may be missing");
	is_number(totals.peak_memory_at_most_mib, number_known(row->most_mib) ? row->most_mib : 1000,
		"  the most memory");
	ok(totals.exact_cpu == row->cpu, "  whether CPU time is exact");
	ok(totals.exact_memory == row->memory, "  whether peaks are");
}

#define TWO_SILENT SAYS_NONE "\n103,12,9200,10,0,0,5,\"sampler\",0,0,,,,0,,,100,"
#define UNREAD "\n103,12,9200,10,0,0,,\"sampler\",0,0,,,,0,,,,"
#define A_CHILD "\n102.5,13,9300,11,0,0,5,\"self\",1,,0,0,0,1,0,0,10,"
#define BESIDES_OF(mib, faults) "\"self\",1,," mib ",1.5,0,1,0,0,100," faults

/* The most that all are likely to have had at one time: the root 10 MiB, a child 30, and whom only page faults tell of,
 * 256 for each MiB. */
static void likely_peaks(void)
{
	static const char two[] = START_HEADER "100,10,9000,1,,\n101,11,9100,10,,\n",
			  three[] = START_HEADER "100,10,9000,1,,\n101,11,9100,10,,\n101,12,9200,10,,\n",
			  four[] = START_HEADER
			  "100,10,9000,1,,\n101,11,9100,10,,\n101,12,9200,10,,\n101,13,9300,11,,\n";
	static const struct {
		const char *what, *start, *root, *child;
		double mib;
	} cases[] = {
		{"who came and went unseen is likely to have had a page for each fault", two, BESIDES_OF("40", "25972"),
			SAYS_FAULTS, 139.5},
		{"... but no more of them at one time than a parallel run has", two, BESIDES_OF("40", "999999"),
			SAYS_FAULTS, 200},
		{"... and nobody is known to be large where a known child was", two, BESIDES_OF("30", "999999"),
			SAYS_FAULTS, 40},
		{"... nor was there anybody whose faults are known", two, BESIDES_OF("40", "502"), SAYS_FAULTS, 40},
		{"who is known and was read by nobody is likely to have had a page for each fault", three,
			BESIDES_OF("30", "3060"), SAYS_FAULTS UNREAD, 50},
		{"those who told no peak are likely to have grown by what faults tell", three, BESIDES_OF("50", "3160"),
			TWO_SILENT, 55},
		{"... but not beyond the account's peak", three, BESIDES_OF("50", "99999"), TWO_SILENT, 110},
		{"... which may be of a child that one of them has", four, BESIDES_OF("50", "99999"),
			TWO_SILENT A_CHILD, 95},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		const struct row row = {
			.what = cases[i].what, .tracker = LAUNCHED, .root = cases[i].root, .child = cases[i].child};
		scratch_write("start.csv", cases[i].start);
		struct totals totals = totals_of(&row, ",\"minor_faults\",\"children_minor_faults\"", 9, 0, NULL);
		is_number(totals.peak_memory_together_mib, cases[i].mib, "  the most that is likely");
	}
	scratch_write("start.csv", two);
}

/* Somebody whom nobody saw may have read and written, and mapped files, in a time that is nothing beside the CPU time.
 */
static void bytes_of_the_unseen(void)
{
	static const struct {
		const char *what, *tracker, *child;
		bool exact;
	} cases[] = {
		{"what the group used more is little, and enough to write",
			"\"mode\": \"preload\", \"cgroup_cpu\": 2.001, \"cgroup_shared\": 0}}", GONE, false},
		{"... or for nobody", "\"mode\": \"preload\", \"cgroup_cpu\": 2.0002, \"cgroup_shared\": 0}}", GONE,
			true},
		{"... or the end's of one who left nobody",
			"\"mode\": \"preload\", \"cgroup_cpu\": 2.001, \"cgroup_shared\": 0}}", ALL_KNOWN, true},
		{"... or rtrack-run has them all",
			"\"mode\": \"launcher\", \"cgroup_cpu\": 2.001, \"cgroup_shared\": 0}}", GONE, true},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		const struct row row = {
			.what = cases[i].what, .tracker = cases[i].tracker, .root = TOLD, .child = cases[i].child};
		struct totals totals = totals_of(&row, "", 9, 0, NULL);
		ok(totals.exact_cpu && totals.exact_memory == cases[i].exact && totals.exact == cases[i].exact,
			"  whether bytes and peaks are");
	}
}

#define ALL_KNOWN_OF "103,11,9100,10,1,0,30,\"sampler\",0,0.5,,,,0,0,"
#define OUTLIVES "\n104.1,13,9300,1,0,0,5,\"self\",1,,0,0,0,1,0,0"

/* A root that leaves one child and names it, as a pool's tracker that outlives it, has reaped the others. */
static void named_children(void)
{
	static const char known[] =
		START_HEADER "100,10,9000,1,/bin/a,a\n101,11,9100,10,/bin/b,b\n102,13,9300,10,/bin/c,c\n";
	static const struct row all = {"who has named all whom it leaves has reaped the others",
		"\"mode\": \"preload\"}}", LEFT, ALL_KNOWN_OF OUTLIVES, 0, UNKNOWN, false, true};
	static const struct row nameless = {"... also whom nobody could tell a name of", "\"mode\": \"preload\"}}",
		LEFT, ALL_KNOWN_OF OUTLIVES, 0, UNKNOWN, false, true};
	static const struct row none = {"... but not who has named nobody", "\"mode\": \"preload\"}}", LEFT,
		ALL_KNOWN_OF OUTLIVES, 0, UNKNOWN, false, false};
	char text[400];

	(void)snprintf(text, sizeof text, "%s104,13,9300,10,,\n", known);
	scratch_write("start.csv", text);
	struct totals totals = totals_of(&all, "", 9, 0, NULL);
	ok(totals.exact_memory, "  whether peaks are");
	/* Nor is one left of whom a tick could tell no name. */
	(void)snprintf(text, sizeof text,
		START_HEADER "100,10,9000,1,/bin/a,a\n102,13,9300,10,/bin/c,c\n"
			     "104,13,9300,10,,\n101,11,9100,10,,\n102,13,9300,10,,\n");
	scratch_write("start.csv", text);
	totals = totals_of(&nameless, "", 9, 0, NULL);
	ok(totals.exact_memory, "  whether peaks are");
	scratch_write("start.csv", known);
	totals = totals_of(&none, "", 9, 0, NULL);
	ok(!totals.exact_memory, "  whether peaks are");
	/* Its parent's account is of others then. */
	static const struct row unseen = {"who is left to others is not in the account, and hides nobody who is",
		LAUNCHED, LEFT, SAYS_SO, 0, UNKNOWN, true, true};
	scratch_write("start.csv", START_HEADER "100,10,9000,1,/bin/a,a\n101,11,9100,10,/bin/b,b\n104,11,9100,10,,\n");
	check(&unseen, "", 9);
	scratch_write("start.csv", known);
}

/* What the first image of a process found at its start, in MiB, and what it had; its parent has 10 MiB. */
static void lent_memory(void)
{
	static const struct {
		const char *what, *ppid, *found;
		double mib;
	} cases[] = {
		{"what a child had more than its parent ever had is its own", "10", "80", 80},
		{"... but not what its parent had", "10", "9", 5},
		{"... nor a little more, which the kernel's count may lack", "10", "10.9", 5},
		{"what nobody of the run can have lent is its own", "7", "9", 9},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		const struct row row = {.what = cases[i].what,
			.tracker = QUIET,
			.root = "\"self\",1,,0,1,0,1,0,0",
			.child = "103,11,9100,10,1,0,5,\"self\",1,,0,0,0,1,0,0"};
		char text[400];
		double mib = UNKNOWN;
		(void)snprintf(text, sizeof text,
			"\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"exe\",\"command\",\"earlier_peak_mib\"\n"
			"100,10,9000,1,/bin/a,a,500\n101,11,9100,%s,/bin/b,b,\n101.5,11,9100,%s,/bin/c,c,%s\n",
			cases[i].ppid, cases[i].ppid, cases[i].found);
		scratch_write("start.csv", text);
		(void)totals_of(&row, "", 9, 11, &mib);
		is_number(mib, cases[i].mib, "  its peak");
		(void)totals_of(&row, "", 9, 10, &mib);
		is_number(mib, 10, "  and its parent's, whoever started that");
	}
}

#define FOUND_HEADER                                                                                                   \
	"\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"exe\",\"command\",\"earlier_peak_mib\"\n"                    \
	"100,10,9000,1,/bin/a,a,500\n"

/* The sum of the peaks, at most and as is likely, where images found something at their start. The root has 10 MiB, a
 * child from 101 s on 5, and one from 102 s on 1; each had page faults for 8 MiB. */
static void images_before(void)
{
	static const struct {
		const char *what, *start;
		bool parted;
		double most_mib, likely_mib;
		bool memory;
	} cases[] = {
		{"what an image finds its process may have had until then, and what its faults brought is likely",
			"101.5,11,9100,10,/bin/b,b,9\n", false, 19, 18, true},
		{"... together with another that is there",
			"102.5,11,9100,10,/bin/b,b,9\n102.1,12,9200,10,/bin/b,b,10\n", false, 29, 26, true},
		{"... and not with one that began later", "101.5,11,9100,10,/bin/b,b,9\n102.5,12,9200,10,/bin/b,b,9\n",
			false, 24, 23, true},
		{"... until the last of its images", "101.5,11,9100,10,/bin/b,b,9\n102.5,11,9100,10,/bin/c,c,9\n",
			false, 20, 19, true},
		{"what the root finds is of who started it", "101,10,9000,1,/bin/b,b,500\n", false, 16, 16, true},
		{"... or of a program that said nothing, if it executed one", "101,10,9000,1,/bin/b,b,500\n", true, 506,
			16, false},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		const struct row row = {.what = cases[i].what,
			.tracker = QUIET,
			.root = "\"self\",1,,5,1,0,1,0,0,2048,",
			.child = "103,11,9100,10,1,0,5,\"self\",1,,0,0,0,1,0,0,2048,\n"
				 "103,12,9200,10,0,0,1,\"self\",1,,0,0,0,1,0,0,2048,"};
		char text[600];
		(void)snprintf(text, sizeof text, FOUND_HEADER "%s", cases[i].start);
		scratch_write("start.csv", text);
		if (cases[i].parted)
			scratch_write(SPOOL_PARTED_FILE, "");
		struct totals totals = totals_of(&row, ",\"minor_faults\",\"children_minor_faults\"", 9, 0, NULL);
		is_number(totals.peak_memory_at_most_mib, cases[i].most_mib, "  the most memory");
		is_number(totals.peak_memory_together_mib, cases[i].likely_mib, "  and what is likely");
		ok(totals.exact_memory == cases[i].memory, "  whether peaks are exact");
	}
	scratch_remove(SPOOL_PARTED_FILE);
}

#define PROCESS_HEADER                                                                                                 \
	"\"timestamp\",\"utime\",\"stime\",\"memory_mib\",\"members\",\"disk_read_bytes\",\"disk_write_bytes\",\"rss_" \
	"mib\"\n"

/* Both processors were busy until the root's last word, and what its end took came after that. */
static void busy_machine(void)
{
	static const struct row row = {"what an end takes comes after all that a busy machine has given",
		"\"mode\": \"preload\", \"nameless_mib\": 500}}", TOLD, SAYS_SO, 0.303, 90, false, true};

	scratch_write("process.csv", PROCESS_HEADER "104,7.99,0,1,1,0,0,0\n");
	check(&row, "", 9);
}

int main(void)
{
	scratch_collect_messages();
	scratch_write("start.csv", START_HEADER "100,10,9000,1,,\n101,11,9100,10,,\n");
	scratch_write("process.csv", PROCESS_HEADER "104,2,0,1,1,0,0,0\n");
	scratch_write("system.csv", "\"timestamp\",\"tracker_cpu\"\n104,0\n");
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		check(&rows[i], "", 9);
	for (size_t i = 0; i < ARRAY_LENGTH(first_rows); i++)
		check(&first_rows[i], "", 1);
	for (size_t i = 0; i < ARRAY_LENGTH(fault_rows); i++)
		check(&fault_rows[i], ",\"minor_faults\",\"children_minor_faults\"", 9);
	bytes_of_the_unseen();
	likely_peaks();
	for (size_t i = 0; i < ARRAY_LENGTH(peaks); i++) {
		const struct row row = {
			.what = peaks[i].what, .tracker = QUIET, .root = peaks[i].root, .child = peaks[i].child};
		double mib = UNKNOWN;
		(void)totals_of(&row, "", 9, peaks[i].pid, &mib);
		is_number(mib, peaks[i].mib, "  its peak");
	}
	named_children();
	lent_memory();
	images_before();
	busy_machine();
	return done();
}
