#!/usr/bin/env bats
# Tests that rtrack-report writes its output to new files, writes pages only to a directory of the caller, and follows no
# link that another user made.
# bats file_tags=root

load ../lib/helper
load ../lib/runs
load ../lib/users

ID=20261121T020000Z-compute-7-10-0001

setup() {
	make_users
	run_of root $ID
	export RTRACK_SPOOL=$SHARED/root
	mkdir -m 1777 "$SHARED/tmp"
	cd "$SHARED/tmp"
}

# secret_is_whole: root's file has its content still.
secret_is_whole() {
	[ "$(cat "$SECRET")" = TOP-SECRET-LINE ]
}

@test "html --all refuses the default directory if another user made it" {
	as_user $MALLORY mkdir rtrack-site
	as_user $MALLORY ln -s "$SECRET" rtrack-site/.made
	run "$BUILD/rtrack-report" html --all
	[ "$status" -ne 0 ]
	[[ $output == *"'rtrack-site' cannot be used: it belongs to another user"* ]]
	secret_is_whole
	[ "$(ls -A rtrack-site)" = .made ]
}

@test "html --all refuses an output directory that is another user's link" {
	mkdir "$SHARED/root/target"
	as_user $MALLORY ln -s "$SHARED/root/target" rtrack-site
	for output in rtrack-site rtrack-site/ ./rtrack-site//; do
		run "$BUILD/rtrack-report" html --all -o $output
		[ "$status" -ne 0 ]
		[ -z "$(ls -A "$SHARED/root/target")" ]
	done
	fails "$BUILD/rtrack-report" html --all
	[ -z "$(ls -A "$SHARED/root/target")" ]
}

@test "html --all replaces links in the output directory without following them" {
	mkdir -p site/runs site/jobs site/assets
	for link in .made index.html index.html.new runs/$ID.html runs/$ID.html.new; do
		ln -s "$SECRET" "site/$link"
	done
	"$BUILD/rtrack-report" html --all -o site >/dev/null
	secret_is_whole
	[ -f site/index.html ] && [ ! -L site/index.html ]
	grep -q "$ID" "site/runs/$ID.html"
	[ ! -L "site/runs/$ID.html" ]
	[ "$(stat -c %a site/index.html)" = 644 ]
}

@test "html without -o replaces another user's link without following the link" {
	mkdir -m 777 open
	cd open
	as_user $MALLORY ln -s "$SECRET" "rtrack-$ID.html"
	"$BUILD/rtrack-report" html $ID >/dev/null
	secret_is_whole
	[ ! -L "rtrack-$ID.html" ]
	grep -q "$ID" "rtrack-$ID.html"
}

@test "html -o writes through a link that the user names" {
	ln -s "$SHARED/root/page.html" page.html
	"$BUILD/rtrack-report" html $ID -o page.html
	[ -L page.html ]
	grep -q "$ID" "$SHARED/root/page.html"
}

@test "export --to prometheus-textfile follows no link beside its file" {
	mkdir -m 777 open
	cd open
	pid=$(exec sh -c 'echo $$')
	as_user $MALLORY sh -c 'for i in $(seq "$1" $(($1 + 500))); do ln -s "$0" "rtrack.prom.$i.new"; done' "$SECRET" "$pid"
	"$BUILD/rtrack-report" export $ID --to prometheus-textfile -o rtrack.prom
	secret_is_whole
	[ "$(stat -c %a rtrack.prom)" = 644 ]
	grep -q "^rtrack_.*job.R" rtrack.prom
}

@test "rtrack-run --debug writes into no link and no file of another user" {
	mkdir -m 777 open
	cd open
	as_user $MALLORY ln -s "$SECRET" link
	as_user $MALLORY touch file
	echo >not-a-spool
	for path in link file own; do
		RTRACK_SPOOL=$PWD/not-a-spool "$BUILD/rtrack-run" --debug $path true
	done
	secret_is_whole
	[ ! -s file ]
	grep -q 'no record' own
}
