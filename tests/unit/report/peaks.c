/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/model/own_bytes.h, peaks.h and exact.h, by the totals of small runs. */
#include "report/model/totals.h"

#include "tests/unit/lib/run_files.h"
#include "tests/unit/lib/tap.h"

#define START "\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"exe\",\"command\",\"earlier_peak_mib\"\n"
#define EXIT                                                                                                           \
	"\"timestamp\",\"pid\",\"start_ticks\",\"ppid\",\"utime\",\"stime\",\"peak_rss_mib\",\"minor_faults\","        \
	"\"source\",\"exact\",\"exact_peak\",\"children_peak_mib\",\"children_minor_faults\",\"missing_cpu\","         \
	"\"children_left\",\"children_ignored\",\"shared_mib\",\"shared_size_mib\",\"shared_object\"\n"
#define NONE ",,,\"\"\n"
#define MEMBER "\"timestamp\",\"pid\",\"utime\",\"stime\",\"memory_mib\",\"rss_mib\"\n"
#define PROCESS "\"timestamp\",\"utime\",\"stime\",\"memory_mib\",\"rss_mib\",\"members\"\n"

/* Process 10 is the root. Ticks are one second apart. The machine booted at 10. */
#define ROOT "100,10,9000,1,\"/bin/a\",\"a\",1\n"
#define FORK(start, pid) start "," pid "," start "00,10,\"/bin/a\",\"a\",\n"
#define PROGRAM(start, pid) start "," pid "," start "00,10,\"/bin/b\",\"b\",1\n"
#define ROOT_ENDS(time, mib) time ",10,9000,1,1,0," mib ",9999,\"self\",1,1,,,,0,0" NONE
#define ROOT_OF(mib, children_mib, faults)                                                                             \
	"110,10,9000,1,1,0," mib ",9999,\"self\",1,1," children_mib "," faults ",,0,0" NONE
#define ENDS(time, pid, start, mib, faults)                                                                            \
	time "," pid "," start "00,10,0,0," mib "," faults ",\"self\",1,1,,,,0,0" NONE
#define KILLED(time, pid, start, mib, faults)                                                                          \
	time "," pid "," start "00,10,0,0," mib "," faults ",\"sampler\",0,0,,,0,0,0" NONE

/* A program that starts between two ticks. It ends after 12,800 page faults, or without a record. */
#define LATER(start, ticks, pid) start "," pid "," ticks ",10,\"/bin/b\",\"b\",1\n"
#define LATER_ENDS(time, pid, ticks) time "," pid "," ticks ",10,0,0,50,12800,\"self\",1,1,,,,0,0" NONE
#define LATER_KILLED(pid, ticks) "104," pid "," ticks ",10,0,0,,,\"sampler\",0,0,,,0,0,0" NONE
/* A program of 1 MiB that waits for its static child. The child has 50 MiB and leaves no record. */
#define WAITED(time, pid, ticks) time "," pid "," ticks ",10,0,0,1,256,\"self\",1,1,50,12800,,0,0" NONE
#define STATIC(start, ticks, pid, parent) start "," pid "," ticks "," parent ",\"/bin/s\",\"s\",\n"
#define STATIC_KILLED(ticks, pid, parent) "104," pid "," ticks "," parent ",0,0,50,12800,\"sampler\",0,0,,,0,0,0" NONE
#define ROOT_KILLED "110,10,9000,1,1,0,,102400,\"launcher\",1,0,400,,,0,0" NONE

/* A row of a process that has mapped some MiB of a shared object of 200 MiB. */
#define SHARES(time, pid, start, mib, faults, shared, object)                                                          \
	time "," pid "," start "00,10,0,0," mib "," faults ",\"self\",1,1,,,,0,0," shared ",200,\"" object "\"\n"

#define LAUNCHED "\"mode\": \"launcher\", \"cgroup_shared\": 1"

struct row {
	const char *what, *start, *exit, *member, *process;
	double least, peak, most;
	bool exact_memory;
};

/* Twelve ticks of a root with 100 MiB and no children. */
#define TICK(time, mib) time ",0,0," mib "," mib ",2\n"
#define TEN_TICKS                                                                                                      \
	TICK("101", "100")                                                                                             \
	TICK("102", "100")                                                                                             \
	TICK("103", "100")                                                                                             \
	TICK("104", "100")                                                                                             \
	TICK("105", "100")                                                                                             \
	TICK("106", "100")                                                                                             \
	TICK("107", "100")                                                                                             \
	TICK("108", "100")                                                                                             \
	TICK("109", "100") "110,1,0,100,100,2\n"
