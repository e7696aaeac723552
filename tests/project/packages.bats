#!/usr/bin/env bats
# Tests of make packages. The checker of each packaging system accepts its package. The package is installed in a
# minimal root directory, tracks a job there, and is removed without a trace. Two builds have the same bytes.
# bats file_tags=long,root

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs
load ../lib/roots

setup_file() {
	unset MAKEFLAGS MAKELEVEL MFLAGS
	cd "$PROJECT"
	third_party
	machines=$(uname -m)
	[ "$machines" = aarch64 ] || { need aarch64-linux-gnu-gcc libc6-dev-arm64-cross && machines="$machines aarch64"; }
	# shellcheck disable=SC2086 # words
	BUILD=$BUILD packages/build $machines >/dev/null
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	packages=$BUILD/packages
	version=$("$BUILD/rtrack-run" --version | sed -n 's/^rtrack-run //p')
	machine=$(uname -m)
	root=$BATS_TEST_TMPDIR/root
}

# in_root COMMAND...: runs the command as root inside the root directory, without a network.
in_root() {
	need bwrap
	bwrap --unshare-net --unshare-user --uid 0 --gid 0 --bind "$root" / --proc /proc --dev /dev --tmpfs /tmp --bind "$packages" /mnt \
		--clearenv --setenv PATH "${ROOT_PATH:-/usr/bin:/bin:/usr/sbin:/sbin}" --setenv HOME /root --setenv RTRACK_SPOOL /tmp/spool --chdir /tmp "$@"
}

# trace: prints every file in the root directory with its checksum, except for the databases of installers.
trace() {
	(
		cd "$root"
		find . \( -path ./var -o -path ./tmp -o -path ./mnt -o -path ./proc -o -path ./dev -o -name '*.cache' \) -prune -o -print | sort
		find . \( -path ./var -o -path ./tmp -o -path ./mnt -o -path ./proc -o -path ./dev -o -name '*.cache' \) -prune -o -type f -print0 | sort -z | xargs -0 cksum
	)
}

