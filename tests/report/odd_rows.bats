#!/usr/bin/env bats
# Tests that every command of rtrack-report ends, whatever the tables of a run contain

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

COMMANDS=("show RUN" "show RUN --format json" "show RUN --tree" "show RUN --by process" "show RUN --by line"
	"show --group odd" "stats RUN" "recommend RUN --offline" "recommend --all --offline" "list" "list --trend" "waste"
	"html RUN --output page.html" "html --group odd --output page.html" "html --all --output site" "compare RUN RUN"
	"compare RUN RUN --align phase" "compare RUN RUN --by line" "watch RUN" "export RUN --to snapshot --output s.gz"
	"export RUN --to csv" "export RUN --to json" "export RUN --to openmetrics" "export RUN --to prometheus-textfile"
	"export RUN --to speedscope")

# setup_file makes a run with a row in each of its tables.
setup_file() {
	export SPOOL=$BATS_FILE_TMPDIR/spool
	RTRACK_SPOOL=$SPOOL RTRACK_GROUP=odd RTRACK_INTERVAL=0.1 "$BUILD/rtrack-run" sh -c 'sleep 0.3; :'
	run=$(echo "$SPOOL"/2*)
	last=$(tail -n 1 "$run/process.csv" | cut -d, -f 1,2)
	cat >"$run/line.csv" <<-END
		"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib"
		$last,0.1,"python","/w.py",12,"f",1,0,0.03,27.6,6.9
	END
	cat >"$run/mark.csv" <<-END
		"timestamp","pid","label","peak_rss_mib","utime","stime","disk_read_bytes","disk_write_bytes"
		$last,"begin",1.785,0.001694,0.000000,61440,0
	END
	cat >"$run/gpu.csv" <<-END
		"timestamp","index","uuid","name","gpu_usage","gpu_vram_mib","job_gpu_usage","job_gpu_vram_mib","power_w","energy_wh","temperature_c","clock_mhz","throttled","vram_total_mib"
		${last%,*},0,"GPU-00000000","NVIDIA T0",0.6000,3000.000,0.5000,2048.000,200.00,0.002671,40,1500,0,16384
	END
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp -r "$SPOOL" spool
	export RTRACK_SPOOL=$PWD/spool
	run=$(echo spool/2*)
}

# odd_rows TABLE: appends copies of the last row. In each copy, one cell has an extreme value.
odd_rows() {
	awk -F, -v OFS=, '
		{ last = $0 }
		END {
			count = split("|0|-1|nan|0.0001|1e9|4294967296|9007199254740993|1e18|1e308|-1e308|x", edges, "|")
			for (column = 1; column <= NF; column++)
				for (i = 1; i <= count; i++) {
					$0 = last
					$column = edges[i]
					print
				}
		}' "$run/$1.csv" >rows
	cat rows >>"$run/$1.csv"
}

# all_commands_end: runs each command. None may take a minute.
all_commands_end() {
	for command in "${COMMANDS[@]}"; do
		# shellcheck disable=SC2086 # words
		timeout 60 "$BUILD/rtrack-report" ${command//RUN/$run} >out 2>err </dev/null || [ $? -lt 3 ] || {
			echo "$command ended with status $?"
			tail -n 3 err
			return 1
		}
	done
}

@test "every command ends, even if a row of line.csv has no pid" {
	echo '1795931943.104,,0.1,"python","/w.py",12,"f",1,0,0.03,27.6,6.9' >>"$run/line.csv"
	all_commands_end
	"$BUILD/rtrack-report" show -v "$run" --by line 2>&1 >out | grep -F 'line.csv'\'', line 3: not a row of this table'
	grep -F ' 1  w.py:12 in f' out
}

@test "every command ends, whatever the cells of a table contain" {
	for table in system process member start exit mark gpu line; do
		cp "$run/$table.csv" kept
		odd_rows $table
		all_commands_end || { echo "with $table.csv"; return 1; }
		mv kept "$run/$table.csv"
	done
}
