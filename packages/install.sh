#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs rtrack below PREFIX, or removes it again. Needs no root, no compiler, and only the usual programs of a shell.
#
#   ./install.sh                    below ~/.local
#   PREFIX=/opt/rtrack ./install.sh
#   ./install.sh uninstall          with the PREFIX that it was installed with
#
# The installed files are listed in PREFIX/lib/rtrack/installed. uninstall removes the files in this list.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PREFIX=${PREFIX:-${HOME:?PREFIX says where to install to}/.local}
list=$PREFIX/lib/rtrack/installed

fail() {
	printf 'install.sh: %s\n' "$1" >&2
	exit 1
}

case ${1:-} in
'') ;;
uninstall)
	[ -e "$list" ] || fail "nothing is installed in '$PREFIX'"
	copy=$(cat "$list") # The list itself is removed, too.
	printf '%s\n' "$copy" | while IFS= read -r file; do
		rm -f "$PREFIX/$file"
	done
	# A directory is removed only if it is empty.
	printf '%s\n' "$copy" | while IFS= read -r file; do
		while [ "${file%/*}" != "$file" ]; do
			file=${file%/*}
			rmdir "$PREFIX/$file" 2>/dev/null || break
		done
	done
	rmdir "$PREFIX" 2>/dev/null || :
	exit 0
	;;
*) fail "there is no '$1' to do: nothing, or uninstall" ;;
esac

[ ! -e "$list" ] || "$0" uninstall
mkdir -p "$PREFIX/lib/rtrack" || fail "'$PREFIX' cannot be made"
PREFIX=$(cd "$PREFIX" && pwd)
list=$PREFIX/lib/rtrack/installed
cd "$here"
find bin lib include share ! -type d | sort >"$list"
echo lib/rtrack/installed >>"$list"
while IFS= read -r file; do
	[ "$file" != lib/rtrack/installed ] || continue
	mkdir -p "$PREFIX/${file%/*}"
	rm -f "$PREFIX/$file"
	cp -P "$file" "$PREFIX/$file"
done <"$list"
# The files for clusters contain the paths of the programs.
grep '^share/rtrack/' "$list" | while IFS= read -r file; do
	sed "s,/usr/lib/librtrack,$PREFIX/lib/librtrack,; s,/usr/bin/rtrack,$PREFIX/bin/rtrack,; s,^local prefix = .*,local prefix = \"$PREFIX\"," \
		"$file" >"$PREFIX/$file"
done
sed "s,^prefix=.*,prefix=$PREFIX," share/pkgconfig/rtrack.pc >"$PREFIX/share/pkgconfig/rtrack.pc"
service=lib/systemd/system/rtrack-prune.service
[ ! -e "$service" ] || sed "s,^ExecStart=[^ ]*/,ExecStart=$PREFIX/bin/," "$service" >"$PREFIX/$service"
printf 'rtrack is in %s: %s/bin/rtrack-run, LD_PRELOAD=%s/lib/librtrack.so\n' "$PREFIX" "$PREFIX" "$PREFIX"
"$PREFIX/bin/rtrack-report" doctor || :
