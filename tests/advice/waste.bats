#!/usr/bin/env bats
# Tests of rtrack-report waste: resources that each job requested, used, and did not use
# bats file_tags=quick

load ../lib/helper
load ../lib/page
load ../lib/runs

REPORT=$BUILD/rtrack-report

# Each run takes 4 s, with 6 CPU seconds and 300 MiB. The peaks of its processes add up to 372 MiB, but never at one
# time.
# asking RUN CPUS MIB GPUS: sets the requested resources of the run.
asking() {
	sed -i "s/\"labels\"/\"requested\": {\"cpu\": $2, \"memory_mib\": $3, \"gpu\": $4, \"seconds\": null}, \"labels\"/" "$1/run.json"
}

setup() {
	asking "$(make_run 20261121T020000Z-compute-7-10-0001)" 4 9216 null
	asking "$(make_run 20261121T020100Z-compute-7-10-0002 failed job.R 60)" 4 9216 null
	asking "$(make_run 20261121T020200Z-compute-7-10-0003 finished big 120)" null 36864 null
	asking "$(make_run 20261121T020300Z-compute-7-10-0004 finished cpu 180)" 9 null 1
	asking "$(make_run 20261121T020400Z-compute-7-10-0005 finished small 240)" 1 100 null
	make_run 20261121T020500Z-compute-7-10-0006 finished nothing 300
	cd "$BATS_TEST_TMPDIR"
}

@test "waste: prints requests and usage of each job, the largest difference first" {
	"$REPORT" waste --format json >waste.json
	jq -e '[.jobs[].job] == ["big", "job.R", "cpu", "small"]' waste.json
	# The requests are 36 GiB for 4 s, then twice 9 GiB for 4 s and 4 CPUs for 4 s. Each run used 6 CPU seconds.
	jq -e '.jobs[0].memory_gib_hours | .asked == 0.04 and .runs == 1 and .asked_most == 36864' waste.json
	jq -e '.jobs[1] | .runs == 2 and .memory_gib_hours.asked == 0.02 and
		.cpu_hours == {runs: 2, asked_most: 4, used_most: 1.5, asked: 0.008889, used: 0.003333, between: 0.005556}' waste.json
	jq -e '.jobs[] | select(.job == "cpu") | .gpu_hours.asked == 0.001111 and .gpu_hours.used == 0 and
		.memory_gib_hours.asked == null' waste.json
	# A job that used more than it requested wasted nothing.
	jq -e '.jobs[] | select(.job == "small") | .memory_gib_hours.between == 0 and .cpu_hours.between == 0' waste.json
	jq -e '.all | .runs == 5 and (.cpu_hours.asked - .cpu_hours.used - .cpu_hours.between | fabs) < 0.00001' waste.json
	jq -e '.all.money == null and .all.currency == null' waste.json
}

@test "waste: values that are unknown are not printed as 0" {
	run "$REPORT" waste
	[ "$status" = 0 ]
	[ "$(awk 'NR > 2 { print $1 }' <<<"$output")" = "$(printf 'big\njob.R\ncpu\nsmall\nall')" ] || { echo "$output"; return 1; }
	grep -qE '^big +1 +0\.040 +~0 +- +- +- +-$' <<<"$output"
	[ "$(head -2 <<<"$output" | tr -s ' ' | paste -sd'|')" = ' GiB-hours CPU-hours GPU-hours Not used,|Job Runs requested used requested used requested in money' ]
	# The text reports the number of omitted runs.
	[ "$(COLUMNS=80 "$REPORT" waste | tail -1)" = 'Left out: 1 run without a known request.' ]
	[ "$("$REPORT" waste --limit 1 | wc -l)" = 4 ]
	# The name column is only as wide as the names, and the table fits the terminal.
	COLUMNS=200 "$REPORT" waste | fails grep -E '.{81}'
	mv "$RTRACK_SPOOL" kept
	asking "$(make_run 20261121T020000Z-compute-7-10-0001 finished "a name of many characters, of which not all are shown")" 4 9216 null
	COLUMNS=80 "$REPORT" waste | fails grep -E '.{81}'
	COLUMNS=200 "$REPORT" waste | grep -qE '^a name of many characters, of which not all are shown +1 '
	COLUMNS=200 "$REPORT" recommend --all --offline | fails grep -E '.{120}'
	rm -r "$RTRACK_SPOOL"
	mv kept "$RTRACK_SPOOL"
	[ "$("$REPORT" waste --job 's*' | tail -n 1 | awk '{ print $1 }')" = small ]
	[ "$("$REPORT" waste --since 2026-11-21T02:03:30Z --format json | jq -c '[.jobs[].job]')" = '["small"]' ]
}

