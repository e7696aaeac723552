/* SPDX-License-Identifier: Apache-2.0 */
/* An HTTP server for one test. It answers requests according to a table, on a loopback port that the system chooses. */
#ifndef RTRACK_TESTS_SERVICE_H
#define RTRACK_TESTS_SERVICE_H

/* How an answer is sent. */
enum service_manner { SERVICE_WHOLE, SERVICE_MUTE, SERVICE_TORN, SERVICE_ENDLESS };

struct service_answer {
	const char *request; /* the beginning of the request, such as "GET /path " */
	const char *header;  /* header line that the request must contain, or NULL */
	const char *status;  /* such as "200 OK"; NULL marks the end of the table */
	const char *body;
	enum service_manner manner;
};

/* Starts the server, and returns its address "http://127.0.0.1:PORT", which is valid until the next call. Requests that
 * are not in the table get status 404. The server ends at the next call or when the test ends. */
const char *service_start(const struct service_answer *answers);

/* Returns the number of connections since the server was started. */
int service_connections(void);

void service_stop(void);

#endif
