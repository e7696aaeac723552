/* Totals to a Pushgateway; see pushgateway.h. By the section "API" of its README. */
#define _GNU_SOURCE
#include "report/fleet/pushgateway.h"

#include "core/number.h"
#include "report/fleet/batch.h"
#include "report/fleet/metrics.h"
#include "report/model/model.h"
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

	while (length > 0 && url[length - 1] == '/')
		length--;
	if (*host == '\0' || strchr("/?#:", *host) || strpbrk(host, "?#")) {
		(void)snprintf(target->why, sizeof target->why, "expected pushgateway+http://HOST[:PORT][/PATH]");
		return -1;
	}
	target->own = strndup(url, length);
	target_set_name(target, target->url, "");
	if (target->own)
		return 0;
	(void)snprintf(target->why, sizeof target->why, "out of memory");
	return -1;
}

/* -- where it stands ------------------------------------------------------------------------------- */

/* As the text has it: bytes that are no UTF-8 become U+FFFD. */
static void put_clean(struct buffer *out, const char *value)
{
	uint32_t code;

	while (*value) {
		size_t length = utf8_decode(value, &code);
		buffer_text(out, length > 0 ? (struct text){value, length} : TEXT("\xEF\xBF\xBD"));
		value += length > 0 ? length : 1;
	}
	buffer_terminate(out);
}

/* Of RFC 4648, for URLs. */
static void put_base64(struct buffer *out, const char *value, size_t length)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	for (size_t i = 0; i < length; i += 3) {
		uint32_t group = 0;
		for (size_t j = 0; j < 3; j++)
			group = group << 8 | (i + j < length ? (unsigned char)value[i + j] : 0);
		for (unsigned j = 0; j < 4; j++)
			buffer_byte(out, i + j <= length ? alphabet[group >> 6 * (3 - j) & 63] : '=');
	}
	if (length == 0)
		buffer_byte(out, '=');
}

/* "/NAME/VALUE"; what is more than letters, digits, '_', '-' and '.' in base64, as no way of writing it otherwise goes
 * through every proxy. */
static void put_label(struct buffer *out, const char *name, const char *value)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	char text[VALUE_SIZE];
	struct buffer clean = BUFFER(text);

	put_clean(&clean, value);
	out->full = out->full || clean.full;
	buffer_byte(out, '/');
	buffer_string(out, name);
	if (clean.length > 0 && text[strspn(text, plain)] == '\0' && text[strspn(text, ".")] != '\0') {
		buffer_byte(out, '/');
		buffer_string(out, text);
	} else {
		buffer_string(out, "@base64/");
		put_base64(out, text, clean.length);
	}
}

static void put_place(struct buffer *out, const struct run *run)
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

/* -- which run is the latest ----------------------------------------------------------------------- */

/* Opens and locks the file beside the ledgers that has the start of the latest run that was sent to the place. */
static int open_latest(const struct ledger *ledger, const char *place)
{
	char *path;
	int length = (int)(strrchr(ledger->path, '/') - ledger->path);

	if (asprintf(&path, "%.*s/.latest.%016llx", length, ledger->path, (unsigned long long)target_hash(place, "")) <
		0)
		return -1;
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int error = errno;
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

/* A fixed width, so that whatever stood there is gone. */
static int write_latest(int file, double start)
{
	char text[32];
	int length = snprintf(text, sizeof text, "%020.3f", start);

	return pwrite(file, text, (size_t)length, 0) == length ? 0 : -1;
}

/* -- sending --------------------------------------------------------------------------------------- */

static int write_totals(const void *context, gzFile out)
{
	const struct run *run = context;
	struct model model;

	model_read(&model, run, &(struct model_wish){.sections = 0});
	metrics_write_totals(out, run, &model.totals);
	model_free(&model);
	return 0;
}

static enum sent put(struct target *target, struct shipment *shipment, const char *place)
{
	char url[2 * PATH_SIZE];
	struct http_request request = {
		.method = "PUT", .url = url, .headers = {"Content-Type: text/plain; version=0.0.4; charset=utf-8"}};
	struct batch batch;

	if (snprintf(url, sizeof url, "%s%s", (const char *)target->own, place) >= (int)sizeof url) {
		(void)snprintf(target->why, sizeof target->why, "the address is too long");
		return SENT_REFUSED;
	}
	if (batch_of_written(&batch, &shipment->ledger, false, write_totals, &shipment->run) != 0)
		return target_failed(target, shipment->ledger.path);
	enum sent sent = target_ask(target, shipment, &request, (struct text){batch.data, batch.length});
	http_request_free(&request);
	batch_free(&batch);
	shipment->batches += sent == SENT_PART;
	return sent;
}

static enum sent note(struct target *target, struct shipment *shipment)
{
	return ledger_note(&shipment->ledger, LEDGER_TOTALS, "sent") == 0
		       ? SENT_ALL
		       : target_failed(target, shipment->ledger.path);
}

static enum sent pushgateway_send(struct target *target, struct shipment *shipment)
{
	const struct run *run = &shipment->run;
	char text[PATH_SIZE];
	struct buffer place = BUFFER(text);

	if (!shipment->over || run->problem || *ledger_noted(&shipment->ledger, LEDGER_TOTALS))
		return SENT_ALL;
	put_place(&place, run);
	if (place.full) {
		(void)snprintf(target->why, sizeof target->why, "the name of the job or the user is too long");
		return SENT_REFUSED;
	}
	int file = open_latest(&shipment->ledger, text);
	if (file < 0)
		return target_failed(target, "what was sent last");
	enum sent sent = SENT_PART;
	if (!(run->start_time < read_latest(file))) {
		sent = put(target, shipment, text);
		if (sent == SENT_PART && number_known(run->start_time) && write_latest(file, run->start_time) != 0)
			sent = target_failed(target, "what was sent last");
	}
	close(file);
	return sent == SENT_PART ? note(target, shipment) : sent;
}

const struct target_kind pushgateway_target = {"pushgateway+http://", pushgateway_open, pushgateway_send, NULL};
const struct target_kind pushgateway_secure_target = {"pushgateway+https://", pushgateway_open, pushgateway_send, NULL};
