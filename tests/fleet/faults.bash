# Tests rtrack-run --ship while the target's server fails, for each kind of target.

# Modes of tests/servers/served.py, each of which lasts until the file `well` exists, and a server that never answers
FAULTS='until-hang until-broken until-half until-huge until-refuse until-late dead'

# jobs_beside_faults SERVER.py [ARGUMENT...]: runs a job for each fault of a server, and checks that the job ends as
# usual. Then the server works, and all recorded rows are sent and checked.
# The server gets a folder before its arguments, and a port after them. The caller's teardown kills FAULTY and REVIVED.
# The caller defines two functions: `aim URL` exports the variables for sending to that server and sets TO.
# `arrived_once MODE FOLDER` checks that the server's folder contains each row of the spool once.
jobs_beside_faults() {
	local mode pids=() port url
	mkdir -p faulty revived
	python3 "$PROJECT/tests/servers/$1" faulty "${@:2}" 2>/dev/null 3>&- &
	FAULTY=$!
	until [ -s faulty/port ]; do sleep 0.02; done
	port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
	url_of() {
		[ "$1" = dead ] && echo "http://127.0.0.1:$port/right" || echo "http://127.0.0.1:$(cat faulty/port)/$1"
	}
	for mode in $FAULTS; do
		(
			export RTRACK_SPOOL=$PWD/spool-$mode
			aim "$(url_of "$mode")"
			timeout 60 "$BUILD/rtrack-run" --ship "$TO" --interval 0.05 \
				sh -c 'echo out; echo err >&2; sleep 0.3; exit 7' >"$mode.out" 2>"$mode.err" 3>&- || echo $? >"$mode.status"
		) &
		pids+=($!)
	done
	wait "${pids[@]}"
	touch faulty/well
	python3 "$PROJECT/tests/servers/$1" revived "${@:2}" "$port" 2>/dev/null 3>&- &
	REVIVED=$!
	until [ -s revived/port ]; do sleep 0.02; done
	for mode in $FAULTS; do
		echo "$mode"
		[ "$(cat "$mode.status" "$mode.out" "$mode.err" | tr '\n' ' ')" = '7 out err ' ]
		export RTRACK_SPOOL=$PWD/spool-$mode
		aim "$(url_of "$mode")"
		"$BUILD/rtrack-report" ship --all --to "$TO"
		"$BUILD/rtrack-report" ship --all --to "$TO" --format json | jq -e '.batches == 0'
		if [ "$mode" = dead ]; then arrived_once right revived; else arrived_once "$mode" faulty; fi
	done
	kill "$FAULTY" "$REVIVED"
	FAULTY='' REVIVED=''
}