# As in the demo, the job is tracked in both ways, and the installed report shows it. The arguments are the directories
# of the installation.
job='set -e
	export RTRACK_INTERVAL=0.1
	"$1/rtrack-run" sh -c "echo 3 1 2 | tr \" \" \"\\n\" | sort >/tmp/sorted"
	LD_PRELOAD=$2/librtrack.so RTRACK_JOB=loaded sh -c "echo 3 1 2 | tr \" \" \"\\n\" | sort >/tmp/sorted"
	"$1/rtrack-report" list --all
	"$1/rtrack-report" show -v
	"$1/rtrack-report" html -o /tmp/page.html
	grep -q "</html>" /tmp/page.html
	cat /tmp/spool/*/exit.csv'

looks_right() {
	grep -qE '^[0-9TZ]+[-0-9a-f]* +sh .* finished' said
	grep -qE '^[0-9TZ]+[-0-9a-f]* +loaded .* finished' said
	grep -q '"self"' said
}

# debian_root makes, once, a Debian root directory with only essential packages.
debian_root() {
	as_root "run debootstrap"
	need debootstrap
	local kept=$BUILD/roots/debian.tar release
	if [ ! -e "$kept" ]; then
		mkdir -p "$BUILD/roots"
		release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
		debootstrap --variant=minbase "$release" "$BUILD/roots/new" >"$BUILD/roots/log" 2>&1 ||
			{ rm -rf "$BUILD/roots/new"; skip "a root cannot be made here: $(tail -n 1 "$BUILD/roots/log")"; }
		rm -rf "$BUILD"/roots/new/var/cache/apt/archives/*.deb
		tar -C "$BUILD/roots/new" -cf "$kept.new" .
		rm -rf "$BUILD/roots/new"
		mv "$kept.new" "$kept"
	fi
	mkdir "$root"
	tar -C "$root" --exclude='./dev/*' -xf "$kept"
	mkdir -p "$root/mnt"
}

# alpine_root makes a root directory with musl and busybox, like Alpine.
alpine_root() {
	need musl-gcc busybox
	make_root "$root" musl
	mkdir -p "$root"/{mnt,opt,root,usr/bin,var/lib}
	cp /bin/busybox "$root/bin/busybox"
	for name in sh cp find sort tr cat grep mkdir rm rmdir dirname sed env true tar gunzip ls; do
		ln -s busybox "$root/bin/$name"
	done
}

@test "packages: two builds are the same, byte for byte" {
	mkdir copy
	cp -a "$packages"/SHA256SUMS copy
	export BUILD=$BATS_TEST_TMPDIR/elsewhere
	mkdir -p "$BUILD"
	cp -a "$packages/../third_party" "$BUILD"
	(cd "$PROJECT" && packages/build "$machine" >/dev/null)
	grep -vE 'aarch64|arm64' copy/SHA256SUMS >expected
	diff expected <(grep -vE 'aarch64|arm64' "$BUILD/packages/SHA256SUMS")
	rm -rf "$BUILD"
}

@test "packages: the checksums are right, and no file names the build directory" {
	cd "$packages"
	sha256sum --quiet -c SHA256SUMS
	mkdir "$BATS_TEST_TMPDIR/all"
	tar -xzf "rtrack-$version-linux-$machine.tar.gz" -C "$BATS_TEST_TMPDIR/all"
	fails grep -rlF "$PROJECT" "$BATS_TEST_TMPDIR/all"
}

@test "packages: no program and no library needs another library" {
	for archive in "$packages"/rtrack-*-linux-*.tar.gz; do
		tar -xzf "$archive"
		for file in "$(basename "$archive" .tar.gz)"/{bin/rtrack-run,bin/rtrack-report,lib/librtrack.so}; do
			fails grep -q 'NEEDED\|INTERP' <(readelf -dl "$file")
		done
	done
}

@test "packages: the tarball works in a root with musl and is removed completely" {
	alpine_root
	trace >before
	# shellcheck disable=SC2016 # for the shell within
	ROOT_PATH=/bin in_root sh -c 'set -e
		tar -xzf "/mnt/$1"
		export PREFIX=/opt/r RTRACK_INTERVAL=0.1
		rtrack-*/install.sh
		/opt/r/bin/rtrack-run sh -c "echo 3 1 2 | tr \" \" \"\n\" | sort; burn 0.1"
		LD_PRELOAD=/opt/r/lib/librtrack.so burn 0.1
		/opt/r/bin/rtrack-report list --all
		cat /tmp/spool/*/exit.csv
		cd /opt/r/share/rtrack
		cat slurm/task-prolog slurm/epilog slurm/rtrack.lua
		cd /tmp
		rtrack-*/install.sh uninstall' - "rtrack-$version-linux-$machine.tar.gz" >said
	grep -q '^ok    rtrack-run    /opt/r/bin/rtrack-run' said
	grep -qE '^[0-9TZ]+[-0-9a-f]* +sh .* finished' said
	grep -qE '^[0-9TZ]+[-0-9a-f]* +burn .* finished' said
	grep -q '"self"' said
	grep -qx 'library=/opt/r/lib/librtrack.so' said
	grep -qxF ': "${RTRACK_REPORT:=/opt/r/bin/rtrack-report}"' said
	grep -qx 'local prefix = "/opt/r"' said
	trace | diff before -
}

