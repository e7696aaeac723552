/* The clients of graphics drivers: descriptors with their use in /proc/PID/fdinfo, each client once. */
#ifndef RTRACK_GPU_LINUX_CLIENTS_H
#define RTRACK_GPU_LINUX_CLIENTS_H

#include "gpu/poll.h"

void clients_open(const char *root);

/* Reads what every client that can be seen has used by now. */
void clients_poll(int64_t now_ns);

/* Adds the processes that use the device at a place on the bus. Where the device does not say how busy it is, the
 * engine that is busiest by its clients stands for it. */
void clients_add(const char *place, struct gpu_device *device);

#endif
