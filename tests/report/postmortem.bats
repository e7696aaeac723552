#!/usr/bin/env bats
# Tests of the report on a run out of memory, for runs with known figures. tests/truth/killed.bats has real runs.

load ../lib/helper
load ../lib/runs
load ../lib/page
load ../lib/screens

bats_require_minimum_version 1.5.0

# In this run of four ticks, gcc (process 12) grows by 100 MiB a second and is killed in the third tick.
setup() {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001 failed)
	start=1795226400
	set_column "$run/system.csv" cgroup_memory_limit_mib 512
	set_column "$run/system.csv" cgroup_oom_kills 0 0 1 0
	set_column "$run/exit.csv" exit_signal "" 9 ""
	set_column "$run/exit.csv" exit_code 0 "" 3
	set_column "$run/exit.csv" timestamp $start.9 $((start + 3)).1 $((start + 4)).0
	set_column "$run/exit.csv" peak_rss_mib 4.5 310 200
	{
		echo '"timestamp","pid","memory_mib","rss_mib"'
		for tick in 1 2 3; do
			echo "$((start + tick)).000,10,200,210"
			echo "$((start + tick)).000,12,$((tick * 100)),$((tick * 100))"
		done
		echo "$start.800,11,40,40"
	} >"$run/member.csv"
}

teardown() {
	close_terminal
}

value() {
	"$BUILD/rtrack-report" show --format json "$run" | jq -c ".out_of_memory$1"
}

@test "out of memory: show prints limit, time, victim, largest processes and request" {
	[ "$(value '|[.limit,.limit_mib,.time]')" = '["cgroup",512,1795226403.1]' ]
	[ "$(value '.victim|[.pid,.program]')" = '[12,"gcc"]' ]
	[ "$(value '.holders|map([.pid,.held_mib])')" = '[[12,310],[10,200]]' ]
	# gcc started at 0.6 s and had 310 MiB 2.5 s later.
	[ "$(value '.holders[0]|[.grown_mib,.seconds]')" = '[310,2.5]' ]
	[ "$(value '.ask_memory_mib')" -gt 512 ]
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -x 'Out of memory after 3.1 s: 512 MiB, the limit of its control group' shown
	grep -x '  killed    gcc (process 12), at 2026-11-21 02:00:03 UTC' shown
	grep -x '  in use    310 MiB gcc (process 12), +124 MiB/s in the last 2.5 s' shown
	grep -x '            200 MiB job\.R (process 10), .*' shown
	grep -x '  request   1 GiB' shown
}

@test "out of memory: growth long before the kill does not count as recent growth" {
	sed -i "/^$((start + 2)).000,10,/d; /^$((start + 3)).000,10,/d" "$run/member.csv"
	[ "$(value '.holders[1]|[.pid,.held_mib,(.seconds > 2.5)]')" = '[10,200,true]' ]
}

@test "out of memory: a process that ended before the kill used no memory at the kill" {
	held() { value '.holders|map(.pid)'; }
	echo "$((start + 2)).000,11,150,150" >>"$run/member.csv"
	set_column "$run/exit.csv" exit_signal none 9 none
	sed -i 's/,none,/,,/' "$run/exit.csv"
	set_column "$run/exit.csv" timestamp $((start + 2)).7 $((start + 3)).1 $((start + 4)).0
	[ "$(held)" = '[12,10]' ]
	fails grep -q 'process 11' <<<"$("$BUILD/rtrack-report" show -v "$run" | grep -A3 'in use')"
	"$BUILD/rtrack-report" html -o page.html "$run"
	[ "$(grep -A9 'Memory at the end' page.html | grep -c '(process 11)')" = 0 ]
	# The sampler records the end of a process only in the next tick.
	set_column "$run/exit.csv" source sampler self self
	[ "$(held)" = '[12,10,11]' ]
	set_column "$run/exit.csv" source self sampler self
	[ "$(held)" = '[12,10,11]' ]
	set_column "$run/exit.csv" source self launcher self
	[ "$(held)" = '[12,10]' ]
	# The kernel may kill several processes at once.
	set_column "$run/exit.csv" exit_signal 9 9 0
	[ "$(held)" = '[12,10,11]' ]
}

