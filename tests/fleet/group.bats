#!/usr/bin/env bats
# Tests of --group: the runs of one job on several nodes are summed.

bats_require_minimum_version 1.5.0
load ../lib/helper

# part SPOOL RANK HOST START STOP [STATUS]: makes a run of job JOB (default fit) in group GROUP_ID (default g) of 5
# ranks. Rows of process.csv are on stdin: seconds after AT (default 1795219200), user time, memory. The kernel's peak
# is PEAK MiB (default 10).
part() {
	local at=${AT:-1795219200} id row
	id=$(date -u -d "@$at" +%Y%m%dT%H%M%SZ)-$3-100-000$2
	mkdir -p "$1/$id"
	jq -n --arg id "$id" --arg host "$3" --arg status "${6:-finished}" --argjson rank "$2" --argjson start "$4" --argjson stop "$5" \
		--arg group "${GROUP_ID:-g}" --arg job "${JOB:-fit}" --argjson at "$at" '
		{schema: 1, id: $id, parent: null, job: $job, host: $host, pid: 100, start_time: ($at + $start),
		 stop_time: ($at + $stop), interval: 1, status: $status, group: $group,
		 member: {rank: $rank, node: null, of: 5}, server: {vcpus: 4, memory_mib: 1000}}' >"$1/$id/run.json"
	echo '"timestamp","utime","stime","cpu_usage","memory_mib"' >"$1/$id/process.csv"
	while read -r row time memory; do
		awk -v at="$at" -v row="$row" -v time="$time" -v memory="$memory" 'BEGIN {
			printf "%.3f,%.6f,0.500000,%.4f,%.3f\n", at + row, time, time + 0.5, memory }' >>"$1/$id/process.csv"
	done
	printf '"timestamp","net_recv_bytes","net_sent_bytes"\n%s.000,1000,10\n' $((at + 3)) >"$1/$id/system.csv"
	printf '"timestamp","pid","start_ticks","ppid","utime","stime","peak_rss_mib","exact"\n%s,100,1,1,1,1,%s,1\n' \
		"$(awk -v at="$at" -v stop="$5" 'BEGIN { printf "%.3f", at + (stop < 2 ? stop : 2) }')" "${PEAK:-10}" >"$1/$id/exit.csv"
}

# make_group makes four of five ranks, in two spools on two machines. Rank 3 is missing, rank 4 was killed, and rank 2
# is slow. Ranks 0 and 1 reach their peaks in different ticks. One row of rank 2 covers ticks 2 to 4.
make_group() {
	part "$BATS_TEST_TMPDIR/a" 0 n0 0 3 <<<'1 1 100
2 1 300
3 1 100'
	part "$BATS_TEST_TMPDIR/a" 1 n0 0 3 <<<'1 1 300
2 1 100
3 1 100'
	part "$BATS_TEST_TMPDIR/b" 2 n1 0.2 9 <<<'1 1 50
4 6 80
9 1 20'
	part "$BATS_TEST_TMPDIR/b" 4 n1 0 2.5 killed <<<'1 1 10
2 1 10
2.5 1 10'
}

group_stats() {
	"$BUILD/rtrack-report" stats --group g --spool "$BATS_TEST_TMPDIR/a" --spool "$BATS_TEST_TMPDIR/b" "$@"
}

@test "stats --group: adds up the runs of two spools, and finds the peak of their sum" {
	make_group
	group_stats --format json >"$BATS_TEST_TMPDIR/json"
	jq -e '.totals | .cpu_seconds == 23 and .user_seconds == 17 and .wall_seconds == 9' "$BATS_TEST_TMPDIR/json"
	# In tick 2 the memory is 300 + 100 + 80 + 10. The sum of the peaks is larger.
	jq -e '.totals | .peak_memory_mib == 490 and .sum_of_peaks_mib == 690' "$BATS_TEST_TMPDIR/json"
	jq -e '.stats.process_memory_mib.max == 490' "$BATS_TEST_TMPDIR/json"
}

