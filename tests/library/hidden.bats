#!/usr/bin/env bats
# Tests of a hidden or unreadable library file. A loader that finds it in LD_PRELOAD would print an error on stderr.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
}

mounts_are_allowed() {
	as_root "make a mount namespace"
	unshare -m mount -t tmpfs none /mnt 2>/dev/null || skip "mount is not allowed here"
	mkdir hidden
}

# hidden_looks_bare COMMAND…: runs the command untracked and tracked both ways. The command hides rtrack's files, which
# are in $PLACE (default "hidden"). The output must be the same, and each run must have the command's status. The status
# may be unknown under LD_PRELOAD, if the root continues without the library before another process follows it.
hidden_looks_bare() {
	local way code place=${PLACE:-$PWD/hidden}
	for way in bare preload launcher; do
		rm -rf "$place"
		mkdir "$place"
		cp -r "$LIBRARY" "$BUILD/rtrack-run" "$BUILD/rtrack" "$place"
		LIBRARIES=$place/librtrack.so BUILD=$place one_way $way "$@"
	done
	for way in preload launcher; do
		looks_bare $way
		await_end $way
		code=$(json exit_code "$(run_of $way)/run.json")
		[ "$code" = "$(cat bare.status)" ] || { [ "$way $code" = "preload null" ] && [ -e "$(run_of $way)/.parted" ]; }
	done
	rm -r "$(spool_of preload)" "$(spool_of launcher)"
}

# sorted_inside PLACE COMMAND…: runs hidden_looks_bare for a command that sorts 20,000 lines and exits with 3.
sorted_inside() {
	PLACE=$1 hidden_looks_bare "${@:2}"
	bare_status_is 3
	bare_says '^20000$'
}

# bats test_tags=root
@test "if a mount hides the library, programs started later behave as if untracked" {
	mounts_are_allowed
	cp "$LIBRARY" hidden
	cat >hide.c <<-'END'
		#define _GNU_SOURCE
		#include <sched.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/mount.h>
		#include <sys/syscall.h>
		#include <unistd.h>

		int main(int count, char **arguments)
		{
			const char *where = arguments[2];
			if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
				return 1;
			if (strcmp(arguments[1], "number") == 0 ? syscall(SYS_mount, "none", where, "tmpfs", 0, NULL) : mount("none", where, "tmpfs", 0, NULL))
				return 2;
			return system("/bin/echo in; exit 4") >> 8;
		}
	END
	${CC:-cc} -o hide hide.c
	for how in number function; do
		one_way bare ./hide $how "$PWD/hidden"
		LIBRARIES=$PWD/hidden/librtrack.so one_way preload ./hide $how "$PWD/hidden"
		looks_bare preload
		bare_status_is 4
		bare_says '^in$'
		run=$(run_of preload)
		await_end preload
		[ "$(json status "$run/run.json") $(json exit_code "$run/run.json")" = "failed 4" ]
		rm -r "$(spool_of preload)"
	done
}

@test "jobs in firejail with a private /tmp and in bwrap behave the same when tracked" {
	local place box
	need firejail bwrap
	place=$(mktemp -d -p /tmp)
	box=(firejail --quiet --noprofile --private-tmp)
	if "${box[@]}" true 2>/dev/null; then
		sorted_inside "$place" sh -c '"$@"' sh "${box[@]}" sh -c 'seq 20000 | sort | wc -l; exit 3'
	fi
	box=(bwrap --ro-bind / / --bind "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR" --tmpfs "$place" --dev /dev --proc /proc)
	if "${box[@]}" true 2>/dev/null; then
		sorted_inside "$place" "${box[@]}" sh -c 'seq 20000 | sort | wc -l; exit 3'
	fi
	rm -r "$place"
	[ -e "$BATS_TEST_TMPDIR/bare.out" ] || skip "neither firejail nor bwrap may work here"
}

# bats test_tags=root
@test "a job that starts with firejail and a private /tmp runs as if untracked" {
	as_root "track firejail itself: for others it is a set-user-ID program, which loads no library"
	need firejail
	local place box=(firejail --quiet --noprofile --private-tmp)
	"${box[@]}" true 2>/dev/null || skip "firejail may not work here"
	place=$(mktemp -d -p /tmp)
	sorted_inside "$place" "${box[@]}" sh -c 'seq 20000 | sort | wc -l; exit 3'
	rm -r "$place"
}

