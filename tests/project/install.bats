#!/usr/bin/env bats
# Tests of what `make` does besides building: it installs, makes the source archive, and prints help and manual pages.

load ../lib/helper

setup() {
	cd "$PROJECT"
	unset MAKEFLAGS MAKELEVEL MFLAGS
}

# make_here TARGET...: runs make in the build under test, with the flags of that build.
make_here() {
	make -s BUILD="$BUILD" "$@"
}

@test "make help: names every target that a person types" {
	for target in all check check-asan check-tsan check-musl fuzz lint bench demo install install-slurm uninstall dist clean help; do
		make -s help | grep -q "^  make $target  *[a-z]"
	done
}

@test "make install: installs only below DESTDIR/PREFIX, and uninstall removes it" {
	root=$BATS_TEST_TMPDIR/root
	make_here install DESTDIR="$root" PREFIX=/opt/r
	for word in . '$PLATFORM' "$(LD_SHOW_AUXV=1 /bin/true | sed -n 's/^AT_PLATFORM: *//p')"; do
		cmp "$root/opt/r/lib/rtrack/$word/librtrack.so" "$BUILD/librtrack.so"
	done
	diff - <(cd "$root" && find . -type f ! -path './opt/r/lib/rtrack/empty-*.so' | sort) <<-'END'
		./opt/r/bin/rtrack-report
		./opt/r/bin/rtrack-run
		./opt/r/include/rtrack.h
		./opt/r/lib/librtrack.so
		./opt/r/lib/rtrack-gpu
		./opt/r/lib/systemd/system/rtrack-prune.service
		./opt/r/lib/systemd/system/rtrack-prune.timer
		./opt/r/share/bash-completion/completions/rtrack-report
		./opt/r/share/bash-completion/completions/rtrack-run
		./opt/r/share/fish/vendor_completions.d/rtrack-report.fish
		./opt/r/share/fish/vendor_completions.d/rtrack-run.fish
		./opt/r/share/man/man1/rtrack-report.1
		./opt/r/share/man/man1/rtrack-run.1
		./opt/r/share/man/man5/rtrack-spool.5
		./opt/r/share/man/man7/librtrack.7
		./opt/r/share/pkgconfig/rtrack.pc
		./opt/r/share/zsh/site-functions/_rtrack-report
		./opt/r/share/zsh/site-functions/_rtrack-run
	END
	grep -qx 'ExecStart=/opt/r/bin/rtrack-report prune .*' "$root/opt/r/lib/systemd/system/rtrack-prune.service"
	make_here uninstall DESTDIR="$root" PREFIX=/opt/r
	[ -z "$(find "$root" ! -type d)" ]
	[ ! -e "$root/opt/r/lib/rtrack" ]
	[ ! -e "$root/opt/r/lib/systemd" ]
}

