/* SPDX-License-Identifier: Apache-2.0 */
/* The targets to which runs are sent. The scheme of the URL selects the kind of target. */
#ifndef RTRACK_REPORT_FLEET_TARGET_H
#define RTRACK_REPORT_FLEET_TARGET_H

#include "report/fleet/sent_log.h"
#include "report/services/http.h"
#include "report/spool/run.h"

enum sent {
	SENT_PART,    /* A part was sent, and there may be more. */
	SENT_ALL,     /* nothing is left to send */
	SENT_NOT_YET, /* temporary failure; target->why has the reason */
	SENT_REFUSED, /* permanent failure; target->why has the reason */
};

/* A run that is being sent. */
struct shipment {
	struct run run;
	bool over; /* no more rows will come */
	struct sent_log log;
	unsigned rate; /* maximum bytes per second */
	/* Bit mask of the tables (1U << TABLE_x) whose rows were all sent since the sender last waited. While the run
	 * continues, their new rows are sent only after the next wait. Otherwise a round might never end, because rows
	 * may be added faster than they are sent. */
	unsigned reached;
	uint64_t rows; /* number of rows that have arrived */
	uint64_t batches;
};

struct target {
	const struct target_kind *kind;
	const char *url;
	char said[512]; /* the URL without secrets */
	char name[32];  /* name of the directory with the logs of this target */
	char why[256];
	double wait; /* seconds until the server accepts the next request, or UNKNOWN */
	void *own;   /* state of this kind of target; owned */
};

struct target_kind {
	const char *scheme; /* beginning of the URL */
	/* Sets target->name. Returns 0, or -1 with target->why. */
	int (*open)(struct target *target);
	/* Sends the next part. */
	enum sent (*send)(struct target *target, struct shipment *shipment);
	/* Callback that frees target->own, or NULL. */
	void (*close)(struct target *target);
};

extern const struct target_kind s3_target, sentinel_target, otlp_target, otlp_secure_target, pushgateway_target,
	pushgateway_secure_target;

/* Opens the target of a URL. `url` must outlive the target. Returns 0, or -1 with target->why. */
int target_open(struct target *target, const char *url);
void target_close(struct target *target);

/* -- for kinds of targets -------------------------------------------------------------------------- */

/* Returns a 64-bit hash of two texts. */
uint64_t target_hash(const char *one, const char *other);
/* Sets the name of the target's log directory to a hash of two texts that identify the target. */
void target_set_name(struct target *target, const char *one, const char *other);

/* target_refuse sets target->why to a reason, and target_failed to the message for errno. */
enum sent target_refuse(struct target *target, const char *why);
enum sent target_failed(struct target *target, const char *what);

/* Sends `body` with a request, and sets the fields body_max, sent, proxy and rate of the request. The caller must free
 * the answer in the request. Returns SENT_PART for any status 2xx. */
enum sent target_ask(
	struct target *target, const struct shipment *shipment, struct http_request *request, struct text body);

/* Returns whether the remaining rows of the table are to be sent only after the sender has waited. */
bool target_reached(const struct shipment *shipment, enum table_id id);

/* Finds the next batch in the tables of the mask `tables` (1U << TABLE_x). If the log has recorded a batch that has not
 * arrived, this batch is next. Otherwise the next rows, up to `most` bytes, become a batch, and the log records its
 * end. Returns SENT_PART with *id, SENT_ALL if there are no rows, or the result of target_failed. */
enum sent target_next_batch(
	struct target *target, struct shipment *shipment, unsigned tables, size_t most, enum table_id *id);

/* Records in the log that the batch of the table has arrived, and adds `rows` to the rows that have arrived. */
enum sent target_arrived(struct target *target, struct shipment *shipment, enum table_id id, uint64_t rows);

/* Records a note in the log. Returns SENT_ALL, or the result of target_failed. */
enum sent target_note(struct target *target, struct shipment *shipment, const char *word, const char *value);

#endif
