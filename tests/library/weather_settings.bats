#!/usr/bin/env bats
# Tests of settings in the environment: RTRACK=off, excluded programs, and invalid values
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	ACCOUNTED=1
}

@test "with RTRACK=off, no file is written" {
	export RTRACK=off
	same_every_way sh -c 'env | grep -v "^RTRACK_SPOOL=" | grep RTRACK_; sh -c "exit 4"'
	bare_status_is 4
	records_hold
	for way in preload launcher; do
		[ ! -e "$(spool_of $way)" ]
	done
}

@test "a child that is started with RTRACK=off is not recorded" {
	one_way preload sh -c 'RTRACK=off /bin/cat /dev/null; /bin/true; :'
	run=$(run_of preload)
	fails grep -q '/cat"' "$run/start.csv"
	grep -qF true "$run/start.csv"
}

@test "RTRACK=off set inside a script hides programs that the script starts later" {
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' '/bin/sleep 0.31' 'export RTRACK=off' '/bin/sleep 0.62' \
		'python3 -c "import time; x = bytearray(90 << 20); time.sleep(0.5)" secret' : >job.sh
	export RTRACK_INTERVAL=0.05
	for way in preload launcher; do
		one_way $way bash job.sh
		run=$(run_of $way)
		grep -F 'sleep 0.31' "$run/start.csv"
		fails grep -e 'sleep 0.62' -e python -e secret "$run/start.csv"
		"$BUILD/rtrack-report" stats --format json "$run" | jq -e '.run.status == "finished"'
		# Each pid with more than a few rows in member.csv also has a row in start.csv. A tick may see a fork of
		# the script before the fork executes a hidden program, which lives for ten ticks or more.
		[ -z "$(comm -13 <(cut -d, -f2 "$run/start.csv" | sort -u) <(cut -d, -f2 "$run/member.csv" | sort | uniq -c | awk '$1 > 4 { print $2 }' | sort))" ]
	done
}

@test "an excluded child process leaves no records, and other children leave theirs" {
	export RTRACK_EXCLUDE='nothing-like-this,slee?,*/bin/cat'
	same_every_way sh -c 'sleep 0.05; cat /dev/null; /bin/true; exit 3'
	bare_status_is 3
	records_hold
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(cut -d, -f5 "$run/start.csv" | grep -cF -e /sleep -e /cat)" = 0 ]
		[ "$(cut -d, -f5 "$run/start.csv" | grep -cF /true)" = 1 ]
	done
}

@test "if the first program is excluded, there is no run" {
	export RTRACK_EXCLUDE=true
	one_way preload /bin/true
	[ "$(cat preload.status)" = 0 ]
	[ -z "$(ls "$(spool_of preload)" 2>/dev/null)" ]
}

@test "an invalid RTRACK_INTERVAL is replaced by the default interval" {
	for bad in '' 0 -1 0.0001 3601 nan inf 1,5 one '1 ' 1e99 0x1 --; do
		rm -rf "$(spool_of preload)"
		RTRACK_INTERVAL=$bad one_way preload sh -c 'exit 3'
		[ "$(cat preload.status)" = 3 ]
		[ ! -s preload.err ]
		[ "$(json interval "$(run_of preload)/run.json" | awk '{ print $1 + 0 }')" = 1 ]
	done
}

@test "valid intervals are used as given" {
	for good in 0.001 0.5 2 3600 1e0; do
		rm -rf "$(spool_of preload)"
		RTRACK_INTERVAL=$good one_way preload true
		[ "$(json interval "$(run_of preload)/run.json" | awk '{ print $1 + 0 }')" = \
			"$(awk "BEGIN { print $good + 0 }")" ]
	done
}

@test "invalid values of other settings do not change the job" {
	export RTRACK_MEMORY=guess RTRACK_GPU=maybe RTRACK_MIN_SECONDS=soon RTRACK_SPOOL_MAX_MIB=-1 RTRACK_TAGS='=,==,,a' \
		RTRACK_DEBUG=/nowhere/at/all RTRACK_EXCLUDE=',,*[' RTRACK=maybe
	one_way bare sh -c 'echo here; exit 3'
	one_way preload sh -c 'echo here; exit 3'
	looks_bare preload
	[ "$(json status "$(run_of preload)/run.json")" = failed ]
}

@test "an invalid RTRACK_RUN does not change the job" {
	for value in '' relative /nowhere /etc /etc/passwd "$PWD"; do
		rm -rf "$(spool_of preload)"
		for way in bare preload; do
			RTRACK_RUN=$value one_way $way sh -c 'sh -c "echo here"; exit 3'
		done
		looks_bare preload
		[ -z "$(ls | grep -v -e '^bare\.' -e '^preload\.' -e '^spool-')" ]
	done
}

@test "a run shorter than RTRACK_MIN_SECONDS is removed when it ends" {
	export RTRACK_MIN_SECONDS=3000
	same_every_way sh -c 'seq 1 3; exit 3'
	records_hold
	for way in preload launcher; do
		[ -z "$(ls "$(spool_of $way)" 2>/dev/null)" ]
	done
}