#define ROOT_ROW "101,10,0,0,100,100\n"

static const struct row rows[] = {
	{"a process alone has its own peak", ROOT, ROOT_ENDS("110", "130"), ROOT_ROW, TEN_TICKS, 130, 130, 130, true},
	{"a program between two ticks counts with all of its memory", ROOT PROGRAM("103", "11"),
		ENDS("103.5", "11", "103", "50", "999") ROOT_OF("100", "50", "999"), ROOT_ROW, TEN_TICKS, 100, 150, 150,
		false},
	{"two programs between ticks count once if they did not overlap",
		ROOT PROGRAM("103", "11") PROGRAM("105", "12"),
		ENDS("103.5", "11", "103", "50", "999") ENDS("105.5", "12", "105", "50", "999")
			ROOT_OF("100", "50", "1998"),
		ROOT_ROW, TEN_TICKS, 100, 150, 150, false},
	{"two programs between ticks count twice if they overlapped", ROOT PROGRAM("103", "11") PROGRAM("103", "12"),
		ENDS("103.5", "11", "103", "50", "999") ENDS("103.5", "12", "103", "50", "999")
			ROOT_OF("100", "50", "1998"),
		ROOT_ROW, TEN_TICKS, 100, 200, 200, false},
	{"a script's child has ended when the script executes another program",
		ROOT PROGRAM("103", "11") "103.1,12,10310,11,\"/bin/p\",\"p\",1\n"
					  "103.5,11,10300,10,\"/bin/c\",\"c\",2\n",
		"103.4,12,10310,11,0,0,120,30720,\"self\",1,1,,,,0,0" NONE
		"103.9,11,10300,10,0,0,304,77824,\"self\",1,1,120,30720,,0,0" NONE ROOT_OF("100", "304", "108544"),
		ROOT_ROW, TEN_TICKS, 304, 404, 524, false},
	{"a fork counts with the pages that it can have written", ROOT FORK("103", "11"),
		ENDS("103.5", "11", "103", "100", "2560") ROOT_OF("100", "100", "2560"), ROOT_ROW, TEN_TICKS, 100, 110,
		110, false},
	{"a fork counts with new memory even if huge pages took few faults", ROOT FORK("103", "11"),
		ENDS("103.5", "11", "103", "180", "2560") ROOT_OF("100", "180", "2560"), ROOT_ROW, TEN_TICKS, 180, 180,
		180, true},
	{"a parent that ends leaves its memory to its forks", ROOT FORK("103", "11") PROGRAM("105", "12"),
		ENDS("109", "11", "103", "100", "256") ENDS("106", "12", "105", "50", "999") ROOT_ENDS("104", "100"),
		ROOT_ROW "106,11,0,0,100,100\n", TEN_TICKS, 100, 150, 151, false},
	{"long-lived workers that peak at different times do not add up",
		ROOT PROGRAM("101", "11") PROGRAM("101", "12"),
		ENDS("109", "11", "101", "60", "999") ENDS("109", "12", "101", "50", "999")
			ROOT_OF("100", "60", "1998"),
		ROOT_ROW "102,11,0,0,10,10\n102,12,0,0,10,10\n", TEN_TICKS, 100, 150, 210, false},
	{"a short process that a tick saw does not count twice", ROOT PROGRAM("103", "11"),
		ENDS("104.5", "11", "103", "50", "999") ROOT_OF("60", "50", "999"),
		"101,10,0,0,60,60\n104,11,0,0,40,40\n", TEN_TICKS, 100, 110, 110, false},
	{"memory that forks share counts once", ROOT FORK("103", "11") FORK("103", "12"),
		SHARES("103.5", "11", "103", "220", "52480", "200", "0:1 7")
			SHARES("103.5", "12", "103", "220", "52480", "200", "0:1 7") ROOT_OF("100", "220", "104960"),
		ROOT_ROW, TEN_TICKS, 220, 340, 340, false},
	{"each shared object counts once", ROOT FORK("103", "11") FORK("103", "12"),
		SHARES("103.5", "11", "103", "220", "52480", "200", "0:1 7")
			SHARES("103.5", "12", "103", "220", "52480", "200", "0:1 8") ROOT_OF("100", "220", "104960"),
		ROOT_ROW, TEN_TICKS, 220, 510, 510, false},
	{"each part of a shared object that only one fork touched counts", ROOT FORK("103", "11") FORK("103", "12"),
		SHARES("103.5", "11", "103", "60", "12800", "50", "0:1 7")
			SHARES("103.5", "12", "103", "60", "12800", "50", "0:1 7") ROOT_OF("100", "60", "25600"),
		ROOT_ROW, TEN_TICKS, 100, 200, 200, false},
	{"memory freed before the end counts, by its page faults", ROOT PROGRAM("103", "11") PROGRAM("103", "12"),
		SHARES("103.5", "11", "103", "200", "102400", "200", "0:1 7")
			SHARES("103.5", "12", "103", "200", "102400", "200", "0:1 7") ROOT_OF("100", "200", "204800"),
		ROOT_ROW, TEN_TICKS, 200, 500, 500, false},
	{"a process without a record has the peak that only its parent's account has", ROOT PROGRAM("103", "11"),
		KILLED("103.5", "11", "103", "20", "2560") ROOT_OF("100", "150", "9999"), ROOT_ROW, TEN_TICKS, 150, 250,
		250, false},
	{"a process without a record has its last tick's memory if another explains the account",
		ROOT PROGRAM("103", "11") PROGRAM("103", "12"),
		KILLED("103.5", "11", "103", "20", "2560") ENDS("103.5", "12", "103", "150", "999")
			ROOT_OF("100", "150", "3559"),
		ROOT_ROW, TEN_TICKS, 150, 270, 270, false},
	{"processes without records have what their parent's account allows",
		ROOT PROGRAM("103", "11") PROGRAM("103", "12"),
		KILLED("103.5", "11", "103", "", "0") KILLED("103.5", "12", "103", "", "0")
			ROOT_OF("100", "50", "20480"),
		ROOT_ROW, TEN_TICKS, 100, 180, 180, false},
	{"a fork without a record counts with its page faults", ROOT FORK("103", "11"),
		KILLED("103.5", "11", "103", "100", "2560") ROOT_OF("100", "100", "2560"), ROOT_ROW, TEN_TICKS, 100,
		110, 110, false},
	{"a killed program does not overlap a program that was started afterwards",
		ROOT PROGRAM("103", "11") LATER("105.5", "10550", "12"),
		KILLED("106", "11", "103", "50", "12800") LATER_ENDS("109", "12", "10550")
			ROOT_OF("100", "50", "25600"),
		ROOT_ROW "104,11,0,0,50,50\n106,12,0,0,50,50\n", TEN_TICKS, 100, 150, 200, false},
	{"programs that no tick saw do not overlap if their parent waits for each",
		ROOT LATER("103.2", "10320", "11") LATER("103.4", "10340", "12") LATER("103.6", "10360", "13"),
		LATER_KILLED("11", "10320") LATER_KILLED("12", "10340") LATER_KILLED("13", "10360")
			ROOT_OF("100", "50", "38400"),
		ROOT_ROW, TEN_TICKS, 100, 150, 250, false},
	{"a fork inherits the memory of its static parent, and does not add it",
		ROOT PROGRAM("103", "11")
			STATIC("103.1", "10310", "12", "11") "103.3,13,10330,12,\"/bin/b\",\"b\",50\n",
		"103.35,13,10330,12,0,0,2,512,\"self\",1,1,,,,0,0" NONE WAITED("103.4", "11",
			"10300") "104,12,10310,11,0,0,40,10240,\"sampler\",0,0,,,0,0,0" NONE ROOT_OF("100", "50",
			"13056"),
		ROOT_ROW, TEN_TICKS, 100, 153, 153, false},
	{"a child without a record ended before the parent that reaped it",
		ROOT PROGRAM("103", "11") STATIC("103.1", "10310", "12", "11") LATER("103.5", "10350", "13")
			STATIC("103.6", "10360", "14", "13"),
		WAITED("103.4", "11", "10300") STATIC_KILLED("10310", "12", "11") WAITED("103.9", "13", "10350")
			STATIC_KILLED("10360", "14", "13") ROOT_OF("100", "50", "26112"),
		ROOT_ROW, TEN_TICKS, 100, 151, 151, false},
	{"programs that no tick saw overlap if their parent had two children at once",
		ROOT PROGRAM("101", "14") PROGRAM("101", "15") LATER("103.2", "10320", "11")
			LATER("103.4", "10340", "12") LATER("103.6", "10360", "13"),
		ENDS("102", "14", "101", "1", "256") ENDS("102", "15", "101", "1", "256") LATER_KILLED("11", "10320")
			LATER_KILLED("12", "10340") LATER_KILLED("13", "10360") ROOT_OF("100", "50", "38912"),
		ROOT_ROW, TEN_TICKS, 100, 200, 250, false},
	{"a root killed after an exec has the peak that rtrack-run read", ROOT PROGRAM("103", "11"),
		ENDS("103.5", "11", "103", "2", "512") ROOT_KILLED, "101,10,0,0,7,8\n", TEN_TICKS, 400, 402, 402,
		false},
	{"a root killed after an exec, beside a larger child without a record", ROOT PROGRAM("103", "11"),
		KILLED("106", "11", "103", "300", "") ROOT_KILLED, "101,10,0,0,7,8\n104,11,0,0,300,300\n", TEN_TICKS,
		400, 408, 408, false},
	{"a child without a row counts with the page faults that no row explains", ROOT, ROOT_OF("100", "30", "2560"),
		ROOT_ROW, TEN_TICKS, 100, 110, 110, false},
	{"a child without a row has at most the largest reaped peak", ROOT, ROOT_OF("100", "5", "2560"), ROOT_ROW,
		TEN_TICKS, 100, 105, 105, true},
};

