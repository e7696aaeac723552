/* Where runs are sent to: report/fleet/target_kinds.c has a row for each scheme of a URL. */
#ifndef RTRACK_REPORT_FLEET_TARGET_H
#define RTRACK_REPORT_FLEET_TARGET_H

#include "report/services/http.h"
#include "report/fleet/ledger.h"
#include "report/spool/run.h"

enum sent {
	SENT_PART,    /* something arrived, and there may be more */
	SENT_ALL,     /* nothing is left to be sent */
	SENT_NOT_YET, /* it may arrive later; target->why says what was wrong */
	SENT_REFUSED, /* it will not: the same */
};

/* A run that is being sent. */
struct shipment {
	struct run run;
	bool over;  /* no rows will come any more */
	bool ended; /* and that is how it ended: run.json will not change */
	struct ledger ledger;
	unsigned rate; /* bytes a second at most */
	/* Tables (1U << TABLE_x) of which all that was there has been taken up since the sender last waited. While the
	 * run goes on, more of them is for the next time: rows may come faster than they are sent. */
	unsigned reached;
	uint64_t rows; /* that arrived */
	uint64_t batches;
};

struct target {
	const struct target_kind *kind;
	const char *url;
	char said[512]; /* the URL without what may be secret in it */
	char name[32];  /* of its ledgers */
	char why[256];
	double wait; /* s that it wants to be left alone; UNKNOWN: it says nothing */
	void *own;   /* of its kind; owned */
};

struct target_kind {
	const char *scheme; /* what a URL begins with */
	/* Sets target->name; 0, or -1 with target->why. */
	int (*open)(struct target *target);
	/* Sends the next part. */
	enum sent (*send)(struct target *target, struct shipment *shipment);
	/* Frees what target->own refers to; NULL: nothing. */
	void (*close)(struct target *target);
};

/* 64 bits of two texts. */
uint64_t target_hash(const char *one, const char *other);

/* Names the ledgers of a target by what makes it another than others. */
void target_set_name(struct target *target, const char *one, const char *other);

/* Sends `body` with the request, sets its body_max, sent, proxy and rate, and says what came of it: any 2xx is
 * SENT_PART. The caller frees the request. */
enum sent target_ask(
	struct target *target, const struct shipment *shipment, struct http_request *request, struct text body);

/* Whether more of a table is for the next time. */
bool target_reached(const struct shipment *shipment, enum table_id id);

/* Of these tables (1U << TABLE_x) the first with a batch that was meant before, or with rows for one of at most `most`
 * bytes, which then is meant. SENT_PART: it is *id; SENT_ALL: there is no row; SENT_NOT_YET: after target_failed. */
enum sent target_next_batch(
	struct target *target, struct shipment *shipment, unsigned wanted, size_t most, enum table_id *id);

/* Notes in target->why what was wrong with a file of this machine, by errno. */
enum sent target_failed(struct target *target, const char *what);

#endif
