#!/usr/bin/env bats
# Tests of servers that become daemons without exec, change their process names and replace their workers: redis and
# nginx. A tracked script starts, uses and stops them. No server listens on a port.

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_INTERVAL=0.05
	# until_row.sh FILE: waits until a row of the run has at least as much memory as FILE says, in MiB. Without a
	# run, it returns at once.
	cat >until_row.sh <<-'END'
		for i in $(seq 400); do
			[ -e "$RTRACK_SPOOL" ] || exit 0
			awk -F, -v mib="$(cat "$1")" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"memory_mib\"") n = i }
				NR > 1 && $n >= 0.9 * mib { found = 1 } END { exit !found }' "$RTRACK_SPOOL"/2*/process.csv && exit 0
			sleep 0.02
		done
		echo "no row with $(cat "$1") MiB" >&2
	END
}

teardown() {
	remove_cpu_group
}

# serves: runs the script untracked, and tracked both ways, each time in a separate control group. The output must be
# the same and the record correct.
serves() {
	one_way bare sh "$@"
	bare_status_is 0
	bare_says '^ended$'
	for way in preload launcher; do
		cpu_group
		accounted $way sh "$@"
		looks_bare $way
		claims_hold $way
		[ -z "$CPU_GROUP" ] || [ "$(total "$run" exact_cpu)" = true ]
		[ "$(json status "$run/run.json") $(json exit_code "$run/run.json")" = "finished 0" ]
		remove_cpu_group
	done
}

@test "redis as a daemon behaves the same when tracked, and its memory is recorded" {
	need redis-benchmark redis-server
	cat >redis.sh <<-'END'
		here=$PWD
		cd "$(mktemp -d)" || exit 1
		redis-server --port 0 --unixsocket "$PWD/s" --daemonize yes --save '' --dir "$PWD" --logfile "$PWD/log" --pidfile "$PWD/pid" >/dev/null
		until redis-cli -s s ping 2>/dev/null | grep -q PONG; do sleep 0.02; done
		redis-benchmark -s s -n 20000 -r 20000 -d 3000 -t set -q >/dev/null
		redis-cli -s s info memory | awk -F: '/^used_memory_rss:/ { print int($2 / 1048576) }' >"$here/rss"
		sh "$here/until_row.sh" "$here/rss"
		if [ "$1" = SHUTDOWN ]; then redis-cli -s s shutdown nosave; else kill -TERM "$(cat pid)"; fi
		while [ -e pid ]; do sleep 0.02; done
		echo ended
	END
	for how in SHUTDOWN SIGTERM; do
		serves redis.sh $how
		at_least "$(cat rss)" 30
		[ "$(total "$run" ended_unseen)" = 0 ]
		rm -r spool-*
	done
}

@test "nginx behaves the same when tracked, and replaced workers are counted" {
	need nginx
	cat >nginx.sh <<-'END'
		cd "$(mktemp -d)" && chmod 755 . && mkdir -m 755 www tmp && seq 100000 >www/page || exit 1
		cat >conf <<CONF
		worker_processes 2;
		pid $PWD/pid;
		error_log $PWD/log;
		events {}
		http {
			access_log off;
			gzip on; gzip_types *; gzip_comp_level 6;
			client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
			server { listen unix:$PWD/s; root $PWD/www; }
		}
		CONF
		load() { for i in 1 2 3 4 5; do curl -s -H 'Accept-Encoding: gzip' --unix-socket s http://here/page | gzip -d | tail -n 1; done; }
		nginx -p "$PWD" -c "$PWD/conf" -e "$PWD/log"
		until [ -s pid ] && [ -S s ]; do sleep 0.02; done
		load
		workers=$(ps -o pid= --ppid "$(cat pid)")
		kill -HUP "$(cat pid)"
		for worker in $workers; do while kill -0 "$worker" 2>/dev/null; do sleep 0.02; done; done
		load
		kill -QUIT "$(cat pid)"
		while [ -e pid ]; do sleep 0.02; done
		echo ended
	END
	serves nginx.sh
	# The six processes are the first one, which ended at once, the forked master and its four workers.
	[ "$(starts_with_text "$run" nginx)" -ge 6 ]
}