static const char *status = "finished";

static struct totals totals_of(const char *tracker, size_t *lacks)
{
	struct totals totals = {0};
	struct run run;
	struct series process, system;
	struct processes processes;
	char json[512];

	snprintf(json, sizeof json,
		"{\"status\": \"%s\", \"pid\": 10, \"start_time\": 100, \"stop_time\": 110, \"interval\": 1, "
		"\"server\": {\"memory_mib\": 1000}, \"tracker\": {%s}}",
		status, tracker);
	scratch_write("run.json", json);
	series_load(&process, files_of(scratch_directory()), TABLE_process, TOTALS_PROCESS_COLUMNS);
	series_load(&system, files_of(scratch_directory()), TABLE_system, TOTALS_SYSTEM_COLUMNS);
	if (!ok(run_open(&run, scratch_directory()) == 0, "the run is opened"))
		return totals;
	processes_load(&processes, files_of(scratch_directory()));
	totals_make(&totals, &run, &process, &system, &processes);
	*lacks = processes.lacks_some;
	processes_free(&processes);
	series_free(&process);
	series_free(&system);
	run_close(&run);
	return totals;
}

static void write_table(const char *name, const char *header, const char *table)
{
	char text[4096];

	snprintf(text, sizeof text, "%s%s", header, table);
	scratch_write(name, text);
}

