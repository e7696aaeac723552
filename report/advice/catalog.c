/* SPDX-License-Identifier: Apache-2.0 */
/* Reads servers and their prices from a catalog. */
#include "report/advice/prices.h"

#include "core/number.h"
#include "core/row.h"
#include "report/say/file.h"
#include "report/say/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 24, FIELDS_MAX = 128 };

static const double VALUE_MAX = 1e12;

/* -- fields ---------------------------------------------------------------------------------------- */

#define TEXT_FIELD(member, ...)                                                                                        \
	{                                                                                                              \
		offsetof(struct server, member), sizeof(((struct server *)NULL)->member),                              \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
#define NUMBER_FIELD(member, ...)                                                                                      \
	{                                                                                                              \
		offsetof(struct server, member), 0,                                                                    \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}

/* The fields of a server and their names in a catalog. Our name comes first; the others are names in the Keeper API. */
static const struct field {
	size_t offset;
	size_t size; /* size of the string including its NUL, or 0 if the field is a number */
	const char *names[3];
} server_fields[] = {
	TEXT_FIELD(vendor, "vendor", "vendor_id"),
	TEXT_FIELD(id, "server", "api_reference", "server_id"),
	TEXT_FIELD(name, "name", "display_name"),
	TEXT_FIELD(architecture, "architecture", "cpu_architecture", "arch"),
	TEXT_FIELD(region, "region", "region_id"),
	TEXT_FIELD(gpu_model, "gpu_model"),
	TEXT_FIELD(currency, "currency"),
	NUMBER_FIELD(vcpus, "vcpus"),
	NUMBER_FIELD(memory_mib, "memory", "memory_amount"),
	NUMBER_FIELD(gpu, "gpu", "gpu_count"),
	NUMBER_FIELD(vram_mib, "vram", "gpu_memory_total"),
	NUMBER_FIELD(price, "price", "min_price_ondemand"),
	NUMBER_FIELD(spot_price, "price_spot", "min_price_spot"),
};

static void set_text(struct server *server, const struct field *field, struct text value)
{
	char *member = (char *)server + field->offset;
	size_t length = value.length < field->size - 1 ? value.length : field->size - 1;

	memcpy(member, value.data, length);
	member[length] = '\0';
}

/* Amounts and prices must be nonnegative numbers; others are ignored. */
static void set_number(struct server *server, const struct field *field, double value)
{
	double *member = (double *)(void *)((char *)server + field->offset);
	*member = value >= 0 && value <= VALUE_MAX ? value : UNKNOWN;
}

static struct server nothing(void)
{
	struct server server = {0};
	for (size_t i = 0; i < ARRAY_LENGTH(server_fields); i++)
		if (server_fields[i].size == 0)
			set_number(&server, &server_fields[i], UNKNOWN);
	return server;
}

/* Sets defaults of optional fields. Returns false if a required field is missing. */
static bool complete(struct server *server)
{
	if (!*server->currency)
		memcpy(server->currency, "USD", sizeof "USD");
	if (!number_known(server->gpu))
		server->gpu = 0;
	if (!number_known(server->vram_mib))
		server->vram_mib = 0;
	return *server->id && server->vcpus > 0 && server->memory_mib > 0 && server->price > 0;
}

struct taker {
	catalog_take *take;
	void *context;
	struct catalog_result *result;
};

static void give(const struct taker *taker, struct server *server, size_t place)
{
	struct catalog_result *result = taker->result;

	if (complete(server)) {
		result->servers++;
		taker->take(taker->context, server);
	} else if (result->left_out++ == 0) {
		result->first_left_out = place;
	}
}

/* -- JSON ------------------------------------------------------------------------------------------ */

static struct server read_object(const cJSON *object)
{
	struct server server = nothing();

	for (size_t i = 0; i < ARRAY_LENGTH(server_fields); i++) {
		const struct field *field = &server_fields[i];
		for (size_t name = 0; name < ARRAY_LENGTH(field->names) && field->names[name]; name++) {
			const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field->names[name]);
			if (field->size > 0 ? !cJSON_IsString(item) || !*item->valuestring : !cJSON_IsNumber(item))
				continue;
			if (field->size > 0)
				set_text(&server, field, text_of(item->valuestring));
			else
				set_number(&server, field, item->valuedouble);
			break;
		}
	}
	return server;
}

