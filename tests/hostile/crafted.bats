#!/usr/bin/env bats
# Tests of runs with names and rows that a user has made up: no file for another tool, page or terminal output contains
# anything but text, and no command needs much time.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs
load ../lib/crafted

# -- names of jobs ------------------------------------------------------------------------------------------

# claim_names TOOL: makes a run of the tool for each odd name of a job.
claim_names() {
	rm -rf "$RTRACK_SPOOL"
	make_run $ID >/dev/null
	python3 - "$RTRACK_SPOOL" "$1" <<-'END'
		import json, pathlib, shutil, sys
		spool = pathlib.Path(sys.argv[1])
		first = next(spool.iterdir())
		names = ["'; touch attacked; '", '"; touch attacked; "', "`touch attacked`", "$(touch attacked)", "${attacked}", "a\ntouch attacked",
		         "\n'''\nopen('attacked', 'w')", "'''", '"""', "\\", "\\'", "\\\\'", "\\u0027", "# x", "-o", "../x", "*", "{{ x }}", "on",
		         "END\ntouch attacked", "a\u2028apiVersion: x", "a\u0085apiVersion: x", "a\r\napiVersion: x", "\ta: b", "caf\udce9", "x" * 300]
		whole = json.loads((first / "run.json").read_bytes())
		for number, name in enumerate(names):
		    run = spool / f"20261121T020000Z-compute-7-10-1{number:03}"
		    shutil.copytree(first, run)
		    text = json.dumps(whole | {"id": run.name, "job": name, "labels": {"orchestrator": sys.argv[2]}}, ensure_ascii=False)
		    (run / "run.json").write_bytes(text.encode(errors="surrogateescape"))
	END
}

# file TOOL: prints the requests of all jobs for a tool.
file() {
	"$BUILD/rtrack-report" recommend --all --offline --for "$1" 2>notes || { cat notes; return 1; }
}

@test "recommend --all --for slurm: a shell reads odd names of jobs as text" {
	claim_names nextflow
	file slurm >requests
	sh -n requests
	for name in "'; touch attacked; '" '$(touch attacked)' '`touch attacked`' '${attacked}' "'''" '"""' "\\'" '*'; do
		[ "$(sh -c '. ./requests; rtrack_lines "$1"' sh "$name" | head -n 1)" = '#SBATCH --cpus-per-task=2' ]
	done
	fails sh -c '. ./requests; rtrack_lines "another name"'
	[ ! -e attacked ]
}

@test "recommend --all --for metaflow, airflow: Python reads odd names of jobs as text" {
	for tool in metaflow airflow; do
		claim_names $tool
		file $tool >$tool.py
		python3 - $tool <<-'END'
			import sys
			sys.path.insert(0, ".")
			module = __import__(sys.argv[1])
			names = module.RESOURCES if sys.argv[1] == "metaflow" else module.TASKS
			assert len(names) == 26, len(names)
			for name in "'; touch attacked; '", "\\u0027", "\\", '"""', "a\ntouch attacked", "a\u2028apiVersion: x", "caf\ufffd":
			    assert name in names, name
		END
	done
	[ ! -e attacked ]
}

@test "recommend --all --for nextflow: quotes in the name of a job are escaped for Groovy" {
	claim_names nextflow
	file nextflow >requests
	python3 - <<-'END'
		import re
		lines = [line for line in open("requests", encoding="utf-8", errors="surrogateescape", newline="\n") if "withName" in line]
		assert len(lines) == 26, len(lines)
		known = set()
		for line in lines:
		    text = re.fullmatch(r"    withName: '((?:[^'\\\r]|\\[\\'])*)' \{\n", line)
		    assert text, line
		    pattern = re.sub(r"\\(.)", r"\1", text[1])
		    known.add(pattern)
		    re.compile(pattern)
		for name in "$(touch attacked)", "\\u0027", "\\\\'", "*", "${attacked}":
		    assert any(re.fullmatch(pattern, name) for pattern in known), name
	END
}

