#!/usr/bin/env bats
# Tests of docs/coming.md: its rtrack commands work as written, and the columns that it calls equal are equal.
# bats file_tags=quick

load ../lib/helper

DOCUMENT=$PROJECT/docs/coming.md

# block HEADING: prints our commands below a heading. Commands of other tools are comments there.
block() {
	awk -v heading="## $1" '/^## / { inside = $0 == heading } /^```/ { code = inside && $0 == "```sh"; next } inside && code' "$DOCUMENT"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	echo 'import time; time.sleep(0.1)' >job.py
	printf 'b\na\n' >words.txt
}

@test "docs/coming.md: the rtrack commands work as written" {
	local heading
	# shellcheck disable=SC2016 # the quotes of a heading
	for heading in '`time -v`' psrecord con-duct 'resource-tracker for Python' 'resource-tracker in Rust (0.1.18)'; do
		block "$heading" >commands
		[ -s commands ]
		RTRACK_SPOOL=$PWD/spool-${heading//[^a-z]/} PATH=$BUILD:$PATH bash -e commands
	done
	grep -q '^<!DOCTYPE html' page.html
}

@test "docs/coming.md: the exported CSV has the columns of the Rust tracker" {
	local name
	"$BUILD/rtrack-run" --job fit true
	"$BUILD/rtrack-report" export fit -o job.csv
	head -n 1 job.csv | tr -d '"' | tr ',' '\n' >ours
	for name in timestamp system_processes system_{utime,stime,cpu_usage} system_memory_{free,used,buffers,cached,active,inactive}_mib \
		system_disk_{read,write}_bytes system_disk_space_{total,used,free}_gb system_net_{recv,sent}_bytes \
		{system,process}_gpu_{usage,vram_mib,utilized} process_{pid,children,utime,stime,cpu_usage,memory_mib} \
		process_disk_{read,write}_bytes system_cpu_steal; do
		grep -qx "$name" ours || { echo "$name"; return 1; }
	done
}