@test "the input size in run.json excludes the script and the program" {
	printf 'cat "$1" >/dev/null\n' >script.sh
	head -c 1000 /dev/zero >data
	head -c 24 /dev/zero >more
	export RTRACK_INPUTS=more
	# The search for input files stops after half a millisecond, so a slow machine may need several attempts.
	local known= tries=50
	until [ "$known" = "1024 1024" ] || [ "$tries" -eq 0 ]; do
		rm -rf "$(spool_of preload)" "$(spool_of launcher)"
		same_every_way sh script.sh data
		records_hold
		known=$(jq .input_bytes "$(run_of preload)/run.json" "$(run_of launcher)/run.json" | tr '\n' ' ' | sed 's/ $//')
		[[ $known =~ ^(1024|null)\ (1024|null)$ ]]
		tries=$((tries - 1))
	done
	[ "$known" = "1024 1024" ]
}

@test "the resources requested from Slurm are in run.json" {
	export SLURM_MEM_PER_NODE=4000 SLURM_CPUS_ON_NODE=2 SLURM_GPUS_ON_NODE=1 SLURM_JOB_START_TIME=100 SLURM_JOB_END_TIME=700
	same_every_way true
	records_hold
	for way in preload launcher; do
		[ "$(jq -c .requested "$(run_of $way)/run.json")" = '{"cpu":2,"memory_mib":4000,"gpu":1,"seconds":600,"end_time":700}' ]
	done
}

@test "RTRACK_JOB and RTRACK_TAGS are in run.json" {
	export RTRACK_JOB='my job' RTRACK_TAGS='team=blue,stage=test'
	for way in preload launcher; do
		one_way $way true
		run=$(run_of $way)
		[ "$(json job "$run/run.json")" = 'my job' ]
		grep -q '"team": "blue"' "$run/run.json"
		grep -q '"stage": "test"' "$run/run.json"
	done
}

@test "RTRACK_DEBUG does not change the job's output" {
	export RTRACK_DEBUG=$PWD/debug.txt
	same_every_way sh -c 'seq 1 3 | sort -r; exit 3'
	bare_status_is 3
	records_hold
}

@test "errors are written only to the file named by RTRACK_DEBUG" {
	echo >file
	SPOOL_FOR_ALL=$PWD/file/below
	export RTRACK_DEBUG=$PWD/debug.txt
	same_every_way sh -c 'seq 1 3 | sort -r; exit 3'
	bare_status_is 3
	records_hold
	grep -q '^librtrack: process [0-9]*: ' debug.txt
	grep -q '^rtrack-run: ' debug.txt
	# Without that file, failures are not reported anywhere.
	unset RTRACK_DEBUG
	same_every_way sh -c 'seq 1 3 | sort -r; exit 3'
	records_hold
}

# calls_of_member: prints the system calls of the last program that a shell starts under the library, once the sampler
# runs.
calls_of_member() {
	strace -f -o calls env "LD_PRELOAD=$LIBRARY" "$@" sh -c '
		until [ -z "$RTRACK_RUN" ] || { read -r header && read -r row; } <"$RTRACK_RUN/system.csv"; do :; done
		/bin/true; :'
	awk '/execve\("\/bin\/true"/ { pid = $1 } pid && $1 == pid && !/ resumed>/' calls
}

@test "a short program makes few extra system calls, an excluded program hardly any" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace does not work here"
	calls_of_member RTRACK=off >off
	calls_of_member RTRACK_EXCLUDE=true >excluded
	calls_of_member >member
	# The program opens only the files of the two records for writing.
	[ "$(grep -cE 'O_WRONLY|O_RDWR' member)" = 2 ]
	grep -q 'O_APPEND' member
	grep -q '/start.csv' member
	grep -q '/exit.csv' member
	fails grep -e 'O_WRONLY' -e '/proc/self/s' excluded
	for kind in off excluded member; do
		echo "$kind: $(wc -l <$kind) calls"
	done
	# The two extra calls check whether the program's name is a symbolic link.
	[ $(($(wc -l <excluded) - $(wc -l <off))) -le 2 ]
	[ $(($(wc -l <member) - $(wc -l <off))) -le 32 ]
	# The process reads in start.csv that the sampler lives, and under which pid the sampler sees this process.
	fails grep -E '"[^"]*/(\.lock|system\.csv)"|"/proc/self"' member
	# Signals are blocked once, when the program starts. At the end of an untracked program the library does
	# nothing.
	[ "$(grep -c SIG_BLOCK off)" = 1 ]
	[ "$(grep -c SIG_BLOCK excluded)" = 1 ]
}

@test "a program is excluded by its own name, not by the name of a link or a script" {
	mkdir links
	cp /bin/true links/own
	ln -s own links/linked
	(cd links && ln -s . again)
	printf '#!/bin/sh\n:\n' >links/script
	chmod +x links/script
	excluded_is() {
		rm -rf "$(spool_of preload)"
		RTRACK_EXCLUDE=$1 one_way preload sh -c 'links/own; "$PWD/links/again/own"; links/linked; links/script; :'
		run=$(run_of preload)
		[ "$(cut -d, -f5 "$run/start.csv" | grep -c '/links/own"$')" = "$2" ]
		[ "$(grep -cF '"/bin/sh links/script"' "$run/start.csv")" = "$3" ]
	}
	excluded_is other 3 1
	excluded_is own 0 1
	excluded_is linked,script 3 1
	excluded_is '*/links/own' 0 1
	excluded_is ownx,ow,/own 3 1
}