@test "stats --group: does not add up the memory of runs that ran one after another" {
	# Both runs have a row in the third tick. In each row, the machine has received 1000 bytes and sent 10.
	part "$BATS_TEST_TMPDIR/a" 0 n0 0 2.3 <<<'1 1 100
2 1 300
2.3 0.5 300'
	part "$BATS_TEST_TMPDIR/a" 1 n0 2.4 5 <<<'2.8 0.5 200
4 1 150
5 1 100'
	"$BUILD/rtrack-report" stats --group g --spool "$BATS_TEST_TMPDIR/a" --format json >"$BATS_TEST_TMPDIR/json"
	jq -e '.stats.process_memory_mib.max == 300 and .stats.process_cpu_usage.max == 1.5 and .totals.peak_memory_mib == 300' "$BATS_TEST_TMPDIR/json"
	jq -e '.hosts[0] | .net_recv_bytes == 2000 and .net_sent_bytes == 20' "$BATS_TEST_TMPDIR/json"
	# The machine's figures are taken from the longest of the runs that overlap.
	part "$BATS_TEST_TMPDIR/a" 2 n0 1 4 <<<'2 1 100'
	"$BUILD/rtrack-report" stats --group g --spool "$BATS_TEST_TMPDIR/a" --format json | jq -e '.hosts[0].net_recv_bytes == 1000'
}

@test "--group: adds up the peaks of concurrent runs, but not of consecutive runs" {
	cd "$BATS_TEST_TMPDIR"
	for rank in 0 1 2; do
		PEAK=$((rank * 100 + 200)) part a $rank n0 $((rank * 3)) $((rank * 3 + 2)) <<<"$((rank * 3 + 2)) 1 100"
	done
	part b 3 n1 2.5 5.5 <<<'5.5 1 50'
	"$BUILD/rtrack-report" stats --group g --spool a --format json >one
	jq -e '.totals | .peak_memory_mib == 400 and .peak_memory_at_most_mib == 400 and .sum_of_peaks_mib == 900' one
	jq -e '.hosts[0].peak_memory_mib == 400' one
	"$BUILD/rtrack-report" recommend --offline --group g --spool a | grep '^The peak was 400 MiB[.] '
	# Rank 3 overlaps rank 1, which has 300 MiB.
	"$BUILD/rtrack-report" stats --group g --spool '[ab]' --format json |
		jq -e '.totals | .peak_memory_at_least_mib == 400 and .peak_memory_at_most_mib == 400'
	# Now rank 3 ends at the moment at which rank 2 starts, with 400 MiB.
	part b 3 n1 2.5 6 <<<'6 1 50'
	"$BUILD/rtrack-report" stats --group g --spool '[ab]' --format json | jq -e '.totals.peak_memory_at_most_mib == 450'
}

