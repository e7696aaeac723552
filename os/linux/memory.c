/* SPDX-License-Identifier: Apache-2.0 */
/* Linux implementation of os/memory.h. */
#include "os/memory.h"

#include "os/linux/sys.h"

#include <linux/mman.h>

void *os_map(size_t size)
{
	long result = SYS_CALL6(__NR_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return result < 0 && result > -4096 ? NULL : (void *)result;
}

void *os_map_apart(size_t size)
{
	void *data = os_map(size);
	if (data)
		(void)SYS_CALL3(__NR_madvise, data, size, MADV_DONTFORK);
	return data;
}

/* Resizes with mremap, because a mapping that mremap moves keeps MADV_DONTFORK. */
void *os_remap_apart(void *data, size_t old_size, size_t size)
{
	if (!data)
		return os_map_apart(size);
	long result = SYS_CALL4(__NR_mremap, data, old_size, size, MREMAP_MAYMOVE);
	return result < 0 && result > -4096 ? NULL : (void *)result;
}

void os_unmap(void *data, size_t size)
{
	if (data)
		(void)SYS_CALL2(__NR_munmap, data, size);
}
