#!/usr/bin/env bats
# Tests of the cheapest server that rtrack-report recommend finds. Prices come from a catalog file or from a price
# service, here the fake service tests/servers/keeper.py.
# bats file_tags=waits

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup_file() {
	export KEEPER="$BATS_FILE_TMPDIR"
	python3 "$PROJECT/tests/servers/keeper.py" "$KEEPER" >"$KEEPER/log" 2>&1 3>&- &
	echo $! >"$KEEPER/pid"
	for _ in $(seq 600); do
		[ ! -e "$KEEPER/port" ] || return 0
		sleep 0.1
	done
	cat "$KEEPER/log"
	return 1
}

teardown_file() {
	kill "$(cat "$KEEPER/pid")"
}

setup() {
	no_proxy=127.0.0.1
	export no_proxy
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	make_run 20261121T015900Z-compute-7-10-0000 finished job.R -60 >"$BATS_TEST_TMPDIR/earlier"
	for i in 1 2 3; do
		make_run "20261121T01590${i}Z-compute-7-10-0000" finished job.R "$((i - 60))" >/dev/null
	done
	# The request is 400 + 32 + 400 / 5 = 512 MiB.
	for i in "$RTRACK_SPOOL"/*; do
		set_peak "$i" 400
	done
}

# keeper MODE: sets the mode in which the price service answers from now on, and clears the cache.
keeper() {
	RTRACK_KEEPER_URL=http://127.0.0.1:$(cat "$KEEPER/port")/$1
	: >"$KEEPER/requests"
	rm -rf "$XDG_CACHE_HOME"
}

requests() {
	cat "$KEEPER/requests"
}

# runs_in VENDOR TYPE REGION: sets the cloud in which the run took place.
runs_in() {
	jq --arg vendor "$1" --arg type "$2" --arg region "$3" \
		'. + {cloud: {vendor: $vendor, instance_type: $type, region: $region}}' "$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
}

# no_server NOTE: recommend prints the request, names no server, prints only this note, and exits with status 0.
no_server() {
	report recommend --format json
	[ "$status" -eq 0 ]
	[ -z "$stderr" ] || { echo "$stderr"; return 1; }
	[ "$(jq -c '[.resources.cpu, .resources.memory, .server, .cost]' <<<"$output")" = '[2,512,null,null]' ]
	[ "$(jq -r '.notes[]' <<<"$output")" = "$1" ] || { jq .notes <<<"$output"; return 1; }
}

@test "recommend: names the cheapest server that fits, and its cost" {
	keeper right
	report recommend --format json
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$(jq -c .server <<<"$output")" = '{"vendor":"aws","server":"right","name":"RIGHT","architecture":"x86_64","region":"","vcpus":2,"memory":4096,"gpu":0,"vram":0,"gpu_model":"","price":0.072,"price_spot":0.018,"currency":"USD"}' ]
	[ "$(jq -c .cost <<<"$output")" = '{"run":8e-05,"current":null,"saving":null,"saving_percent":null,"run_spot":2e-05,"currency":"USD"}' ]
	[ "$(jq -c .notes <<<"$output")" = '[]' ]
	[ "$(requests)" = "/right/servers?order_by=min_price_ondemand&order_dir=asc&only_active=true&limit=10&vcpus_min=2&memory_min=0.500 rtrack" ]
}

@test "recommend: compares the cost with the cost on the run's own server and region" {
	keeper right
	runs_in aws big eu-west-1
	[ "$(report_value .cost recommend)" = '{"run":8e-05,"current":0.0008,"saving":0.00072,"saving_percent":90,"run_spot":2e-05,"currency":"USD"}' ]
	runs_in aws big mars-1
	[ "$(report_value '[.cost.current, .cost.saving_percent]' recommend)" = '[0.0004,80]' ]
	grep -qx '/right/server/aws/big/prices?currency=USD rtrack' "$KEEPER/requests"
	runs_in aws no-such-type eu-west-1
	[ "$(report_value '[.server.server, .cost.current]' recommend)" = '["right",null]' ]
	runs_in unknown unknown unknown
	[ "$(report_value '[.server.server, .cost.current]' recommend)" = '["right",null]' ]
	runs_in 'a/b?c' '../x y' eu
	[ "$(report_value '[.server.server, .cost.current]' recommend)" = '["right",null]' ]
	grep -qx '/right/server/a%2Fb%3Fc/..%2Fx%20y/prices?currency=USD rtrack' "$KEEPER/requests"
}

@test "recommend: asks the price service for GPUs and passes on the user's filters" {
	keeper right
	sed -i 's/,,,,\([0-9]\)$/,1,10000,1,\1/' "$RTRACK_SPOOL"/*/process.csv
	# 10000 + 200 + 10000 / 5 MiB
	[ "$(report_value '[.server.server, .server.gpu_model, .resources.vram]' recommend)" = '["graphics","T4",12208]' ]
	grep -q 'memory_min=0.500&gpu_min=1&gpu_memory_total=11.922 ' "$KEEPER/requests"
	[ "$(report_value '[.server.server, .server.region]' recommend --vendor AWS --region eu-west-1 --arch amd64)" = '["graphics","eu-west-1"]' ]
	grep -q '&vendor=AWS&regions=eu-west-1&architecture=amd64 ' "$KEEPER/requests"
	[ "$(report_value .server recommend --arch arm64)" = null ]
	[ "$(report_value .server recommend --vendor gcp)" = null ]
}

