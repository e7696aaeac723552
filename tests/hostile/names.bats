#!/usr/bin/env bats
# Tests of runs with a run.json that claims a wrong id or user. The id of a run is the name of its directory, and its user is
# the owner of the directory. Copies and forged ids hide no other run, and remove none. Root makes the files of two users.
# bats file_tags=root

load ../lib/helper
load ../lib/runs
load ../lib/users

ID=20261121T020000Z-compute-7-10-0001
OTHER=20261121T020000Z-compute-7-10-0002

setup() {
	make_users
	cd "$BATS_TEST_TMPDIR"
	both=(--spool "$SHARED/alice" --spool "$SHARED/mallory")
}

# rows FILTER ARG…: prints the result of a jq filter on the JSON output for both spools.
rows() {
	"$BUILD/rtrack-report" "${@:2}" "${both[@]}" --format json | jq -c "$1"
}

# cpu_seconds JOB: prints the sum over the runs of a job in both spools.
cpu_seconds() {
	"$BUILD/rtrack-report" export --all --to prometheus-textfile "${both[@]}" |
		sed -n "s/^rtrack_jobs_cpu_seconds{job=\"$1\".*} //p"
}

# need_duckdb: puts the program duckdb into PATH.
need_duckdb() {
	venv duckdb -r "$PROJECT/tests/jobs/locks/duckdb.txt"
	mkdir bin
	ln -s "$(dirname "$PYTHON")"/../lib/python3*/site-packages/duckdb_cli/duckdb bin/duckdb
	PATH=$PWD/bin:$PATH
}

@test "a run that claims the id of another user's run does not hide that run" {
	run_of alice $ID failed payroll
	run_of mallory $OTHER finished payroll
	edit '.id = "'$ID'"' "$run/run.json"
	[ "$(rows '[.[].id] | sort' list)" = "[\"$ID\",\"$OTHER\"]" ]
	[ "$(rows '[.[].status] | sort' list)" = '["failed","finished"]' ]
	"$BUILD/rtrack-report" html --all -o site "${both[@]}" >/dev/null
	[ "$(ls site/runs | wc -l)" = 2 ]
	grep -q "payroll – failed" site/runs/$ID*.html
	grep -q "payroll – finished" site/runs/$OTHER*.html
	grep -q "href=\"runs/$ID" site/index.html
}

@test "a run directory with the name of another user's run does not hide that run" {
	run_of alice $ID failed payroll
	run_of mallory $ID finished payroll
	[ "$(rows '[.[].status] | sort' list)" = '["failed","finished"]' ]
	"$BUILD/rtrack-report" html --all -o site "${both[@]}" >/dev/null
	[ "$(ls site/runs | wc -l)" = 2 ]
	[ "$(grep -l "payroll – failed" site/runs/*.html | wc -l)" = 1 ]
	[ "$(grep -l "payroll – finished" site/runs/*.html | wc -l)" = 1 ]
	"$BUILD/rtrack-report" html --all -o site "${both[@]}" >/dev/null
	[ "$(ls site/runs | wc -l)" = 2 ]
}

@test "html --all succeeds if a run of another job has a copied id" {
	run_of alice $ID finished payroll
	run_of mallory $OTHER finished other
	edit '.id = "'$ID'"' "$run/run.json"
	"$BUILD/rtrack-report" html --all -o site "${both[@]}"
	[ "$(ls site/runs | wc -l)" = 2 ]
}

@test "a copied run is a separate run, and show prints the id that the copy claims" {
	run_of root $ID
	RTRACK_SPOOL=$SHARED/root
	"$BUILD/rtrack-report" list >/dev/null
	cp -a "$run" "$run-old"
	[ "$(report_value '[.[].id]' list)" = "[\"$ID-old\",\"$ID\"]" ]
	[ "$(report_value '[.[].id]' list)" = "[\"$ID-old\",\"$ID\"]" ]
	"$BUILD/rtrack-report" html --all -o site >/dev/null
	[ "$(ls site/runs)" = "$ID-old.html"$'\n'"$ID.html" ]
	[ "$("$BUILD/rtrack-report" show -v "$ID-old" | sed -n 's/^Claims id *//p')" = $ID ]
	fails grep -q 'Claims id' <("$BUILD/rtrack-report" show -v "$run")
}

@test "a spool that is given twice is read once" {
	run_of root $ID failed payroll
	"$BUILD/rtrack-report" html --all -o site --spool "$SHARED/root" --spool "$SHARED/root/../root" >/dev/null
	[ "$(ls site/runs | wc -l)" = 1 ]
	both=(--spool "$SHARED/root" --spool "$SHARED/root/../root")
	[ "$(cpu_seconds payroll)" = 6 ]
}

