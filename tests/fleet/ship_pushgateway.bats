#!/usr/bin/env bats
# Tests of rtrack-report ship to a Pushgateway of Prometheus, and to servers that answer wrongly
# bats file_tags=waits

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	unset http_proxy https_proxy all_proxy
}

# beside: runs the script on stdin while a Pushgateway runs. In it, `value METRIC` prints the value for JOB and USER.
beside() {
	need prometheus-pushgateway
	{
		cat <<-'END'
			metrics() { curl -qsf "http://$PUSHGATEWAY/metrics" | grep '^rtrack_'; }
			value() { metrics | awk -v name="$1{" 'index($0, name) == 1 { print $NF + 0 }'; }
			ship() { "$BUILD/rtrack-report" ship --to "pushgateway+http://$PUSHGATEWAY" "$@"; }
		END
		cat
	} >script.sh
	local status=0
	BUILD=$BUILD "$PROJECT/tests/servers/pushgateway" . timeout 60 bash -eu script.sh 3>&- || status=$?
	[ $status != 77 ] || tail -n 5 pushgateway.log
	return $status
}

# serve: starts a test server at URL, for the rest of the test.
serve() {
	mkdir server
	python3 "$PROJECT/tests/servers/ingest.py" server 2>/dev/null 3>&- &
	SERVER=$!
	until [ -s server/port ]; do sleep 0.02; done
	URL=http://127.0.0.1:$(cat server/port)
}

teardown() {
	[ -z "${SERVER:-}" ] || kill "$SERVER"
}

@test "ship to a Pushgateway: sends the totals of the latest run of a job" {
	local name=$'a/"job" \\ é\351' # the last character is invalid UTF-8
	"$BUILD/rtrack-run" --job "$name" sh -c 'seq 100000 | sort -R >/dev/null; exit 3' || [ $? = 3 ]
	"$BUILD/rtrack-report" stats --format json >stats.json
	beside <<-'END'
		ship --all --format json | jq -e '.runs == 1 and .batches == 1'
		ship --all --format json | jq -e '.batches == 0'
		for key in cpu_seconds wall_seconds peak_memory_mib; do
			[ "$(value rtrack_run_$key)" = "$(jq ".totals.$key" stats.json | awk '{ print $1 + 0 }')" ]
		done
		[ "$(value rtrack_run_exit_code)" = 3 ]
		metrics | grep -qF 'rtrack_run_succeeded{host="'
		metrics | grep -F 'job="a/\"job\" \\ é�"' | grep -qF "user=\"$(id -un)\""
		"$BUILD/rtrack-run" --job "$(jq -r .job "$RTRACK_SPOOL"/2*/run.json)" true
		ship
		[ "$(value rtrack_run_exit_code)" = 0 ]
		"$BUILD/rtrack-run" --job other --ship "pushgateway+http://$PUSHGATEWAY" true
		ship --all # A timeout of ten seconds was too short on a busy machine.
		[ "$(value rtrack_run_exit_code | wc -l)" = 2 ]
		curl -qsf "http://$PUSHGATEWAY/metrics" | promtool check metrics
	END
}

@test "ship to a Pushgateway: keeps a newer run, and stores each rank separately" {
	make_run 20261121T020000Z-compute-7-10-0001 >/dev/null
	make_run 20261121T020100Z-compute-7-11-0002 failed job.R 60 >/dev/null
	make_run 20261121T020000Z-compute-7-10-0003 finished rank.R >/dev/null
	make_run 20261121T020000Z-compute-7-10-0004 finished rank.R >/dev/null
	for rank in 0 1; do
		sed -i 's/"job":/"group": "g", "member": {"rank": '$rank'}, "job":/' "$RTRACK_SPOOL"/*-000$((rank + 3))/run.json
	done
	export START=$(json start_time "$RTRACK_SPOOL"/*-0002/run.json)
	beside <<-'END'
		ship 20261121T020100Z
		ship 20261121T020000Z-compute-7-10-0001 --format json | jq -e '.batches == 0'
		[ "$(value rtrack_run_start_time_seconds)" = "$START" ]
		ship --all --format json | jq -e '.batches == 2'
		[ "$(metrics | grep -c '^rtrack_run_cpu_seconds{.*job="rank.R",rank="[01]"')" = 2 ]
	END
}

@test "ship to a Pushgateway: encodes job names, and retries and reports errors" {
	make_run 20261121T020000Z-compute-7-10-0001 >/dev/null
	serve
	local name encoded
	for name in job.R .. a/b; do
		rm -rf "$RTRACK_SPOOL/.shipped" server/requests
		sed -i 's#"job": "[^"]*"#"job": "'"$name"'"#' "$RTRACK_SPOOL"/2*/run.json
		"$BUILD/rtrack-report" ship --to "pushgateway+$URL/right/sub/"
		encoded=/job@base64/$(printf %s "$name" | base64 | tr +/ -_)
		[ "$name" != job.R ] || encoded=/job/job.R
		grep -qF "PUT /right/sub/metrics$encoded/user/" server/requests || { cat server/requests; false; }
	done
	rm -r "$RTRACK_SPOOL/.shipped" server/requests
	for mode in refuse until-late until-half until-huge; do
		run --separate-stderr timeout 60 "$BUILD/rtrack-report" ship --all --to "pushgateway+$URL/$mode"
		[ "$status" -eq 1 ]
		[[ $stderr == "rtrack-report: not everything was sent to 'pushgateway+$URL/$mode': "* ]]
	done
	touch server/well
	"$BUILD/rtrack-report" ship --all --to "pushgateway+$URL/until-huge" --format json | jq -e '.batches == 1'
	for url in pushgateway+http:// pushgateway+http:///x 'pushgateway+http://a?b' 'pushgateway+http://u:secret@h'; do
		run "$BUILD/rtrack-report" ship --all --to "$url"
		[ "$status" -eq 2 ]
		[[ $output != *secret@* ]]
	done
}
