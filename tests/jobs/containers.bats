#!/usr/bin/env bats
# Tests of jobs in containers: images with glibc, with musl and without a shell, under podman with runc, bwrap and
# systemd-nspawn

load ../lib/helper
load ../lib/jobs
load ../lib/recipes
load ../lib/roots
load ../lib/podman

setup_file() {
	load ../lib/helper
	load ../lib/jobs
	load ../lib/recipes
	load ../lib/roots
	load ../lib/podman
	cd "$BATS_FILE_TMPDIR"
	make_root glibc glibc
	make_root bare bare
	need musl-gcc
	make_root musl musl
	make_podman glibc bare musl
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	PATH=$BATS_FILE_TMPDIR/bin:$BUILD:$PATH
	mkdir spool
	chmod 1777 spool
}

teardown_file() {
	remove_podman
}

# root KIND: copies the image of that kind for this test, with rtrack in /usr/local.
root() {
	cp -r "$BATS_FILE_TMPDIR/$1" .
	mkdir -p "$1"/usr/local/{lib,bin}
	cp "$LIBRARY" "$1/usr/local/lib"
	cp "$BUILD/rtrack-run" "$1/usr/local/bin"
}

# burned RUN: the run has the 0.1 s of CPU time that the program burn uses, plus the time to load it.
burned() {
	total "$1" cpu_seconds | awk '{ print; exit $1 < 0.099 || $1 > 0.5 }'
}

# lines: prints the job, status and exit code of each run, one per line.
lines() {
	"$BUILD/rtrack-report" list --format json | jq -r '.[] | [.job, .status, .exit_code // "-"] | join(" ")' | sort
}

# bats test_tags=root
@test "containers: the image of docs/integrations.md works and keeps the exit status" {
	needs_podman
	cp -r "$PROJECT/integrations" .
	(
		recipe Containers sh | sed "s|^make|make -C '$PROJECT' -s BUILD='$BUILD'|; s|build -t|build --build-arg BASE=localhost/glibc -t|"
	) >commands
	sh -e commands >out 2>&1 || { cat out; false; }
	recipe Containers dockerfile | sed 's|^FROM debian:12|FROM localhost/glibc|; s|=rtrack |=localhost/rtrack |' >Containerfile
	podman build -t job . >out 2>&1 || { cat out; false; }
	recipe Containers sh 2 >commands
	status=0
	sh -e commands || status=$?
	[ "$status" -eq 3 ]
	sed 1d commands | RTRACK_SPOOL= sh -e | grep -q failed
	RTRACK_SPOOL=$PWD/spool
	[ "$(jq -c '[.job, .status, .exit_code, .tracker.mode]' "$(only_run)/run.json")" = '["sh","failed",3,"launcher"]' ]
	# The container has a user without a name, a read-only root, and an orphan that process 1 reaps.
	podman run --rm --read-only --user 1234 -e RTRACK_JOB=strict -v "$PWD/spool:/spool" job sh -c '(sleep 0.1 &); burn 0.1 2'
	run=$(dirname "$(grep -l '"job": "strict"' spool/*/run.json)")
	[ "$(json status "$run/run.json")" = finished ] && [ "$(stat -c %u "$run")" = 1234 ]
	burned "$run"
	grep -q sleep "$run/start.csv"
	# The container has a user namespace, and the spool belongs to one of its users.
	mkdir -m 700 spool/mapped
	chown 100000 spool/mapped
	podman run --rm --uidmap 0:100000:1000 --gidmap 0:100000:1000 -e RTRACK_SPOOL=/spool -e RTRACK_JOB=mapped -v "$PWD/spool/mapped:/spool" \
		job burn 0.1 2
	[ "$(RTRACK_SPOOL=$PWD/spool/mapped lines)" = "mapped finished 0" ]
	[ "$(stat -c %u spool/mapped/2*)" = 100000 ]
	burned spool/mapped/2*
	# Here the variable LD_PRELOAD is set instead of the entry point rtrack-run.
	podman run --rm --entrypoint '' -e LD_PRELOAD=/usr/local/lib/librtrack.so -e RTRACK_JOB=preloaded -v "$PWD/spool:/spool" job burn 0.1 2
	run=$(dirname "$(grep -l '"job": "preloaded"' spool/*/run.json)")
	[ "$(json tracker.mode "$run/run.json")" = preload ] && [ "$(json status "$run/run.json")" = finished ]
	burned "$run"
}