@test "a run is not counted in another user's run that has the id of its parent" {
	run_of alice $ID finished outer
	run_of alice $OTHER finished inner
	edit '.parent = "'$ID'"' "$run/run.json"
	rm -r "$SHARED/alice/$ID"
	run_of mallory $ID finished outer
	edit '.tracker.start_ticks = 100' "$SHARED/alice/$OTHER/run.json"
	[ "$(cpu_seconds inner)" = 6 ]
}

@test "prune --exported keeps a run if only a run of the same name was exported" {
	need_duckdb
	run_of mallory $ID
	"$BUILD/rtrack-report" export --to parquet -o parquet --spool "$SHARED/mallory" >/dev/null
	run_of alice $ID
	"$BUILD/rtrack-report" prune "${both[@]}" --exported parquet >/dev/null
	[ -d "$SHARED/alice/$ID" ]
	[ ! -e "$SHARED/mallory/$ID" ]
	[[ $("$BUILD/rtrack-report" export --to parquet -o parquet "${both[@]}") == '1 runs exported'* ]]
	"$BUILD/rtrack-report" prune "${both[@]}" --exported parquet >/dev/null
	[ ! -e "$SHARED/alice/$ID" ]
}

@test "a run's user is the owner of its directory; show also prints run.json's user" {
	run_of alice $ID failed payroll
	run_of mallory $OTHER finished payroll
	edit '.user = "root"' "$run/run.json"
	[ "$(rows '[.[] | [.id, .user]] | sort' list)" = "[[\"$ID\",\"$ALICE\"],[\"$OTHER\",\"$MALLORY\"]]" ]
	[ "$(rows '[.[].id]' list --user $MALLORY)" = "[\"$OTHER\"]" ]
	fails "$BUILD/rtrack-report" list --user root "${both[@]}"
	[ "$("$BUILD/rtrack-report" show -v "$run" | sed -n 's/^Claims user *//p')" = root ]
	[ -n "$("$BUILD/rtrack-report" export --all --to prometheus-textfile "${both[@]}" | grep "user=\"$MALLORY\"")" ]
	# The owner of the directory has a name.
	chown -R nobody "$run"
	[ "$(rows '[.[].id]' list --user nobody)" = "[\"$OTHER\"]" ]
	"$BUILD/rtrack-report" prune --user root "${both[@]}" --older-than 2027-01-01 >/dev/null || :
	[ -d "$run" ]
	# A user name in the cached summary is not trusted either, because the owner of the run can write it.
	chown -R $MALLORY "$run"
	install -m 755 "$BUILD/rtrack-report" "$SHARED/"
	as_user $MALLORY "$SHARED/rtrack-report" list --spool "$SHARED/mallory" --user root >/dev/null
	[ -e "$run/.summary" ]
	[ "$(rows '[.[].id]' list --user $MALLORY)" = "[\"$OTHER\"]" ]
}

@test "the user of a run that root copied is the user in run.json" {
	run_of alice $ID
	cp -r "$run" "$SHARED/root/"
	both=(--spool "$SHARED/root")
	[ "$(rows '[.[].user]' list --user ada)" = '["ada"]' ]
}

# users_in_sql ARG…: prints run and user of each run in the views that rtrack-report sql makes.
users_in_sql() {
	("$BUILD/rtrack-report" sql "$@" && echo 'select run, "user" from runs order by run;') | duckdb -noheader -list
}

@test "sql: a run's user is the owner of its directory, not the user in run.json" {
	need_duckdb
	run_of alice $ID
	run_of mallory $OTHER
	edit '.user = "root"' "$run/run.json"
	[ "$(users_in_sql "${both[@]}")" = "$ID|$ALICE"$'\n'"$OTHER|$MALLORY" ]
	# All users write to one spool.
	mkdir -m 1777 all
	cp -a "$SHARED/alice/$ID" "$run" all
	"$BUILD/rtrack-report" sql --spool all >views
	cp -r "$SHARED/alice/$ID" "all/$ID-own"
	cp -a "$run" "all/$OTHER-new"
	[ "$(cat views - <<<'select run, "user" from runs order by run;' | duckdb -noheader -list -nullvalue ?)" = "$ID|$ALICE
$ID-own|?
$OTHER|$MALLORY
$OTHER-new|?" ]
	[ "$(users_in_sql --spool all)" = "$ID|$ALICE"$'\n'"$ID-own|ada"$'\n'"$OTHER|$MALLORY"$'\n'"$OTHER-new|$MALLORY" ]
}

@test "sql --user: a run whose name is a pattern does not show runs of other users" {
	need_duckdb
	mkdir -m 1777 all
	run_of alice $ID
	mv "$run" all
	run_of mallory $OTHER
	mv "$run" "all/${ID%1}?"
	run_of mallory $OTHER
	mv "$run" "all/$OTHER'; select 'x"
	[ "$(users_in_sql --spool all --user $MALLORY 2>err)" = "$OTHER'; select 'x|$MALLORY" ]
	grep -q "000?' is left out: SQL needs a name without" err
}