@test "waste --catalog: prints the cost of unused resources, the largest first" {
	cat >catalog.csv <<-END
		vendor,server,vcpus,memory,gpu,vram,region,price,currency
		site,small,2,4096,0,0,here,0.05,EUR
		site,mid,8,16384,0,0,here,0.2,EUR
		site,large,16,131072,0,0,here,0.9,EUR
		site,graphics,16,131072,1,16384,here,2.9,EUR
		site,broken,,,0,0,here,1,EUR
	END
	"$REPORT" waste --catalog catalog.csv --format json >waste.json 2>err
	jq -e '[.jobs[].job] == ["cpu", "big", "job.R", "small"]' waste.json
	# Two runs of 4 s used server "mid", although server "small" was large enough.
	jq -e '.jobs[2] | .money == 0.000333 and .currency == "EUR"' waste.json
	jq -e '.all.money == 0.004444' waste.json
	# An error in the catalog is reported once.
	[ "$(wc -l <err)" = 1 ]
	"$REPORT" waste --catalog catalog.csv 2>/dev/null | grep -qE '^all .* EUR$'
	run "$REPORT" waste --catalog no-such-file
	[ "$status" = 1 ]
}

@test "waste: a tiny amount is ~0 in the command, and is left out of pages" {
	rm -r "$RTRACK_SPOOL"/*000[2-6]
	asking "$(make_run 20261121T020200Z-compute-7-10-0003 finished tiny 120)" null 301 null
	"$REPORT" waste | grep -qE '^tiny +1 +~0 +~0 '
	"$REPORT" waste | grep -qE '^job\.R +1 +0\.010 '
	"$REPORT" html --all -o site >/dev/null 2>&1
	# A no-break space separates a number and its unit.
	grep -A 1 'Unused memory</h2>' site/index.html | grep -q '<p class="big">0\.010 GiB-hours</p>'
	"$REPORT" html --all --job tiny -o one >/dev/null 2>&1
	grep -q '<h2>CPU time</h2>' one/index.html
	fails grep -q 'Unused memory</h2>' one/index.html
}

# within RUN PARENT: marks RUN as started by the root of the run PARENT.
within() {
	sed -i "s/\"parent\": null/\"parent\": \"$2\"/; s/\"mode\": \"preload\"/&, \"script_pid\": 10, \"script_start\": 100/" "$1/run.json"
}

@test "waste: if a run is inside another run, their common request is counted once" {
	rm -r "$RTRACK_SPOOL"
	outer=$(make_run 20261121T020000Z-compute-7-10-0001)
	inner=$(make_run 20261121T020001Z-compute-7-10-0002 finished inner 1)
	innermost=$(make_run 20261121T020002Z-compute-7-10-0003 finished innermost 2)
	asking "$outer" 4 9216 null
	asking "$innermost" 4 9216 null
	within "$inner" "${outer##*/}"
	within "$innermost" "${inner##*/}"
	sums() {
		"$REPORT" waste "$@" --format json | jq -c '[.jobs[].runs, .all.runs, .all.cpu_hours.asked, (.all.memory_gib_hours.asked == .jobs[0].memory_gib_hours.asked)]'
	}
	tiles() {
		rm -rf site
		"$REPORT" html --all "$@" -o site >/dev/null
		grep -A 1 -E '<h2>(CPU time|Unused memory)</h2>' site/index.html | sed -n 's|<p class="big">\(.*\)</p>|\1|p' | paste -sd'|'
	}
	# The outer run requested 4 CPUs and 9 GiB for 4 s. It used 6 CPU seconds and 300 MiB.
	[ "$(sums)" = '[1,1,1,0.004444,true]' ]
	COLUMNS=80 "$REPORT" waste | tail -1 | grep -qx 'The sum is without 1 run within another with a request\.'
	[ "$(tiles)" = $'6 s|0.010 GiB-hours' ]
	# The inner run counts if the outer run is not selected, or if its request is unknown.
	[ "$(sums --job inner*)" = '[1,1,0.004444,true]' ]
	[ "$(tiles --job inner*)" = $'6 s|0.010 GiB-hours' ]
	sed -i 's/"requested": {[^}]*}, //' "$outer/run.json"
	asking "$(make_run 20261121T020300Z-compute-7-10-0004 finished other 180)" 4 9216 null
	[ "$(sums)" = '[1,1,2,0.008889,false]' ]
	[ "$(tiles)" = $'12 s|0.019 GiB-hours' ]
	# If two runs name each other as their parent, the one that started earlier counts as the parent.
	within "$outer" "${innermost##*/}"
	[ "$(sums)" = '[1,1,2,0.008889,false]' ]
}

