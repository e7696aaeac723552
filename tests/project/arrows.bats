#!/usr/bin/env bats
# Tests that scripts/lint-arrows finds a forbidden include in a copy of the tree
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$PROJECT"
	TREE=$BATS_TEST_TMPDIR/tree
	mkdir "$TREE"
	cp -r core os sampler preload launcher gpu report "$TREE"
}

# add FILE HEADER: adds an include of HEADER to FILE.
add() {
	printf '#include "%s"\n' "$2" >>"$TREE/$1"
}

arrows() {
	status=0
	output=$(scripts/lint-arrows "$TREE" 2>&1) || status=$?
}

@test "lint-arrows: the includes of the source tree follow the order of folders" {
	arrows
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "lint-arrows: prints an include of a file in a higher folder" {
	add report/model/totals.c report/page/spark.h
	arrows
	[ "$status" = 1 ]
	[[ $output == "report/model/totals.c:"*":#include \"report/page/spark.h\"" ]]
}

@test "lint-arrows: prints an include of a folder that is not allowed" {
	add core/row.c report/say/json.h
	add report/spool/run.c sampler/run.h
	add sampler/rows.c os/linux/sys.h
	add report/services/http.c report/model/totals.h
	arrows
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | grep -v ^circle | cut -d: -f1 | sort | tr '\n' ' ')" = "core/row.c report/services/http.c report/spool/run.c sampler/rows.c " ]
}

@test "lint-arrows: reports two folders that may include each other" {
	mkdir "$TREE/scripts"
	sed 's/^text: /text: commands /; s/^history: /history: advice /' scripts/lint-arrows >"$TREE/scripts/lint-arrows"
	status=0
	output=$(sh "$TREE/scripts/lint-arrows" 2>&1) || status=$?
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | grep -c '^circle of rooms: ')" = 2 ]
	printf '%s\n' "$output" | grep -qx 'circle of rooms: report/text may include report/commands, which is above it'
	# Without its row in the table, the order of these two folders is unknown.
	printf '%s\n' "$output" | grep -Eqx 'circle of rooms: report/(history may include report/advice|advice may include report/history), which is above it'
}

@test "lint-arrows: reports a folder that is missing in the list of folders" {
	mkdir "$TREE/report/attic"
	add report/attic/old.c core/number.h
	arrows
	[ "$status" = 1 ]
	[[ $output == "report/attic/old.c:1:"* ]]
}

@test "lint-arrows: reports two or three files that include each other" {
	add report/model/totals.c report/model/stats.h
	add report/model/stats.c report/model/totals.h
	add report/say/units.c report/say/screen.h
	add report/say/screen.c report/say/message.h
	add report/say/message.c report/say/units.h
	arrows
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | grep -c ^circle)" = 2 ]
	for module in report/say/units report/say/screen report/say/message; do
		printf '%s\n' "$output" | grep -q "^circle of includes: report/say/.*$module"
	done
	printf '%s\n' "$output" | grep -Eq '^circle of includes: report/model/(stats → report/model/totals → report/model/stats|totals → report/model/stats → report/model/totals)$'
}

@test "lint-arrows: accepts that a file includes its own header and table" {
	add report/page/charts.h report/page/charts.def
	arrows
	[ "$status" = 0 ]
}

@test "lint-floor: code outside a system's folders names nothing of that system" {
	scripts/lint-floor "$TREE"
}

@test "lint-floor: prints kernel headers, calls, paths and errors, except in comments" {
	for line in '#include <linux/stat.h>' 'int a = __NR_read;' 'int a = SYS_chdir;' 'const char *a = "/proc/self/stat";' \
		'const char *a = "/sys/class";' 'const char *a = "/dev/shm";' 'int a = AT_FDCWD;' 'int f(void) { return -ENOENT; }' \
		'int f(void) { return prctl(1); }' '#include <sys/syscall.h>'; do
		printf '%s\n' "$line" >"$TREE/sampler/leak.c"
		fails scripts/lint-floor "$TREE" >"$BATS_TEST_TMPDIR/said"
		grep -qF "sampler/leak.c:1: $line" "$BATS_TEST_TMPDIR/said"
	done
	printf '/* as /proc/PID/stat says it,\n * "/proc/self" and -ENOENT, __NR_read too */\nint a; /* AT_FDCWD */\n' >"$TREE/sampler/leak.c"
	scripts/lint-floor "$TREE"
}
