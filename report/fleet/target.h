/* SPDX-License-Identifier: Apache-2.0 */
/* Where runs are sent: the scheme of a URL decides the kind of target. */
#ifndef RTRACK_REPORT_FLEET_TARGET_H
#define RTRACK_REPORT_FLEET_TARGET_H

#include "report/fleet/sent_log.h"
#include "report/services/http.h"
#include "report/spool/run.h"

enum sent {
	SENT_PART,    /* something arrived, and there may be more */
	SENT_ALL,     /* nothing is left to send */
	SENT_NOT_YET, /* try again later; target->why says what was wrong */
	SENT_REFUSED, /* do not try again; target->why says why */
};

/* A run that is being sent. */
struct shipment {
	struct run run;
	bool over; /* no more rows will come */
	struct sent_log log;
	unsigned rate; /* bytes a second, upper limit */
	/* Tables (1U << TABLE_x) whose rows have all been taken since the sender last waited. While the run continues,
	 * later rows are left for the next time, because rows may come faster than they are sent. */
	unsigned reached;
	uint64_t rows; /* that arrived */
	uint64_t batches;
};

struct target {
	const struct target_kind *kind;
	const char *url;
	char said[512]; /* the URL without what may be secret */
	char name[32];  /* of the directory of its logs */
	char why[256];
	double wait; /* s until it wants the next request, or UNKNOWN */
	void *own;   /* state of its kind; owned */
};

struct target_kind {
	const char *scheme; /* beginning of the URL */
	/* Sets target->name. Returns 0, or -1 with target->why. */
	int (*open)(struct target *target);
	/* Sends the next part. */
	enum sent (*send)(struct target *target, struct shipment *shipment);
	/* Frees what target->own refers to, or NULL. */
	void (*close)(struct target *target);
};

extern const struct target_kind s3_target, sentinel_target, otlp_target, otlp_secure_target, pushgateway_target,
	pushgateway_secure_target;

/* Opens the target of a URL, which must outlive it. Returns 0, or -1 with target->why. */
int target_open(struct target *target, const char *url);
void target_close(struct target *target);

/* -- for kinds of targets -------------------------------------------------------------------------- */

/* 64 bits of two texts. */
uint64_t target_hash(const char *one, const char *other);
/* Names the target's logs after texts that tell it from other targets. */
void target_set_name(struct target *target, const char *one, const char *other);

/* Set target->why: to a reason, or to the errno of a file of this machine. */
enum sent target_refuse(struct target *target, const char *why);
enum sent target_failed(struct target *target, const char *what);

/* Sends `body`. Sets body_max, sent, proxy and rate of the request, which the caller frees. Any status 2xx is
 * SENT_PART. */
enum sent target_ask(
	struct target *target, const struct shipment *shipment, struct http_request *request, struct text body);

/* Whether later rows of the table are left for the next time. */
bool target_reached(const struct shipment *shipment, enum table_id id);

/* Finds the next batch among `tables` (1U << TABLE_x): one that was begun before, else the next rows, up to `most`
 * bytes, which are written to the log as begun. Returns SENT_PART with *id, SENT_ALL if there are no rows, or what
 * target_failed returns. */
enum sent target_next_batch(
	struct target *target, struct shipment *shipment, unsigned tables, size_t most, enum table_id *id);

/* Writes to the log that the batch of the table arrived, and counts it. */
enum sent target_arrived(struct target *target, struct shipment *shipment, enum table_id id, uint64_t rows);

/* Writes a note to the log. Returns SENT_ALL, or what target_failed returns. */
enum sent target_note(struct target *target, struct shipment *shipment, const char *word, const char *value);

#endif