@test "a job in a Landlock sandbox that hides the library behaves as if untracked" {
	local place
	cat >confine.c <<-'END'
		#define _GNU_SOURCE
		#include <fcntl.h>
		#include <stdint.h>
		#include <sys/prctl.h>
		#include <sys/syscall.h>
		#include <unistd.h>

		enum { EXECUTE = 1 << 0, READ_FILE = 1 << 2, READ_DIRECTORY = 1 << 3 };

		/* confine DIRECTORY COMMAND...: allows reading only DIRECTORY and what programs need (landlock(7)). */
		int main(int count, char **arguments)
		{
			uint64_t rights = EXECUTE | READ_FILE | READ_DIRECTORY;
			const char *places[] = {"/usr", "/bin", "/lib", "/lib64", "/etc", "/dev", "/proc", "/sys", arguments[1]};
			int rules = (int)syscall(444, &rights, sizeof rights, 0);

			for (int i = 0; rules >= 0 && i < 9; i++) {
				struct {
					uint64_t rights;
					int file;
				} __attribute__((packed)) rule = {rights, open(places[i], O_PATH | O_CLOEXEC)};
				if (rule.file >= 0 && syscall(445, rules, 1, &rule, 0) != 0)
					return 98;
			}
			if (count < 3 || rules < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(446, rules, 0) != 0)
				return 99;
			close(rules);
			execvp(arguments[2], arguments + 2);
			return 97;
		}
	END
	${CC:-cc} -o confine confine.c
	place=$(mktemp -d -p /tmp)
	if ./confine "$PWD" true; then
		sorted_inside "$place" ./confine "$BATS_TEST_TMPDIR" sh -c 'seq 20000 | sort | wc -l; exit 3'
		sorted_inside "$place" sh -c '"$@"' sh ./confine "$BATS_TEST_TMPDIR" sh -c 'seq 20000 | sort | wc -l; exit 3'
	fi
	rm -r "$place"
}

# bats test_tags=root
@test "if a mount hides the library, programs with a new environment still work" {
	mounts_are_allowed
	cat >anew.py <<-'END'
		import ctypes, os, sys
		libc = ctypes.CDLL(None, use_errno=True)
		kept = dict(os.environ)
		libc.unshare(0x20000)
		libc.mount(b"none", b"/", None, 0x44000, None)
		libc.mount(b"none", sys.argv[1].encode(), b"tmpfs", 0, None)
		if os.fork() == 0:
		    for name, value in kept.items():
		        libc.setenv(name.encode(), value.encode(), 1)
		    words = (ctypes.c_char_p * 4)(b"sh", b"-c", b"seq 20000 | sort | wc -l; exit 3", None)
		    (libc.execvp if sys.argv[2] == "name" else libc.execv)(b"sh" if sys.argv[2] == "name" else b"/bin/sh", words)
		os._exit(os.wait()[1] >> 8)
	END
	need python3
	for how in name path; do
		sorted_inside "$PWD/hidden" python3 anew.py "$PWD/hidden" $how
	done
}

# bats test_tags=root
@test "if a mount hides the library, every call that starts a program still works" {
	mounts_are_allowed
	starts=$(victim starts)
	for how in posix_spawn posix_spawnp system popen; do
		hidden_looks_bare "$starts" "$PWD/hidden" $how - 3
		bare_status_is 3
	done
	for how in execve execv execvp execl execlp execle execvpe; do
		for child in fork vfork; do
			hidden_looks_bare "$starts" "$PWD/hidden" $how $child 3
			bare_status_is 3
		done
	done
}

# bats test_tags=root
@test "if a mount hides the library, starting many programs does not leak memory" {
	mounts_are_allowed
	for how in execve posix_spawn; do
		hidden_looks_bare "$(victim starts)" "$PWD/hidden" $how vfork 300
		fails grep grew bare.out
	done
}

