# Makes synthetic runs, directories of a spool with known figures, for tests of rtrack-report.
# A run has four ticks of 1 s and starts on 2026-11-21 at 02:00:00 UTC. It uses 1.5 CPUs on average, 3 at most, and 300
# MiB of memory, with three processes (R and two gcc) and no GPU.

# make_run ID [STATUS [JOB [SECOND]]]: makes a run and prints its directory. It starts SECOND seconds after 02:00:00.
make_run() {
	local run="$RTRACK_SPOOL/$1" status=${2:-finished} job=${3:-job.R} start=$((1795226400 + ${4:-0}))
	local stop=$((start + 4)) code=null signal=null
	case $status in
	finished) code=0 ;;
	failed) code=3 ;;
	killed) signal=9 ;;
	running) stop=null ;;
	esac
	mkdir -p "$run"
	cat >"$run/run.json" <<-END
		{"schema": 1, "id": "$1", "parent": null, "job": "$job", "command": ["Rscript", "$job", "--cores", "2"],
		 "cwd": "/home/ada", "user": "ada", "host": "compute-7", "pid": 10, "start_time": $start, "stop_time": $stop,
		 "interval": 1, "status": "$status", "exit_code": $code, "exit_signal": $signal, "labels": {"team": "x"},
		 "server": {"os": "Linux", "vcpus": 8, "memory_mib": 16000}, "tracker": {"version": "0.1.0", "mode": "preload"}}
	END
	make_series "$run" "$start"
	make_processes "$run" "$start"
	# A run that was not written to for five seconds no longer counts as running. The time is in the future, in case
	# the machine stalls.
	[ "$status" != running ] || touch -d '1 hour' "$run"/*
	printf '%s\n' "$run"
}

# make_three_runs: makes three runs, a minute apart. The first is finished, the second, of another job, failed, and the
# third was killed.
make_three_runs() {
	make_run 20261121T020000Z-compute-7-10-0001
	make_run 20261121T020100Z-compute-7-11-0002 failed other.R 60
	make_run 20261121T020200Z-compute-7-12-0003 killed job.R 120
}

# write_stacks FILE: writes stack.csv. Each line of stdin is a stack: "ID FILE:LINE:FUNCTION;…", with the outermost frame
# first. A file below /home, and <dynamic-code>, is the user's code.
write_stacks() {
	awk 'BEGIN { print "\"timestamp\",\"stack\",\"depth\",\"language\",\"file\",\"line\",\"function\",\"own\"" }
		{ id = $1; sub(/^[^ ]* /, ""); count = split($0, frames, ";")
			for (i = 1; i <= count; i++) {
				split(frames[i], frame, ":")
				printf "1795226401.000,%s,%d,\"python\",\"%s\",%s,\"%s\",%d\n", id, i - 1, frame[1], frame[2], frame[3],
					frame[1] ~ /^\/home\/|^<dynamic-code>$/
			} }' >"$1"
}

make_series() {
	awk -v start="$2" 'BEGIN {
		print "\"timestamp\",\"pid\",\"children\",\"utime\",\"stime\",\"cpu_usage\",\"memory_mib\",\"disk_read_bytes\",\"disk_write_bytes\",\"gpu_usage\",\"gpu_vram_mib\",\"gpu_utilized\",\"members\""
		split("0.5 2.5 1.5 0.5", user); split("0.25 0.5 0.25 0", sys); split("100.5 300 200.25 50", memory)
		for (i = 1; i <= 4; i++)
			printf "%.3f,10,%d,%.6f,%.6f,%.4f,%.3f,%d,%d,,,,%d\n", start + i, i == 2 ? 2 : 0, user[i], sys[i],
				user[i] + sys[i], memory[i], 1048576, 2097152, i == 2 ? 3 : 1
	}' >"$1/process.csv"
	awk -v start="$2" 'BEGIN {
		print "\"timestamp\",\"cpu_usage\",\"memory_used_mib\",\"disk_space_used_gb\",\"net_recv_bytes\",\"net_sent_bytes\",\"tracker_cpu\""
		for (i = 1; i <= 4; i++)
			printf "%.3f,%.4f,%.3f,%.2f,%d,%d,%.6f\n", start + i, i, 4000 + i, 100 + i, 1000, 10, 0.0005
	}' >"$1/system.csv"
	echo '"timestamp","pid","utime","stime","rss_mib"' >"$1/member.csv"
}

make_processes() {
	cat >"$1/start.csv" <<-END
		"timestamp","pid","start_ticks","ppid","exe","command"
		$2.000,10,100,1,"/usr/lib/R/bin/exec/R","/usr/lib/R/bin/exec/R --file=job.R"
		$2.500,11,150,10,"/usr/bin/gcc","gcc -c a.c"
		$2.600,12,160,10,"/usr/bin/gcc","gcc -c b.c"
	END
	cat >"$1/exit.csv" <<-END
		"timestamp","pid","start_ticks","ppid","utime","stime","peak_rss_mib","disk_read_bytes","disk_write_bytes","exit_code","exit_signal","source","exact"
		$(($2 + 1)).500,11,150,10,0.500000,0.250000,4.500,100,200,0,,"self",1
		$(($2 + 2)).500,12,160,10,0.500000,0.250000,5.500,100,200,0,,"self",1
		$(($2 + 4)).000,10,100,1,4.000000,0.500000,290.000,100,200,0,,"self",1
	END
}

# as_other_user: sets `as` to the words before a command that remove root's privileges from it.
as_other_user() {
	as=()
	[ "$(id -u)" -ne 0 ] && return
	as=(setpriv --inh-caps -all --bounding-set -all)
	"${as[@]}" true || skip "setpriv may not drop the rights of root here"
}

# report ARG…: runs rtrack-report. Its output is in $output and $stderr, and its exit status in $status.
report() {
	run --separate-stderr "$BUILD/rtrack-report" "$@"
}

# report_value FILTER ARG…: prints the result of a jq filter on the JSON output.
report_value() {
	local filter=$1
	shift
	"$BUILD/rtrack-report" "$@" --format json | jq -c "$filter"
}

# set_column FILE COLUMN VALUE…: replaces a column row by row. The last value also fills the remaining rows.
set_column() {
	local file=$1 column=$2
	shift 2
	awk -F, -v OFS=, -v name="\"$column\"" -v values="$*" '
		BEGIN { count = split(values, value, " ") }
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i; if (!n) { n = NF + 1; $n = name } print; next }
		{ at = NR - 1 < count ? NR - 1 : count; $n = value[at]; print }' "$file" >"$file.new"
	mv "$file.new" "$file"
}

# set_peak RUN MIB: sets the peak memory of the run to exactly this value.
set_peak() {
	set_column "$1/process.csv" memory_mib "$2"
	set_column "$1/exit.csv" peak_rss_mib 0.001
}

# reshape RUN ROWS CPUS MIB: rewrites process.csv of a run with ROWS ticks of 1 s. CPUS and MIB are awk expressions of `i`,
# which counts from 1.
reshape() {
	local start
	start=$(sed -n 's/.*"start_time": \([0-9]*\).*/\1/p' "$1/run.json")
	awk -v rows="$2" -v start="$start" 'BEGIN {
		print "\"timestamp\",\"utime\",\"stime\",\"cpu_usage\",\"memory_mib\",\"disk_read_bytes\",\"disk_write_bytes\""
		for (i = 1; i <= rows; i++) {
			cpu = '"$3"'; memory = '"$4"'
			printf "%.3f,%.6f,0,%.4f,%.3f,1000,\n", start + i, cpu, cpu, memory
		}
	}' >"$1/process.csv"
	sed -i "s/\"stop_time\": [0-9]*/\"stop_time\": $((start + $2))/" "$1/run.json"
}
