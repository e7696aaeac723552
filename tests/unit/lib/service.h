/* SPDX-License-Identifier: Apache-2.0 */
/* A server of HTTP for one test: it answers as a table says, on a port of loopback that the system chooses. */
#ifndef RTRACK_TESTS_SERVICE_H
#define RTRACK_TESTS_SERVICE_H

/* How an answer is given. */
enum service_manner { SERVICE_WHOLE, SERVICE_MUTE, SERVICE_TORN, SERVICE_ENDLESS };

struct service_answer {
	const char *request; /* what the request begins with: "GET /path " */
	const char *header;  /* what must be in it, or NULL */
	const char *status;  /* "200 OK" and the like; NULL ends a table */
	const char *body;
	enum service_manner manner;
};

/* Starts it; it ends with the test. What the table does not have is 404. Returns its address, "http://127.0.0.1:PORT",
 * which is valid until the next start; the server before it is ended. */
const char *service_start(const struct service_answer *answers);

/* How many connections came since it was started. */
int service_connections(void);

void service_stop(void);

#endif
