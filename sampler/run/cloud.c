/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the cloud to run.json. */
#include "sampler/run/cloud.h"

#include "os/file.h"
#include "sampler/run/file.h"

#define BEFORE_LINE "\n  \"tracker\": {"
#define CLOUD_KEY "\n  \"cloud\": {"

static void write_value(struct buffer *out, const char *key, struct text value, const char *end)
{
	buffer_string(out, "\n    \"");
	buffer_string(out, key);
	buffer_string(out, "\": ");
	if (value.length > 0) {
		buffer_byte(out, '"');
		buffer_text(out, value);
		buffer_byte(out, '"');
	} else {
		buffer_string(out, "null");
	}
	buffer_string(out, end);
}

static int write_cloud(struct buffer *out, struct text file, const void *how)
{
	const struct run_cloud *cloud = how;
	size_t place = text_search(file, BEFORE_LINE);

	if (place == file.length || text_search(file, CLOUD_KEY) != file.length)
		return OS_ERROR_EXISTS;
	buffer_text(out, (struct text){file.data, place});
	buffer_string(out, CLOUD_KEY);
	write_value(out, "vendor", cloud->vendor, ",");
	write_value(out, "instance_type", cloud->instance_type, ",");
	write_value(out, "region", cloud->region, "\n  },");
	buffer_text(out, (struct text){file.data + place, file.length - place});
	return 0;
}

int run_add_cloud(const char *directory, const struct run_cloud *cloud)
{
	int at = os_open_directory(OS_HERE, directory);
	int result = run_rewrite(at, write_cloud, cloud);
	os_close(at);
	return result;
}
