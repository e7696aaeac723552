#!/usr/bin/env bats
# Tests of rtrack-run in a cloud. If the firmware names a cloud, rtrack-run queries the cloud's metadata service while
# the command runs.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	unshare -rm true 2>/dev/null || skip "no mount namespaces here"
	service=$BATS_TEST_TMPDIR/service
	mkdir "$service"
	python3 "$PROJECT/tests/servers/metadata.py" "$service" >"$service/log" 2>&1 3>&- &
	echo $! >"$service/pid"
	await [ -e "$service/port" ]
	RTRACK_METADATA_URL=http://127.0.0.1:$(cat "$service/port")
	export RTRACK_METADATA_URL
}

teardown() {
	[ ! -e "$BATS_TEST_TMPDIR/service/pid" ] || kill "$(cat "$BATS_TEST_TMPDIR/service/pid")"
}

await() {
	for _ in $(seq 600); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}

# on MACHINE COMMAND…: runs the command with firmware files that describe this kind of machine.
on() {
	unshare -rm --propagation private sh -c '
		mount -t tmpfs none /sys/class && mkdir -p /sys/class/dmi/id && cd /sys/class/dmi/id || exit 99
		case $1 in
		azure) echo 7783-7084-3265-9085-8269-3286-77 >chassis_asset_tag && echo "Virtual Machine" >product_name ;;
		desk) echo LENOVO >sys_vendor ;;
		esac
		cd "$2" && shift 2 && exec "$@"' sh "$1" "$PWD" "${@:2}"
}

# The job exits with 0 once its run.json names a cloud, or with 1 after a minute.
# shellcheck disable=SC2016 # for the shell within
until_named='for i in $(seq 600); do ! grep -q "\"vendor\"" "$RTRACK_RUN/run.json" || exit 0; sleep 0.1; done; exit 1'

@test "rtrack-run: in a cloud, run.json gets vendor, type and region during the run" {
	on azure "$BUILD/rtrack-run" --interval 0.05 sh -c "$until_named"
	run=$(only_run)
	[ "$(jq -c .cloud "$run/run.json")" = '{"vendor":"azure","instance_type":"Standard_D4s_v5","region":"westeurope"}' ]
	[ "$(jq -r .status "$run/run.json")" = finished ]
	[ "$(jq -r 'keys_unsorted | index("tracker") - index("cloud")' "$run/run.json")" = 1 ]
	[ "$(cat "$service/requests")" = "/metadata/instance?api-version=2021-02-01" ]
	# The process that queries the service is not part of the run.
	fails grep -r rtrack-report "$run"
	"$BUILD/rtrack-report" stats --format json | jq -e '.totals | .exact_cpu and .exact_processes'
	[ ! -e "$run/run.json.new" ]
}

@test "rtrack-run: the command does not wait for a cloud that does not answer" {
	touch "$service/mute"
	# The command ends only after the service was queried. The service never answers.
	# shellcheck disable=SC2016
	on azure "$BUILD/rtrack-run" sh -c 'for i in $(seq 600); do [ ! -e "$1" ] || exit 7; sleep 0.05; done' sh "$service/requests" || status=$?
	[ "$status" -eq 7 ]
	run=$(only_run)
	[ "$(jq -c '[.status, .cloud]' "$run/run.json")" = '["failed",null]' ]
}

@test "rtrack-run: outside a cloud, no service is queried and no program is started" {
	need strace
	strace -qq true 2>/dev/null || skip "strace may not trace here"
	# The leak checker of AddressSanitizer does not work in a traced program.
	export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
	on desk strace -qq -f -e trace=execve,connect -o "$BATS_TEST_TMPDIR/trace" "$BUILD/rtrack-run" true
	fails grep -E 'rtrack-report|AF_INET' "$BATS_TEST_TMPDIR/trace"
	[ ! -e "$service/requests" ]
	[ "$(jq .cloud "$(only_run)/run.json")" = null ]
}

@test "rtrack-report discover: asks the cloud provider that the firmware names" {
	[ "$(on azure "$BUILD/rtrack-report" discover --format json | jq -c '.cloud | del(.discovery_time)')" = \
		'{"vendor":"azure","instance_type":"Standard_D4s_v5","region":"westeurope"}' ]
	[ "$(on azure "$BUILD/rtrack-report" discover --cloud off --format json | jq -c '.cloud | del(.discovery_time)')" = \
		'{"vendor":"azure","instance_type":"unknown","region":"unknown"}' ]
	[ "$(wc -l <"$service/requests")" -eq 1 ]
}

@test "rtrack-report: after LD_PRELOAD alone, only recommend queries the cloud" {
	preload sh -c 'true; exit 0'
	run=$(only_run)
	[ "$(jq .cloud "$run/run.json")" = null ]
	[ "$(on azure "$BUILD/rtrack-report" stats --format json | jq -c .run.cloud)" = '{"vendor":"azure"}' ]
	on azure "$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html"
	grep -q '<dt>Vendor</dt><dd>azure</dd>' "$BATS_TEST_TMPDIR/page.html"
	on azure "$BUILD/rtrack-report" recommend --offline >/dev/null
	[ ! -e "$service/requests" ]
	on azure "$BUILD/rtrack-report" recommend >/dev/null
	[ "$(wc -l <"$service/requests")" -eq 1 ]
	# A run from another machine is not assigned to this machine's cloud.
	sed -i 's/"host": "/&not-/' "$run/run.json"
	[ "$(on azure "$BUILD/rtrack-report" stats --format json | jq -c .run.cloud)" = null ]
}