@test "--group: a run whose processes may go on counts as overlapping later runs" {
	cd "$BATS_TEST_TMPDIR"
	part a 0 n0 0 2 <<<'2 1 100
5 1 100'
	part a 1 n0 3 5 <<<'5 1 300'
	at_most() { "$BUILD/rtrack-report" stats --group g --spool a --format json | jq -e ".totals.peak_memory_at_most_mib == $1"; }
	at_most 400
	part a 0 n0 0 2 <<<'2 1 100'
	at_most 300
	sed -i 's/"stop_time": .*/"stop_time": null,/; s/"status": "finished"/"status": "unknown"/' a/*-0000/run.json
	at_most 400
}

@test "--group: runs in one sampling interval that never overlapped are not added up" {
	cd "$BATS_TEST_TMPDIR"
	part a 0 n0 2.5 5 <<<'3 1 200
5 1 100'
	part a 1 n0 0 2.3 <<<'2 1 100
2.3 1 300'
	"$BUILD/rtrack-report" stats --group g --spool a --format json |
		jq -e '.totals | .peak_memory_mib == 300 and .peak_memory_at_most_mib == 300'
}

@test "--group: times without any run count as 0 in the mean memory" {
	cd "$BATS_TEST_TMPDIR"
	part a 0 n0 0 1 <<<'1 1 100'
	part a 1 n0 8.5 10 <<<'9 1 200
10 1 200'
	# Rank 2 ran for a fifth of a tick, and used as much CPU time as in a whole tick.
	mkdir -p b
	touch b/.impossible
	part b 2 n1 4.2 4.4 <<<'4.4 1 500'
	group_stats --format json >json
	jq -e '.totals.mean_memory_mib == (100 + 300 + 100) / 10' json
	# The total is the sum over all runs of mean memory times duration.
	jq -e '.totals as $all | [.members[].totals | .mean_memory_mib * .wall_seconds] | add == $all.mean_memory_mib * $all.wall_seconds' json
	"$BUILD/rtrack-report" show -v --group g --spool '[ab]' | grep '^Peak memory .* mean 50 MiB'
	"$BUILD/rtrack-report" html --group g --spool '[ab]' -o page.html
	grep -q '50 MiB' page.html
}

@test "--group: a time without runs counts as 0, a time with missing rows as unknown" {
	cd "$BATS_TEST_TMPDIR"
	part a 0 n0 0 1 <<<'1 1 100'
	part a 1 n0 8.5 10 <<<'9 1 200
10 1 200'
	"$BUILD/rtrack-report" stats --group g --spool a --format json >json
	# Rank 1 ran for half of its first tick, so its CPU usage in that tick is halved.
	jq -e '.stats | .process_memory_mib.mean == (100 + 200 + 200) / 10 and .process_cpu_usage.mean == ((1.5 + 1.5 / 2 + 1.5) * 10 | round / 100)' json
	# A column that is in none of the runs is unknown.
	jq -e '.stats.process_gpu_usage.mean == null' json
	# Rank 2 ran all the time, but its last samples are missing.
	part a 2 n0 0 10 <<<'1 1 100'
	"$BUILD/rtrack-report" stats --group g --spool a --format json | jq -e '.stats.process_memory_mib.mean == (200 + 200 + 200) / 3'
}

@test "--group: the upper bound of memory on a machine is at most the machine's memory" {
	cd "$BATS_TEST_TMPDIR"
	for rank in 0 1; do
		PEAK=700 part a $rank n0 0 3 <<<'3 1 100'
	done
	PEAK=900 part b 2 n1 0 3 <<<'3 1 100'
	"$BUILD/rtrack-report" stats --group g --spool a --format json |
		jq -e '.totals | .peak_memory_at_most_mib == 1000 and .sum_of_peaks_mib == 1400'
	"$BUILD/rtrack-report" stats --group g --spool '[ab]' --format json | jq -e '.totals.peak_memory_at_most_mib == 1900'
}

@test "stats --group: figures of a machine with two ranks are counted once" {
	make_group
	group_stats --format json | jq -e '.hosts | map({host, members, cpu_seconds, peak_memory_mib, vcpus, net_recv_bytes}) == [
		{host: "n0", members: 2, cpu_seconds: 9, peak_memory_mib: 400, vcpus: 4, net_recv_bytes: 1000},
		{host: "n1", members: 2, cpu_seconds: 14, peak_memory_mib: 90, vcpus: 4, net_recv_bytes: 1000}]'
}

@test "stats --group: reports imbalance, and names slow, missing and killed ranks" {
	make_group
	group_stats --format json >"$BATS_TEST_TMPDIR/json"
	jq -e '.missing_ranks == [3] and .of == 5' "$BATS_TEST_TMPDIR/json"
	jq -e '[.members[] | select(.slow).rank] == [2]' "$BATS_TEST_TMPDIR/json"
	jq -e '[.members[] | select(.status == "killed").rank] == [4]' "$BATS_TEST_TMPDIR/json"
	jq -e '.imbalance.cpu_seconds == (9.5 / (23 / 4) * 10000 | round / 10000)' "$BATS_TEST_TMPDIR/json"
	jq -e '.start_spread_seconds == 0.2 and .stop_spread_seconds == 6.5' "$BATS_TEST_TMPDIR/json"
	group_stats >"$BATS_TEST_TMPDIR/text"
	grep -q '^2 .*n1 .*slow$' "$BATS_TEST_TMPDIR/text"
	grep -q '^4 .*n1 .*killed$' "$BATS_TEST_TMPDIR/text"
	grep -q '^Of 5 ranks 1 left no run: 3$' "$BATS_TEST_TMPDIR/text"
}

@test "show, stats --group: lines with bars and outcomes fit in 80 columns" {
	make_group
	for command in 'show -v' stats; do
		# shellcheck disable=SC2086
		COLUMNS=80 run "$BUILD/rtrack-report" $command --group g --spool "$BATS_TEST_TMPDIR/a" --spool "$BATS_TEST_TMPDIR/b"
		grep -qE '^4 .*  killed$' <<<"$output"
		grep -qE '^2 .*#  slow$' <<<"$output"
		fails grep -nE '.{81}' <<<"$output"
	done
}

@test "stats --group: a run that is inside another run or found twice is counted once" {
	make_group
	part "$BATS_TEST_TMPDIR/a" 0 n0 0 3 <<<'1 2 320
2 2 120
3 2 120'
	mv "$BATS_TEST_TMPDIR/a/20261121T000000Z-n0-100-0000" "$BATS_TEST_TMPDIR/a/20261121T000000Z-n0-99-00ff"
	sed -i 's/-100-0000/-99-00ff/; s/"rank": 0/"rank": null/' "$BATS_TEST_TMPDIR/a/20261121T000000Z-n0-99-00ff/run.json"
	sed -i 's/"parent": null/"parent": "20261121T000000Z-n0-99-00ff"/' "$BATS_TEST_TMPDIR"/a/*-0001/run.json
	part "$BATS_TEST_TMPDIR/a" 0 n0 0 3 <<<'1 1 100
2 1 300
3 1 100'
	# The outer run has the figures of rank 1, and more. Rank 1 is only compared with the others.
	group_stats --spool "$BATS_TEST_TMPDIR/a" --format json | jq -e '.totals.cpu_seconds == 26 and .totals.peak_memory_mib == 510'
	group_stats --format json | jq -e '[.members[] | select(.counted | not).rank] == [1] and .imbalance.cpu_seconds == (9.5 / (23 / 4) * 10000 | round / 10000)'
}

@test "stats --group: the CPU time of a group is the sum over its runs" {
	for rank in 0 1 2; do
		RTRACK_SPOOL=$BATS_TEST_TMPDIR/real$((rank % 2)) "$BUILD/rtrack-run" --group g --interval 0.1 sh -c 'seq 100000 | sort -R >/dev/null' &
	done
	wait
	for spool in real0 real1; do
		"$BUILD/rtrack-report" list --spool "$BATS_TEST_TMPDIR/$spool" --format json | jq -c '.[].totals'
	done | jq -s '{cpu: (map(.cpu_seconds) | add), least: (map(.peak_memory_mib) | max), most: (map(.peak_memory_mib) | add)}' >"$BATS_TEST_TMPDIR/parts"
	"$BUILD/rtrack-report" stats --group g --spool "$BATS_TEST_TMPDIR/real0" --spool "$BATS_TEST_TMPDIR/real1" --format json |
		jq -e --slurpfile parts "$BATS_TEST_TMPDIR/parts" '$parts[0] as $p | (.members | length == 3)
			and (.totals.cpu_seconds - $p.cpu | fabs) < 1e-5
			and .totals.peak_memory_mib >= $p.least and .totals.peak_memory_mib <= $p.most'
}

@test "stats --group: refuses an unknown group and an extra run argument" {
	make_group
	run "$BUILD/rtrack-report" stats --spool "$BATS_TEST_TMPDIR/a" --group none
	[ "$status" -eq 1 ]
	[[ $output == *"no run of the group 'none'"* ]]
	run "$BUILD/rtrack-report" stats --spool "$BATS_TEST_TMPDIR/a" --group g fit
	[ "$status" -eq 2 ]
	run "$BUILD/rtrack-report" doctor --spool "$BATS_TEST_TMPDIR/a" --spool "$BATS_TEST_TMPDIR/b"
	[ "$status" -eq 2 ]
}

@test "show, recommend, compare, html --group: a group is treated like one run" {
	make_group
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-report" show -v --group g --spool '[ab]' >text
	tr -s ' \n' ' ' <text | grep 'Group 4 runs on 2 machines, of 5 ranks; slow: rank 2; killed: rank 4; no run: rank 3 Request '
	grep '^CPU  *23 s ' text
	grep '^Peak memory 490 MiB  *of 1.95 GiB' text
	grep '^n1 .*90 MiB' text
	"$BUILD/rtrack-report" show -v --group g --spool '[ab]' --format json >json
	group_stats --format json >stats
	jq -e --slurpfile stats stats '.totals == ($stats[0].totals | del(.sum_of_peaks_mib)) and .stats == $stats[0].stats
		and (.group | .members == $stats[0].members and .hosts == $stats[0].hosts)' json
	jq -e '.run | .group == "g" and .server.vcpus == 8' json
	# The request is for the machine that used the most.
	"$BUILD/rtrack-report" recommend --offline --group g --spool '[ab]' --format json >advice
	jq -e '(.resources.memory | . > 400 and . < 900) and (.notes | map(select(test("for each of 2 machines"))) | length == 1)' advice
	jq -e --slurpfile advice advice '.recommendation.resources == $advice[0].resources' json
	"$BUILD/rtrack-report" compare --spool a --group g 20261121T000000Z-n0-100-0000 --format json |
		jq -e '.figures.cpu_seconds | .a == 4.5 and .b == 9'
	"$BUILD/rtrack-report" compare --spool '[ab]' --group g --group g --format json | jq -e '.figures.cpu_seconds | .a == 23 and .change == 0'
	"$BUILD/rtrack-report" html --group g --spool '[ab]' -o page.html
	grep -q 'slow: rank 2; killed: rank 4; no run: rank 3' page.html
}

@test "html --group: on a narrow screen, only bars and their headings are hidden" {
	make_group
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-report" html --group g --spool '[ab]' -o page.html
	grep -q '<td><svg class="share" ' page.html
	# One heading is in the table of machines, the other in the table of ranks.
	grep -o '<th[^>]*>Of the most</th>' page.html >heads
	printf '<th scope="col" class="shares">Of the most</th>\n%.0s' 1 2 | diff - heads
}

# limits LIMIT...: sets the control group limit of each run in spool a, in MiB; "-" means no limit.
limits() {
	local run
	for run in a/*; do
		printf '"timestamp","cgroup_memory_limit_mib"\n%s.000,%s\n' 1795219201 "${1#-}" >"$run/system.csv"
		shift
	done
}

@test "--group: a group has a memory limit only if all its runs had the same limit" {
	cd "$BATS_TEST_TMPDIR"
	part a 0 n0 0 3 <<<'1 1 313'
	part a 1 n0 0 2 killed <<<'1 1 100'
	limit() { "$BUILD/rtrack-report" show -v --group g --spool a --format json | jq .ended.memory_limit_mib; }
	limits 200 200
	[ "$(limit)" = 200 ]
	for each in '- 200' '200 -' '200 300'; do
		limits $each
		[ "$(limit)" = 1000 ]
	done
	"$BUILD/rtrack-report" show -v --group g --spool a | grep '^Peak memory 413 MiB  *of 1000 MiB'
	"$BUILD/rtrack-report" html --group g --spool a -o page.html
	fails grep -q 'charged to others' page.html
	# Two containers on one machine had this limit each. Then two machines have a limit each.
	limits 200 200
	sed -i 's/"interval": 1,/&"tracker": {"cgroup_shared": 0},/' a/*/run.json
	[ "$(limit)" = 1000 ]
	sed -i 's/"host": "n0"/"host": "n1"/' a/*1/run.json
	[ "$(limit)" = 400 ]
}

@test "recommend --group: says how many groups finished, and on how many machines" {
	make_group
	cd "$BATS_TEST_TMPDIR"
	COLUMNS=300 "$BUILD/rtrack-report" recommend --offline --group g --spool '[ab]' >both
	grep -q '^Request for fit (1 group)$' both
	grep -q '^No group has finished yet in all its runs[.] The largest used 400 MiB[.] ' both
	grep -q '^- 1 of 4 runs was killed: it may have needed more later\.$' both
	fails grep -E 'Signal|This run|No run' both
	COLUMNS=300 "$BUILD/rtrack-report" recommend --offline --group g --spool a >one
	grep -q '^The peak was 400 MiB' one
	grep -q '^- This request is for the one machine on which all of them ran\.$' one
}

@test "recommend --group: uses the machine with the largest peak of each earlier group" {
	make_group
	cd "$BATS_TEST_TMPDIR"
	advice() { "$BUILD/rtrack-report" recommend --offline --group g --spool '[ab]' --format json "$@"; }
	advice >alone
	jq -e '.basis.runs == 1 and .basis.largest == 400' alone
	# In the earlier group, ranks 0 and 1 had 600 and 500 MiB on one machine of 1000 MiB. Rank 2 had 700 MiB on
	# another machine.
	AT=1795200000 GROUP_ID=f part a 0 n0 0 3 <<<'1 1 600'
	AT=1795200000 GROUP_ID=f part a 1 n0 0 300 <<<'1 3 500'
	AT=1795200000 GROUP_ID=f part b 2 n1 0 3 <<<'1 1 700'
	# Another job, a running group, a later group, and a run without a group do not count.
	AT=1795200000 GROUP_ID=e JOB=other part a 3 n0 0 3 <<<'1 1 900'
	AT=1795210000 GROUP_ID=d part a 0 n0 0 3 running <<<'1 1 900'
	touch -d '1 hour' "$(dirname "$(grep -l '"running"' a/*/run.json)")"/* # A run that was not written to for 5 s is not running.
	AT=1795210000 GROUP_ID=d part b 1 n0 0 3 <<<'1 1 900'
	AT=1795220000 GROUP_ID=h part a 0 n0 0 3 <<<'1 1 900'
	AT=1795190000 GROUP_ID=c part a 0 n0 0 3 <<<'1 1 900'
	sed -i 's/"group": "c"/"group": null/' a/20261120T155320Z-*/run.json
	advice >both
	jq -e '.basis.runs == 2 and .basis.finished == 1 and .basis.largest == 1000' both
	jq -e '(.notes | map(select(test("for each of 2 machines.*1 earlier group of the job"))) | length == 1)' both
	jq -e --slurpfile alone alone '.resources | .memory > $alone[0].resources.memory and .seconds > $alone[0].resources.seconds' both
	"$BUILD/rtrack-report" show -v --group g --spool '[ab]' --format json |
		jq -e --slurpfile both both '.recommendation.resources == $both[0].resources'
	# A run is used once, even if its spool is named twice.
	advice --spool a | jq -e --slurpfile both both '.resources == $both[0].resources'
	for group in f:1 h:3; do
		"$BUILD/rtrack-report" recommend --offline --group ${group%:*} --spool '[ab]' --format json | jq -e ".basis.runs == ${group#*:}"
	done
	# With --runs 1, only the last earlier group is used, whether it finished or not.
	"$BUILD/rtrack-report" recommend --offline --group h --spool '[ab]' --format json --runs 1 | jq -e '.basis.runs == 2'
}