# bats test_tags=root
@test "containers: programs in images with musl or without a shell are tracked" {
	needs_podman
	for kind in musl bare; do
		[ -d "$BATS_FILE_TMPDIR/$kind" ] || continue
		for way in "--entrypoint= -e LD_PRELOAD=/rtrack/librtrack.so" "--entrypoint=/rtrack/rtrack-run"; do
			rm -rf spool/*
			# shellcheck disable=SC2086 # two options
			podman run --rm --read-only $way -v "$BUILD:/rtrack:ro" -v "$PWD/spool:/spool" -e RTRACK_SPOOL=/spool localhost/$kind \
				/bin/burn 0.1 3
			RTRACK_SPOOL=$PWD/spool
			burned "$(only_run)"
			[ "$(lines)" = "burn finished 0" ] || [ "$kind: $(lines)" = "musl: burn finished -" ]
		done
	done
}

# bats test_tags=root
@test "containers: an out-of-memory kill at the container's limit is reported" {
	needs_podman
	put_program glibc "$(victim hog)" /bin/hog
	podman run --rm --memory 100m localhost/bare /bin/burn 0.001 >out 2>&1 || skip "podman may not limit memory here: $(tail -n 1 out)"
	status=0
	podman run --rm --memory 64m --memory-swap 64m -v "$PWD/glibc:/job:ro" -v "$BUILD:/rtrack:ro" -v "$PWD/spool:/spool" \
		-e RTRACK_SPOOL=/spool --entrypoint /rtrack/rtrack-run localhost/bare /job/bin/hog 3 0 0 1000 || status=$?
	RTRACK_SPOOL=$PWD/spool
	[ "$status" -eq 137 ]
	[ "$(jq -c '[.status, .exit_signal, .killed_by]' "$(only_run)/run.json")" = '["killed",9,"oom"]' ]
	"$BUILD/rtrack-report" show --format json | jq -e '.out_of_memory.limit_mib == 64'
}

# bats test_tags=root
@test "containers: an out-of-memory kill of process 1 under LD_PRELOAD is reported" {
	needs_podman
	put_program glibc "$(victim hog)" /bin/hog
	podman run --rm --memory 100m localhost/bare /bin/burn 0.001 >out 2>&1 || skip "podman may not limit memory here: $(tail -n 1 out)"
	in_first_pid_namespace "rtrack-report cannot see that the container's namespace is gone"
	# The last row shows the kill. A row may be late on a busy machine, so the program fills memory slowly. The test
	# passes if one of three attempts succeeds.
	local try
	for try in 1 2 3; do
		status=0
		rm -rf spool/*
		podman run --rm --memory 64m --memory-swap 64m -v "$PWD/glibc:/job:ro" -v "$BUILD:/rtrack:ro" -v "$PWD/spool:/spool" \
			-e RTRACK_SPOOL=/spool -e LD_PRELOAD=/rtrack/librtrack.so --entrypoint /job/bin/hog localhost/bare 10 0 0 40 || status=$?
		[ "$status" -eq 137 ]
		RTRACK_SPOOL=$PWD/spool "$BUILD/rtrack-report" list --format json | jq -e '.[0] | .status == "killed" and .outcome == "out_of_memory"' && break
	done
	RTRACK_SPOOL=$PWD/spool
	"$BUILD/rtrack-report" list | grep -q 'out of memory'
	[ "$("$BUILD/rtrack-report" recommend --offline --format json | jq '.resources.memory > 64')" = true ]
}

@test "containers: jobs in bwrap with a read-only root or a user namespace are tracked" {
	need bwrap
	for kind in glibc bare musl; do
		[ -d "$BATS_FILE_TMPDIR/$kind" ] || continue
		root $kind
		box=(bwrap --ro-bind $kind / --proc /proc --dev /dev --bind spool /spool --unshare-pid --unshare-user --setenv RTRACK_SPOOL /spool)
		"${box[@]}" /bin/burn 0.001 || skip "bwrap may not work here"
		for way in "--setenv LD_PRELOAD /usr/local/lib/librtrack.so" "/usr/local/bin/rtrack-run"; do
			rm -rf spool/*
			# shellcheck disable=SC2086 # words
			"${box[@]}" $way /bin/burn 0.1 3
			RTRACK_SPOOL=$PWD/spool
			burned "$(only_run)"
		done
	done
}

# bats test_tags=root
@test "containers: systemd-nspawn works with rtrack-run and with LD_PRELOAD" {
	as_root "run systemd-nspawn"
	need systemd-nspawn
	root glibc
	mkdir -p glibc/usr/lib
	echo 'ID=none' >glibc/usr/lib/os-release
	box=(systemd-nspawn -q -D "$PWD/glibc" --register=no --keep-unit --bind "$PWD/spool:/spool" --setenv=RTRACK_SPOOL=/spool)
	"${box[@]}" /bin/burn 0.001 >out 2>&1 </dev/null || skip "systemd-nspawn may not work here: $(tail -n 1 out)"
	RTRACK_SPOOL=$PWD/spool
	"${box[@]}" /usr/local/bin/rtrack-run --job launched /bin/burn 0.1 3 </dev/null
	"${box[@]}" --setenv=LD_PRELOAD=/usr/local/lib/librtrack.so --setenv=RTRACK_JOB=preloaded /bin/burn 0.1 3 </dev/null
	[ "$(lines)" = "launched finished 0
preloaded finished 0" ]
	for run in spool/*/; do
		burned "$run"
	done
}