# has_site_files DIRECTORY LIBRARY: the directory contains what make install-slurm installs, with this path of the library.
has_site_files() {
	diff <(cd "$PROJECT" && ls integrations/slurm/* integrations/grafana/*.json sql/*.sql | grep -v prune | sed 's,^integrations/,,' | sort) \
		<(cd "$1" && find . -type f | sed 's,^\./,,' | sort)
	fails grep -rn /usr/local "$1"
	grep -qx "library=$2" "$1/slurm/task-prolog"
	grep -qF "\"$2\"" "$1/slurm/spank_rtrack.c"
	[ -x "$1/slurm/epilog" ]
}

@test "packages: the tarball and .deb contain the files for clusters" {
	tar -xzf "$packages/rtrack-$version-linux-$machine.tar.gz"
	has_site_files "rtrack-$version-linux-$machine/share/rtrack" /usr/lib/librtrack.so
	dpkg-deb -x "$packages/rtrack_${version}_$(dpkg --print-architecture).deb" deb
	has_site_files deb/usr/share/rtrack "/usr/lib/$machine-linux-gnu/librtrack.so"
	[ -e "deb/usr/lib/$machine-linux-gnu/librtrack.so" ]
}

@test "packages: the tarball for another processor prints its version in qemu" {
	need qemu-aarch64
	[ -e "$packages/rtrack-$version-linux-aarch64.tar.gz" ] || skip "it was not built"
	tar -xzf "$packages/rtrack-$version-linux-aarch64.tar.gz"
	for program in rtrack-run rtrack-report; do
		qemu-aarch64 rtrack-*/bin/$program --version | grep -qx "built for aarch64 with glibc .*"
	done
	file=rtrack-$version-linux-aarch64/lib/librtrack.so
	readelf -h "$file" | grep -q AArch64
}

@test ".deb: lintian accepts it, and dpkg installs and purges it completely" {
	need lintian
	[ -z "$(lintian --allow-root "$packages"/rtrack_"$version"_*.deb 2>&1)" ]
	debian_root
	trace >before
	# The root directory has no network and one user. Therefore recommended packages are skipped, and apt fetches as
	# root.
	in_root sh -c "apt install -y --no-install-recommends -o APT::Sandbox::User=root /mnt/rtrack_${version}_$(dpkg --print-architecture).deb" >out 2>&1 || { cat out; false; }
	in_root sh -c "$job" - /usr/bin "/usr/lib/$machine-linux-gnu" >said
	looks_right
	# The loader finds the library by its name alone.
	in_root sh -c 'LD_PRELOAD=librtrack.so RTRACK_JOB=named env true && rtrack-report list' | grep -q named
	in_root dpkg --purge rtrack >/dev/null
	trace | diff before -
}

# rpm_root makes a root directory with the files that only an rpm system has.
rpm_root() {
	alpine_root
	mkdir -p "$root"/etc/dnf/modules.d "$root"/var/{lib/rpm,log,cache} "$root"/usr/{include,lib/systemd/system,lib64} \
		"$root"/usr/share/{doc,licenses,pkgconfig,man/man{1,5,7}} \
		"$root"/usr/share/{bash-completion/completions,fish/vendor_completions.d,zsh/site-functions}
	trace >before
}

# The shell of the root directory is static, so the job is a program of musl.
run_in_rpm_root() {
	ROOT_PATH=/bin:/usr/bin in_root sh -c 'set -e
		rtrack-run --summary /bin/burn 0.1
		LD_PRELOAD=/usr/lib64/librtrack.so /bin/burn 0.1
		rtrack-report list --all
		rtrack-report html -o /tmp/page.html
		grep -q "</html>" /tmp/page.html
		cat /tmp/spool/*/exit.csv'
}

# dnf_in_root runs dnf without a repository, because it only installs a file.
dnf_in_root() {
	dnf --installroot="$root" --releasever=1 --noplugins --setopt=reposdir=/nowhere --setopt=cachedir=/var/cache \
		--setopt=logdir=/var/log --nogpgcheck -y "$@" >said 2>&1 || { cat said; return 1; }
}

@test ".rpm: rpmlint accepts it, and rpm installs and removes it completely" {
	need rpmbuild
	need rpmlint
	rpmlint -c "$PROJECT/packages/rpmlint.toml" "$packages"/rtrack-"$version"-1.*.rpm >out || { cat out; false; }
	as_root "install a package"
	rpm_root
	rpm --root "$root" --dbpath /var/lib/rpm -i "$packages/rtrack-$version-1.$machine.rpm"
	has_site_files "$root/usr/share/rtrack" /usr/lib64/librtrack.so
	run_in_rpm_root >ran
	[ "$(grep -c ' burn .* finished' ran)" = 2 ]
	grep -q '"self"' ran
	rpm --root "$root" --dbpath /var/lib/rpm -e rtrack
	trace | diff before -
}

@test ".rpm: dnf installs it in a minimal root, where it works, and removes it" {
	need dnf
	need rpmbuild
	as_root "install a package"
	rpm_root
	dnf_in_root install "$packages/rtrack-$version-1.$machine.rpm"
	run_in_rpm_root >ran
	[ "$(grep -c ' burn .* finished' ran)" = 2 ]
	grep -q '"self"' ran
	dnf_in_root remove rtrack
	rm -rf "$root/root/.rpmdb" # Debian's rpm keeps its database there.
	trace | diff before -
}

@test "wheel: auditwheel accepts it, and pip installs and removes it completely" {
	venv packages -r "$PROJECT/tests/jobs/locks/packages.txt" # auditwheel and the schema checkers
	python=$PYTHON
	for wheel in "$packages"/*.whl; do
		"$python" -m auditwheel show "$wheel" >shown 2>&1 || grep -qiE 'no ELF|platform wheel|pure' shown || { cat shown; false; }
		fails grep -qE 'GLIBC_2\.(1[89]|[2-9][0-9])' shown
	done
	python3 -m venv new
	(cd new && find . ! -name '*.pyc' ! -name __pycache__ | sort) >before
	new/bin/pip --disable-pip-version-check install --quiet --no-index --no-deps --no-compile "$packages"/rtrack-*"$machine".whl
	export RTRACK_SPOOL=$PWD/spool
	export PYTHONDONTWRITEBYTECODE=1
	PATH=$PWD/new/bin:/usr/bin:/bin
	[ "$(python -m rtrack path)" = "$PWD/new/lib/librtrack.so" ]
	rtrack-run python -c 'import rtrack; rtrack.mark("here")'
	grep -q here spool/*/mark.csv
	LD_PRELOAD=$(python -m rtrack path) RTRACK_JOB=loaded python -c 'print(sum(range(1000)))'
	rtrack-report list | grep -q loaded
	pip --disable-pip-version-check uninstall --quiet --yes rtrack
	(cd new && find . ! -name '*.pyc' ! -name __pycache__ | sort) | diff before -
}

# pip selects a wheel by its name, also for other machines.
@test "wheel: pip selects it for glibc 2.17 and for musl, and it runs with musl" {
	need ensurepip
	python3 -m venv venv
	for wheel in "$packages"/*.whl; do
		processor=$(sed 's/.*_\(x86_64\|aarch64\)\.whl/\1/' <<<"$wheel")
		for platform in manylinux_2_17 manylinux2014 musllinux_1_1; do
			rm -rf taken
			venv/bin/pip --disable-pip-version-check install --quiet --no-index --no-deps --no-compile --only-binary :all: \
				--platform "${platform}_$processor" --target taken "$wheel"
			[ -x taken/bin/rtrack-run ] && [ -x taken/bin/rtrack-report ]
		done
		[ "$processor" != "$machine" ] || cp -a taken kept
		[ "$processor" = "$machine" ] ||
			"qemu-$processor" taken/bin/rtrack-run --version | grep -q "^built for $processor "
	done
	fails venv/bin/pip --disable-pip-version-check install --quiet --no-index --no-deps --only-binary :all: \
		--platform "manylinux_2_12_$machine" --target other "$packages"/*_"$machine".whl 2>/dev/null
	alpine_root
	cp -a kept "$root/opt/wheel"
	ROOT_PATH=/bin in_root sh -c '/opt/wheel/bin/rtrack-run burn 0.1 && /opt/wheel/bin/rtrack-report list' | grep -q ' burn .* finished'
}

@test "R package: the archive is installed and removed completely" {
	need Rscript
	mkdir library
	R CMD INSTALL --no-docs --library="$PWD/library" "$packages/rtrack_$version.tar.gz" >out 2>&1 || { cat out; false; }
	LD_PRELOAD=$LIBRARY R_LIBS=$PWD/library Rscript -e 'library(rtrack); rtrack_mark("here")'
	grep -q here "$(only_run)/mark.csv"
	R CMD REMOVE --library="$PWD/library" rtrack >out 2>&1 || { cat out; false; }
	[ -z "$(ls -A library)" ]
}

@test "packages: the CycloneDX file lists all components of rtrack-report" {
	venv packages -r "$PROJECT/tests/jobs/locks/packages.txt" # auditwheel and the schema checkers
	python=$PYTHON
	"$python" - "$packages/rtrack-$version.cdx.json" <<-'END'
		import sys
		from cyclonedx.schema import SchemaVersion
		from cyclonedx.validation.json import JsonStrictValidator
		wrong = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())
		assert wrong is None, wrong
	END
	"$packages/$machine/rtrack-report" --version | sed -n 's/^cJSON \(.*\), zlib \(.*\), libcurl \(.*\) mbedTLS.\(.*\)/\1 \2 \3 \4/p' |
		grep -qx "$(jq -r '[.components[] | select(.name == "cJSON" or .name == "zlib" or .name == "curl" or .name == "mbedtls") | .version] | join(" ")' "$packages/rtrack-$version.cdx.json")"
	[ "$(jq -r '[.components[].name] | join(" ")' "$packages/rtrack-$version.cdx.json")" = 'cJSON zlib curl mbedtls uplot glibc' ]
}

@test "recipes: Alpine, Homebrew and conda have the checksum of the source archive" {
	sum=$(sha256sum <"$packages/rtrack-$version.tar.gz" | cut -d ' ' -f 1)
	grep -qF "sha256 \"$sum\"" "$packages/rtrack.rb"
	grep -qxF "  sha256: $sum" "$packages/recipe.yaml"
	# shellcheck disable=SC1091 # made by the test
	(
		cp "$packages/rtrack-$version.tar.gz" .
		. "$packages/APKBUILD"
		sha512sum --quiet -c <<<"$sha512sums"
		[ "$pkgver" = "$version" ]
		pkgdir=$PWD/apk
		cd "$PROJECT"
		make() { command make -s BUILD="$BUILD" "$@"; }
		package
		[ -x "$pkgdir/usr/bin/rtrack-run" ]
	)
	# package() installs programs that need no library, in a root directory like Alpine's.
	alpine_root
	trace >before
	for program in bin/rtrack-run bin/rtrack-report lib/librtrack.so; do
		cp "$packages/$machine/${program##*/}" "apk/usr/$program"
	done
	tar -C apk -cf apk.tar .
	tar -C "$root" -xf apk.tar
	# shellcheck disable=SC2016 # for the shell within
	ROOT_PATH=/bin:/usr/bin in_root sh -c 'rtrack-run burn 0.1 && LD_PRELOAD=/usr/lib/librtrack.so burn 0.1 && rtrack-report list --all && cat /tmp/spool/*/exit.csv' >said
	[ "$(grep -c ' burn .* finished' said)" = 2 ]
	grep -q '"self"' said
	(cd apk && find . -type f -o -type l) | (cd "$root" && xargs rm)
	(cd apk && find . -depth -mindepth 1 -type d) | grep -vxF -f before | (cd "$root" && xargs rmdir)
	trace | diff before -
}

