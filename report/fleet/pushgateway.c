/* SPDX-License-Identifier: Apache-2.0 */
/* pushgateway+http://HOST[:PORT][/PATH], and pushgateway+https://: sends the totals of an ended run to a Pushgateway of
 * Prometheus, in the format of `export --to prometheus-textfile`.
 *
 * A PUT replaces everything stored for a job, a user and the rank of a group's member. If a run that began later was
 * already sent from the same spool, a run is therefore not sent, so that the Pushgateway keeps the latest run. */
#define _GNU_SOURCE
#include "core/number.h"
#include "report/fleet/batch.h"
#include "report/fleet/metrics.h"
#include "report/fleet/target.h"
#include "report/model/model.h"
#include "report/say/alloc.h"
#include "report/say/hash.h"
#include "report/say/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { PATH_SIZE = 8192, VALUE_SIZE = 2048 };

static int pushgateway_open(struct target *target)
{
	const char *url = target->url + sizeof "pushgateway+" - 1;
	const char *host = strstr(url, "://") + 3;
	size_t length = strlen(url);

	if (*host == '\0' || strchr("/?#:", *host) || strpbrk(host, "?#")) {
		(void)target_refuse(target, "expected pushgateway+http://HOST[:PORT][/PATH]");
		return -1;
	}
	while (url[length - 1] == '/')
		length--;
	target->own = xstrndup(url, length);
	target_set_name(target, target->url, "");
	return 0;
}

/* -- the path of a run ----------------------------------------------------------------------------- */

/* Appends "/NAME/VALUE". Bytes that are not UTF-8 become U+FFFD. A value with characters other than letters, digits,
 * '_', '-' and '.' is written in base64, because some proxies change other encodings. */
static void put_label(struct buffer *out, const char *name, const char *value)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	char text[VALUE_SIZE];
	struct buffer clean = BUFFER(text);
	uint32_t code;

	while (*value) {
		size_t length = utf8_decode(value, &code);
		buffer_text(&clean, length > 0 ? (struct text){value, length} : TEXT("\xEF\xBF\xBD"));
		value += length > 0 ? length : 1;
	}
	buffer_terminate(&clean);
	out->full = out->full || clean.full;
	buffer_byte(out, '/');
	buffer_string(out, name);
	if (clean.length > 0 && text[strspn(text, plain)] == '\0' && text[strspn(text, ".")] != '\0') {
		buffer_byte(out, '/');
		buffer_string(out, text);
	} else {
		buffer_string(out, "@base64/");
		base64_write(out, (struct text){text, clean.length}, true);
		buffer_string(out, clean.length == 0 ? "=" : "");
	}
}

static void put_path(struct buffer *out, const struct run *run)
{
	double rank = json_double(cJSON_GetObjectItemCaseSensitive(run->json, "member"), "rank");

	buffer_string(out, "/metrics");
	put_label(out, "job", run->job);
	put_label(out, "user", run->user);
	if (rank >= 0 && rank < 1e15) {
		buffer_string(out, "/rank/");
		buffer_unsigned(out, (uint64_t)rank);
	}
	buffer_terminate(out);
}

/* -- the latest run -------------------------------------------------------------------------------- */

/* Opens and locks the file that has the start time of the latest run sent to this path. The file is in the directory of
 * the logs. */
static int open_latest(const struct sent_log *log, const char *place)
{
	char *path = xasprintf("%.*s/.latest.%016llx", (int)(strrchr(log->path, '/') - log->path), log->path,
		(unsigned long long)target_hash(place, ""));
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), error = errno;

	free(path);
	if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
		error = errno;
		close(file);
		file = -1;
	}
	errno = error;
	return file;
}

static double read_latest(int file)
{
	char text[32];
	double start;
	ssize_t length = pread(file, text, sizeof text, 0);

	return length > 0 && number_read((struct text){text, strnlen(text, (size_t)length)}, &start) == 0 ? start
													  : UNKNOWN;
}

/* -- sending --------------------------------------------------------------------------------------- */

static void write_totals(const void *context, gzFile out)
{
	const struct run *run = context;
	struct model model;

	model_read(&model, run, &(struct model_wish){.sections = 0});
	metrics_write_totals(out, run, &model.totals);
	model_free(&model);
}

static enum sent put(struct target *target, struct shipment *shipment, const char *path)
{
	char url[2 * PATH_SIZE];
	struct http_request request = {
		.method = "PUT", .url = url, .headers = {"Content-Type: text/plain; version=0.0.4; charset=utf-8"}};
	struct batch batch;

	if (snprintf(url, sizeof url, "%s%s", (const char *)target->own, path) >= (int)sizeof url)
		return target_refuse(target, "the address is too long");
	if (batch_of_written(&batch, &shipment->log, false, write_totals, &shipment->run) != 0)
		return target_failed(target, shipment->log.path);
	enum sent sent = target_ask(target, shipment, &request, (struct text){batch.data, batch.length});
	http_request_free(&request);
	free(batch.data);
	shipment->batches += sent == SENT_PART;
	return sent;
}

static enum sent pushgateway_send(struct target *target, struct shipment *shipment)
{
	const struct run *run = &shipment->run;
	char text[PATH_SIZE];
	struct buffer path = BUFFER(text);
	enum sent sent = SENT_PART;

	if (!shipment->over || run->problem || *sent_log_noted(&shipment->log, NOTE_TOTALS))
		return SENT_ALL;
	put_path(&path, run);
	if (path.full)
		return target_refuse(target, "the name of the job or the user is too long");
	int file = open_latest(&shipment->log, text);
	if (file < 0)
		return target_failed(target, "what was sent last");
	if (!(run->start_time < read_latest(file))) {
		sent = put(target, shipment, text);
		/* The width is fixed, so the new text overwrites all of the old one. */
		if (sent == SENT_PART && number_known(run->start_time) && dprintf(file, "%020.3f", run->start_time) < 0)
			sent = target_failed(target, "what was sent last");
	}
	close(file);
	return sent == SENT_PART ? target_note(target, shipment, NOTE_TOTALS, "sent") : sent;
}

const struct target_kind pushgateway_target = {"pushgateway+http://", pushgateway_open, pushgateway_send, NULL};
const struct target_kind pushgateway_secure_target = {"pushgateway+https://", pushgateway_open, pushgateway_send, NULL};
