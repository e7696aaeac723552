#!/usr/bin/env bats
# Tests in a browser of pages about many runs: a group, one job, or all jobs

bats_require_minimum_version 1.5.0

load ../lib/helper
load ../lib/page

setup_file() {
	REPORT=$(cd "${BUILD:-$PROJECT/build}" && pwd)/rtrack-report
	export REPORT RTRACK_SPOOL=$BATS_FILE_TMPDIR/spool XDG_CACHE_HOME=$BATS_FILE_TMPDIR
	mkdir "$RTRACK_SPOOL"
	for rank in 0 1 2; do
		make_rank $rank --ticks 60
	done
}

# make_rank RANK [OPTION of make_run.py]...: makes a run in the spool, on one of two machines.
make_rank() {
	local name=20261121T020000Z-n$(($1 % 2))-424$1-000$1
	local run=$RTRACK_SPOOL/$name
	made_run "$name" "${@:2}"
	jq --argjson rank "$1" '.group = "g<b>" | .member = {rank: $rank, of: 4} | .job = "fit" | .host = "n\($rank % 2)<i>"' \
		"$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
}

@test "html --group: the page is valid and accessible, and shows machines and ranks" {
	RTRACK_SPOOL=$BATS_FILE_TMPDIR/spool "$REPORT" html --group 'g<b>' -o "$BATS_TEST_TMPDIR/group.html"
	grep -q '3 runs on 2 machines, of 4 ranks; no run: rank 3' "$BATS_TEST_TMPDIR/group.html"
	run ! grep '<i>' "$BATS_TEST_TMPDIR/group.html"
	valid "$BATS_TEST_TMPDIR/group.html"
	browse opens,narrow,dark,paper,axe "$BATS_TEST_TMPDIR/group.html"
}

@test "html --group: 30 ranks fit on paper; a narrow screen shows only unusual ranks" {
	export RTRACK_SPOOL=$BATS_TEST_TMPDIR/spool
	mkdir "$RTRACK_SPOOL"
	for rank in {0..29}; do
		make_rank $rank --ticks 20
	done
	for run in "$RTRACK_SPOOL"/*-4241-*; do
		jq '.host = "compute-node-0123.cluster.example.org" | .status = "killed" | .exit_code = null | .exit_signal = 9 | .killed_by = "oom"' \
			"$run/run.json" >"$BATS_TEST_TMPDIR/new"
		mv "$BATS_TEST_TMPDIR/new" "$run/run.json"
	done
	"$REPORT" html --group 'g<b>' -o "$BATS_TEST_TMPDIR/group.html"
	browse narrow,paper "$BATS_TEST_TMPDIR/group.html"
}

@test "html --group: processes with the same pid in two ranks are shown separately" {
	export RTRACK_SPOOL=$BATS_TEST_TMPDIR/spool
	mkdir "$RTRACK_SPOOL"
	for rank in 0 1; do
		make_rank $rank --ticks 20 --commands 2
	done
	"$REPORT" html --group 'g<b>' -o "$BATS_TEST_TMPDIR/group.html"
	browse below "$BATS_TEST_TMPDIR/group.html" "4242 .4243 .4253 .4263 4242 .4243 .4253 .4263"
}

# make_fleet makes a spool with 60 runs of ten jobs. The name of one job looks like HTML markup. The last run of `job 3`
# took four times as long as earlier runs, with the same CPU time.
make_fleet() {
	FLEET=$BATS_TEST_TMPDIR/fleet
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$FLEET" 60 6
	sed -i 's|"job": "job 5"|"job": "<b>\\"\&../job 5"|' "$FLEET"/*/run.json
	sed -i "s|\"job\": \"job 7\"|\"job\": \"$(printf 'long-name-%.0s' {1..300})\"|" "$FLEET"/*/run.json
	SLOW=$(basename "$(grep -l '"job": "job 3"' "$FLEET"/*/run.json | tail -n 1 | xargs dirname)")
	jq '.stop_time += 18.75' "$FLEET/$SLOW/run.json" >"$BATS_TEST_TMPDIR/new"
	mv "$BATS_TEST_TMPDIR/new" "$FLEET/$SLOW/run.json"
}