@test "recommend --all --for kubernetes, docker, snakemake, batch: odd names of jobs are no YAML or JSON" {
	claim_names snakemake
	file batch | jq -e 'length > 5 and all(.[]; .jobName | test("^[A-Za-z0-9_-]+$"))'
	for tool in kubernetes docker snakemake; do
		file $tool >requests
		# A line break of YAML 1.1 within a comment would begin a line that is not a comment.
		python3 - $tool <<-'END'
			import re, sys
			text = open("requests", encoding="utf-8").read()
			assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", text)
			shapes = {"kubernetes": r'(#.*|---|apiVersion: batch/v1|kind: Job|metadata:|spec:| +(name|cpu): "[\w-]+"| +- name: "[\w-]+"|'
			                        r' +(template|spec|containers|resources|requests|limits):| +memory: \d+Mi| +activeDeadlineSeconds: \d+)',
			          "docker": r'(#.*|services:|  #.*|  "[\w.-]+":| +(deploy|resources|limits):| +cpus: "\d+"| +memory: \d+M)',
			          "snakemake": r'(#.*|set-(threads|resources):|  "\w+":( \d+)?|    (mem_mb|runtime): attempt \* \d+)'}
			for line in text.splitlines():
			    assert re.fullmatch(shapes[sys.argv[1]], line), line
		END
	done
	grep -q '^  "on": 2$' requests
}

@test "watch --exec: the pid is null if run.json names no process, so that kill fails" {
	run=$(make_run $ID)
	for pid in -1 0 1.5 '"-1"' '[1]' 1e99; do
		sed -i "s/\"pid\": [^,]*,/\"pid\": $pid,/" "$run/run.json"
		"$BUILD/rtrack-report" watch $ID --when ended --exec 'jq -r .run.pid >>pids' >/dev/null || :
	done
	[ "$(cat pids)" = null$'\nnull\nnull\nnull\nnull\nnull' ]
}

# -- names of functions -------------------------------------------------------------------------------------

@test "names of functions and files are text on the page, on a terminal and in flame graphs" {
	run=$(make_run $ID)
	evil='</script><img src=x onerror=alert(1)>&quot;;b'$'\e[2J\x9b\xc2\x9b'
	{
		echo '"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib","stack"'
		for at in 1 2 3 4; do
			printf '179522640%d.000,10,1.000,"py%s","/%s.py",%d,"%s",30,0,0.500000,100.000,50.000,7\n' $at "$evil" "$evil" $at "$evil"
		done
	} >"$run/line.csv"
	{
		echo '"timestamp","stack","depth","language","file","line","function","own"'
		printf '1795226401.000,7,0,"python","/%s.py",1,"%s",1\n1795226401.000,7,1,"python","/usr/lib/python3/%s.py",2,"%s",0\n' "$evil" "$evil" "$evil" "$evil"
	} >"$run/stack.csv"
	for command in "show $ID --by function" "show $ID --by function --deep" "show $ID --by line" "show -v $ID" "waste --by line" \
		"export $ID --to collapsed -o -" "export $ID --to speedscope -o -" "show $ID --by function --deep --format json" "html $ID -o -"; do
		# shellcheck disable=SC2086
		"$BUILD/rtrack-report" $command 2>&1 | tee out | LC_ALL=C grep -q $'\e\|\xc2\x9b' && { echo "$command"; return 1; }
		iconv -f UTF-8 -t UTF-8 out >/dev/null || { echo "$command"; return 1; }
	done
	[[ $(cat out) != *'<img src=x'* ]]
	[[ $(cat out) == *'&lt;img src=x'* ]]
	# A semicolon would begin another frame.
	[ "$("$BUILD/rtrack-report" export $ID --to collapsed -o - | tr -cd ';\n' | sort -u)" = ';;' ]
}

# -- time and memory ----------------------------------------------------------------------------------------

@test "show: 200,000 unfinished parts beside 50,000 processes need little time" {
	run=$(make_run $ID)
	awk 'BEGIN {
		print "\"timestamp\",\"pid\",\"label\""
		for (i = 1; i <= 200000; i++) print "1795226401.000,1,\"begin x\""
		for (i = 1; i <= 200000; i++) print "1795226402.000,2,\"end x\""
	}' >"$run/mark.csv"
	awk 'BEGIN { for (i = 100; i < 50100; i++) printf "1795226400.500,%d,%d,10,\"/usr/bin/gcc\",\"gcc -c a.c\"\n", i, i }' >>"$run/start.csv"
	within 15 show -v $ID >out
	grep -q '^  200,000 .* x (not ended)' out
}

@test "show: the rows of many samples before the start of a process need little time" {
	run=$(make_run $ID)
	awk 'BEGIN {
		print "\"timestamp\",\"pid\",\"children\",\"memory_mib\",\"rss_mib\",\"members\""
		for (i = 1; i <= 100000; i++) printf "%d.000,10,0,100.000,100.000,2\n", 1795226400 + i
	}' >"$run/process.csv"
	awk 'BEGIN {
		print "\"timestamp\",\"pid\",\"utime\",\"stime\",\"memory_mib\",\"rss_mib\""
		for (i = 1; i <= 200000; i++) print "1795226401.000,99,0.000000,0.000000,50.000,50.000"
	}' >"$run/member.csv"
	echo '1795326399.500,99,9999950,10,"/usr/bin/gcc","gcc -c a.c"' >>"$run/start.csv"
	within 15 show $ID >out
	grep -q '^Memory' out
}

