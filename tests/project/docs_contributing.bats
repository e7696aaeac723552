#!/usr/bin/env bats
# Tests that docs/contributing.md names only commands, files and folders that exist
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$PROJECT"
	DOCUMENT=docs/contributing.md
	unset MAKEFLAGS MAKELEVEL MFLAGS
}

# commands: prints the lines of the blocks of shell commands, without comments.
commands() {
	awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside { sub(/ +# .*/, ""); print }' $DOCUMENT
}

# there SCRIPT WORD...: the script exists and accepts the words.
there() {
	test -x "$1" || return 1
	local word
	for word in "${@:2}"; do
		grep -qwe "$word" "$1" || return 1
	done
}

# has_test -f WORDS FILE: FILE has a test whose name contains WORDS.
has_test() {
	grep -q "^@test \".*$2" "$3"
}

@test "docs/contributing.md: the named commands exist" {
	[ "$(commands | wc -l)" -ge 20 ]
	while IFS= read -r line; do
		case $line in
		make | make\ *) eval "make -n${line#make}" >/dev/null ;;
		build/unit/*) make -n "$line" >/dev/null ;;
		./scripts/* | ./bench/*) eval "there $line" ;;
		scripts/as-user\ bats\ *) test -x scripts/as-user && test -e "${line##* bats }" ;;
		bats\ *) eval "has_test ${line#bats}" ;;
		RTRACK_*=*) grep -q "\"${line%%=*}\"" core/settings.def ;;
		gdb\ *) grep -rqw "$(expr "$line" : ".*'break \([a-z_]*\)'")" preload ;;
		strace\ *) ;;
		*) false ;;
		esac || { echo "not there: $line"; false; }
	done < <(commands)
}

@test "docs/contributing.md: the named targets, scripts, files and folders exist" {
	make -s help >"$BATS_TEST_TMPDIR/help"
	for target in $(grep -oE '`make [a-z_.-]+|^make [a-z_.-]+' $DOCUMENT | sed 's/.* //'); do
		grep -q "^  make $target " "$BATS_TEST_TMPDIR/help" || make -n "$target" >/dev/null || { echo "make $target"; false; }
	done
	for file in $(grep -oE '(scripts|tests|docs)/[a-z_/-]+(\.[a-z]+)?' $DOCUMENT); do
		[ -e "$file" ] || { echo "$file"; false; }
	done
	for folder in tests/*/; do
		grep -qE "^\\|.*\`$(basename "$folder")\`.*\\|" $DOCUMENT || { echo "$folder"; false; }
	done
}
