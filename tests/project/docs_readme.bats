#!/usr/bin/env bats
# Tests that README.md agrees with the settings table and the programs, and that its commands work
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

README=$PROJECT/README.md
USE=$PROJECT/docs/use.md

# commands: prints the lines of the shell blocks in README.md and docs/use.md, without comments.
commands() {
	awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside { sub(/ +#.*/, ""); print }' "$README" "$USE"
}

@test "docs/use.md has each setting with flag, argument, variable, default, in order" {
	diff <(sed -n 's/^SETTING([A-Z_]*, "\([a-z-]*\)", "\([A-Z_]*\)", "\([^"]*\)", [A-Z]*, "\([^"]*\)".*/\1~\2~\3~\4/p' "$PROJECT/core/settings.def" |
		awk -F'~' '$2 == "RTRACK" { last = "~" $2 "~" $4; next }
			$2 != "RTRACK_RUN" { print ($1 == "" ? "" : "--" $1 " " $3) "~" $2 "~" $4 } END { print last }') \
		<(awk '/^## Settings/ { inside = 1 } /^A bad value/ { inside = 0 } inside && /^\|.*`RTRACK/' "$USE" |
			sed 's/\\|/!/g; s/`//g; s/^| *\([^|]*[^ |]\)\{0,1\} *| \([A-Z_]*\) | \([^|]*\) |.*/\1~\2~\3/; s/!/|/g' |
			awk -F'~' -v OFS='~' '$3 ~ /^(none|see above|the script)/ { $3 = "" } { print }')
}

@test "docs/use.md has the bounds of the interval" {
	run "$BUILD/rtrack-run" --interval 0 true
	[ "$status" = 125 ]
	[[ $output == *"0.001 to 3600"* ]]
	grep -F -- '--interval SECONDS' "$USE" | grep -qF '0.001 to 3600'
}

@test "docs/use.md has the exit statuses of the programs" {
	help=$("$BUILD/rtrack-run" --help-all)
	for status in '128+N' 127 126 125 124; do
		[[ $help == *"$status"* ]]
		grep -q "^| $status |" "$USE"
	done
	status=0
	"$BUILD/rtrack-run" --no-such-option 2>/dev/null || status=$?
	[ "$status" = 125 ]
	status=0
	"$BUILD/rtrack-run" / 2>/dev/null || status=$?
	[ "$status" = 126 ]
	status=0
	"$BUILD/rtrack-run" ./no-such-command 2>/dev/null || status=$?
	[ "$status" = 127 ]
	status=0
	"$BUILD/rtrack-run" sh -c 'kill -9 $$' || status=$?
	[ "$status" = 137 ]
	status=0
	"$BUILD/rtrack-run" --max-seconds 0.1 sleep 1000 2>/dev/null || status=$?
	[ "$status" = 124 ]
	status=0
	"$BUILD/rtrack-report" show -v no-such-run 2>/dev/null || status=$?
	[ "$status" = 1 ]
	status=0
	"$BUILD/rtrack-report" --no-such-option 2>/dev/null || status=$?
	[ "$status" = 2 ]
	status=0
	latest=$(ls "$RTRACK_SPOOL" | tail -n 1)
	"$BUILD/rtrack-report" compare "$latest" "$latest" --fail-if 'processes>=+0' >/dev/null || status=$?
	[ "$status" = 3 ]
	for status in 0 1 2 3; do
		grep -q "^| $status |" "$USE"
	done
}

@test "every command in README.md and docs/use.md runs" {
	cd "$BATS_TEST_TMPDIR"
	printf 'x <- sum(sqrt(seq_len(1e5)))\n' >job.R
	need Rscript
	PATH=$BUILD:$PATH
	commands >shown
	[ "$(wc -l <shown)" -ge 12 ]
	while IFS= read -r line; do
		case $line in
		./scripts/*) sh -n "$PROJECT/$line" && test -x "$PROJECT/$line" ;;
		make*) make -n -C "$PROJECT" ${line#make} >/dev/null ;;
		*/usr/local/lib/librtrack.so*) sh -ec "${line/\/usr\/local\/lib/$BUILD}" ;;
		rtrack-*) sh -ec "$line" ;;
		*) false ;;
		esac </dev/null || { echo "does not run: $line"; false; }
	done <shown
	[ "$(ls "$RTRACK_SPOOL" | wc -l)" = 3 ]
	grep -q '<html' report.html
}

# anchors: prints the anchors of a document's headings as they are written in links: lower-case letters, digits, "-" and
# "_", with "-" for a space.
anchors() {
	awk '/^```/ { code = !code } !code && /^#+ /' "$1" | sed 's/^#* //; s/`//g' | tr '[:upper:]' '[:lower:]' |
		sed 's/[^[:alnum:] _-]//g; s/ /-/g'
}

# is_there FOLDER LINK: the linked file exists, and so does the heading in it.
is_there() {
	local file="$1/${2%%#*}"
	case $2 in '#'*) file=$3 ;; esac
	[ -e "$file" ] || return 1
	case $2 in *.md'#'* | '#'*) anchors "$file" | grep -qxF -e "${2#*#}" ;; esac
}