@test "out of memory: a run that survived a kernel kill names the killed process" {
	sed -i 's/"status": "failed", "exit_code": 3/"status": "finished", "exit_code": 0/' "$run/run.json"
	set_column "$run/exit.csv" exit_code 0 "" 0
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -q '^job.R finished in 4 s$' shown
	grep -xE 'Killed +gcc \(process 12\), out of memory at 512 MiB' shown
	"$BUILD/rtrack-report" show --short "$run" >shown
	grep -E "^  killed gcc \\(process 12\\), out of memory at 512 MiB; CPU " shown
	[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -c '[.out_of_memory, .ended.outcome, .ended.outlived.limit_mib, .ended.outlived.time, .ended.outlived.victim.pid]')" = \
		'[null,"finished",512,1795226403.1,12]' ]
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q '<p class="warning">The kernel killed gcc (process 12), out of memory at 512 MiB, and the job went on.</p>' page.html
	fails grep -q 'card postmortem' page.html
	"$BUILD/rtrack-report" list --trend --format json |
		jq -e '.[0] | .not_finished == 0 and .medians.wall_seconds == 4 and (.out_of_line | map(.reason)) == ["one of its processes ran out of memory at 512 MiB"]'
	"$BUILD/rtrack-report" html --all -o site
	fails grep -q 'id="failures"' site/index.html
	grep -A1 '<h2>Unusual runs</h2>' site/index.html | grep -q '>1<'
	[[ $("$BUILD/rtrack-report" recommend "$run") == *'process ran out of memory at its limit, 512 MiB'* ]]
	# The run failed later, for another reason.
	sed -i 's/"status": "finished", "exit_code": 0/"status": "failed", "exit_code": 3/; s/"stop_time": 1795226404/"stop_time": 1795226414/' "$run/run.json"
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -q '^job.R failed with exit status 3' shown
	grep -xE 'Killed +gcc \(process 12\), out of memory at 512 MiB' shown
	# A process without a recorded end may have been killed.
	set_column "$run/exit.csv" exit_signal ""
	set_column "$run/exit.csv" exit_code 0 0 3
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -xE 'Killed +an unknown process, out of memory at 512 MiB' shown
}

@test "stats: prints the memory limit of a run that had a limit" {
	sed -i 's/,1$/,0/' "$run/exit.csv" # Now the last peaks are unknown.
	"$BUILD/rtrack-report" stats "$run" >told
	grep -qxE '  its limit +512 MiB' told
	set_column "$run/system.csv" cgroup_memory_limit_mib ""
	"$BUILD/rtrack-report" stats "$run" >told
	fails grep -q '  its limit' told
}

@test "out of memory: headline, list, badge and JSON agree" {
	set_column "$run/process.csv" memory_mib 100 300 520 50
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -x 'job.R out of memory, failed with exit status 3 after 4 s' shown
	grep -qE '^Peak memory 520 MiB +at its limit of 512 MiB, with 8 MiB charged to others,' shown
	"$BUILD/rtrack-report" list | grep -qE ' out of memory +6 s  520 MiB$'
	[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -c .ended)" = \
		'{"outcome":"out_of_memory","text":"out of memory, failed with exit status 3","memory_limit_mib":512,"failed":null,"first_failure":null,"output":null}' ]
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q '<span class="badge failed">out of memory</span>' page.html
	grep -q 'Out of memory, failed with exit status 3 after <strong>4 s</strong>' page.html
	grep -q ' · 520 MiB</strong> <small>at its limit of 512 MiB, with 8 MiB charged to others</small>' page.html
	# rtrack-run limits the total memory of all processes.
	jq '.limits = {"memory_mib": 512, "seconds": null, "reached": "memory"} | .killed_by = "limit"' "$run/run.json" >new
	cp "$run/run.json" old
	mv new "$run/run.json"
	"$BUILD/rtrack-report" show -v "$run" | grep -qE '^Peak memory 520 MiB +above its limit of 512 MiB, '
	"$BUILD/rtrack-report" html -o - "$run" | grep -qF \
		'<p>Ended after <strong>4 s</strong>.'
	"$BUILD/rtrack-report" html -o - "$run" | grep -q 'class="error lead">Out of memory at its limit of <strong>512 MiB</strong> <span>(--max-memory)</span>. <strong>gcc</strong> had <strong>310 MiB</strong>'
	mv old "$run/run.json"
	# The next request is above the limit that killed the run.
	[ "$(value .ask_memory_mib)" -gt 512 ]
}

