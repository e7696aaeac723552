#!/usr/bin/env bats
# Tests of how reports name the command that made a run fail, and show its last output (report/model/failure.c)

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	report() { "$BUILD/rtrack-report" "$@" "$(only_run)"; }
}

# of COMMAND...: runs the command under rtrack-run and under LD_PRELOAD alone, and prints the report about its failure,
# which must be the same.
of() {
	local way said=
	for way in preload launcher; do
		rm -rf "$RTRACK_SPOOL"
		case $way in
		preload) preload "$@" >out 2>&1 || true ;;
		launcher) "$BUILD/rtrack-run" "$@" >out 2>&1 || true ;;
		esac
		report show -v >shown
		report html -o page.html
		now=$(report show --format json | jq -c '.ended.failed | if . then [.command, .exit_code, .exit_signal, .part] else . end')
		[ -z "$said" ] || [ "$said" = "$now" ] || { echo "$said, then $now"; return 1; }
		said=$now
	done
	printf '%s\n' "$said"
}

@test "a failed run names the command that failed, under a shell, make and Python" {
	[ "$(of sh -c 'echo a | sort; ls /nowhere; exit $?')" = '["ls /nowhere",2,null,""]' ]
	grep -q '^`ls /nowhere` ended with status 2$' shown
	grep -q '<code>ls /nowhere</code> ended with status 2' page.html
	printf 'all: a b\na:\n\t@sleep 0.4\nb:\n\t@sleep 0.2\n\t@ls /nowhere\n' >Makefile
	[ "$(of make -s -j2)" = '["ls /nowhere",2,null,""]' ]
	[ "$(of python3 -c 'import subprocess; subprocess.run(["ls", "/nowhere"], check=True)')" = '["ls /nowhere",2,null,""]' ]
}

@test "a failed command is not named if the run did not fail because of it" {
	[ "$(of sh -c 'ls /nowhere || true; exit 3')" = null ]
	[ "$(of sh -c 'ls /nowhere; sort /dev/null; exit 2')" = null ]
	[ "$(of sh -c 'ls /nowhere; true')" = null ]
	[ "$(of sh -c 'exit 3')" = null ]
}

@test "if a command failed in a part of the run, the part is named" {
	[ "$(of bash -c '"$1/rtrack-run" --mark "begin train"; ls /nowhere; exit $?' - "$BUILD")" = '["ls /nowhere",2,null,"train"]' ]
	grep -q '^`ls /nowhere` ended with status 2 in part train$' shown
}

@test "the last lines of stderr are shown if stderr was a file" {
	printf 'echo out\nfor i in 1 2 3; do printf "${i}0 done\\r" >&2; done; echo >&2\nls /nowhere\nexit 2\n' >job.sh
	for way in preload launcher; do
		rm -rf "$RTRACK_SPOOL"
		echo before >log
		case $way in
		preload) preload sh job.sh >/dev/null 2>>log || true ;;
		launcher) "$BUILD/rtrack-run" sh job.sh >/dev/null 2>>log || true ;;
		esac
		echo after >>log
		report show -v >shown
		grep -qxF "Last lines of stderr: $PWD/log" shown
		grep -qx '  .*0 done' shown
		grep -q '^  ls: .*nowhere' shown
		fails grep -qE '^  (before|after|[12]0 done)' shown
		report show --format json | jq -e '.ended.output | .stream == "stderr" and (.text | endswith("directory\n"))'
		report html -o page.html
		grep -A5 'Last lines of stderr' page.html | grep -q 'nowhere'
	done
}

@test "output lines are not shown for a changed file, a pipe or a finished run" {
	none() { report show --format json | jq -e '.ended.output == null'; }
	"$BUILD/rtrack-run" sh -c 'ls /nowhere; exit 2' 2>log || true
	report show --format json | jq -e '.ended.output.text'
	cp log kept
	echo short >log
	none
	cat kept kept >log
	touch -d 'now + 1 hour' log
	none
	rm log
	none
	ln -s kept log
	none
	rm log
	cp kept log
	report show --format json | jq -e '.ended.output.text'
	if [ "$(id -u)" = 0 ]; then
		chown 1234 log
		none
	fi
	rm -rf "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" sh -c 'ls /nowhere; exit 2' 2>&1 | cat
	none
	rm -rf "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" sh -c 'ls /nowhere; true' 2>log
	none
	jq -e '.stderr.end > 10' "$(only_run)/run.json"
}
