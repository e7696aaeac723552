/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page of a run: the template with each {{name}} replaced by the output of a function.
 *
 * The page is one file that loads nothing else: its Content-Security-Policy allows exactly its own style sheet and
 * script, by their hashes. The pages of a site share both as files. Chromium checks hashes of files only if a server
 * sends them, so a site's policy allows files from the same server or disk, and no inline script. */
#include "report/page/run_page.h"

#include "core/spool.h"
#include "report/page/assets.h"
#include "report/page/charts.h"
#include "report/say/alloc.h"
#include "report/say/hash.h"
#include "report/say/markup.h"
#include "report/say/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void write_bytes(FILE *out, struct text text)
{
	fwrite(text.data, 1, text.length, out);
}

static struct text asset_text(enum page_asset asset)
{
	const struct text *const texts[PAGE_ASSETS] = {&page_style, &page_script, &flame_script, &site_script};

	return *texts[asset];
}

/* Returns the base64 hash of an asset. The hash is cached, because a site has thousands of pages. */
static const char *asset_hash(enum page_asset asset)
{
	static char hashes[PAGE_ASSETS][HASH_BASE64_SIZE];

	if (!*hashes[asset])
		hash_base64(asset_text(asset), hashes[asset]);
	return hashes[asset];
}

static void write_policy(FILE *out, const char *assets, bool scripted)
{
	markup_write(out, "default-src 'none'; ");
	if (assets) /* some browsers do not apply 'self' to a site opened from disk, so "file:" is needed */
		markup_write(out, "style-src 'self' file:; %s", scripted ? "script-src 'self' file:; " : "");
	else
		markup_write(out, "style-src 'sha256-%s'; ", asset_hash(PAGE_STYLE));
	if (!assets && scripted)
		markup_write(out, "script-src 'sha256-%s' 'sha256-%s'; ", asset_hash(PAGE_SCRIPT),
			asset_hash(PAGE_FLAME_SCRIPT));
	markup_write(out, "%sbase-uri 'none'; form-action 'none'", scripted ? "img-src data:; " : "");
}

const char *page_asset_name(enum page_asset asset)
{
	static char names[PAGE_ASSETS][2 * HASH_SIZE + sizeof ".css"]; /* names are computed once */
	char *end = names[asset];
	uint8_t hash[HASH_SIZE];

	if (*end)
		return end;
	hash_sha256(asset_text(asset), hash);
	for (int i = 0; i < 8; i++)
		end += sprintf(end, "%02x", hash[i]);
	strcpy(end, asset == PAGE_STYLE ? ".css" : ".js");
	return names[asset];
}

int page_asset_write(FILE *out, const void *asset)
{
	write_bytes(out, asset_text(*(const enum page_asset *)asset));
	return ferror(out) ? -1 : 0;
}

