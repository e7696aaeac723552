/* The keys for S3; see keys.h. */
#define _GNU_SOURCE
#include "report/fleet/keys.h"

#include "core/number.h"
#include "report/say/json.h"
#include "report/services/http.h"
#include "report/spool/lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RENEW_BEFORE = 300, ANSWER_MAX = 65536, WAIT_SECONDS = 5, STS_SECONDS = 30, TOKEN_MAX = 8192 };

static const char *environment(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

static bool keep(char *to, size_t size, struct text value)
{
	if (value.length >= size)
		return false;
	for (size_t i = 0; i < value.length; i++)
		if ((unsigned char)value.data[i] < ' ')
			return false;
	memcpy(to, value.data, value.length);
	to[value.length] = '\0';
	return true;
}

double keys_time(const char *text)
{
	struct tm tm = {0};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);

	return end ? (double)timegm(&tm) : UNKNOWN;
}

bool keys_are_old(const struct keys *keys)
{
	return number_known(keys->expire) && (double)time(NULL) + RENEW_BEFORE >= keys->expire;
}

/* -- the environment ------------------------------------------------------------------------------- */

static const char *from_environment(struct keys *keys)
{
	const char *access = environment("AWS_ACCESS_KEY_ID");
	const char *secret = environment("AWS_SECRET_ACCESS_KEY");

	if (!*access || !*secret)
		return "";
	bool kept = keep(keys->access, sizeof keys->access, text_of(access)) &&
		    keep(keys->secret, sizeof keys->secret, text_of(secret)) &&
		    keep(keys->token, sizeof keys->token, text_of(environment("AWS_SESSION_TOKEN")));
	return kept ? NULL : "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN is not a key";
}

/* -- files ----------------------------------------------------------------------------------------- */

static struct text trimmed(struct text text)
{
	while (text.length > 0 && strchr(" \t\r", text.data[0]))
		text.data++, text.length--;
	while (text.length > 0 && strchr(" \t\r", text.data[text.length - 1]))
		text.length--;
	return text;
}

static const char *profile_name(void)
{
	const char *name = environment("AWS_PROFILE");
	name = *name ? name : environment("AWS_DEFAULT_PROFILE");
	return *name ? name : "default";
}

/* Whether "[NAME]", or "[profile NAME]", is the profile that is meant. */
static bool is_profile(struct text line)
{
	struct text name = trimmed((struct text){line.data + 1, text_find(line, ']', 1) - 1});

	if (text_starts(name, "profile "))
		name = trimmed((struct text){name.data + 8, name.length - 8});
	return text_is(name, profile_name());
}

/* Calls `take` with each key of the profile in a file of the tools of AWS; false: the file cannot be read. */
static bool read_profile(const char *variable, const char *rest,
	void (*take)(void *context, struct text key, struct text value), void *context)
{
	const char *given = environment(variable);
	char *path = NULL;
	struct lines lines;
	struct line line;
	bool inside = false;

	if (asprintf(&path, "%s%s", *given ? given : environment("HOME"), *given ? "" : rest) < 0)
		return false;
	bool open = lines_open(&lines, path, "") == 0;
	while (open && lines_next(&lines, &line)) {
		struct text text = trimmed((struct text){line.data, line.length});
		size_t equals = text_find(text, '=', 0);
		if (text_starts(text, "["))
			inside = is_profile(text);
		else if (inside && equals < text.length && text.data[0] != '#')
			take(context, trimmed((struct text){text.data, equals}),
				trimmed((struct text){text.data + equals + 1, text.length - equals - 1}));
	}
	if (open)
		lines_close(&lines);
	free(path);
	return open;
}

static void take_key(void *context, struct text key, struct text value)
{
	struct keys *keys = context;

	if (text_is(key, "aws_access_key_id"))
		(void)keep(keys->access, sizeof keys->access, value);
	if (text_is(key, "aws_secret_access_key"))
		(void)keep(keys->secret, sizeof keys->secret, value);
	if (text_is(key, "aws_session_token"))
		(void)keep(keys->token, sizeof keys->token, value);
}

static const char *from_file(struct keys *keys)
{
	bool read = read_profile("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials", take_key, keys);

	return read && *keys->access && *keys->secret ? NULL : "";
}

