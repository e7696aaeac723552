#!/usr/bin/env bats
# The process that made a failed run fail: report/model/failure.c.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	report() { "$BUILD/rtrack-report" "$@" "$(only_run)"; }
}

# of COMMAND…: what is told of the latest run, both ways the same.
of() {
	local way said=
	for way in preload launcher; do
		rm -rf "$RTRACK_SPOOL"
		case $way in
		preload) preload "$@" >out 2>&1 || true ;;
		launcher) "$BUILD/rtrack-run" "$@" >out 2>&1 || true ;;
		esac
		report show >shown
		report html -o page.html
		now=$(report show --format json | jq -c '.ended.failed | if . then [.command, .exit_code, .exit_signal, .part] else . end')
		[ -z "$said" ] || [ "$said" = "$now" ] || { echo "$said, then $now"; return 1; }
		said=$now
	done
	printf '%s\n' "$said"
}

@test "a failed run names the command that failed: of a shell, of make, and of Python" {
	[ "$(of sh -c 'echo a | sort; ls /nowhere; exit $?')" = '["ls /nowhere",2,null,""]' ]
	grep -q '^`ls /nowhere` ended with status 2$' shown
	grep -q '`ls /nowhere` ended with status 2' page.html
	printf 'all: a b\na:\n\t@sleep 0.4\nb:\n\t@sleep 0.2\n\t@ls /nowhere\n' >Makefile
	[ "$(of make -s -j2)" = '["ls /nowhere",2,null,""]' ]
	[ "$(of python3 -c 'import subprocess; subprocess.run(["ls", "/nowhere"], check=True)')" = '["ls /nowhere",2,null,""]' ]
}

@test "a failure that the run did not pass on is not named, nor one of the root itself" {
	[ "$(of sh -c 'ls /nowhere || true; exit 3')" = null ]
	[ "$(of sh -c 'ls /nowhere; sort /dev/null; exit 2')" = null ]
	[ "$(of sh -c 'ls /nowhere; true')" = null ]
	[ "$(of sh -c 'exit 3')" = null ]
}

@test "the part in which a command failed is named" {
	[ "$(of bash -c '"$1/rtrack-run" --mark "begin train"; ls /nowhere; exit $?' - "$BUILD")" = '["ls /nowhere",2,null,"train"]' ]
	grep -q '^`ls /nowhere` ended with status 2 in part train$' shown
}