static int read_json(const char *text, size_t length, const struct taker *taker)
{
	cJSON *json = cJSON_ParseWithLength(text, length);
	const cJSON *list = cJSON_IsObject(json) ? cJSON_GetObjectItemCaseSensitive(json, "servers") : json;
	const cJSON *item;
	size_t place = 0;

	if (!cJSON_IsArray(list)) {
		cJSON_Delete(json);
		return -1;
	}
	cJSON_ArrayForEach(item, list)
	{
		struct server server = read_object(item);
		give(taker, &server, ++place);
	}
	cJSON_Delete(json);
	return 0;
}

/* -- CSV ------------------------------------------------------------------------------------------- */

/* The field of each column of the CSV, or NULL if the column is unknown. */
struct header {
	const struct field *columns[FIELDS_MAX];
	int count;
};

static const struct field *find_field(struct text name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(server_fields); i++)
		for (size_t j = 0; j < ARRAY_LENGTH(server_fields[i].names) && server_fields[i].names[j]; j++)
			if (text_is(name, server_fields[i].names[j]))
				return &server_fields[i];
	return NULL;
}

static int read_header(struct header *header, char *line, size_t length)
{
	struct text names[FIELDS_MAX];
	bool any = false;

	header->count = row_split(line, length, names, FIELDS_MAX);
	if (header->count < 2 || header->count > FIELDS_MAX)
		return -1;
	for (int i = 0; i < header->count; i++) {
		header->columns[i] = find_field(names[i]);
		any = any || header->columns[i];
	}
	return any ? 0 : -1;
}

static struct server read_row(const struct header *header, char *line, size_t length)
{
	struct text cells[FIELDS_MAX];
	struct server server = nothing();
	double value;

	if (row_split(line, length, cells, FIELDS_MAX) != header->count)
		return server;
	for (int i = 0; i < header->count; i++) {
		const struct field *field = header->columns[i];
		if (field && field->size > 0)
			set_text(&server, field, cells[i]);
		else if (field && number_read(cells[i], &value) == 0)
			set_number(&server, field, value);
	}
	return server;
}

static int read_csv(char *text, size_t length, const struct taker *taker)
{
	struct header header = {.count = 0};
	struct text whole = {text, length};
	size_t number = 0;

	for (size_t at = 0, end; at < length; at = end + 1) {
		end = text_find(whole, '\n', at);
		number++;
		if (number == 1) {
			if (read_header(&header, text + at, end - at) != 0)
				return -1;
		} else if (end > at && !(end == at + 1 && text[at] == '\r')) {
			struct server server = read_row(&header, text + at, end - at);
			give(taker, &server, number);
		}
	}
	return number > 0 ? 0 : -1;
}

/* -- both formats ---------------------------------------------------------------------------------- */

int catalog_read(char *text, size_t length, catalog_take *take, void *context, struct catalog_result *result)
{
	/* UTF-8 byte order mark, which some programs write at the beginning of a file */
	static const char mark[] = "\xef\xbb\xbf";
	struct taker taker = {take, context, result};
	size_t skip = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
	size_t first = skip;

	*result = (struct catalog_result){0};
	while (first < length && strchr(" \t\r\n", text[first]) && text[first])
		first++;
	result->json = first < length && (text[first] == '[' || text[first] == '{');
	return result->json ? read_json(text + first, length - first, &taker)
			    : read_csv(text + skip, length - skip, &taker);
}

int catalog_read_file(const char *path, catalog_take *take, void *context)
{
	struct catalog_result result;
	size_t length;
	char *text = file_read(path, FILE_MAX - 1, &length);

	if (!text) {
		message_cannot_read(path, errno);
		return -1;
	}
	int status = catalog_read(text, length, take, context, &result);
	free(text);
	if (status != 0)
		message_print("'%s' is not a list of servers in CSV or JSON", path);
	else if (result.left_out > 0)
		message_print("'%s', %s %zu: not a server with vcpus, memory and price; left out %zu of %zu", path,
			result.json ? "item" : "line", result.first_left_out, result.left_out,
			result.left_out + result.servers);
	return status;
}
