/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "report/fleet/keys.h"

#include "core/number.h"
#include "report/say/alloc.h"
#include "report/say/file.h"
#include "report/say/json.h"
#include "report/services/http.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RENEW_BEFORE = 300, ANSWER_MAX = 65536, ROLE_SECONDS = 5, STS_SECONDS = 30, FILE_MAX = 1 << 20 };
enum { TOKEN_SIZE = 8192, URL_SIZE = 2048, FORM_SIZE = 3 * TOKEN_SIZE + 4096 };

/* Returns the value of an environment variable, or "" if it is not set. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

static bool keep(char *to, size_t size, const char *value)
{
	size_t length = strlen(value);

	for (size_t i = 0; i < length; i++)
		if ((unsigned char)value[i] < ' ')
			return false;
	if (length >= size)
		return false;
	memcpy(to, value, length + 1);
	return true;
}

bool keys_set(struct keys *keys, const char *access, const char *secret, const char *token, const char *expire)
{
	struct tm tm = {0};

	keys->expire = strptime(expire, "%Y-%m-%dT%H:%M:%S", &tm) ? (double)timegm(&tm) : UNKNOWN;
	return *access && *secret && keep(keys->access, sizeof keys->access, access) &&
	       keep(keys->secret, sizeof keys->secret, secret) && keep(keys->token, sizeof keys->token, token);
}

bool keys_are_old(const struct keys *keys)
{
	return number_known(keys->expire) && (double)time(NULL) + RENEW_BEFORE >= keys->expire;
}

static const char *from_environment(struct keys *keys)
{
	const char *access = environment("AWS_ACCESS_KEY_ID"), *secret = environment("AWS_SECRET_ACCESS_KEY");

	if (!*access || !*secret)
		return "";
	return keys_set(keys, access, secret, environment("AWS_SESSION_TOKEN"), "")
		       ? NULL
		       : "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN is not a key";
}

/* -- profiles -------------------------------------------------------------------------------------- */

/* Removes blanks at both ends, in place. */
static char *trim(char *text)
{
	text += strspn(text, " \t\r");
	for (size_t length = strlen(text); length > 0 && strchr(" \t\r", text[length - 1]);)
		text[--length] = '\0';
	return text;
}

/* Returns whether a heading is "[NAME]" or "[profile NAME]", where NAME is the user's profile. */
static bool is_profile(char *heading)
{
	const char *wanted = environment("AWS_PROFILE");

	wanted = *wanted ? wanted : environment("AWS_DEFAULT_PROFILE");
	heading[strcspn(heading, "]")] = '\0';
	char *name = trim(heading + 1);
	if (strncmp(name, "profile ", 8) == 0)
		name = trim(name + 8);
	return strcmp(name, *wanted ? wanted : "default") == 0;
}

/* Reads a key of the profile. An environment variable names the file; otherwise the file is `usual` in the home
 * directory. Leaves `to` unchanged if the key is missing. */
static void read_profile(const char *variable, const char *usual, const char *key, char *to, size_t size)
{
	const char *given = environment(variable);
	char *path = xasprintf("%s%s", *given ? given : environment("HOME"), *given ? "" : usual);
	char *content = file_read(path, FILE_MAX, NULL), *rest = content;
	bool inside = false;

	for (char *line; (line = strsep(&rest, "\n"));) {
		line = trim(line);
		char *value = strchr(line, '=');
		if (*line == '[') {
			inside = is_profile(line);
		} else if (inside && value) {
			*value++ = '\0';
			if (strcmp(trim(line), key) == 0)
				(void)keep(to, size, trim(value));
		}
	}
	free(content);
	free(path);
}

static const char *from_file(struct keys *keys)
{
	static const char variable[] = "AWS_SHARED_CREDENTIALS_FILE", usual[] = "/.aws/credentials";

	read_profile(variable, usual, "aws_access_key_id", keys->access, sizeof keys->access);
	read_profile(variable, usual, "aws_secret_access_key", keys->secret, sizeof keys->secret);
	read_profile(variable, usual, "aws_session_token", keys->token, sizeof keys->token);
	return *keys->access && *keys->secret ? NULL : "";
}