@test "out of memory: a victim that grew after the last tick held the rest of the limit" {
	set_column "$run/exit.csv" exit_signal 0 9 0
	set_column "$run/exit.csv" peak_rss_mib 4.5 3.7 2
	set_column "$run/system.csv" cgroup_kept_mib 104
	sed -i 's/,10,200,210/,10,2,2/; s/,12,[1-3]00,[1-3]00/,12,3.7,3.7/' "$run/member.csv"
	[ "$(value '|[.victim.pid, (.holders[] | .pid, .held_mib)]')" = '[12,12,411.7,10,2]' ]
	# If the memory of the group is unknown, so is the memory of the victim. The victim is still listed first.
	set_column "$run/system.csv" cgroup_kept_mib ""
	[ "$(value '.holders|map([.pid, .held_mib])')" = '[[12,null],[10,2]]' ]
	"$BUILD/rtrack-report" show -v "$run" | grep -qE '^  in use +an unknown amount gcc .process 12.$'
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q 'card postmortem' page.html
}

@test "after a run was killed without a record, the request is not below its limit" {
	set_column "$run/system.csv" cgroup_oom_kills ""
	set_column "$run/system.csv" cgroup_memory_limit_mib 1024
	set_column "$run/exit.csv" exit_signal ""
	sed -i 's/"status": "failed", "exit_code": 3/"status": "killed", "exit_code": null/' "$run/run.json"
	[ "$(value)" = null ]
	"$BUILD/rtrack-report" show -v "$run" | grep -qx '  at end    unknown      the job may have been killed for memory'
	"$BUILD/rtrack-report" recommend --offline "$run" >advice
	grep -qx 'Memory  1 GiB' advice
	tr '\n' ' ' <advice | grep -q 'may have been killed for memory below its limit, 1 GiB'
	[ "$("$BUILD/rtrack-report" recommend --all --format json | jq -c '.[0] | [.resources.memory, .basis.by]')" = '[1024,"doubt"]' ]
	# A later run that finished shows what the job needs.
	make_run 20261121T030000Z-compute-7-11-0002 finished job.R 3600
	fails grep -q 'killed for memory' <("$BUILD/rtrack-report" recommend --offline)
	# If something else is known to have killed the run, memory was not the reason.
	sed -i 's/"exit_signal": null/"exit_signal": 9, "killed_by": "signal"/' "$run/run.json"
	fails grep -q 'at end' <("$BUILD/rtrack-report" show -v "$run")
}

@test "out of memory: names a process's own limit unless several processes exceed it" {
	set_column "$run/system.csv" cgroup_oom_kills 0
	set_column "$run/system.csv" cgroup_memory_limit_mib ""
	set_column "$run/exit.csv" exit_signal ""
	set_column "$run/exit.csv" exit_code 0 0 3
	sed -i 's/"mode": "preload"/"mode": "preload", "start_ticks": 100/' "$run/run.json"
	set_column "$run/exit.csv" address_space_limit_mib 0 0 320
	set_column "$run/exit.csv" address_space_mib 0 0 318
	set_column "$run/exit.csv" peak_rss_mib 4.5 5.5 300
	judged() { # LIMIT OF THE HEADLINE
		"$BUILD/rtrack-report" show -v "$run" | grep -E "^Peak memory 310 MiB +$1, mean " || { "$BUILD/rtrack-report" show -v "$run"; return 1; }
		"$BUILD/rtrack-report" html -o page.html "$run"
		grep -qF " · 310 MiB</strong> <small>$1</small>" page.html
	}
	[ "$(value '|[.limit,.limit_mib]')" = '["address_space",320]' ]
	judged 'of its limit of 320 MiB'
	set_column "$run/exit.csv" address_space_limit_mib 0 0 250
	set_column "$run/exit.csv" address_space_mib 0 0 249
	judged 'at 250 MiB a process'
}