@test "html --all: every link of the site works, and a second call adds new runs" {
	make_fleet
	cd "$BATS_TEST_TMPDIR"
	[ "$("$REPORT" html --all --spool "$FLEET" -o site)" = site/index.html ]
	[ "$(find site/runs -name '*.html' | wc -l)" = "$(find "$FLEET" -mindepth 1 -maxdepth 1 | wc -l)" ]
	[ "$(find site/jobs -name '*.html' | wc -l)" = 10 ]
	for page in site/index.html site/jobs/*.html "site/runs/$SLOW.html"; do
		grep -o 'href="[^"#]*"' "$page" | sort -u | sed 's/href="//; s/"$//' | while read -r link; do
			[ -s "$(dirname "$page")/$link" ] || { echo "$page: $link"; exit 1; }
		done
	done
	run ! grep -r '<b>"' site
	# All pages link to one style sheet, and pages of runs to one large script.
	[ "$(find site/assets -type f -size +8k -name '*.css' -o -type f -size +8k -name '*.js' | wc -l)" = 2 ]
	run ! grep -rlE '<style|<script>' --include='*.html' site
	[ "$(grep -rl 'src="../assets/.*[.]js"' site/runs | wc -l)" -gt 10 ]
	grep -q "$SLOW.*duration 4.0 times: it waited: 1.0 times the CPU time in 4.0 times the time" site/index.html
	grep -qE 'out of memory' site/index.html
	grep -qE '^<p class="note">[0-9]+ runs?</p>$' site/index.html # a job may have few runs
	grep -q 'id="over-time">This job over time' "site/runs/$SLOW.html"
	valid "$PWD"/site/index.html "$PWD"/site/jobs/job_3*.html "$PWD/site/runs/$SLOW.html"
	browse opens,narrow,rows,dark,paper,axe site/index.html
	browse heads site/index.html
	browse sorts site/index.html "job 3"
	awk '/^<tr>/ { for (i = 0; i < 100; i++) print; next } { print }' site/index.html >site/crowded.html
	browse crowded site/crowded.html
	rm site/crowded.html
	browse opens,narrow,rows,dark,paper,axe "$(ls site/jobs/job_3*.html)"
	browse opens,narrow,charts,dark,paper,axe "site/runs/$SLOW.html"

	touch -d 2020-01-01 "site/runs/$SLOW.html"
	cp -r "$FLEET/$SLOW" "$FLEET/20261122T000000Z-node9-100-ffff"
	sed -i "s/$SLOW/20261122T000000Z-node9-100-ffff/" "$FLEET/20261122T000000Z-node9-100-ffff/run.json"
	"$REPORT" html --all --spool "$FLEET" --spool "$FLEET" -o site
	[ "$(stat -c %Y "site/runs/$SLOW.html")" = "$(date -d 2020-01-01 +%s)" ]
	[ -s site/runs/20261122T000000Z-node9-100-ffff.html ]
	grep -q 'runs/20261122T000000Z-node9-100-ffff.html' site/index.html
	[ -z "$(find site -name '*.new')" ]
}

@test "html --all: a web server finds each page, whatever the names of the jobs" {
	make_fleet
	cd "$BATS_TEST_TMPDIR"
	jq '.job = "a/b #1?x=%41 é \"q\""' "$FLEET/$SLOW/run.json" >new
	mv new "$FLEET/$SLOW/run.json"
	"$REPORT" html --all --spool "$FLEET" -o site
	# The server's root is the parent folder, as with a prefix in a bucket. Therefore links must be relative.
	python3 - "$(find site -name '*.html' | wc -l)" <<-'END'
		import html.parser, http.server, sys, threading, urllib.parse, urllib.request

		class Quiet(http.server.SimpleHTTPRequestHandler):
		    def log_message(self, *arguments):
		        pass

		class Links(html.parser.HTMLParser):
		    def handle_starttag(self, tag, attributes):
		        found.update(urllib.parse.urljoin(page, value).partition("#")[0]
		                     for name, value in attributes if name in ("href", "src") and not value.startswith("data:"))

		server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
		threading.Thread(target=server.serve_forever, daemon=True).start()
		base = f"http://127.0.0.1:{server.server_address[1]}/site/"
		opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
		left, seen = [base + "index.html"], set()
		while left:
		    page = left.pop()
		    seen.add(page)
		    found = set()
		    with opener.open(page) as answer:
		        Links().feed(answer.read().decode())
		    left += [link for link in sorted(found) if link.startswith(base) and link not in seen and link not in left]
		    assert all(link.startswith(base) or not link.startswith("http://127") for link in found), found
		pages = [page for page in seen if page.endswith(".html")]
		assert len(pages) == int(sys.argv[1]), (len(pages), sys.argv[1])
	END
}

@test "html --job: makes the site of one job, and refuses options for single pages" {
	make_fleet
	cd "$BATS_TEST_TMPDIR"
	"$REPORT" html --job 'job 3' --spool "$FLEET" -o site
	[ "$(find site/jobs -name '*.html' | wc -l)" = 1 ]
	grep -q "$SLOW" site/jobs/*.html
	for options in "--all RUN" "--all -o -" "--all --prices" "--all --rule classic" "--since 7d"; do
		# shellcheck disable=SC2086
		run -2 "$REPORT" html $options
	done
	run -1 "$REPORT" html --job nowhere --spool "$FLEET" -o other
	[ ! -e other ]
}

@test "html --all: with 500 runs, a short run that finished gets no page of its own" {
	cd "$BATS_TEST_TMPDIR"
	RTRACK_SPOOL=$PWD/one "$BUILD/rtrack-run" true
	RTRACK_SPOOL=$PWD/many
	mkdir many
	one=$(echo one/*)
	for i in $(seq 1000 1510); do
		at=many/20261121T02${i:0:2}${i:2:2}Z-host-7-$i
		cp -r "$one" "$at"
		sed -i "s|\"id\": \"[^\"]*\"|\"id\": \"$(basename "$at")\"|" "$at/run.json"
	done
	sed -i 's/"status": "finished"/"status": "failed"/; s/"exit_code": 0/"exit_code": 3/' "$at/run.json"
	"$BUILD/rtrack-report" html --all -o site >/dev/null
	[ "$(ls site/runs)" = "$(basename "$at").html" ]
	[ "$(du -sk --apparent-size site | cut -f1)" -lt 3000 ]
}
