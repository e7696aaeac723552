#!/usr/bin/env bats
# scripts/lint-arrows: that it finds what it is there for, in a tree with one line too many.
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$PROJECT"
	TREE=$BATS_TEST_TMPDIR/tree
	mkdir "$TREE"
	cp -r core os sampler preload launcher gpu report "$TREE"
}

# add FILE HEADER: one more include.
add() {
	printf '#include "%s"\n' "$2" >>"$TREE/$1"
}

arrows() {
	status=0
	output=$(scripts/lint-arrows "$TREE" 2>&1) || status=$?
}

@test "arrows: the tree as it is has none that goes another way" {
	arrows
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "arrows: an include from a room into one above is printed" {
	add report/model/totals.c report/page/spark.h
	arrows
	[ "$status" = 1 ]
	[[ $output == "report/model/totals.c:"*":#include \"report/page/spark.h\"" ]]
}

@test "arrows: so is one from core into the report, from the report into the sampler, into a room not listed for it, and past the floor of os/" {
	add core/row.c report/say/json.h
	add report/spool/run.c sampler/run.h
	add sampler/rows.c os/linux/sys.h
	add report/services/http.c report/model/totals.h
	arrows
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | grep -v ^circle | cut -d: -f1 | sort | tr '\n' ' ')" = "core/row.c report/services/http.c report/spool/run.c sampler/rows.c " ]
}

@test "arrows: two rooms that may include each other are printed, even where no file does, and through a third" {
	mkdir "$TREE/scripts"
	sed 's/^text: /text: commands /; s/^history: /history: advice /' scripts/lint-arrows >"$TREE/scripts/lint-arrows"
	status=0
	output=$(sh "$TREE/scripts/lint-arrows" 2>&1) || status=$?
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | grep -c '^circle of rooms: ')" = 2 ]
	printf '%s\n' "$output" | grep -qx 'circle of rooms: report/text may include report/commands, which is above it'
	# Which of these two is above the other is what the table does not say any more.
	printf '%s\n' "$output" | grep -Eqx 'circle of rooms: report/(history may include report/advice|advice may include report/history), which is above it'
}

@test "arrows: a folder that has no row is printed" {
	mkdir "$TREE/report/attic"
	add report/attic/old.c core/number.h
	arrows
	[ "$status" = 1 ]
	[[ $output == "report/attic/old.c:1:"* ]]
}

@test "arrows: two files that include each other's headers are a circle, and so are three" {
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

@test "arrows: a file with its own header and table is none" {
	add report/page/charts.h report/page/charts.def
	arrows
	[ "$status" = 0 ]
}

@test "floor: the tree as it is uses nothing of one system outside that system's folders" {
	scripts/lint-floor "$TREE"
}

@test "floor: a kernel header, a call number, a path of the kernel's, its error numbers and its calls are printed; comments are not" {
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
