#!/usr/bin/env bats
# Tests of exports that Prometheus reads, with its own promtool and server on the loopback interface

load ../lib/helper
load ../lib/jobs

setup() {
	need prometheus promtool
	cd "$BATS_TEST_TMPDIR"
}

# beside: runs the script on stdin while a Prometheus server runs, which reads the blocks in the folder `data`.
beside() {
	cat >script.sh
	local status=0
	"$PROJECT/tests/servers/prometheus" . sh -eu script.sh 3>&- || status=$?
	[ $status != 77 ] || tail -n 5 prometheus.log
	return $status
}

@test "export --to openmetrics: Prometheus returns each row of the CSV file" {
	"$BUILD/rtrack-run" --interval 0.2 --job $'a "job" \\ é' sh -c 'for i in 1 2 3; do seq 30000 | sort -R >/dev/null; sleep 0.2; done'
	"$BUILD/rtrack-report" export --to openmetrics >run.om
	promtool tsdb create-blocks-from openmetrics run.om data >made 2>&1 || { cat made; false; }
	local run time
	run=$(only_run)
	time=$(json stop_time "$run/run.json" | awk '{ print int($1) + 2 }')
	beside <<-END
		samples() {
			curl -sfG "\$PROMETHEUS/api/v1/query" --data-urlencode "query=\$1[1d]" --data-urlencode time=$time |
				jq -r '.data.result[0].values[] | "\(.[0]) \(.[1] | tonumber)"'
		}
		samples rtrack_process_memory_mib >gauge
		samples rtrack_process_utime_total >counter
		curl -sf "\$PROMETHEUS/api/v1/label/job/values" >jobs
	END
	paste -d' ' <(column "$run/process.csv" timestamp) <(column "$run/process.csv" memory_mib) | awk '{ print $1 + 0, $2 + 0 }' CONVFMT=%.14g OFMT=%.14g | diff - gauge
	[ "$(wc -l <counter)" -eq "$(rows_in "$run/process.csv")" ]
	near "$(tail -n 1 counter | cut -d' ' -f2)" "$(sum_of "$run/process.csv" utime)" 0.000002
	jq -e '.data == ["a \"job\" \\ é"]' jobs
}

@test "export --to prometheus-textfile: promtool accepts it, and totals equal stats" {
	run "$BUILD/rtrack-run" --job one sh -c 'seq 100000 | sort -R >/dev/null; exit 3'
	[ "$status" -eq 3 ]
	echo old >job.prom
	ln job.prom kept
	"$BUILD/rtrack-report" export --to prometheus-textfile -o job.prom
	[ "$(cat kept)" = old ]
	promtool check metrics <job.prom
	"$BUILD/rtrack-report" stats --format json >stats.json
	for key in cpu_seconds wall_seconds peak_memory_mib disk_write_bytes; do
		[ "$(awk -v name="rtrack_run_$key{" 'index($1, name) == 1 { print $2 + 0 }' job.prom)" = "$(jq ".totals.$key" stats.json | awk '{ print $1 + 0 }')" ]
	done
	fails grep -E '[0-9]\.[0-9]{16}' job.prom
	grep -qE '^rtrack_run_exit_code\{job="one",.*\} 3$' job.prom
	grep -qE '^rtrack_run_succeeded\{.*\} 0$' job.prom
	fails grep -q 'run="' job.prom
	fails "$BUILD/rtrack-report" export --to prometheus-textfile -o none/job.prom 2>err
	grep -q "'none/job.prom' cannot be written: " err
	[ "$(find . -name '*.new')" = '' ]
}

@test "export --all: Prometheus answers every query of the Grafana dashboard" {
	export RTRACK_SPOOL=$PWD/spool
	python3 "$PROJECT/tests/lib/fleet_spool.py" spool 100
	"$BUILD/rtrack-report" export --all --to prometheus-textfile -o jobs.prom
	promtool check metrics <jobs.prom
	[ -z "$(grep -v '^#' jobs.prom | sed 's/} .*/}/' | sort | uniq -d)" ]
	[ "$(awk '/^rtrack_jobs_runs[{]/ { sum += $NF } END { print sum }' jobs.prom)" = "$(ls spool | wc -l)" ]
	[ "$(awk '/^rtrack_jobs_out_of_memory_runs[{]/ { sum += $NF } END { print sum }' jobs.prom)" = 4 ]
	{
		grep -v '^#' jobs.prom | sed "s/\$/ $(date +%s)/" | awk '{ name = $0; sub(/{.*/, "", name); if (name != last) print "# TYPE " name " gauge"; last = name; print }'
		echo '# EOF'
	} >jobs.om
	promtool tsdb create-blocks-from openmetrics jobs.om data >made 2>&1 || { cat made; false; }
	jq -r '.panels[].targets[].expr | gsub("[$]by"; "user") | gsub("[$](user|account)"; ".*")' "$PROJECT/integrations/grafana/jobs.json" >queries
	[ "$(wc -l <queries)" -eq 9 ]
	beside <<-'END'
		while read -r query; do
			curl -sfG "$PROMETHEUS/api/v1/query" --data-urlencode "query=$query" | jq -c --arg query "$query" '[$query, (.data.result | length)]'
		done <queries >answers
	END
	# The runs in this spool use no GPU.
	jq -s -e 'length == 9 and (map(select(.[0] | test("gpu") | not)) | all(.[1] > 0))' answers
}