void keys_region(char *region, size_t size)
{
	const char *given = environment("AWS_REGION");

	given = *given ? given : environment("AWS_DEFAULT_REGION");
	region[0] = '\0';
	if (!keep(region, size, given) || !*region)
		read_profile("AWS_CONFIG_FILE", "/.aws/config", "region", region, size);
}

/* -- roles ----------------------------------------------------------------------------------------- */

/* Sends a request. If the status is 200, returns the body, which the caller frees; otherwise NULL. */
static char *ask(struct http_request request, double seconds)
{
	struct http *http = http_open(seconds);

	if (!http)
		return NULL;
	request.body_max = ANSWER_MAX;
	http_add(http, &request);
	http_run(http);
	http_close(http);
	if (request.status == 200)
		return request.body;
	http_request_free(&request);
	return NULL;
}

/* Reads keys from the JSON answer for a role, and frees the answer. */
static const char *take_role(struct keys *keys, char *answer)
{
	cJSON *json = answer ? cJSON_Parse(answer) : NULL;
	bool taken = keys_set(keys, json_string(json, "AccessKeyId"), json_string(json, "SecretAccessKey"),
		json_string(json, "Token"), json_string(json, "Expiration"));

	cJSON_Delete(json);
	free(answer);
	return taken ? NULL : "the role's endpoint gave no keys";
}

/* Returns whether keys may be fetched from a URL: https, or http from this machine or an address that AWS documents. A
 * port and a path may follow the address. An "@" may not, because the text before it would be a user name. */