struct region {
	char *text;
	size_t size;
};

static void take_region(void *context, struct text key, struct text value)
{
	struct region *region = context;

	if (text_is(key, "region"))
		(void)keep(region->text, region->size, value);
}

void keys_region(char *region, size_t size)
{
	const char *given = environment("AWS_REGION");
	struct region found = {region, size};

	given = *given ? given : environment("AWS_DEFAULT_REGION");
	region[0] = '\0';
	if (!keep(region, size, text_of(given)) || !*region)
		(void)read_profile("AWS_CONFIG_FILE", "/.aws/config", take_region, &found);
}

/* -- roles ----------------------------------------------------------------------------------------- */

/* Asks; the body, which the caller frees, or NULL. */
static char *ask_for(struct http_request *request, double seconds)
{
	struct http *http = http_open(seconds);

	if (!http)
		return NULL;
	request->body_max = ANSWER_MAX;
	http_add(http, request);
	http_run(http);
	http_close(http);
	if (request->status == 200)
		return request->body;
	http_request_free(request);
	return NULL;
}

static char *ask(const char *method, const char *url, const char *header)
{
	struct http_request request = {.method = method, .url = url, .headers = {header}};

	return ask_for(&request, WAIT_SECONDS);
}

static const char *take_answer(struct keys *keys, char *answer)
{
	cJSON *json = answer ? cJSON_Parse(answer) : NULL;
	bool kept = keep(keys->access, sizeof keys->access, text_of(json_string(json, "AccessKeyId"))) &&
		    keep(keys->secret, sizeof keys->secret, text_of(json_string(json, "SecretAccessKey"))) &&
		    keep(keys->token, sizeof keys->token, text_of(json_string(json, "Token"))) && *keys->access &&
		    *keys->secret;

	keys->expire = keys_time(json_string(json, "Expiration"));
	cJSON_Delete(json);
	free(answer);
	return kept ? NULL : "the role's endpoint gave no keys";
}

/* Whether what follows the host of a URL ends it: a port and a path, and no "@", which would make the host a user. */
static bool ends_host(const char *rest)
{
	if (*rest == ':')
		rest += 1 + strspn(rest + 1, "0123456789");
	return *rest == '/' || *rest == '\0';
}