static void peaks(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t lacks;
		write_table("start.csv", START, rows[i].start);
		write_table("exit.csv", EXIT, rows[i].exit);
		write_table("member.csv", MEMBER, rows[i].member);
		write_table("process.csv", PROCESS, rows[i].process);
		struct totals totals = totals_of(LAUNCHED, &lacks);
		ok(true, rows[i].what);
		is_number(totals.peak_memory_at_least_mib, rows[i].least, "  least");
		is_number(totals.peak_memory_mib, rows[i].peak, "  the peak");
		is_number(totals.peak_memory_at_most_mib, rows[i].most, "  most");
		ok(totals.exact_memory == rows[i].exact_memory, "  whether it is exact");
	}
}

/* Tests the ends of a child, and whether the run's CPU time, 1 s, is called exact. */
static void exact(void)
{
#define CHILD "103.5,11,10300,10,0,0,20,99,"
#define AS_ROOT "110,10,9000,1,1,0,100,9999,\"self\",1,1,20,99,"
	static const struct {
		const char *what, *tracker, *child, *root;
		bool exact;
	} cases[] = {
		{"each process recorded its end", LAUNCHED, CHILD "\"self\",1,1,,,,0,0" NONE, AS_ROOT ",0,0" NONE,
			true},
		{"a zombie was read", LAUNCHED, CHILD "\"sampler\",1,0,,,,0,0" NONE, AS_ROOT ",0,0" NONE, true},
		{"a process without a record is in its parent's account", LAUNCHED,
			CHILD "\"sampler\",0,0,,,0.5,," NONE, AS_ROOT ",0,0" NONE, true},
		{"a process without a record is lost if its parent did not reap it", LAUNCHED,
			CHILD "\"sampler\",0,0,,,0.5,," NONE, AS_ROOT ",1,0" NONE, false},
		{"a process without a record is lost if its parent ignored SIGCHLD", LAUNCHED,
			CHILD "\"sampler\",0,0,,,0.5,," NONE, AS_ROOT ",0,1" NONE, false},
		{"the run's control group agrees, whatever the records contain",
			"\"cgroup_cpu\": 1.005, \"cgroup_shared\": 0", CHILD "\"sampler\",0,0,,,0.5,," NONE,
			AS_ROOT ",1,1" NONE, true},
		{"the run's control group has more CPU time", "\"cgroup_cpu\": 1.5, \"cgroup_shared\": 0",
			CHILD "\"self\",1,1,,,,0,0" NONE, AS_ROOT ",0,0" NONE, false},
		{"the run's control group has less CPU time", "\"cgroup_cpu\": 0.5, \"cgroup_shared\": 0",
			CHILD "\"self\",1,1,,,,0,0" NONE, AS_ROOT ",0,0" NONE, false},
		{"an unknown process is in the control group", "\"cgroup_cpu\": 1, \"cgroup_shared\": 2",
			CHILD "\"self\",1,1,,,,0,0" NONE, AS_ROOT ",0,0" NONE, false},
		{"rows could not be written", LAUNCHED ", \"truncated\": 2", CHILD "\"self\",1,1,,,,0,0" NONE,
			AS_ROOT ",0,0" NONE, false},
	};

	scratch_write("start.csv", START ROOT PROGRAM("103", "11"));
	scratch_write("member.csv", MEMBER ROOT_ROW);
	scratch_write("process.csv", PROCESS TEN_TICKS);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1024];
		size_t lacks;
		snprintf(text, sizeof text, "%s%s%s", EXIT, cases[i].child, cases[i].root);
		scratch_write("exit.csv", text);
		struct totals totals = totals_of(cases[i].tracker, &lacks);
		ok(totals.exact_cpu == cases[i].exact, cases[i].what);
		is_number(
			totals.missing_cpu_seconds_at_most, cases[i].exact ? 0 : UNKNOWN, "  missing CPU time at most");
	}
}