/* Writes a page up to its <body>. `generator` is markup for the <head>, and `title` is untrusted text. */
static void write_head(FILE *out, const char *assets, bool scripted, const char *generator, const char *title)
{
	markup_write(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			  "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	write_policy(out, assets, scripted);
	markup_write(out,
		"\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n%s<title>%-s – rtrack</title>\n",
		generator, title);
	if (assets) {
		markup_write(out, "<link rel=\"stylesheet\" href=\"%s%s\">", assets, page_asset_name(PAGE_STYLE));
	} else {
		markup_write(out, "<style>");
		write_bytes(out, page_style);
		markup_write(out, "</style>");
	}
	markup_write(out, "\n</head>\n<body>\n");
}

void page_write_head(FILE *out, const char *assets, const char *title)
{
	char *script =
		assets ? xasprintf("<script defer src=\"%s%s\"></script>\n", assets, page_asset_name(PAGE_SITE_SCRIPT))
		       : NULL;

	write_head(out, assets, assets != NULL, script ? script : "", title);
	free(script);
}

static void write_page_head(FILE *out, const struct page *page)
{
	enum { TITLE_MOST = 80 /* bytes of the job's name */ };
	struct text job = text_of(page->model->run->job), cut = utf8_cut(job, TITLE_MOST);
	char *title = xasprintf(
		"%.*s%s – %s", (int)cut.length, cut.data, cut.length < job.length ? "…" : "", page_outcome(page));

	write_head(out, page->assets, true, "<meta name=\"generator\" content=\"rtrack-report " RTRACK_VERSION "\">\n",
		title);
	free(title);
}

void page_write_script(FILE *out, const struct page *page, enum page_asset script)
{
	if (page->assets) {
		markup_write(out, "<script src=\"%s%s\">", page->assets, page_asset_name(script));
	} else {
		markup_write(out, "<script>");
		write_bytes(out, asset_text(script));
	}
	markup_write(out, "</script>");
}

static void write_script(FILE *out, const struct page *page)
{
	page_write_script(out, page, PAGE_SCRIPT);
}

static void write_over_time(FILE *out, const struct page *page)
{
	if (page->over_time)
		fputs(page->over_time, out);
}

static void write_notes(FILE *out, const struct page *page)
{
	charts_write_note(out, page);
	markup_write(out,
		"<p class=\"note\">CPU and memory are those of all processes of the job together. Memory is PSS: pages "
		"that "
		"several processes share are divided among them. The peak of a process is its largest RSS (VmHWM). "
		"rtrack-spool(5) names the source of each figure.</p>\n"
		"<details class=\"note\"><summary>Charts by uPlot</summary>\n<pre>");
	markup_write_lines(out, page_license);
	markup_write(out, "</pre></details>");
}

static void write_footer(FILE *out, const struct page *page)
{
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(page->model->run->json, "tracker");

	markup_write(out, "<p class=\"note\">Made by rtrack-report %s; recorded by rtrack ", RTRACK_VERSION);
	markup_write_text(out, text_of(json_string(tracker, "version")));
	markup_write(out, ".</p>");
}

/* The sections below the first screen, in the order of the navigation. A section without content is omitted. */
#define PARTS(...) ((void (*const[])(FILE *, const struct page *)){__VA_ARGS__, NULL})

static const struct section {
	const char *id, *title;
	/* The reader opens a folded section by a click. A page about one program has little to show, and is short. */
	enum { OPEN, FOLDED, FOLDED_FOR_ONE_PROGRAM } fold;
	/* functions that write the parts of the section, terminated by NULL */
	void (*const *parts)(FILE *out, const struct page *page);
} sections[] = {
	{"runs", "Runs", OPEN, PARTS(page_write_group)},
	{"tasks", "Tasks", OPEN, PARTS(page_write_tasks)},
	{"memory-lack", "Out of memory", OPEN, PARTS(page_write_postmortem)},
	{"processes", "Timeline", OPEN,
		PARTS(charts_write_lives, page_write_phases, page_write_parts, page_write_marks)},
	{"programs", "Programs", OPEN, PARTS(page_write_programs)},
	{"code", "Code", OPEN, PARTS(page_write_lines, page_write_flames)},
	{"other", "All charts", FOLDED_FOR_ONE_PROGRAM, PARTS(charts_write)},
	{"history", "History", OPEN, PARTS(page_write_earlier, write_over_time, page_write_waste)},
	{"details", "Details", FOLDED,
		PARTS(page_write_usage, page_write_basis, page_write_cpus, write_notes, page_write_details)},
};

enum { SECTIONS = ARRAY_LENGTH(sections) };

/* Returns the markup of a section, or "" if it has no content. */
static char *section_make(const struct page *page, const struct section *section)
{
	char *text;
	size_t size;
	FILE *out = xopen_memstream(&text, &size);

	for (size_t i = 0; section->parts[i]; i++)
		section->parts[i](out, page);
	xclose_memstream(out);
	return text;
}

static void write_navigation(FILE *out, const struct page *page)
{
	markup_write(out, "<nav aria-label=\"Sections\">");
	for (size_t i = 0; i < SECTIONS; i++)
		if (*page->sections[i])
			markup_write(out, "<a href=\"#%s\">%s</a>", sections[i].id, sections[i].title);
	markup_write(out, "</nav>\n");
}

static bool is_folded(const struct page *page, const struct section *section)
{
	return section->fold == FOLDED ||
	       (section->fold == FOLDED_FOR_ONE_PROGRAM && page->model->programs.programs <= 1);
}

static void write_sections(FILE *out, const struct page *page)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		if (!*page->sections[i])
			continue;
		bool folded = is_folded(page, &sections[i]);
		markup_write(out, "<section class=\"section\" id=\"%s\">\n%s<h2>%s</h2>%s\n", sections[i].id,
			folded ? "<details><summary>" : "", sections[i].title, folded ? "</summary>" : "");
		fputs(page->sections[i], out);
		markup_write(out, "%s\n</section>\n", folded ? "</details>" : "");
	}
}

static const struct slot {
	const char *name;
	void (*write)(FILE *out, const struct page *page);
} slots[] = {
	{"head", write_page_head},
	{"navigation", write_navigation},
	{"header", page_write_header},
	{"answer", page_write_verdict},
	{"main-charts", charts_write_main},
	{"sections", write_sections},
	{"footer", write_footer},
	{"data", charts_write_data},
	{"script", write_script},
};

/* Returns the offset of the next `pair` at or after `from`, or the length of the text if there is none. */
static size_t find_pair(struct text text, const char *pair, size_t from)
{
	for (size_t at = text_find(text, pair[0], from); at + 1 < text.length; at = text_find(text, pair[0], at + 1))
		if (text.data[at + 1] == pair[1])
			return at;
	return text.length;
}

static void write_template(FILE *out, const struct page *page)
{
	for (size_t at = 0; at < page_template.length && !ferror(out);) {
		size_t open = find_pair(page_template, "{{", at);
		write_bytes(out, (struct text){page_template.data + at, open - at});
		if (open == page_template.length)
			break;
		size_t close = find_pair(page_template, "}}", open);
		const struct text name = {page_template.data + open + 2, close - open - 2};
		for (size_t i = 0; i < ARRAY_LENGTH(slots); i++)
			if (text_is(name, slots[i].name))
				slots[i].write(out, page);
		at = close + 2;
	}
}

int page_write(FILE *out, const void *page)
{
	char *made[SECTIONS];
	struct charts *charts = charts_make(page);
	struct page whole = *(const struct page *)page;

	whole.charts = charts;
	whole.sections = made;
	for (size_t i = 0; i < SECTIONS; i++)
		made[i] = section_make(&whole, &sections[i]);
	errno = 0;
	write_template(out, &whole);
	for (size_t i = 0; i < SECTIONS; i++)
		free(made[i]);
	charts_free(charts);
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	errno = errno ? errno : EIO;
	return -1;
}