@test "every file and heading that a document links to exists" {
	for document in "$README" "$PROJECT"/CHANGELOG.md "$PROJECT"/docs/*.md; do
		grep -o '](\([^)]*\))' "$document" | sed 's/^](//; s/)$//; /^http/d' | while read -r link; do
			is_there "$(dirname "$document")" "$link" "$document" || { echo "$document: $link"; false; }
		done
	done
}

# places: prints the places in the documents that "More" on the page shows.
places() {
	cat "$PROJECT"/report/*/*.c | grep -oE '"[a-z]+[.]md#[a-z0-9-]+"' | tr -d '"'
	sed -n 's/^CHART([a-z_]*, "\([^"]*\)".*/\1/p' "$PROJECT/report/page/charts.def" | while read -r title; do
		printf '# %s\n' "$title" >heading.md
		printf 'report.md#%s\n' "$(anchors heading.md)"
	done
}

@test "page: at each heading, the button More shows a paragraph of the documentation" {
	cd "$BATS_TEST_TMPDIR"
	places | sort -u >places
	[ "$(wc -l <places)" -ge 23 ]
	while read -r place; do
		is_there "$PROJECT/docs" "$place" || { echo "$place"; false; }
	done <places
	"$PROJECT/scripts/more" more.c
	[ "$(grep -c '^	{"[a-z]*\.md#' more.c)" = "$(wc -l <places)" ]
	fails grep -E '", ".{0,30}"},$' more.c # A paragraph is missing or has no words.
	grep -x '	{"report.md#gpus-in-use", "more[0-9]*", "Number of GPUs that were busy at any time between two samples."},' more.c
	# The page shows the paragraph, too.
	"$BUILD/rtrack-run" sh -c 'sleep 0.1'
	"$BUILD/rtrack-report" html -o page.html
	grep -o 'popovertarget="[^"]*"' page.html | sed 's/.*="//; s/"$//' | sort >shown
	[ "$(wc -l <shown)" -ge 8 ]
	sed -n 's/^	{"[^"]*", "\([^"]*\)".*/\1/p' more.c >ids
	fails grep -vxF -f ids shown
	[ -z "$(uniq -d shown)" ]
	grep -o 'popover id="[^"]*"' page.html | sed 's/.*="//; s/"$//' | sort | diff - shown
	# Every heading of the page has a paragraph, except for the requests and the sections that need an earlier run.
	[ "$(grep -E '<h3[ >]' page.html | grep -cv 'class="ask"')" -le "$(wc -l <shown)" ]
}

@test "pages have no links to other sites unless make DOCS sets the address" {
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-run" sh -c 'sleep 0.1'
	"$BUILD/rtrack-report" html -o page.html
	fails grep -oE 'href="[^#"][^"]*"' page.html
	cd "$PROJECT"
	leads_to() { # ADDRESS FLAG
		printf '#include "report/page/help_popover.c"\n#include "report/say/markup.h"\nvoid markup_write(FILE *out, const char *format, ...) { va_list all; va_start(all, format); vfprintf(out, format, all); va_end(all); }\nconst struct markup_more_text markup_more_texts[] = {{"a.md#b", "about", "words"}, {0}};\nint main(void) { markup_more(stdout, "a.md#b"); markup_more(stdout, "a.md#c"); return 0; }\n' |
			"${CC:-cc}" -I. -include stdarg.h "$2" -x c -o "$BATS_TEST_TMPDIR/more" -
		"$BATS_TEST_TMPDIR/more" >"$BATS_TEST_TMPDIR/said"
		[ "$(grep -o 'href="[^"]*"' "$BATS_TEST_TMPDIR/said")" = "$1" ]
	}
	leads_to '' -DNOTHING
	make -pn DOCS=https://docs.test/ 2>/dev/null | grep -F "NAMES = " | grep -F MARKUP_DOCS
	leads_to 'href="https://docs.test/a.md#b"' '-DMARKUP_DOCS="https://docs.test/"'
}

@test "README.md shows the lines that rtrack-report prints now" {
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-run" sh -c 'true; true'
	"$BUILD/rtrack-report" >now
	sed -n '/^\$ rtrack-report$/,/^```/{/^[A-Z][A-Za-z ]*  /p}' "$README" | sed 's/  .*//' >shown
	[ "$(wc -l <shown)" -ge 5 ]
	while IFS= read -r label; do
		grep -q "^$label  " now || { echo "no line '$label'"; cat now; false; }
	done <shown
}

@test "each figure of speed in README.md is also in docs/performance.md" {
	awk '/^## Measured/ { inside = 1; next } /^## / { inside = 0 } inside && /^\|/' "$README" >rows
	[ "$(wc -l <rows)" -eq 5 ]
	fails grep -vxF -f "$PROJECT/docs/performance.md" rows
}

@test "README.md has its sections in order: purpose, picture, install, example, output" {
	sed -n 's/^## //p' "$README" | head -5 | diff - <(printf '%s\n' Install 'Three lines' 'What you see' 'When to use something else' Measured)
	awk '/^## Three lines/ { inside = 1 } /^## What/ { inside = 0 } inside && /^rtrack-/ { sub(/ +#.*/, ""); print }' "$README" >three
	[ "$(wc -l <three)" -eq 3 ]
	PATH=$BUILD:$PATH sh -e three >shown
	grep -q 'sort -R' shown
	grep -q '<html' report.html
	[ "$(sed -n '/^!\[/p' "$README" | wc -l)" -eq 1 ]
}

@test "the picture in README.md has the colours of the page" {
	grep -o '#[0-9a-f]\{6\}' "$PROJECT/docs/picture.svg" | sort -u >drawn
	sed -n '/:root.* {$/,/}/p' "$PROJECT/report/page/assets/page.css" | grep -o '#[0-9a-f]\{6\}' | sort -u >styled
	[ "$(wc -l <drawn)" -gt 5 ]
	fails grep -vxFf styled drawn
}