@test "html, stats: the CPU times of a Slurm step and of its batch script are added up" {
	rm -r "$RTRACK_SPOOL"
	batch=$(make_run 20261121T020000Z-compute-7-10-0001 finished batch)
	step=$(make_run 20261121T020001Z-compute-7-20-0002 finished step 1)
	cpu() { # sums over all jobs. Process 19 is slurmstepd, which is outside the batch script's run.
		rm -rf site
		"$REPORT" html --all -o site >/dev/null
		grep -A 1 '<h2>CPU time</h2>' site/index.html | sed -n 's|<p class="big">\(.*\)</p>|\1|p'
		sed -i 's/"group": null/"group": "g"/' "$batch/run.json" "$step/run.json"
		"$REPORT" stats --group g --format json | jq -c '[.totals.cpu_seconds, (.members | map(.counted))]'
	}
	sed -i 's/"schema": 1,/&"group": null,/' "$batch/run.json" "$step/run.json"
	within "$step" "${batch##*/}"
	[ "$(cpu)" = $'6 s\n[6,[true,false]]' ]
	sed -i 's/"script_pid": 10/"script_pid": 19/' "$step/run.json"
	[ "$(cpu)" = $'12 s\n[12,[true,true]]' ]
	# A tick of the outer run read the root of the inner run.
	sed -i 's/"pid": 10/"pid": 20/; s/"script_pid": 19/&, "start_ticks": 170/' "$step/run.json"
	[ "$(cpu)" = $'12 s\n[12,[true,true]]' ]
	printf '1795226401.500,20,170,19,"/bin/b","b"\n' >>"$batch/start.csv"
	rm "$step/.summary"
	[ "$(cpu)" = $'6 s\n[6,[true,false]]' ]
}

@test "waste: for the ranks of a group on one machine, the request is counted once" {
	rm -r "$RTRACK_SPOOL"
	for rank in 1 2 3 4; do
		run=$(make_run "20261121T020000Z-compute-7-10-000$rank" finished mpi)
		asking "$run" 4 9216 null
		# The name is the user's: rtrack would have taken the script's.
		sed -i 's/"schema": 1,/&"group": "g",/; s/"command": \[[^]]*\]/"command": ["solve"]/' "$run/run.json"
	done
	grep -q '"group": "g"' "$run/run.json"
	sums() {
		"$REPORT" waste --format json | jq -c '[.jobs[0].runs, (.jobs[0].cpu_hours | .asked, .used), (.jobs[0].memory_gib_hours.used * 1000 | round), .all.cpu_hours.asked]'
		rm -rf site
		"$REPORT" html --all -o site >/dev/null
		grep -A 1 -E '<h2>Unused memory</h2>' site/index.html | sed -n 's|<p class="big">\(.*\)</p>|\1|p'
	}
	# The machine has 4 CPUs and 9 GiB. Each rank used 6 CPU seconds and 300 MiB in 4 s.
	[ "$(sums)" = $'[1,0.004444,0.004444,1,0.004444]\n0.009 GiB-hours' ]
	# A rank on another machine has its own request. So does a run of another group, outside a group, inside another
	# run, or at a later time.
	sed -i 's/"host": "[^"]*"/"host": "n1"/' "$run/run.json"
	[ "$(sums)" = $'[2,0.008889,0.006111,1,0.008889]\n0.019 GiB-hours' ]
	for other in 's/"host": "n1"/"host": "compute-7"/; s/"group": "g"/"group": "h"/' 's/"group": "h"/"group": null/' \
		's/"group": null/"group": "g"/; s/"parent": null/"parent": "20261121T010000Z-compute-7-9-0001"/'; do
		sed -i "$other" "$run/run.json"
		[ "$(sums)" = $'[2,0.008889,0.006111,1,0.008889]\n0.019 GiB-hours' ]
	done
}

@test "waste: if no run has a known request, prints one line and exits with status 1" {
	rm -r "$RTRACK_SPOOL"/*000[1-5]
	run "$REPORT" waste
	[ "$status" = 1 ]
	[ "$output" = "rtrack-report: no run here has a known request" ]
	"$REPORT" waste --format json | jq -e '.jobs == [] and .all.runs == 0'
	run "$REPORT" waste --job '[?]*'
	[ "$status" = 1 ]
	[ "$output" = "rtrack-report: no job matches '[?]*'" ]
	run "$REPORT" waste x
	[ "$status" = 2 ]
}

@test "html: the page of a run shows requested resources that the job did not use" {
	"$REPORT" html -o page.html job.R
	grep -q 'Requested and used' page.html
	grep -q '2 runs of this job, 8 s in all' page.html
	[ "$(grep -c '<small>GiB-hours</small>' page.html)" = 1 ]
	fails grep -q '<small>GPU-hours</small>' page.html
	"$REPORT" html -o none.html nothing
	fails grep -q 'Requested and used' none.html
}

@test "show, html: --failures and --rule work as in recommend" {
	# The run has no phases, and its notes are the same in each case, so only the request can differ.
	for options in '' '--failures 1/100' '--rule classic'; do
		# shellcheck disable=SC2086
		memory=$("$REPORT" recommend --offline --format json $options big | jq .resources.memory)
		# shellcheck disable=SC2086
		"$REPORT" html -o page.html $options big
		grep -q "$memory MiB" page.html
		# shellcheck disable=SC2086
		"$REPORT" show -v $options big | grep -q "$memory MiB"
	done
}

@test "html: the section on unused resources is valid and accessible, also if dark" {
	"$REPORT" html -o page.html job.R
	valid "$PWD/page.html"
	browse axe,narrow,dark page.html
}
