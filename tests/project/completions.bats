#!/usr/bin/env bats
# Tests of shell completions, each in its own shell: what a person gets for TAB
# bats file_tags=quick

load ../lib/helper
load ../lib/runs

setup() {
	cd "$BATS_TEST_TMPDIR"
	make -s -C "$PROJECT" BUILD="$BUILD" completions >/dev/null
	mkdir files
	touch files/one.csv files/two.html
	mkdir files/folder
	make_run 20261121T020000Z-compute-7-10-0001 >/dev/null
	PATH=$BUILD:$PATH
	export TERM=xterm
	cd files
}

# tab_in_SHELL WORD...: prints the completions of the last word, one per line.
tab_in_bash() {
	bash --norc -c '
		. "$1"
		shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		"_${1//-/_}"
		printf "%s\n" "${COMPREPLY[@]}"' - "$BUILD/completions/bash/$1" "$@"
}

tab_in_fish() {
	need fish
	fish --no-config -c '
		source $argv[1]
		complete -C "$argv[2..]"' "$BUILD/completions/fish/$1" "$@" | cut -f1
}

# zsh completes only in a terminal, so the test provides one.
tab_in_zsh() {
	need zsh
	mkdir -p ../zsh
	cp "$BUILD/completions/zsh/$1" "../zsh/_$1"
	rm -f ../zsh/matches ../zsh/ready ../zsh/over
	cat >../zsh/drive <<-'END'
		zmodload zsh/zpty
		wait_for() { for ((i = 0; i < 400; i++)); do [[ -e $1 ]] && return; sleep 0.05; done; exit 1 }
		zpty z zsh -f -i
		zpty -w z 'fpath=($PWD/../zsh $fpath); autoload -U compinit; compinit -D -u
		compadd() { local -a found; builtin compadd -O found "$@"; (( $#found )) && print -rl -- $found >>../zsh/matches; builtin compadd "$@" }
		once() { zle complete-word; : >../zsh/over }
		zle -N once; bindkey "^I" once; : >../zsh/ready'
		wait_for ../zsh/ready
		zpty -w -n z "$1"$'\t'
		wait_for ../zsh/over
		zpty -d z
	END
	zsh -f ../zsh/drive "$*"
	sort -u ../zsh/matches
}

@test "bash, zsh and fish complete commands, options, values, files and runs" {
	for shell in bash zsh fish; do
		tab_in_$shell rtrack-report li >seen
		grep -qx list seen
		tab_in_$shell rtrack-report list --la >seen
		grep -qx -e --label seen
		fails grep -qx -e --prices seen
		tab_in_$shell rtrack-report export --to sn >seen
		grep -qx snapshot seen
		tab_in_$shell rtrack-report show -v 2026 >seen
		grep -qx 20261121T020000Z-compute-7-10-0001 seen
		tab_in_$shell rtrack-report import o >seen
		grep -qx one.csv seen
		tab_in_$shell rtrack-run --mem >seen
		grep -qx -e --memory seen
		tab_in_$shell rtrack-run --memory r >seen
		grep -qx rss seen
		tab_in_$shell rtrack-run tru >seen
		grep -qx true seen
		tab_in_$shell rtrack-run --summary cat o >seen
		grep -qx one.csv seen
	done
}

@test "bash completes every option of the help, and zsh and fish read their files" {
	need zsh fish
	for program in rtrack-run rtrack-report; do
		bash -n "$BUILD/completions/bash/$program"
		zsh -n "$BUILD/completions/zsh/$program"
		fish --no-execute "$BUILD/completions/fish/$program"
	done
	[ "$(tab_in_bash rtrack-run -- | sort)" != "" ]
	diff <("$BUILD/rtrack-run" --help-all | grep -o '^  --[a-z-]*' | tr -d ' ' | sort) <(tab_in_bash rtrack-run - | sort)
	diff <("$BUILD/rtrack-report" html --help | grep -o -e '--[a-z-]*' | sed -n '/^--[a-z]/p' | sort -u) \
		<(tab_in_bash rtrack-report html -- | grep '^--' | sort)
}