@test "many peaks between two samples need little time" {
	run=$(make_run $ID)
	python3 - "$run" <<-'END'
		import sys
		run = sys.argv[1]
		with open(f"{run}/process.csv", "w") as out:
		    out.write('"timestamp","pid","children","memory_mib","rss_mib","members"\n')
		    for i in range(1, 41):
		        out.write(f"{1795226400 + i}.000,10,0,{900000 if i > 30 else 1}.000,{1}.000,9\n")
		with open(f"{run}/start.csv", "a") as start, open(f"{run}/exit.csv", "a") as end, open(f"{run}/member.csv", "w") as member:
		    member.write('"timestamp","pid","rss_mib"\n')
		    for i in range(30000):
		        start.write(f'1795226401.500,{1000 + i},{250 + i % 9},10,"/usr/bin/gcc","gcc -c a.c"\n')
		        end.write(f'1795226425.500,{1000 + i},{250 + i % 9},10,0.000000,0.000000,{300 + i / 1000:.3f},0,0,,,"sampler",0\n')
		        member.write(f"1795226405.000,{1000 + i},1.000\n")
	END
	sed -i 's/"stop_time": [0-9]*/"stop_time": 1795226440/' "$run/run.json"
	echo "900,000 MiB on a machine of 16,000" >"$RTRACK_SPOOL/.impossible"
	within 15 show $ID >out
	grep -q '^Memory' out
}

@test "100,000 call stacks with names of their own need little time and memory" {
	run=$(make_run $ID)
	crafted stack 100000 '"timestamp","stack","depth","language","file","line","function","own"' \
		'1795226401.000,%d,0,"python","/home/ada/w%d.py",1,"f%d",1'
	crafted line 100000 '"timestamp","pid","seconds","language","file","line","function","samples","cpu_seconds","stack"' \
		'1795226401.000,10,1.000,"python","/home/ada/w%d.py",1,"f%d",1,1.000000,%d'
	for command in "show $ID --by function --deep" "export $ID --to collapsed -o -" "html $ID -o -"; do
		# shellcheck disable=SC2086
		(ulimit -t 20 && below_mib $((40 + 10 * $(cat "$run"/*.csv | wc -c) / 1048576)) $command >out)
	done
	within 20 show $ID --by function --format json 2>err | jq -e '.functions | length == 20000'
	grep -q "'line.csv' cannot be shown whole: JSON has only the 20,000 lines or functions" err
}

# -- runs inside runs ---------------------------------------------------------------------------------------

# nest COUNT NEXT: makes COUNT runs with equal processes, and gives run I the parent NEXT, a Python expression of I.
nest() {
	make_run $ID >/dev/null
	python3 - "$RTRACK_SPOOL" "$1" "$2" <<-'END'
		import json, pathlib, shutil, sys
		spool, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
		first = next(spool.iterdir())
		whole = json.loads((first / "run.json").read_bytes()) | {"stop_time": 32503680000}
		whole["tracker"]["start_ticks"] = 100
		name = "20261121T020000Z-compute-7-10-{:04}".format
		for i in range(1, count + 1):
		    run = spool / name(i)
		    if run != first:
		        shutil.copytree(first, run)
		    parent = eval(sys.argv[3])
		    text = json.dumps(whole | {"id": run.name, "parent": name(parent) if parent else None}, indent=2)
		    (run / "run.json").write_text(text)
	END
}

@test "runs that name themselves or each other as parents are listed" {
	for next in i 'i % 3 + 1'; do
		nest 3 "$next"
		[ "$(within 15 list --format json | jq length)" = 3 ]
		for command in "show $ID" "list --fold" "html --all -o site" "html -o - $ID" "waste" "export --all --to prometheus-textfile -o -" \
			"recommend --all --offline" "prune --older-than 9999d --dry-run"; do
			# shellcheck disable=SC2086
			within 15 $command >/dev/null 2>err || [ $? -le 2 ] || { echo "$next: $command: $(cat err)"; return 1; }
		done
		rm -r "$RTRACK_SPOOL" site
	done
}

@test "a chain of 1,000 runs, each inside the run before, needs little time" {
	nest 1000 'i - 1'
	[ "$(within 20 list --limit 0 --format json | jq length)" = 1000 ]
	# Each run is inside the run that began after it.
	rm -r "$RTRACK_SPOOL"
	nest 300 '(i + 1) % 301'
	[ "$(within 20 list --limit 0 --format json | jq length)" = 300 ]
}