/* Tests facts that only a parent's account contains. */
static void known_by_accounts(void)
{
	size_t lacks = 0;

	scratch_write("exit.csv", EXIT ENDS("103.5", "11", "103", "20", "500") ROOT_OF("100", "20", "502"));
	(void)totals_of(LAUNCHED, &lacks);
	ok(!lacks, "the page faults of an end belong to a known process");
	scratch_write("exit.csv", EXIT ENDS("103.5", "11", "103", "20", "500") ROOT_OF("100", "20", "540"));
	(void)totals_of(LAUNCHED, &lacks);
	ok(lacks, "more page faults belong to a process without a row");
}

/* While a job runs, it is unknown what its forks share with their parent. */
static void running(void)
{
	size_t lacks = 0;

	scratch_write("start.csv", START ROOT FORK("107", "11") FORK("107", "12"));
	scratch_write("exit.csv", EXIT);
	scratch_write("member.csv", MEMBER "101,10,0,0,100,100\n108,11,0,0,10,100\n108,12,0,0,10,100\n");
	scratch_write("process.csv", PROCESS TEN_TICKS);
	status = "running";
	struct totals totals = totals_of(LAUNCHED, &lacks);
	is_number(totals.peak_memory_mib, 100, "the peak of a running job is that of its ticks");
	status = "finished";
	totals = totals_of(LAUNCHED, &lacks);
	ok(totals.peak_memory_mib > 100, "  but not after it has finished without their records");
}

static void limited(void)
{
	size_t lacks = 0;

	scratch_write("start.csv", START ROOT PROGRAM("101", "11") PROGRAM("101", "12"));
	scratch_write("exit.csv", EXIT ENDS("109", "11", "101", "60", "99999") ENDS("109", "12", "101", "50", "99999")
					  ROOT_OF("100", "60", "199998"));
	scratch_write("system.csv", "\"timestamp\",\"cgroup_memory_limit_mib\"\n101,180\n102,180\n");
	struct totals totals = totals_of(LAUNCHED, &lacks);
	is_number(totals.peak_memory_at_most_mib, 180, "the peak is at most the limit of the control group");
	scratch_write("system.csv", "\"timestamp\",\"cgroup_memory_limit_mib\"\n101,180\n102,\n");
	totals = totals_of(LAUNCHED, &lacks);
	is_number(totals.peak_memory_at_most_mib, 210, "  unless the group had no limit for a while");
	scratch_write("system.csv", "");
}

int main(void)
{
	scratch_collect_messages();
	peaks();
	exact();
	known_by_accounts();
	running();
	limited();
	return done();
}