# bats test_tags=root
@test "if a mount hides the library, shells, make, Python, Perl, Ruby and R work" {
	local mount="mount -t tmpfs none $PWD/hidden" language
	mounts_are_allowed
	need make zsh fish python3 perl ruby Rscript
	for language in sh bash zsh fish; do
		hidden_looks_bare unshare -m $language -c "$mount; ls -d /; echo \$(ls -d /) | cat; env | grep LD_PRELOAD; sh -c 'exit 3'; exit 3"
	done
	printf '%s\n' "$mount" 'ls -d /' 'exit 3' >commands
	hidden_looks_bare unshare -m xargs -a commands -d '\n' -n 1 sh -c
	printf 'all:\n\t%s\n\tls -d /\n\t/bin/echo $(shell ls -d /)\n' "$mount" >makefile
	hidden_looks_bare unshare -m make
	cat >starts.py <<-'END'
		import os, subprocess, sys
		subprocess.run(sys.argv[1], shell=True, check=True)
		subprocess.run(["ls", "-d", "/"])
		subprocess.run(["/bin/ls", "-d", "/"], close_fds=False)
		os.system("ls -d /")
		os.waitpid(os.posix_spawn("/bin/ls", ["ls", "-d", "/"], os.environ), 0)
		if os.fork() == 0:
		    os.execlp("sh", "sh", "-c", "ls -d /")
		os.wait()
		sys.exit(3)
	END
	hidden_looks_bare unshare -m python3 starts.py "$mount"
	for language in perl ruby; do
		hidden_looks_bare unshare -m $language -e "system('$mount'); system('ls -d /'); print \`ls -d /\`; system('ls', '-d', '/'); exit(3)"
	done
	hidden_looks_bare unshare -m Rscript -e "system('$mount'); system('ls -d /'); cat(system2('ls', '/', stdout = TRUE)); q(status = 3)"
}

@test "removing the library, or making it unreadable, does not change the job" {
	hidden_looks_bare sh -c 'rm -r "$0"/* 2>/dev/null; ls -d /; sh -c "ls -d /"; exit 3' "$PWD/hidden"
	[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || return 0
	hidden_looks_bare sh -c 'chmod 700 "$0"; exec setpriv --reuid 65534 --clear-groups sh -c "ls -d /; ls -d /; exit 3"' "$PWD/hidden"
	bare_status_is 3
}

# bats test_tags=root
@test "if a mount hides the library, other preloaded libraries stay in LD_PRELOAD" {
	mounts_are_allowed
	echo 'int other = 1;' >other.c
	${CC:-cc} -shared -fPIC -o other.so other.c
	cp "$LIBRARY" hidden
	LD_PRELOAD="$PWD/hidden/librtrack.so:$PWD/other.so" RTRACK_SPOOL=$PWD/spool unshare -m sh -c \
		'mount -t tmpfs none "$0/hidden"; sh -c "echo \"\$LD_PRELOAD\""' "$PWD" >said 2>errors
	[ "$(cat said)" = "$PWD/other.so" ]
	[ ! -s errors ]
}

@test "a library named by a relative path is found from other directories" {
	local name job='cd /; ls -d /tmp; sh -c "cd /usr; ls -d /; exit 3"'
	mkdir -p there "with space" other
	cp "$LIBRARY" there
	cp "$LIBRARY" "with space"
	echo 'int other = 1;' >other.c
	${CC:-cc} -shared -fPIC -o other/other.so other.c
	one_way bare sh -c "$job"
	bare_status_is 3
	cd there
	for name in ./librtrack.so ../there/librtrack.so "$BATS_TEST_TMPDIR/other/other.so:./librtrack.so"; do
		LIBRARIES=$name one_way preload sh -c "$job"
		looks_bare preload
		await_end preload
		[ "$(rows_in "$(run_of preload)/start.csv")" -ge 4 ]
		rm -r "$(spool_of preload)"
	done
	LD_PRELOAD="$BATS_TEST_TMPDIR/other/other.so ./librtrack.so" RTRACK_SPOOL=$PWD/spool sh -c 'echo "$LD_PRELOAD"' >said
	[ "$(cat said)" = "$BATS_TEST_TMPDIR/other/other.so:$PWD/./librtrack.so" ]
	# LD_PRELOAD cannot contain a path with a space. Therefore a process in another directory is not tracked, and no
	# message appears.
	cd "../with space"
	LIBRARIES=./librtrack.so one_way preload sh -c "$job"
	looks_bare preload
}