@test "make install-slurm: installs all files for a cluster with the paths of PREFIX, and uninstall removes them" {
	root=$BATS_TEST_TMPDIR/root
	mkdir -p "$root"/opt/r/{lib,share}
	make_here install-slurm DESTDIR="$root" PREFIX=/opt/r
	diff <(cd "$PROJECT" && ls integrations/slurm/* integrations/grafana/*.json sql/*.sql | grep -v prune | sed 's,^integrations/,,' | sort) \
		<(cd "$root/opt/r/share/rtrack" && find . -type f | sed 's,^\./,,' | sort)
	fails grep -r /usr/local "$root"
	grep -q '"/opt/r/lib/librtrack.so"' "$root/opt/r/share/rtrack/slurm/spank_rtrack.c"
	[ -x "$root/opt/r/share/rtrack/slurm/epilog" ]
	make_here uninstall DESTDIR="$root" PREFIX=/opt/r
	[ -z "$(find "$root" ! -type d)" ]
	[ ! -e "$root/opt/r/share/rtrack" ]
}

@test "make install: the installed rtrack-run finds its library and report" {
	make_here install PREFIX="$BATS_TEST_TMPDIR/usr"
	PATH=$BATS_TEST_TMPDIR/usr/bin:$PATH rtrack-run --report "$BATS_TEST_TMPDIR/page.html" sh -c 'sleep 0.1; exit 3' ||
		[ $? = 3 ]
	grep -q '"self"' "$(only_run)/exit.csv"
	grep -q '</html>' "$BATS_TEST_TMPDIR/page.html"
}

@test "make install: pkg-config has the flags for programs that use rtrack.h" {
	need pkg-config
	make_here install PREFIX="$BATS_TEST_TMPDIR/usr"
	cd "$BATS_TEST_TMPDIR"
	export PKG_CONFIG_PATH=$PWD/usr/share/pkgconfig
	[ "$(pkg-config --modversion rtrack)" = "$("$BUILD/rtrack-run" --version | sed -n 's/^rtrack-run //p')" ]
	printf '%s\n' '#include <rtrack.h>' 'int main(void) { return rtrack_mark("here") != 0; }' >mark.c
	# shellcheck disable=SC2046 # words
	"${CC:-cc}" -o mark mark.c $(pkg-config --cflags --libs rtrack)
	LD_PRELOAD=$(pkg-config --variable=library rtrack) ./mark
	grep -q here "$(only_run)/mark.csv"
}

@test "make dist: the source archive builds without npm and is reproducible" {
	need git
	[ -e .git ] || skip "this is not a clone"
	archive=$BATS_TEST_TMPDIR/rtrack-1.tar.gz
	UPLOT=$(ls -d third_party/uplot node_modules/uplot 2>/dev/null | head -n 1)
	export UPLOT
	scripts/dist "$archive" >/dev/null
	first=$(cksum <"$archive")
	scripts/dist "$archive" >/dev/null
	[ "$first" = "$(cksum <"$archive")" ]

	cd "$BATS_TEST_TMPDIR"
	tar -xzf "$archive"
	mkdir without
	# A later link of the same name replaces an earlier one. With -xtype, find selects only dangling links.
	for directory in /bin /usr/bin /usr/local/bin; do
		[ ! -d "$directory" ] || find "$directory/" -mindepth 1 -maxdepth 1 ! -xtype l -exec ln -sft without {} +
	done
	rm -f without/npm
	[ ! -e without/npm ]
	[ -e without/sh ]
	# Optimization is not needed to show that the archive is complete. packages.bats builds with it.
	PATH=$PWD/without make -s -j2 -C rtrack-1 BUILD=out CFLAGS="-O0 -g0" all man >build.log 2>&1 || { cat build.log; false; }
	rtrack-1/out/rtrack-report --version | grep '^rtrack-report [0-9.]*$'
}

@test "make man: the pages are correct and have every option and variable" {
	need groff
	make_here man
	for page in "$BUILD"/man/*; do
		fails grep -n '@' "$page"
		[ -z "$(groff -man -Tutf8 -ww -z "$page" 2>&1)" ]
	done
	for program in rtrack-run rtrack-report; do
		"$BUILD/$program" --help-all | grep -oE -- '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | while read -r flag; do
			grep -qF -- "$(printf '%s' "$flag" | sed 's/-/\\-/g')" "$BUILD/man/$program.1" || { echo "$flag"; exit 1; }
		done
	done
	for table in system process member start exit mark; do
		sed -n "s/^COLUMN($table, \([a-z_]*\),.*/\1/p" core/columns.def | while read -r column; do
			awk -v section=".SH ${table^^}.CSV" '/^\.SH/ { on = $0 == section } on' "$BUILD/man/rtrack-spool.5" |
				grep -qE "^.fB$column.fR" || { echo "$table $column"; exit 1; }
		done
	done
	grep -qE '^.fBinput_bytes.fR' "$BUILD/man/rtrack-spool.5"
	sed -n 's/^SETTING(.*"\(RTRACK[A-Z_]*\)".*/\1/p' core/settings.def | while read -r variable; do
		grep -q "^.fB$variable=" "$BUILD/man/librtrack.7" || { echo "$variable"; exit 1; }
	done
}
