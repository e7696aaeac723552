/* SPDX-License-Identifier: Apache-2.0 */
/* macOS implementation of os/memory.h, without mremap(2). */
#include "os/memory.h"

#include "os/darwin/error.h"

#include <string.h>
#include <sys/mman.h>

void *os_map(size_t size)
{
	int before = errno;
	void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
	errno = before;
	return data == MAP_FAILED ? NULL : data;
}

void *os_map_apart(size_t size)
{
	return os_map(size);
}

void *os_remap_apart(void *data, size_t old_size, size_t size)
{
	void *moved = os_map(size);

	if (!moved || !data)
		return moved;
	memcpy(moved, data, old_size < size ? old_size : size);
	os_unmap(data, old_size);
	return moved;
}

void os_unmap(void *data, size_t size)
{
	if (data)
		(void)RESULT_OF(munmap(data, size));
}