static bool may_ask(const char *url)
{
	static const char *const hosts[] = {
		"127.0.0.1", "localhost", "[::1]", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"};

	if (strncmp(url, "https://", 8) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_LENGTH(hosts) && strncmp(url, "http://", 7) == 0; i++) {
		const char *rest = url + 7 + strlen(hosts[i]);
		if (strncmp(url + 7, hosts[i], strlen(hosts[i])) != 0)
			continue;
		if (*rest == ':')
			rest += 1 + strspn(rest + 1, "0123456789");
		if (*rest == '/' || *rest == '\0')
			return true;
	}
	return false;
}

/* Stores the first line of the file that an environment variable names, or "" if the file cannot be read. */
static void read_token(const char *variable, char token[TOKEN_SIZE])
{
	char *content = file_read(environment(variable), FILE_MAX, NULL);

	token[0] = '\0';
	if (content) {
		content[strcspn(content, "\r\n")] = '\0';
		(void)keep(token, TOKEN_SIZE, content);
	}
	free(content);
}

static const char *from_container(struct keys *keys)
{
	const char *relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
	const char *full = environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
	char token[TOKEN_SIZE], header[TOKEN_SIZE + 32], url[URL_SIZE];

	if (!*relative && !*full)
		return "";
	(void)snprintf(url, sizeof url, "%s%s", *relative ? "http://169.254.170.2" : "", *relative ? relative : full);
	if (!may_ask(url))
		return *relative ? "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not a path"
				 : "AWS_CONTAINER_CREDENTIALS_FULL_URI must begin with https:// or name this machine";
	read_token("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token);
	if (!*environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"))
		(void)keep(token, sizeof token, environment("AWS_CONTAINER_AUTHORIZATION_TOKEN"));
	(void)snprintf(header, sizeof header, "Authorization: %s", token);
	return take_role(
		keys, ask((struct http_request){.url = url, .headers = {*token ? header : NULL}}, ROLE_SECONDS));
}

static const char *from_instance(struct keys *keys)
{
	const char *base = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT");
	char url[URL_SIZE], header[1024];

	if (!*base || strcasecmp(environment("AWS_EC2_METADATA_DISABLED"), "true") == 0)
		return "";
	int length = (int)strlen(base) - (base[strlen(base) - 1] == '/');
	(void)snprintf(url, sizeof url, "%.*s/latest/api/token", length, base);
	char *token = ask(
		(struct http_request){
			.method = "PUT", .url = url, .headers = {"X-aws-ec2-metadata-token-ttl-seconds: 21600"}},
		ROLE_SECONDS);
	if (!token)
		return "the instance's metadata service gave no token";
	(void)snprintf(header, sizeof header, "X-aws-ec2-metadata-token: %s", token);
	free(token);
	length = snprintf(url, sizeof url, "%.*s/latest/meta-data/iam/security-credentials/", length, base);
	char *role = ask((struct http_request){.url = url, .headers = {header}}, ROLE_SECONDS);
	if (!role)
		return "the instance has no role";
	if (length < (int)sizeof url)
		(void)snprintf(url + length, sizeof url - (size_t)length, "%.*s", (int)strcspn(role, "\r\n"), role);
	free(role);
	return take_role(keys, ask((struct http_request){.url = url, .headers = {header}}, ROLE_SECONDS));
}

/* Reads the text between <NAME> and </NAME>, which contains no entities. The result is "" if the element is missing. */
static void read_element(const char *answer, const char *name, char *to, size_t size)
{
	char tag[64];

	(void)snprintf(tag, sizeof tag, "<%s>", name);
	const char *begin = strstr(answer, tag);
	begin = begin ? begin + strlen(tag) : "";
	(void)snprintf(to, size, "%.*s", (int)strcspn(begin, "<"), begin);
}

/* Reads keys from the XML answer of the token service, and frees the answer. */
static const char *take_assumed(struct keys *keys, char *answer)
{
	char access[KEYS_SIZE], secret[KEYS_SIZE], token[KEYS_TOKEN_SIZE], expire[64];
	const char *text = answer ? answer : "";

	read_element(text, "AccessKeyId", access, sizeof access);
	read_element(text, "SecretAccessKey", secret, sizeof secret);
	read_element(text, "SessionToken", token, sizeof token);
	read_element(text, "Expiration", expire, sizeof expire);
	free(answer);
	return *token && keys_set(keys, access, secret, token, expire)
		       ? NULL
		       : "the token service gave no keys for AWS_ROLE_ARN";
}

static const char *from_web_identity(struct keys *keys)
{
	const char *role = environment("AWS_ROLE_ARN"), *session = environment("AWS_ROLE_SESSION_NAME");
	const char *endpoint = environment("AWS_ENDPOINT_URL_STS");
	char token[TOKEN_SIZE], region[64], url[URL_SIZE], form[FORM_SIZE];
	struct buffer body = BUFFER(form);

	if (!*role || !*environment("AWS_WEB_IDENTITY_TOKEN_FILE"))
		return "";
	read_token("AWS_WEB_IDENTITY_TOKEN_FILE", token);
	if (!*token)
		return "AWS_WEB_IDENTITY_TOKEN_FILE names a file without a token";
	endpoint = *endpoint ? endpoint : environment("AWS_ENDPOINT_URL");
	keys_region(region, sizeof region);
	int length = *endpoint ? snprintf(url, sizeof url, "%s", endpoint)
			       : snprintf(url, sizeof url, "https://sts%s%s.amazonaws.com%s/", *region ? "." : "",
					 region, strncmp(region, "cn-", 3) == 0 ? ".cn" : "");
	buffer_string(&body, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=");
	http_encode_path(&body, role);
	buffer_string(&body, "&RoleSessionName=");
	http_encode_path(&body, *session ? session : "rtrack");
	buffer_string(&body, "&WebIdentityToken=");
	http_encode_path(&body, token);
	buffer_terminate(&body);
	if (body.full || length >= (int)sizeof url)
		return "AWS_ROLE_ARN or AWS_WEB_IDENTITY_TOKEN_FILE is too long";
	if (!may_ask(url))
		return "AWS_ENDPOINT_URL_STS or AWS_ENDPOINT_URL must begin with https:// or name this machine";
	return take_assumed(keys,
		ask((struct http_request){.method = "POST", .url = url, .sent = {form, body.length}, .proxy = true},
			STS_SECONDS));
}

const char *keys_find(struct keys *keys)
{
	static const char *(*const sources[])(struct keys *) = {
		from_environment, from_web_identity, from_file, from_container, from_instance};

	for (size_t i = 0; i < ARRAY_LENGTH(sources); i++) {
		*keys = (struct keys){.expire = UNKNOWN};
		const char *why = sources[i](keys);
		if (!why || *why)
			return why;
	}
	return "no keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or make a credentials file";
}