# make_here writes a fake `make` that installs this build from $BUILD, because building from the source archive takes a
# long time.
make_here() {
	mkdir -p commands
	printf '#!/bin/sh\ncd "%s" && exec %s -s -j2 BUILD="%s" "$@"\n' "$PROJECT" "$(command -v make)" "$BUILD" >commands/make
	chmod +x commands/make
	unset MAKEFLAGS MAKELEVEL MFLAGS
}

@test "Homebrew: the formula has good style, and a fake brew installs and tests it" {
	need ruby rubocop
	ruby -c "$packages/rtrack.rb" >/dev/null
	rubocop --cache false --config "$PROJECT/packages/rubocop.yml" "$packages/rtrack.rb" >style || { cat style; false; }
	make_here
	mkdir cellar try
	PATH=$PWD/commands:$PATH ruby "$PROJECT/tests/lib/packages/formula.rb" "$packages/rtrack.rb" "$PWD/cellar" "$PWD/try" >said || { cat said; false; }
	[ "$(sed -n 2p said)" = "$(sha256sum <"$packages/rtrack-$version.tar.gz" | cut -d ' ' -f 1)" ]
	[ "$(sed -n 3p said)" = "cjson curl linux zlib" ]
	[ -x cellar/bin/rtrack-report ] && [ -e cellar/lib/librtrack.so ] && [ -e cellar/share/man/man1/rtrack-run.1 ]
	[ -n "$(ls try/spool)" ]
}

@test "conda: rattler-build builds, installs and tests the recipe" {
	venv conda -r "$PROJECT/tests/jobs/locks/conda.txt"
	python=$PYTHON
	make_here
	HOME=$PWD PATH=$PWD/commands:$(dirname "$python"):$PATH CC=${CC:-cc} "$python" "$PROJECT/tests/lib/packages/recipe.py" "$packages/recipe.yaml" \
		"$packages/rtrack-$version.tar.gz" "$PWD/conda" >said 2>&1 || { cat said; false; }
	head -n 1 said | jq -e --arg version "$version" '.package == {name: "rtrack", version: $version} and
		(.requirements.build | length) == 2 and .requirements.host == ["cjson", "libcurl", "zlib"] and (.tests | length) == 1' >/dev/null
	grep -q 'true .*finished' said && grep -q 'loaded .*finished' said || { cat said; false; }
	grep -q 'all tests passed' said
	grep -q 'lib/librtrack.so' said
	ls conda/out/*/rtrack-"$version"-*.conda
}
