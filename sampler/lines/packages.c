/* SPDX-License-Identifier: Apache-2.0 */
/* Reads direct_url.json and RECORD of the packages in a site-packages folder. */
#include "sampler/lines/packages.h"

#include "os/peek.h"

/* Reads a file of a folder. Returns the number of bytes read, or a negative os_error. */
static int64_t read_in(int pid, struct text folder, const char *name, char *data, size_t capacity)
{
	char path[768];
	struct buffer out = BUFFER(path);

	buffer_text(&out, folder);
	buffer_string(&out, name);
	return out.full ? -1 : peek_file(pid, (struct text){path, out.length}, data, capacity);
}

static unsigned digit_of(char byte)
{
	return byte >= '0' && byte <= '9' ? (unsigned)(byte - '0') : (unsigned)((byte | 32) - 'a' + 10) & 15;
}

/* Decodes the path of a URL into `out`. `url` begins after "file://" and ends with a quote. Returns the path, or an
 * empty text if the path is too long. */
static struct text read_path(struct text url, struct buffer *out)
{
	for (size_t i = 0; i < url.length && url.data[i] != '"'; i++) {
		bool escaped = url.data[i] == '%' && i + 2 < url.length;
		buffer_byte(out,
			escaped ? (char)(digit_of(url.data[i + 1]) << 4 | digit_of(url.data[i + 2])) : url.data[i]);
		i += escaped ? 2 : 0;
	}
	return (struct text){out->data, out->full ? 0 : out->length};
}

/* Returns whether a package was installed from a folder that still contains its source. `folder` is the .dist-info
 * folder of the package. */
static bool is_from_folder(int pid, struct text folder)
{
	static const char scheme[] = "\"file://";
	char data[1024], path[512], byte;
	struct buffer out = BUFFER(path);
	int64_t length = read_in(pid, folder, "/direct_url.json", data, sizeof data);
	struct text json = {data, length > 0 ? (size_t)length : 0};
	size_t at = text_search(json, scheme);

	if (at == json.length || text_search(json, "\"dir_info\"") == json.length)
		return false;
	at += sizeof scheme - 1;
	struct text source = read_path((struct text){data + at, json.length - at}, &out);
	return source.length > 0 && (read_in(pid, source, "/pyproject.toml", &byte, 1) >= 0 ||
					    read_in(pid, source, "/setup.py", &byte, 1) >= 0);
}

static bool has_name(const struct packages_site *site, struct text name)
{
	for (size_t at = 0, end; at < site->length; at = end + 1) {
		struct text all = {site->names, site->length};
		end = text_find(all, '\n', at);
		if (text_equal((struct text){site->names + at, end - at}, name))
			return true;
	}
	return false;
}

static void add_name(struct packages_site *site, struct text name)
{
	struct buffer out = buffer_over(site->names, sizeof site->names);

	if (name.length == 0 || name.length >= sizeof site->names - site->length || text_is(name, "..") ||
		text_is(name, "__pycache__") || text_ends(name, ".dist-info") || has_name(site, name))
		return;
	out.length = site->length;
	buffer_text(&out, name);
	buffer_byte(&out, '\n');
	site->length = out.length;
}

/* Adds the top-level folders and files of a package. A line of RECORD begins with the path of a file and a comma. */
static void add_names(struct packages_site *site, struct text record)
{
	for (size_t at = 0, end; (end = text_find(record, '\n', at)) < record.length; at = end + 1) {
		struct text line = {record.data + at, end - at};
		line.length = text_find(line, ',', 0);
		line.length = text_find(line, '/', 0);
		add_name(site, line);
	}
}

/* Names of the .dist-info folders, each with a '\n' at its end. */
struct distributions {
	struct buffer names;
	size_t left; /* number of names that may be added */
};

static void take_name(void *context, const char *name)
{
	struct distributions *distributions = context;
	struct buffer *names = &distributions->names;
	struct text text = text_of(name);

	if (distributions->left == 0 || !text_ends(text, ".dist-info") ||
		text.length >= names->capacity - names->length)
		return;
	buffer_text(names, text);
	buffer_byte(names, '\n');
	distributions->left--;
}

/* Adds the names of all packages of a site-packages folder that were installed from a folder on this machine. */
static void read_site(struct packages_site *site, int pid, struct buffer scratch)
{
	struct buffer rest = buffer_over(scratch.data + PACKAGES_RECORD_SIZE, scratch.capacity - PACKAGES_RECORD_SIZE);
	struct distributions found = {.names = rest, .left = PACKAGES_DISTRIBUTIONS_MAX};
	char path[512];

	(void)peek_list(pid, text_of(site->path), take_name, &found);
	struct text names = {found.names.data, found.names.length};
	for (size_t at = 0, end; at < names.length; at = end + 1) {
		struct buffer out = BUFFER(path);
		end = text_find(names, '\n', at);
		buffer_string(&out, site->path);
		buffer_byte(&out, '/');
		buffer_text(&out, (struct text){names.data + at, end - at});
		struct text folder = {path, out.length};
		if (out.full || !is_from_folder(pid, folder))
			continue;
		int64_t length = read_in(pid, folder, "/RECORD", scratch.data, PACKAGES_RECORD_SIZE);
		add_names(site, (struct text){scratch.data, length > 0 ? (size_t)length : 0});
	}
}

bool packages_is_local(struct packages *packages, int pid, struct text package, struct buffer scratch)
{
	struct text name = text_basename(package);
	size_t length = package.length - name.length;
	size_t i = 0;

	if (length < 2 || length > sizeof packages->sites[0].path || package.data[0] != '/')
		return false;
	struct text path = {package.data, length - 1};
	while (i < packages->count && !text_equal(text_of(packages->sites[i].path), path))
		i++;
	if (i == PACKAGES_SITES_MAX)
		return false;
	struct packages_site *site = &packages->sites[i];
	if (i == packages->count) {
		struct buffer out = BUFFER(site->path);
		buffer_text(&out, path);
		(void)buffer_terminate(&out);
		packages->count++;
		read_site(site, pid, scratch);
	}
	return has_name(site, name);
}