@test "recommend: reuses an answer of the price service for an hour" {
	keeper right
	runs_in aws big eu-west-1
	first=$(report_value . recommend)
	[ "$(wc -l <"$KEEPER/requests")" -eq 2 ]
	[ "$(report_value . recommend)" = "$first" ]
	[ "$(report_value . recommend --offline)" = "$first" ]
	[ "$(wc -l <"$KEEPER/requests")" -eq 2 ]
	[ -z "$(find "$XDG_CACHE_HOME/rtrack" -type f -perm /077)" ]
	touch -d '-61 minutes' "$XDG_CACHE_HOME"/rtrack/*
	[ "$(report_value '[.server, .notes[]]' recommend --offline)" = '[null,"No server: prices were not asked for (--offline)."]' ]
	[ "$(report_value . recommend)" = "$first" ]
	[ "$(wc -l <"$KEEPER/requests")" -eq 4 ]
	touch -d '+61 minutes' "$XDG_CACHE_HOME"/rtrack/*
	[ "$(report_value . recommend)" = "$first" ]
	[ "$(wc -l <"$KEEPER/requests")" -eq 6 ]
	touch -d '-2 days' "$XDG_CACHE_HOME"/rtrack/*
	report_value . recommend --arch x86_64
	[ -z "$(find "$XDG_CACHE_HOME/rtrack" -type f -mmin +60)" ]
}

@test "recommend: works if the price cache is damaged or cannot be written" {
	keeper right
	first=$(report_value . recommend)
	for file in "$XDG_CACHE_HOME"/rtrack/*; do
		head -c 300 /dev/urandom >"$file"
	done
	[ "$(report_value . recommend)" = "$first" ]
	for file in "$XDG_CACHE_HOME"/rtrack/*; do
		sed -i '2,$d' "$file"
	done
	[ "$(report_value '[.server, .notes[]]' recommend)" = '[null,"No server: the price service could not be asked: its answer is not a list of servers."]' ]
	rm -r "$XDG_CACHE_HOME"
	echo >"$XDG_CACHE_HOME"
	[ "$(report_value . recommend)" = "$first" ]
	[ "$(XDG_CACHE_HOME='' HOME='' report_value . recommend)" = "$first" ]
	[ "$(wc -l <"$KEEPER/requests")" -eq 4 ]
}

@test "recommend: if the price service fails, prints a note and exits with status 0" {
	local failed="No server: the price service could not be asked:"
	keeper missing
	no_server "$failed it answered with status 404."
	keeper broken
	no_server "$failed it answered with status 500."
	keeper redirect
	no_server "$failed it answered with status 302."
	for mode in text csv object number cut deep; do
		keeper $mode
		no_server "$failed its answer is not a list of servers."
	done
	keeper none
	no_server "No server: the price service knows none that has this."
	RTRACK_KEEPER_URL=http://127.0.0.1:1
	report recommend --format json
	[ "$status" -eq 0 ]
	[[ $(jq -r '.notes[]' <<<"$output") == "$failed "* ]]
	for url in file:///etc/passwd 'no url' gopher://127.0.0.1; do
		RTRACK_KEEPER_URL=$url
		report recommend --format json
		[ "$status" -eq 0 ]
		[[ $(jq -r '.notes[]' <<<"$output") == "$failed "* ]]
	done
}

@test "recommend: ignores an empty, truncated or oversized answer of the price service" {
	keeper empty
	report recommend --format json
	[ "$status" -eq 0 ]
	[[ $(jq -r '.notes[]' <<<"$output") == "No server: "* ]]
	keeper truncated
	report recommend --format json
	[ "$status" -eq 0 ]
	[[ $(jq -r '.notes[]' <<<"$output") == "No server: "* ]]
	for mode in huge endless; do
		keeper $mode
		no_server "No server: the price service could not be asked: the answer is too long."
	done
}

@test "recommend: waits only 2 seconds for a price service that does not answer" {
	for mode in slow drip; do
		keeper $mode
		runs_in aws big eu-west-1
		began=$(date +%s%N)
		no_server "No server: the price service could not be asked: no answer in time."
		# The timeout is 2 s, and a busy machine may add to it. The server would answer after 30 s.
		[ $((($(date +%s%N) - began) / 1000000)) -lt 20000 ]
	done
}

@test "recommend: ignores ~/.curlrc and a line break in the service's address" {
	keeper right
	HOME=$BATS_TEST_TMPDIR/home
	mkdir "$HOME"
	echo 'user-agent = "mine"' >"$HOME/.curlrc"
	report recommend --format json
	[ "$(jq -c .server.server <<<"$output")" = '"right"' ]
	grep -q ' rtrack$' "$KEEPER/requests"
	RTRACK_KEEPER_URL=$RTRACK_KEEPER_URL$'\noutput = "written'
	report recommend --format json
	[ ! -e written ]
	[ "$(jq -c .server <<<"$output")" = null ]
}

@test "recommend: does not wait for a name server that does not answer" {
	need ip
	unshare -r -n -m true 2>/dev/null || skip "no network namespace of its own here"
	keeper right
	cat >mute.py <<-END
		import socket, time
		mute = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
		mute.bind(("127.0.0.1", 53))
		open("ready", "w").close()
		time.sleep(100)
	END
	# The resolver would wait for half a minute. The network has only a loopback interface.
	cat >ask.sh <<-'END'
		ip link set lo up && echo nameserver 127.0.0.1 >resolv.conf && mount --bind resolv.conf /etc/resolv.conf || exit 99
		python3 mute.py &
		until [ -e ready ] || ! kill -0 $!; do sleep 0.1; done
		began=$(date +%s)
		RES_OPTIONS='timeout:30 attempts:1' RTRACK_KEEPER_URL=http://prices.example "$BUILD/rtrack-report" recommend --format json >answer
		echo $(($(date +%s) - began)) >seconds
		kill $!
	END
	export BUILD
	unshare -r -n -m sh ask.sh 3>&- || skip "no name server can be put in the place of this machine's"
	[ "$(jq -r '.notes[]' answer)" = "No server: the price service could not be asked: no answer in time." ]
	[ "$(cat seconds)" -lt 20 ]
}

@test "recommend: waits as long as Retry-After says before asking the service again" {
	local alone="No server: the price service could not be asked: it asks to wait for"
	keeper busy
	no_server "$alone 1234 s."
	[[ $(report_value '.notes[]' recommend) == "\"$alone 12"* ]]
	[ "$(wc -l <"$KEEPER/requests")" -eq 1 ]
	keeper down
	no_server "$alone 60 s."
	report_value . recommend
	[ "$(wc -l <"$KEEPER/requests")" -eq 1 ]
	# A service at another address is still asked.
	RTRACK_KEEPER_URL=${RTRACK_KEEPER_URL%/down}/right
	[ "$(report_value .server.server recommend)" = '"right"' ]
}

@test "recommend: ignores incomplete offers and escapes control characters in them" {
	keeper strange
	report recommend --format json
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$(jq -c '[.server.price, .server.vcpus, .server.spot_price]' <<<"$output")" = '[0.09,2,null]' ]
	report recommend
	[ "$status" -eq 0 ]
	fails grep -q "$(printf '[\001-\011\013-\037]')" <<<"$output"
}

@test "recommend: the printed server, price, cost and savings fit in 80 columns" {
	keeper right
	runs_in aws big eu-west-1
	report recommend
	[ "$status" -eq 0 ]
	grep -q '^Server  *RIGHT (aws right), x86_64, 2 vCPUs, 4 GiB$' <<<"$output"
	grep -q '^Price  *0.072 USD an hour$' <<<"$output"
	grep -q '^  spot  *0.018 USD an hour$' <<<"$output"
	grep -q '^Cost  *0.0008 USD for this run where it ran$' <<<"$output"
	grep -q '^  *0.00008 USD there, if it takes as long$' <<<"$output"
	grep -q '^Saving  *0.00072 USD, 90.0 %$' <<<"$output"
	fails grep -nE '.{81}' <<<"$output"
}

@test "show, html: without --prices, only the cache of the price service is used" {
	keeper right
	report show -v
	grep -qE '^Request +2 CPUs +512 MiB, 2 min$' <<<"$output"
	[ "$(report_value '[.recommendation.resources.cpu, .recommendation.server, .recommendation.notes]' show)" = '[2,null,[]]' ]
	[ -z "$(requests)" ]
	report show -v --prices
	[ -z "$stderr" ]
	grep -qE '^Request +2 CPUs +512 MiB, 2 min, RIGHT \(aws\) at 0.072 USD an hour$' <<<"$output"
	[ "$(wc -l <"$KEEPER/requests")" -eq 1 ]
	report html -o - --catalog /nowhere
	[ "$status" -eq 1 ]
	report html -o -
	[ "$status" -eq 0 ]
	grep -q 'Cheapest fit: .*, <strong>0.072 USD</strong> an hour' <<<"$output"
	[ "$(wc -l <"$KEEPER/requests")" -eq 1 ]
	keeper strange
	report html -o - --prices
	[ "$status" -eq 0 ]
	[ "$(wc -l <"$KEEPER/requests")" -eq 1 ]
	grep -q 'Cheapest fit: .*, <strong>0.09 USD</strong> an hour' <<<"$output"
}

# page_text: prints the text of the HTML page, one element per line.
page_text() {
	"$BUILD/rtrack-report" html -o - "$@" | sed 's/<[^>]*>//g'
}

@test "html: the page shows the request, and the cost of this run and of the next run" {
	keeper right
	runs_in aws big eu-west-1
	page_text --prices >"$BATS_TEST_TMPDIR/page"
	grep -q '^Request for the next run' "$BATS_TEST_TMPDIR/page"
	grep -qx 'CPUs2used 1.5 on average' "$BATS_TEST_TMPDIR/page"
	grep -qx 'Memory512 MiBpeak 400 MiB1.3 × the peak (only 5 runs so far)' "$BATS_TEST_TMPDIR/page"
	grep -qx 'Cheapest fit: RIGHT aws, 0.072 USD an hour, spot 0.018 USD.' "$BATS_TEST_TMPDIR/page"
	grep -qx 'This run cost 0.0008 USD; there it costs 0.00008 USD, 90 % or 0.00072 USD less.' "$BATS_TEST_TMPDIR/page"
	# The section about the cloud shows the cost too.
	grep -qx 'Cloud' "$BATS_TEST_TMPDIR/page"
	for row in Vendoraws Regioneu-west-1 'Instance typebig' 'Cost of this run0.0008 USD'; do grep -qx "$row" "$BATS_TEST_TMPDIR/page"; done
	# The cost is printed before the statistics.
	[ "$(grep -nx 'This run cost .*' "$BATS_TEST_TMPDIR/page" | cut -d: -f1)" -lt "$(grep -nx 'Usage statistics' "$BATS_TEST_TMPDIR/page" | cut -d: -f1)" ]
}

@test "html: without prices, the page says why there are none and how to get them" {
	keeper right
	page_text >"$BATS_TEST_TMPDIR/page"
	grep -qx 'What it costs is not known: rtrack-report html --prices asks for prices, --catalog FILE has your own.' "$BATS_TEST_TMPDIR/page"
	fails grep -qE 'Cheapest fit|This run cost|^Cloud$' "$BATS_TEST_TMPDIR/page"
	page_text --prices --arch arm64 >"$BATS_TEST_TMPDIR/page"
	grep -q '^No server: the price service knows none that has this' "$BATS_TEST_TMPDIR/page"
	fails grep -q 'What it costs is not known' "$BATS_TEST_TMPDIR/page"
	catalog
	page_text --catalog "$BATS_TEST_TMPDIR/catalog.csv" >"$BATS_TEST_TMPDIR/page"
	grep -qx 'Cheapest fit: node-m site, there, 0.18 EUR an hour.' "$BATS_TEST_TMPDIR/page"
}

@test "show, stats, list and recommend --offline do not ask the price service" {
	keeper right
	catalog
	for words in show stats list "html -o $BATS_TEST_TMPDIR/page.html" "recommend --offline" "recommend --for slurm" \
		"recommend --catalog $BATS_TEST_TMPDIR/catalog.csv"; do
		# shellcheck disable=SC2086
		report $words
		[ "$status" -eq 0 ]
	done
	[ -z "$(requests)" ]
}

catalog() {
	cat >"$BATS_TEST_TMPDIR/catalog.csv" <<-END
		"vendor","server","vcpus","memory","gpu","vram","region","price","currency","price_spot","architecture"
		site,node-s,1,2048,0,0,here,0.01,EUR,,x86_64
		site,node-m,4,8192,,,here,0.36,EUR,0.09,x86_64
		site,node-m,4,8192,,,there,0.18,EUR,,x86_64
		"site","node, ""large""",64,262144,0,0,here,7.2,EUR,,arm64
		site,node-d,4,8192,0,0,here,0.01,USD,,x86_64
	END
}

@test "recommend --catalog: reads your own servers and prices from a CSV file" {
	catalog
	report recommend --format json --catalog "$BATS_TEST_TMPDIR/catalog.csv"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$(jq -c '[.server.server, .server.region, .server.price, .server.price_spot, .server.currency]' <<<"$output")" = '["node-m","there",0.18,null,"EUR"]' ]
	[ "$(jq -c .notes <<<"$output")" = '["Only prices in EUR are compared; 1 in others are left out."]' ]
	runs_in site 'node, "large"' here
	[ "$(report_value '[.cost.run, .cost.current, .cost.saving, .cost.saving_percent]' recommend --catalog "$BATS_TEST_TMPDIR/catalog.csv")" = '[0.0002,0.008,0.0078,97.5]' ]
	runs_in site node-m here
	[ "$(report_value '.cost.current' recommend --catalog "$BATS_TEST_TMPDIR/catalog.csv")" = 0.0004 ]
	[ "$(report_value '[.server.server, .server.price]' recommend --catalog "$BATS_TEST_TMPDIR/catalog.csv" --region HERE)" = '["node-m",0.36]' ]
	[ "$(report_value '.server.price' recommend --catalog "$BATS_TEST_TMPDIR/catalog.csv" --arch aarch64)" = 7.2 ]
	[ "$(report_value '[.server, .notes[]]' recommend --catalog "$BATS_TEST_TMPDIR/catalog.csv" --vendor aws)" = '[null,"No server: the catalog has none that fits."]' ]
}

@test "recommend --catalog: reads JSON, also in the format of the price service" {
	local file=$BATS_TEST_TMPDIR/catalog.json
	echo '[{"vendor": "site", "server": "a", "vcpus": 2, "memory": 512, "price": 1}, {"vendor": "site", "server": "b", "vcpus": 2, "memory": 512, "price": 0.5, "currency": "USD"}]' >"$file"
	[ "$(report_value '[.server.server, .server.price, .server.currency]' recommend --catalog "$file")" = '["b",0.5,"USD"]' ]
	echo '{"servers": [{"server": "c", "vcpus": 2, "memory": 512, "price": 1}]}' >"$file"
	[ "$(report_value '[.server.server, .server.vendor]' recommend --catalog "$file")" = '["c",""]' ]
	keeper right
	python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())' \
		"$RTRACK_KEEPER_URL/servers?" >"$file"
	report recommend --format json --catalog "$file"
	[ "$(jq -c '[.server.server, .server.price]' <<<"$output")" = '["right",0.072]' ]
	[ "$stderr" = "rtrack-report: '$file', item 1: not a server with vcpus, memory and price; left out 1 of 5" ]
}

@test "recommend --catalog: skips and counts rows that describe no server" {
	local file=$BATS_TEST_TMPDIR/catalog.csv
	printf '\357\273\277server,vcpus,memory,price,note\r\na,2,512,1,x\r\n\r\nb,2,512\r\nc,two,512,0.1,\r\n,2,512,0.1,\r\nd,2,512,-1,\r\ne,2,512,"0.5,\r\n' >"$file"
	report recommend --format json --catalog "$file"
	[ "$status" -eq 0 ]
	[ "$(jq -c .server.server <<<"$output")" = '"a"' ]
	[ "$stderr" = "rtrack-report: '$file', line 4: not a server with vcpus, memory and price; left out 5 of 6" ]
}

@test "recommend --catalog: if the catalog is unreadable, exits with status 1" {
	local file=$BATS_TEST_TMPDIR/catalog.csv
	report recommend --catalog "$file"
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '$file' cannot be read: No such file or directory" ]
	[ -z "$output" ]
	report recommend --catalog "$BATS_TEST_TMPDIR"
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '$BATS_TEST_TMPDIR' cannot be read: Is a directory" ]
	for text in '' 'hello' '{}' '[' '7' 'a,b,c'; do
		printf '%s' "$text" >"$file"
		report recommend --catalog "$file"
		[ "$status" -eq 1 ]
		[ "$stderr" = "rtrack-report: '$file' is not a list of servers in CSV or JSON" ]
	done
	head -c 20000000 /dev/zero >"$file"
	report recommend --catalog "$file"
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '$file' cannot be read: File too large" ]
}
