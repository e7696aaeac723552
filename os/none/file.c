/* Files of os/file.h for a system of which nothing is known: there are none. */
#include "os/file.h"

int os_append(int directory, const char *path, struct text data, uint64_t limit)
{
	(void)directory, (void)path, (void)data, (void)limit;
	return OS_ERROR_UNSUPPORTED;
}

int os_open_table(int directory, const char *path, uint32_t user, struct os_table *table)
{
	(void)directory, (void)path, (void)user;
	*table = (struct os_table){OS_ERROR_UNSUPPORTED, 0, 0};
	return OS_ERROR_UNSUPPORTED;
}

int os_append_owned(int directory, const char *path, struct text data, uint32_t owner)
{
	(void)owner;
	return os_append(directory, path, data, 0);
}

int os_create(int directory, const char *path, struct text data)
{
	(void)directory, (void)path, (void)data;
	return OS_ERROR_UNSUPPORTED;
}

int64_t os_read(int directory, const char *path, char *data, size_t capacity)
{
	(void)directory, (void)path, (void)data, (void)capacity;
	return OS_ERROR_UNSUPPORTED;
}

int64_t os_read_once(int directory, const char *path, char *data, size_t capacity)
{
	return os_read(directory, path, data, capacity);
}

int os_open(int directory, const char *path)
{
	(void)directory, (void)path;
	return OS_ERROR_UNSUPPORTED;
}

int os_open_append(int directory, const char *path)
{
	return os_open(directory, path);
}

int os_open_write(int directory, const char *path)
{
	return os_open(directory, path);
}

int os_open_directory(int directory, const char *path)
{
	return os_open(directory, path);
}

void os_close(int descriptor)
{
	(void)descriptor;
}

int64_t os_read_at(int descriptor, char *data, size_t capacity, uint64_t offset)
{
	(void)descriptor, (void)data, (void)capacity, (void)offset;
	return OS_ERROR_UNSUPPORTED;
}

int64_t os_write(int descriptor, struct text data)
{
	(void)descriptor, (void)data;
	return OS_ERROR_UNSUPPORTED;
}

int64_t os_write_at(int descriptor, struct text data, uint64_t offset)
{
	(void)offset;
	return os_write(descriptor, data);
}

int64_t os_size(int descriptor)
{
	(void)descriptor;
	return OS_ERROR_UNSUPPORTED;
}

int64_t os_read_link(int directory, const char *path, char *data, size_t capacity)
{
	return os_read(directory, path, data, capacity);
}

int os_make_directory(const char *path)
{
	return os_open(OS_HERE, path);
}

int os_rename(int directory, const char *from, const char *to)
{
	(void)to;
	return os_open(directory, from);
}

int os_remove(int directory, const char *path)
{
	return os_open(directory, path);
}

int os_remove_directory(const char *path)
{
	return os_open(OS_HERE, path);
}

int os_make_link(const char *target, int directory, const char *path)
{
	(void)target;
	return os_open(directory, path);
}

bool os_exists(int directory, const char *path)
{
	(void)directory, (void)path;
	return false;
}

int os_list(const char *path, void (*take)(void *context, const char *name), void *context)
{
	(void)take, (void)context;
	return os_open(OS_HERE, path);
}

int os_check_directory(const char *path, bool sticky_allowed)
{
	(void)sticky_allowed;
	return os_open(OS_HERE, path);
}

int os_lock(int descriptor, bool shared)
{
	(void)descriptor, (void)shared;
	return OS_ERROR_UNSUPPORTED;
}

int os_hold(int descriptor)
{
	(void)descriptor;
	return OS_ERROR_UNSUPPORTED;
}

int os_holder(int descriptor)
{
	(void)descriptor;
	return 0;
}

int64_t os_age_ns(int directory, const char *path)
{
	return os_open(directory, path);
}

int64_t os_mounts(char *data, size_t capacity)
{
	return os_read(OS_HERE, "", data, capacity);
}

int os_file_facts(struct text mounts, const char *path, struct file_facts *facts)
{
	(void)mounts, (void)facts;
	return os_open(OS_HERE, path);
}

void os_volatile_directory(struct buffer *out)
{
	buffer_string(out, "/tmp");
}
