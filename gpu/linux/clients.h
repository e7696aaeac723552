/* SPDX-License-Identifier: Apache-2.0 */
/* Clients of graphics drivers. A client is an open descriptor of a device. Its usage is in /proc/PID/fdinfo. If a
 * descriptor was duplicated, all duplicates are the same client, whose usage is added only once. */
#ifndef RTRACK_GPU_LINUX_CLIENTS_H
#define RTRACK_GPU_LINUX_CLIENTS_H

#include "gpu/poll.h"

void clients_open(const char *root);

/* Reads the usage of all visible clients. */
void clients_poll(int64_t now_ns);

/* Adds the processes that use the device with the bus address `place`. If the device does not report its utilization,
 * the utilization of its busiest engine is used. */
void clients_add(const char *place, struct gpu_device *device);

#endif