/* Over http, keys are taken from this machine and the addresses that AWS documents alone. */
static bool may_ask(const char *url)
{
	static const char *const hosts[] = {
		"127.0.0.1", "localhost", "[::1]", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"};

	if (strncmp(url, "https://", 8) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_LENGTH(hosts) && strncmp(url, "http://", 7) == 0; i++) {
		size_t length = strlen(hosts[i]);
		if (strncmp(url + 7, hosts[i], length) == 0 && ends_host(url + 7 + length))
			return true;
	}
	return false;
}

/* The first line of the file that the variable names; "": there is none. */
static void read_token(const char *variable, char *token, size_t size)
{
	const char *path = environment(variable);
	int file = *path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t length = file < 0 ? 0 : read(file, token, size - 1);

	if (file >= 0)
		close(file);
	token[length > 0 ? length : 0] = '\0';
	token[strcspn(token, "\r\n")] = '\0';
}

static const char *from_container(struct keys *keys)
{
	const char *relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
	const char *full = environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
	char token[TOKEN_MAX], header[TOKEN_MAX + 32], url[2048];

	if (!*relative && !*full)
		return "";
	(void)snprintf(url, sizeof url, "%s%s", *relative ? "http://169.254.170.2" : "", *relative ? relative : full);
	if (!may_ask(url))
		return *relative ? "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not a path"
				 : "AWS_CONTAINER_CREDENTIALS_FULL_URI must begin with https:// or name this machine";
	read_token("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token, sizeof token);
	if (!*environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"))
		(void)keep(token, sizeof token, text_of(environment("AWS_CONTAINER_AUTHORIZATION_TOKEN")));
	(void)snprintf(header, sizeof header, "Authorization: %s", token);
	return take_answer(keys, ask(NULL, url, *token ? header : NULL));
}

static const char *from_instance(struct keys *keys)
{
	static const char roles[] = "/latest/meta-data/iam/security-credentials/";
	const char *base = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT");
	char url[2048], header[1024];

	if (!*base || strcasecmp(environment("AWS_EC2_METADATA_DISABLED"), "true") == 0)
		return "";
	int length = (int)strlen(base) - (base[strlen(base) - 1] == '/');
	(void)snprintf(url, sizeof url, "%.*s/latest/api/token", length, base);
	char *token = ask("PUT", url, "X-aws-ec2-metadata-token-ttl-seconds: 21600");
	if (!token)
		return "the instance's metadata service gave no token";
	(void)snprintf(header, sizeof header, "X-aws-ec2-metadata-token: %s", token);
	free(token);
	(void)snprintf(url, sizeof url, "%.*s%s", length, base, roles);
	char *role = ask(NULL, url, header);
	if (!role)
		return "the instance has no role";
	role[strcspn(role, "\r\n")] = '\0';
	(void)snprintf(url, sizeof url, "%.*s%s%s", length, base, roles, role);
	free(role);
	return take_answer(keys, ask(NULL, url, header));
}

/* -- a web identity -------------------------------------------------------------------------------- */

/* Where AssumeRoleWithWebIdentity is asked. */
static bool find_sts(char *url, size_t size)
{
	const char *given = environment("AWS_ENDPOINT_URL_STS");
	char region[64];

	given = *given ? given : environment("AWS_ENDPOINT_URL");
	keys_region(region, sizeof region);
	int length = *given ? snprintf(url, size, "%s", given)
			    : snprintf(url, size, "https://sts%s%s.amazonaws.com%s/", *region ? "." : "", region,
				      strncmp(region, "cn-", 3) == 0 ? ".cn" : "");
	return length < (int)size;
}

/* Takes the text between <NAME> and </NAME>; these have no entities. */
static bool take_element(const char *answer, const char *name, char *to, size_t size)
{
	char tag[64];
	const char *begin;

	(void)snprintf(tag, sizeof tag, "<%s>", name);
	begin = strstr(answer, tag);
	if (!begin)
		return false;
	begin += strlen(tag);
	return keep(to, size, (struct text){begin, strcspn(begin, "<")});
}

static const char *take_assumed(struct keys *keys, const char *answer)
{
	char expire[64] = "";

	if (!take_element(answer, "AccessKeyId", keys->access, sizeof keys->access) ||
		!take_element(answer, "SecretAccessKey", keys->secret, sizeof keys->secret) ||
		!take_element(answer, "SessionToken", keys->token, sizeof keys->token))
		return "the token service gave no keys for AWS_ROLE_ARN";
	(void)take_element(answer, "Expiration", expire, sizeof expire);
	keys->expire = keys_time(expire);
	return NULL;
}

static const char *from_web_identity(struct keys *keys)
{
	const char *role = environment("AWS_ROLE_ARN"), *session = environment("AWS_ROLE_SESSION_NAME");
	char token[TOKEN_MAX], url[2048], form[TOKEN_MAX + 4096];
	struct buffer question = BUFFER(form);

	if (!*role || !*environment("AWS_WEB_IDENTITY_TOKEN_FILE"))
		return "";
	read_token("AWS_WEB_IDENTITY_TOKEN_FILE", token, sizeof token);
	if (!*token)
		return "AWS_WEB_IDENTITY_TOKEN_FILE names a file without a token";
	buffer_string(&question, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=");
	http_encode_path(&question, role);
	buffer_string(&question, "&RoleSessionName=");
	http_encode_path(&question, *session ? session : "rtrack");
	buffer_string(&question, "&WebIdentityToken=");
	http_encode_path(&question, token);
	buffer_terminate(&question);
	if (question.full || !find_sts(url, sizeof url))
		return "AWS_ROLE_ARN or AWS_WEB_IDENTITY_TOKEN_FILE is too long";
	if (!may_ask(url))
		return "AWS_ENDPOINT_URL_STS or AWS_ENDPOINT_URL must begin with https:// or name this machine";
	struct http_request request = {.method = "POST", .url = url, .sent = {form, question.length}, .proxy = true};
	char *answer = ask_for(&request, STS_SECONDS);
	const char *why = take_assumed(keys, answer ? answer : "");
	free(answer);
	return why;
}

/* -- all of them ----------------------------------------------------------------------------------- */

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