@test "containers: the Kubernetes manifest matches the schema of Kubernetes" {
	venv dialects -r "$PROJECT/tests/advice/dialects.txt"
	python=$PYTHON
	cp -r "$PROJECT/integrations" .
	PATH=${python%/*}:$PATH
	recipe Kubernetes sh >command
	sh -e command
	sed -i 's/initContainers:/initContainer:/' integrations/containers/kubernetes.yaml
	fails sh -e command
}

@test "containers: the library works if it is copied into a job's container" {
	need bwrap
	root glibc
	mkdir empty
	manifest=$PROJECT/integrations/containers/kubernetes.yaml
	init=(bwrap --ro-bind glibc / --bind empty /rtrack --dir /rtrack)
	mkdir -p glibc/rtrack
	mapfile -t copy < <(sed -n 's/.*command: \[\(.*\)\]/[\1]/p' "$manifest" | jq -r '.[]')
	"${init[@]}" /bin/true 2>/dev/null || [ "$?" -eq 1 ] || skip "bwrap may not work here"
	"${init[@]}" "/bin/${copy[0]}" "${copy[@]:1}"
	bwrap --ro-bind glibc / --proc /proc --dev /dev --ro-bind empty /rtrack --bind spool /spool --unshare-user --uid 1000 \
		--setenv LD_PRELOAD "$(sed -n 's/.*name: LD_PRELOAD, value: \(.*\)}/\1/p' "$manifest")" \
		--setenv RTRACK_SPOOL "$(sed -n 's/.*name: RTRACK_SPOOL, value: \(.*\)}/\1/p' "$manifest")" \
		--setenv KUBERNETES_SERVICE_HOST 10.0.0.1 --setenv HOSTNAME train-abcde /bin/burn 0.1
	RTRACK_SPOOL=$PWD/spool
	[ "$(jq -c '[.job, .status, .labels.orchestrator, .labels.pod]' "$(only_run)/run.json")" = '["burn","finished","kubernetes","train-abcde"]' ]
}
