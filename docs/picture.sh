#!/bin/sh
# Draws the picture of README.md: CPU and memory of a real run by program, as the page of the report draws them.
#
#   docs/picture.sh FILE.svg [SCRIPT.R]
#
# It tracks examples/job.R, or the given script, and makes its page. Headless Chromium then saves two charts of the page,
# as the page's own button does. The picture has the colours of the light and of the dark page. The script also prints
# the output of rtrack-report for the same run, which README.md shows beside the picture.
set -eu

case ${1:-} in
/*.svg) file=$1 ;;
*.svg) file=$PWD/$1 ;;
*)
	echo "usage: docs/picture.sh FILE.svg [SCRIPT.R]" >&2
	exit 2
	;;
esac
cd "$(dirname "$0")/.."
script=${2:-examples/job.R}
BUILD=$(cd "${BUILD:-build}" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in $(env | sed -n 's/^\(RTRACK[A-Z_]*\)=.*/\1/p'); do
	unset "$name"
done
export RTRACK_SPOOL="$folder/spool" RTRACK_INTERVAL=0.2
LD_PRELOAD=$BUILD/librtrack.so Rscript "$script" >"$folder/out"
"$BUILD/rtrack-report" html -o "$folder/page.html"
node tests/page/check.mjs picture "$folder/page.html" "$file"
"$BUILD/rtrack-report"