@test "recommend --group: does not add up consecutive runs of an earlier group" {
	cd "$BATS_TEST_TMPDIR"
	part a 0 n0 0 3 <<<'3 1 100'
	for rank in 0 1 2; do
		AT=1795200000 GROUP_ID=f part a $rank n0 $((rank * 4)) $((rank * 4 + 3)) <<<"$((rank * 4 + 3)) 1 $((300 + rank * 100))"
	done
	advice() { "$BUILD/rtrack-report" recommend --offline --group g --spool a --format json; }
	advice | jq -e '.basis.runs == 2 and .basis.largest == 500 and .resources.cpu == 2'
	# Rank 3 overlaps each of the other ranks.
	AT=1795200000 GROUP_ID=f part a 3 n0 0 11 <<<'11 1 50'
	advice | jq -e '.basis.largest == 550'
	# Rank 4 overlaps rank 2, the last one.
	AT=1795200000 GROUP_ID=f part a 4 n0 8 11 <<<'11 1 70'
	advice | jq -e '.basis.largest == 620'
}

@test "recommend --group: after a failure, uses the runs that overlap the failed run" {
	cd "$BATS_TEST_TMPDIR"
	PEAK=50 part a 0 n0 0 3 <<<'3 1 50'
	for rank in 0 1 2; do
		AT=1795200000 GROUP_ID=f PEAK=300 part a $rank n0 0 3 <<<'3 1 300'
	done
	advice() { COLUMNS=300 "$BUILD/rtrack-report" recommend --offline --group g --spool a "$@"; }
	# The failed run was not on the machine with the largest sum.
	AT=1795200000 GROUP_ID=f part a 3 n1 0 3 failed <<<'3 1 20'
	advice --format json | jq -e '.basis | .runs == 2 and .finished == 1 and .largest == 900'
	rm -r a/*-n1-*
	AT=1795200000 GROUP_ID=f PEAK=50 part a 3 n0 0 3 failed <<<'3 1 50'
	advice --format json | jq -e '.basis.largest == 950'
	# The sum is limited to the memory of the machine.
	AT=1795200000 GROUP_ID=f PEAK=300 part a 3 n0 0 3 failed <<<'3 1 300'
	advice --format json | jq -e '.basis.largest == 1000'
	advice | grep '^One group finished, with a peak of 50 MiB; one that did not had up to 1000 MiB[.] '
	# The failed run started after the others had ended.
	AT=1795200000 GROUP_ID=f PEAK=50 part a 3 n0 5 8 failed <<<'8 1 50'
	advice --format json | jq -e '.basis.largest == 900'
	PEAK=50 part a 0 n0 0 3 failed <<<'3 1 50'
	advice | grep '^No group has finished yet in all its runs[.] The largest used 900 MiB[.] '
}

@test "html --group: the request uses the machine with the largest peak of each group" {
	cd "$BATS_TEST_TMPDIR"
	for rank in 0 1; do
		AT=1795200000 GROUP_ID=f part a $rank n0 0 3600 <<<'3600 1 100'
		part a $rank n0 0 3600 <<<'3600 1 100'
	done
	sed -i 's/"schema": 1,/&"requested": {"cpu": 4, "memory_mib": 900, "gpu": null, "seconds": null},/' a/*/run.json
	"$BUILD/rtrack-report" html --group g --spool a -o page.html
	grep -q '>2 groups of this job, 2 h in all, each by one of its machines\. Memory counts with its peak, for as long as a group took\.' page.html
}