@test "a kill, a failure and a time limit are described alike everywhere" {
	set_column "$run/system.csv" cgroup_oom_kills 0
	set_column "$run/system.csv" cgroup_memory_limit_mib ""
	set_column "$run/exit.csv" exit_signal ""
	said() { # WORD TEXT
		[[ "$("$BUILD/rtrack-report" show -v "$run" | head -1)" = "job.R $2 after 4 s" ]] || { "$BUILD/rtrack-report" show -v "$run"; return 1; }
		[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -r .ended.outcome)" = "${1// /_}" ]
		"$BUILD/rtrack-report" html -o - "$run" >page.html
		grep -q "<span class=\"badge [a-z]*\">$1</span>" page.html
		grep -q "${2^} after <strong>4 s</strong>" page.html
		# The verdict names the failed command, or else the usage.
		if [ "$1" = failed ]; then
			grep -q 'after <strong>4 s</strong>: <code>' page.html
		else
			grep -q 'of 15.6 GiB memory' page.html
		fi
	}
	said failed 'failed with exit status 3'
	sed -i 's/"status": "failed", "exit_code": 3, "exit_signal": null/"status": "killed", "exit_code": null, "exit_signal": 15/' "$run/run.json"
	said killed 'killed by signal 15 (Terminated)'
	sed -i 's/"exit_signal": 15/"exit_signal": null/' "$run/run.json"
	said killed 'killed by an unseen signal'
	jq '.killed_by = "limit" | .limits = {"memory_mib": null, "seconds": 3, "reached": "seconds"}' "$run/run.json" >new
	mv new "$run/run.json"
	said 'out of time' 'ended by --max-seconds (3 s)'
}

@test "out of memory: a kill near the memory limit counts, even without a known cause" {
	# The kernel's counter did not show the kill, because the job's control group was removed before the last
	# sample.
	set_column "$run/system.csv" cgroup_oom_kills 0
	set_column "$run/exit.csv" exit_signal ""
	jq '.status = "killed" | .exit_code = null' "$run/run.json" >new
	mv new "$run/run.json"
	set_column "$run/process.csv" memory_mib 100 300 500 500
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -x 'job.R out of memory, killed after 4 s' shown
	grep -q '^Out of memory.* 512 MiB, the limit of its control group' shown
	"$BUILD/rtrack-report" list | grep -q ' out of memory '
	[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -r .ended.outcome)" = out_of_memory ]
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q '<span class="badge [a-z]*">out of memory</span>' page.html
	grep -q '>By how it ended near that limit, and by the last minute' page.html
	jq '.killed_by = "oom"' "$run/run.json" >new # The kernel did count the kill.
	mv new "$run/run.json"
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q '>By what the kernel counted, and by the last minute' page.html
	[ "$("$BUILD/rtrack-report" show -v "$run" | head -1)" = 'job.R out of memory, killed by the kernel after 4 s' ]
	jq '.killed_by = null' "$run/run.json" >new
	mv new "$run/run.json"
	set_column "$run/process.csv" memory_mib 100 200 300 300
	set_column "$run/exit.csv" peak_rss_mib 40 100 200
	[ "$("$BUILD/rtrack-report" show -v "$run" | head -1)" = 'job.R killed by an unseen signal after 4 s' ]
}

@test "out of memory: the headline fits on a terminal of 80 x 24" {
	set_column "$run/process.csv" memory_mib 100 300 500 500
	open_terminal 80 24 show -v
	soon test -s ended
	shows '^job.R out of memory, failed with exit status 3 after 4 s$'
	shows '^ +1 .* R '
	close_terminal
	run2=$(make_run 20261121T020010Z-compute-7-11-0002 finished next.R 10)
	for each in "$run" "$run2"; do
		jq '.tracker.script_start = 5 | .tracker.script_pid = 7' "$each/run.json" >new
		mv new "$each/run.json"
	done
	COLUMNS=80 "$BUILD/rtrack-report" list --fold | grep -E '2 runs: .* out of memory  '
}

@test "out of memory: not reported for a run that finished, or failed otherwise" {
	set_column "$run/system.csv" cgroup_oom_kills 0
	set_column "$run/exit.csv" exit_signal ""
	[ "$(value '')" = null ]
	fails sh -c '"$0" show "$1" | grep "Out of memory after"' "$BUILD/rtrack-report" "$run"
	set_column "$run/system.csv" cgroup_oom_kills 1
	sed -i 's/"failed"/"finished"/' "$run/run.json"
	[ "$(value '')" = null ]
	# Every output reports the same end.
	[ "$("$BUILD/rtrack-report" show -v "$run" --format json | jq -r .ended.outcome)" = finished ]
	[ "$("$BUILD/rtrack-report" list --spool "${run%/*}" --format json | jq -r '.[].outcome')" = finished ]
}

@test "out of memory: show --by, the page and the report on the kill agree on the peak" {
	# A tick sampled gcc with 143 MiB. rtrack-run, which reaped gcc, got 205 MiB from the kernel.
	set_column "$run/exit.csv" exact 1 0 1
	set_column "$run/exit.csv" peak_rss_mib 4.5 143 100
	sed -i '/,12,/s/,[0-9]*,[0-9]*$/,143,143/' "$run/member.csv"
	set_column "$run/exit.csv" children_peak_mib 0 0 205
	[ "$(value '.holders[]|select(.pid == 12).held_mib')" = 205 ]
	largest() {
		[ "$("$BUILD/rtrack-report" show --format json "$@" | jq -c '[.programs[] | select(.program == "gcc").peak_memory_mib]')" = '[205]' ]
		"$BUILD/rtrack-report" show -v "$@" | grep -E '^ +2 +1\.5 s +205 MiB  gcc '
		[ "$("$BUILD/rtrack-report" show --by command --format json "$@" | jq -c '[.bill[] | select(.program == "gcc").peak_memory_mib] | max')" = 205 ]
		"$BUILD/rtrack-report" html -o page.html "$@"
		grep -q '<tr data-program=.*<span>gcc</span>.* data-value="205">205 MiB' page.html
	}
	# A group of only this run has the same peak.
	sed -i 's/^{/&"group": "g",/' "$run/run.json"
	both() {
		largest "$run"
		largest --group g --spool "${run%/*}"
		[ "$("$BUILD/rtrack-report" show --by process --format json "$run" | jq -c '[.bill[] | select(.program == "gcc").peak_memory_mib] | max')" = 205 ]
	}
	both
	# If the run went on after the kill, the peak is the same.
	sed -i 's/"status": "failed", "exit_code": 3/"status": "finished", "exit_code": 0/' "$run/run.json"
	set_column "$run/exit.csv" exit_code 0 "" 0
	[ "$(value)" = null ]
	both
}

@test "out of memory: if no victim was recorded, none is named" {
	set_column "$run/exit.csv" exit_signal ""
	set_column "$run/exit.csv" exit_code 0 137 137 # An exit status is not a kill.
	set_column "$run/system.csv" cgroup_oom_kills 0 0 0 1
	[ "$(value .victim)" = null ]
	[ "$(value '.holders|map(.held_mib)|max')" = 300 ] # The peak of 310 MiB was not sampled.
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -x '  killed    an unknown process' shown
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q 'The kernel killed an unknown process' page.html
}

@test "out of memory: a small first process is not called the victim if a child may be it" {
	# If its child was killed, `timeout` ends itself with SIGKILL. The record does not show which of the two the
	# kernel killed.
	jq '.killed_by = "oom" | .status = "killed" | .exit_code = null | .tracker.start_ticks = 100' "$run/run.json" >new
	mv new "$run/run.json"
	set_column "$run/system.csv" cgroup_oom_kills 0
	sed -i '/,12,/d' "$run/exit.csv" "$run/member.csv"
	set_column "$run/exit.csv" exit_code 0 ""
	set_column "$run/exit.csv" exit_signal ""
	set_column "$run/exit.csv" exact 1 0
	set_column "$run/exit.csv" timestamp $start.9 $((start + 1)).0
	while read -r root victim; do
		set_column "$run/exit.csv" peak_rss_mib 4.5 "$root"
		[ "$(value .victim.pid)" = "$victim" ] || { echo "$root $(value)"; false; }
	done <<-'END'
		2 null
		255 null
		257 10
	END
	[ "$(value .time)" = $((start + 4)) ] # The row of the root is older.
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -x 'Out of memory after 4 s: 512 MiB, the limit of its control group' shown
	# The root is also not the victim if a tick sampled the child before it grew.
	echo "$((start + 1)).000,12,1.9,1.9" >>"$run/member.csv"
	set_column "$run/exit.csv" peak_rss_mib 4.5 2
	[ "$(value .victim.pid)" = null ]
	sed -i '/,12,/d' "$run/start.csv" "$run/member.csv"
	[ "$(value .victim.pid)" = 10 ]
}

@test "out of memory: without a control group the limit is the machine's memory" {
	set_column "$run/system.csv" cgroup_memory_limit_mib ""
	rm "$run/member.csv"
	[ "$(value '|[.limit,.limit_mib]')" = '["machine",16000]' ]
	[ "$(value '.holders|map([.pid,.held_mib])')" = '[[12,310]]' ]
}

@test "out of memory: the page names limit and victim above the charts" {
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html" "$run"
	grep -q 'class="error lead">Out of memory at the limit of its control group, <strong>512 MiB</strong>. <strong>gcc</strong> had <strong>310 MiB</strong>' \
		"$BATS_TEST_TMPDIR/page.html"
	grep -q 'It met <strong>the limit of its control group</strong>, <strong>512 MiB</strong>.* The kernel killed <strong>gcc</strong> (process 12)' \
		"$BATS_TEST_TMPDIR/page.html"
	[ "$(grep -n 'card postmortem' "$BATS_TEST_TMPDIR/page.html" | tail -1 | cut -d: -f1)" -gt \
		"$(grep -n 'data-chart="memory"' "$BATS_TEST_TMPDIR/page.html" | head -1 | cut -d: -f1)" ]
	valid "$BATS_TEST_TMPDIR/page.html"
	browse first,charts,axe,narrow,print "$BATS_TEST_TMPDIR/page.html"
}
