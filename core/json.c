/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON writer for bounded buffers. */
#include "core/json.h"

#include "core/number.h"

static void write_control(struct buffer *out, unsigned char byte)
{
	static const char hex[] = "0123456789abcdef";
	buffer_string(out, "\\u00");
	buffer_byte(out, hex[byte >> 4]);
	buffer_byte(out, hex[byte & 15]);
}

void json_write_string(struct buffer *out, struct text value)
{
	buffer_byte(out, '"');
	for (size_t i = 0; i < value.length;) {
		unsigned char byte = (unsigned char)value.data[i];
		size_t length = text_character(value, i);
		if (length == 0) {
			buffer_string(out, "\xef\xbf\xbd");
			i++;
		} else if (length > 1) {
			buffer_text(out, (struct text){value.data + i, length});
			i += length;
		} else {
			if (byte == '"' || byte == '\\') {
				buffer_byte(out, '\\');
				buffer_byte(out, (char)byte);
			} else if (byte < 0x20 || byte == 0x7f) {
				write_control(out, byte);
			} else {
				buffer_byte(out, (char)byte);
			}
			i++;
		}
	}
	buffer_byte(out, '"');
}

static void begin_value(struct json *json, const char *key)
{
	if (json->depth > 0) {
		buffer_string(&json->out, json->first ? "\n" : ",\n");
		for (unsigned i = 0; i < json->depth; i++)
			buffer_string(&json->out, "  ");
	}
	json->first = false;
	if (key) {
		json_write_string(&json->out, text_of(key));
		buffer_string(&json->out, ": ");
	}
}

static void begin_level(struct json *json, const char *key, char bracket)
{
	begin_value(json, key);
	buffer_byte(&json->out, bracket);
	json->depth++;
	json->first = true;
}

static void end_level(struct json *json, char bracket)
{
	json->depth--;
	if (!json->first) {
		buffer_byte(&json->out, '\n');
		for (unsigned i = 0; i < json->depth; i++)
			buffer_string(&json->out, "  ");
	}
	json->first = false;
	buffer_byte(&json->out, bracket);
	if (json->depth == 0)
		buffer_byte(&json->out, '\n');
}

void json_begin_object(struct json *json, const char *key)
{
	begin_level(json, key, '{');
}

void json_end_object(struct json *json)
{
	end_level(json, '}');
}

void json_begin_array(struct json *json, const char *key)
{
	begin_level(json, key, '[');
}

void json_end_array(struct json *json)
{
	end_level(json, ']');
}

void json_text(struct json *json, const char *key, struct text value)
{
	begin_value(json, key);
	json_write_string(&json->out, value);
}

void json_number(struct json *json, const char *key, double value, unsigned digits)
{
	begin_value(json, key);
	size_t before = json->out.length;
	number_write(&json->out, value, digits);
	if (json->out.length == before)
		buffer_string(&json->out, "null");
}

void json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	buffer_string(&json->out, "null");
}
