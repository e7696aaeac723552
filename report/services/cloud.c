/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the cloud of this machine. */
#include "report/services/cloud.h"

#include "os/system.h"
#include "report/say/alloc.h"
#include "report/services/http.h"
#include "report/services/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_ALLOWED 1.0
enum { ANSWER_MAX = 1 << 18, DOCUMENTS_MAX = 16, URL_SIZE = 512 };

/* -- firmware -------------------------------------------------------------------------------------- */

struct firmware_texts {
	char bytes[FIRMWARE_FIELDS][FIRMWARE_TEXT_MAX];
	struct firmware firmware;
};

static void read_firmware(struct firmware_texts *texts, const char *root)
{
	for (int i = 0; i < FIRMWARE_FIELDS; i++)
		texts->firmware.fields[i] = system_firmware(root, (enum firmware_field)i, texts->bytes[i]);
}

static enum cloud ask_firmware(struct cloud_facts *facts, const char *root, bool *sure)
{
	struct firmware_texts texts;

	read_firmware(&texts, root);
	enum cloud cloud = firmware_cloud(&texts.firmware, sure);
	struct text type = firmware_instance_type(&texts.firmware, cloud);
	if (type.length > 0 && type.length < sizeof facts->instance_type)
		snprintf(facts->instance_type, sizeof facts->instance_type, "%.*s", (int)type.length, type.data);
	return cloud;
}

/* -- services -------------------------------------------------------------------------------------- */

struct question {
	struct http_request request;
	const struct cloud_document *document; /* the requested document, or NULL while a token is requested */
	struct service *service;
	char url[URL_SIZE];
};

struct service {
	enum cloud cloud;
	const char *url;
	struct question token;
	struct question questions[DOCUMENTS_MAX];
	char token_header[CLOUD_TOKEN_SIZE + 64];
	struct cloud_facts facts;
	bool proven;
};

static bool is_answered(const struct http_request *request)
{
	return request->status == 200 && request->body;
}

static struct text body_of(const struct http_request *request)
{
	return (struct text){request->body, request->length};
}

static void take_answer(struct http *http, struct http_request *request)
{
	struct question *question = request->context;

	(void)http;
	if (is_answered(request) && question->document->read(body_of(request), &question->service->facts) &&
		question->document->proves)
		question->service->proven = true;
	http_request_free(request);
}

static void ask(struct http *http, struct service *service, struct question *question, const char *path)
{
	snprintf(question->url, sizeof question->url, "%s%s", service->url, path);
	question->service = service;
	question->request.url = question->url;
	question->request.context = question;
	question->request.body_max = ANSWER_MAX;
	http_add(http, &question->request);
}

static void ask_documents(struct http *http, struct service *service)
{
	size_t count = 0;

	for (size_t i = 0; i < cloud_document_count && count < DOCUMENTS_MAX; i++) {
		const struct cloud_document *document = &cloud_documents[i];
		if (document->cloud != service->cloud)
			continue;
		struct question *question = &service->questions[count++];
		question->document = document;
		question->request.headers[0] = *service->token_header ? service->token_header : document->header;
		question->request.done = take_answer;
		ask(http, service, question, document->path);
	}
}

static void take_token(struct http *http, struct http_request *request)
{
	struct question *question = request->context;
	struct service *service = question->service;
	char token[CLOUD_TOKEN_SIZE];

	if (is_answered(request) && cloud_read_token(body_of(request), token)) {
		snprintf(service->token_header, sizeof service->token_header, "%s: %s",
			cloud_services[service->cloud].token_header, token);
		ask_documents(http, service);
	}
	http_request_free(request);
}

static void ask_service(struct http *http, struct service *service, enum cloud cloud, const char *url)
{
	const struct cloud_service *how = &cloud_services[cloud];

	service->cloud = cloud;
	service->url = url && *url ? url : how->url;
	if (!how->token_path) {
		ask_documents(http, service);
		return;
	}
	service->token.request.method = "PUT";
	service->token.request.headers[0] = how->token_ttl;
	service->token.request.done = take_token;
	ask(http, service, &service->token, how->token_path);
}

/* -- discovery ------------------------------------------------------------------------------------- */

/* Merges the facts of a metadata service. Facts from the firmware are kept only if both name the same cloud. */
static void take_facts(struct cloud_discovery *found, const struct service *service)
{
	if (found->cloud != service->cloud)
		found->facts = (struct cloud_facts){0};
	found->cloud = service->cloud;
	if (*service->facts.instance_type)
		memcpy(found->facts.instance_type, service->facts.instance_type, CLOUD_NAME_SIZE);
	if (*service->facts.region)
		memcpy(found->facts.region, service->facts.region, CLOUD_NAME_SIZE);
}

/* Queries the metadata service of one cloud, or of all clouds (CLOUD_NONE). If the firmware identifies the cloud with
 * certainty, all documents of that cloud's service are accepted. Otherwise a service is accepted only if one of its
 * documents proves the cloud. */
static void ask_services(struct cloud_discovery *found, enum cloud which, const char *url)
{
	struct service *services = xcalloc(CLOUD_COUNT, sizeof *services);
	struct http *http = http_open(SECONDS_ALLOWED);
	const struct service *best = NULL;

	for (int cloud = 0; cloud < CLOUD_COUNT; cloud++)
		if (which == CLOUD_NONE || which == (enum cloud)cloud)
			ask_service(http, &services[cloud], (enum cloud)cloud, url);
	http_run(http);
	http_close(http);
	for (int cloud = 0; cloud < CLOUD_COUNT && !best; cloud++)
		if (services[cloud].proven)
			best = &services[cloud];
	if (!best && found->cloud != CLOUD_NONE)
		best = &services[found->cloud];
	if (best && best->url)
		take_facts(found, best);
	free(services);
}

void cloud_discover(struct cloud_discovery *found, enum cloud_asking asking, const char *root, const char *url)
{
	double start = program_clock();
	bool sure = false;

	*found = (struct cloud_discovery){.cloud = CLOUD_NONE};
	enum cloud named = ask_firmware(&found->facts, root, &sure);
	if (sure)
		found->cloud = named;
	if (asking == CLOUD_ASK_ALL || (asking == CLOUD_ASK_NAMED && named != CLOUD_NONE))
		ask_services(found, asking == CLOUD_ASK_ALL ? CLOUD_NONE : named, url);
	found->seconds = program_clock() - start;
}

cJSON *cloud_json(const struct cloud_discovery *found)
{
	cJSON *json = cJSON_CreateObject();
	const char *type = found->facts.instance_type;
	const char *region = found->facts.region;

	cJSON_AddStringToObject(json, "vendor", found->cloud == CLOUD_NONE ? "unknown" : cloud_names[found->cloud]);
	cJSON_AddStringToObject(json, "instance_type", *type ? type : "unknown");
	cJSON_AddStringToObject(json, "region", *region ? region : "unknown");
	json_add_number(json, "discovery_time", found->seconds, 3);
	return json;
}
