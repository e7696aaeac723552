#!/usr/bin/env bats
# Tests of runtimes with their own threads, signals and memory management: Perl, Node.js and Java
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "Perl with fork, backticks, pipes and system behaves the same when tracked" {
	need perl
	cat >job.pl <<-'END'
		use strict; use warnings;
		$| = 1;
		print "backticks: ", `echo spoken by a shell`;
		print "system: ", system("sh", "-c", "exit 3") >> 8, "\n";
		my $child = fork();
		if ($child == 0) { exit 4 }
		waitpid($child, 0);
		print "forked: ", $? >> 8, "\n";
		open(my $pipe, "-|", "sort", "-r", $0) or die;
		my @lines = <$pipe>;
		close $pipe;
		print "piped: ", scalar(@lines), "\n";
		local $SIG{ALRM} = sub { die "alarm\n" };
		kill ALRM => $$;
	END
	same_every_way perl job.pl
	bare_says 'forked: 4'
	bare_says alarm
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json job "$run/run.json")" = job.pl ]
		[ "$(starts_with_text "$run" 'sort -r')" -ge 1 ]
	done
}

@test "Node.js with child_process and worker threads behaves the same when tracked" {
	need node
	cat >job.js <<-'END'
		const { spawnSync, spawn, fork } = require('child_process');
		const { Worker } = require('worker_threads');
		if (process.argv[2] === 'forked') {
			process.send('word from a fork', () => process.exit(8));
		} else {
			console.log(String(spawnSync('sh', ['-c', 'echo spoken by a shell; exit 3']).stdout));
			const child = fork(__filename, ['forked']);
			child.on('message', (word) => console.log(word));
			child.on('exit', (code) => {
				console.log('status', code);
				new Worker('require("worker_threads").parentPort.postMessage(6 * 7)', { eval: true })
					.on('message', (answer) => { console.error('worker', answer); process.exitCode = 5; });
			});
		}
	END
	same_every_way node job.js
	bare_status_is 5
	bare_says 'status 8'
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json job "$run/run.json")" = job.js ]
		[ "$(starts_with_text "$run" forked)" -ge 1 ]
	done
}

@test "Java with ProcessBuilder behaves the same when tracked" {
	need javac
	cat >Job.java <<-'END'
		public class Job {
			public static void main(String[] arguments) throws Exception {
				Process child = new ProcessBuilder("sh", "-c", "echo spoken by a shell; exit 3").inheritIO().start();
				System.out.println("status " + child.waitFor());
				Thread thread = new Thread(() -> System.err.println("a word on stderr"));
				thread.start();
				thread.join();
				System.exit(6);
			}
		}
	END
	javac Job.java
	same_every_way java -cp . Job
	bare_status_is 6
	bare_says 'status 3'
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json exit_code "$run/run.json")" = 6 ]
		[ "$(starts_with_text "$run" 'spoken by a shell')" -ge 1 ]
	done
}