@test "--group: ranks are not called late because the clocks of their machines differ" {
	part "$BATS_TEST_TMPDIR/a" 0 n0 0 9 <<<'1 1 100'
	part "$BATS_TEST_TMPDIR/a" 1 n1 3 13 <<<'4 1 100'
	part "$BATS_TEST_TMPDIR/a" 2 n2 2 8 <<<'3 1 100'
	sed -i 's/"group": "g"/"group": "g", "labels": {"team": "x"}/' "$BATS_TEST_TMPDIR"/a/*-000[01]/run.json
	"$BUILD/rtrack-report" stats --spool "$BATS_TEST_TMPDIR/a" --group g --format json |
		jq -e '.clock_skew_seconds == 3 and (.hosts | map(.clock_ahead_seconds)) == [0, 3, 0]'
	"$BUILD/rtrack-report" stats --spool "$BATS_TEST_TMPDIR/a" --group g --label team=x --format json | jq -e '.members | length == 2'
	# Without --group, a label selects a run.
	[ "$("$BUILD/rtrack-report" stats --spool "$BATS_TEST_TMPDIR/a" --label team=x --format json | jq -r .run.host)" = n1 ]
	run "$BUILD/rtrack-report" show --spool "$BATS_TEST_TMPDIR/a" --label team=y
	[ "$status" -eq 1 ]
	[[ $output == *"no run in '$BATS_TEST_TMPDIR/a' has these labels" ]]
}

@test "--group: options for a single run are refused" {
	make_group
	for option in --tree "--by process" "--rule classic"; do
		# shellcheck disable=SC2086
		run "$BUILD/rtrack-report" show -v --spool "$BATS_TEST_TMPDIR/a" --group g $option
		[ "$status" -eq 2 ]
		[[ $output == *"does not work with groups" ]]
	done
	run "$BUILD/rtrack-report" compare --spool "$BATS_TEST_TMPDIR/a" --group g
	[ "$status" -eq 2 ]
	run "$BUILD/rtrack-report" stats --spool "$BATS_TEST_TMPDIR/a" --group g --group h
	[ "$status" -eq 2 ]
}

@test "recommend: the request of a rank is the sum for all ranks on its machine" {
	cd "$BATS_TEST_TMPDIR"
	for rank in 0 1; do
		PEAK=400 part a $rank n0 0 3 <<<'1 1 400
2 1 400
3 1 400'
	done
	"$BUILD/rtrack-report" recommend --offline --group g --spool a --format json >group
	"$BUILD/rtrack-report" recommend --offline --spool a --format json >rank
	# 800 MiB + 32 MiB, then doubled
	jq -e '.resources.memory == 1632' rank
	jq -e --slurpfile group group '.resources == $group[0].resources' rank
	"$BUILD/rtrack-report" recommend --all --spool a --format json >all
	jq -e --slurpfile rank rank '.[0].resources == $rank[0].resources' all
	"$BUILD/rtrack-report" recommend --for slurm --spool a 2>notes >lines
	grep -qx '#SBATCH --mem=1632M' lines
	grep -qx '#SBATCH --ntasks=5' lines
	grep -qx '#SBATCH --cpus-per-task=2' lines
	grep -q 'for the one machine on which all of them ran' notes
	# The ranks are on two machines, so the request is per CPU.
	PEAK=400 part a 2 n1 0 3 <<<'1 1 400
2 1 400
3 1 400'
	"$BUILD/rtrack-report" recommend --for slurm --spool a 2>notes >lines
	grep -qx '#SBATCH --mem-per-cpu=408M' lines
	"$BUILD/rtrack-report" recommend --offline --spool a >text
	grep -q '^CPUs  *5 ranks x 2 CPUs$' text
	grep -q '^Memory  *1[.]59 GiB on each machine$' text
	"$BUILD/rtrack-report" recommend --all --spool a | grep -q '^fit  *1  *5 x 2 '
	"$BUILD/rtrack-report" recommend --all --for slurm --spool a >lines
	grep -qx '#SBATCH --ntasks=5' lines
	# The ranks of a Slurm job share the request of the job.
	sed -i 's/"member"/"labels": {"slurm_job_id": "7"}, &/' a/*/run.json
	"$BUILD/rtrack-report" recommend --all --for slurm --spool a >lines
	grep -qx '#SBATCH --ntasks=5' lines
	grep -qx '#SBATCH --cpus-per-task=2' lines
}

@test "recommend: each kill at a memory limit raises the request of the ranks" {
	cd "$BATS_TEST_TMPDIR"
	local last=500 attempt rank now
	for attempt in 0 1 2; do
		for rank in 0 1; do
			AT=$((1795219200 + attempt * 100)) GROUP_ID=g$attempt PEAK=240 part a $rank n0 0 3 killed <<<'1 1 240
2 1 240
3 1 240'
		done
		for run in a/*; do
			[ "$(jq -r .group "$run/run.json")" = g$attempt ] || continue
			jq ".requested = {memory_mib: $last} | .server.memory_mib = 64000 | .exit_signal = 9 | .killed_by = \"oom\"" "$run/run.json" >new
			mv new "$run/run.json"
		done
		now=$("$BUILD/rtrack-report" recommend --offline --spool a --format json | jq .resources.memory)
		[ "$now" -gt "$last" ] || { echo "$attempt: $now after $last"; false; }
		last=$now
	done
}
