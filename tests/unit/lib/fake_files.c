/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a simulated operating system. */
#include "tests/unit/lib/fake_os.h"
#include "tests/unit/lib/fake_parts.h"

#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 256, DESCRIPTORS_MAX = 512, FIRST_DESCRIPTOR = 10, PATH_LENGTH = 4096 };

enum kind { NOTHING, FILE_NODE, DIRECTORY, LINK, PROCESS };

struct node {
	enum kind kind;
	char *path; /* NULL if the file was removed while it was open */
	char *bytes;
	size_t length;
	unsigned open;
	int locked_by; /* descriptor that holds the lock, or 0 if the file is unlocked */
};

struct descriptor {
	enum kind kind;
	struct node *node;
	int pid; /* only for PROCESS */
};

static struct node nodes[NODES_MAX];
static int nodes_end; /* one more than the highest index that was ever used */
static struct descriptor descriptors[DESCRIPTORS_MAX];

static struct descriptor *descriptor_of(int number)
{
	int index = number - FIRST_DESCRIPTOR;
	return index >= 0 && index < DESCRIPTORS_MAX && descriptors[index].kind != NOTHING ? &descriptors[index] : NULL;
}

static void drop(struct node *node)
{
	if (node->path || node->open > 0)
		return;
	free(node->bytes);
	*node = (struct node){0};
}

void fake_reset_files(void)
{
	if (fake_descriptors() > 0)
		fake_bail_out("descriptors were not closed");
	for (int i = 0; i < nodes_end; i++) {
		free(nodes[i].path);
		nodes[i].path = NULL;
		drop(&nodes[i]);
	}
	fake_directory("/tmp");
}

/* Returns the absolute path of `path`, or NULL if `directory` does not exist. */
static const char *whole_path(int directory, const char *path)
{
	static char whole[2 * PATH_LENGTH];
	const struct descriptor *at = descriptor_of(directory);
	if (directory == OS_HERE || path[0] == '/')
		return path;
	if (!at || at->kind != DIRECTORY || !at->node->path)
		return NULL;
	(void)snprintf(whole, sizeof whole, "%s/%s", at->node->path, path);
	return whole;
}

static struct node *find(int directory, const char *path)
{
	const char *whole = whole_path(directory, path);
	for (int i = 0; whole && i < nodes_end; i++)
		if (nodes[i].path && strcmp(nodes[i].path, whole) == 0)
			return &nodes[i];
	return NULL;
}

static struct node *make(enum kind kind, int directory, const char *path)
{
	const char *whole = whole_path(directory, path);
	for (int i = 0; whole && i < NODES_MAX; i++) {
		if (nodes[i].kind != NOTHING)
			continue;
		nodes[i] = (struct node){.kind = kind, .path = strdup(whole)};
		nodes_end = i < nodes_end ? nodes_end : i + 1;
		return &nodes[i];
	}
	return NULL;
}

/* Appends to a file until the disk is full. Returns the number of bytes appended. The file's data stays NUL-terminated.
 */
static size_t append(struct node *node, const char *data, size_t length)
{
	if (fake_faults.disk_left >= 0) {
		length = length < (size_t)fake_faults.disk_left ? length : (size_t)fake_faults.disk_left;
		fake_faults.disk_left -= (int64_t)length;
	}
	char *grown = realloc(node->bytes, node->length + length + 1);
	if (!grown)
		fake_bail_out("no memory");
	memcpy(grown + node->length, data, length);
	node->bytes = grown;
	node->length += length;
	node->bytes[node->length] = '\0';
	return length;
}

/* -- for tests -- */

void fake_directory(const char *path)
{
	if (!find(OS_HERE, path))
		(void)make(DIRECTORY, OS_HERE, path);
}

void fake_write(const char *path, const char *content)
{
	(void)os_remove(OS_HERE, path);
	struct node *node = make(FILE_NODE, OS_HERE, path);
	if (!node)
		fake_bail_out("too many files");
	(void)append(node, content, strlen(content));
}

const char *fake_read(const char *path)
{
	const struct node *node = find(OS_HERE, path);
	return node ? node->bytes : NULL;
}

void fake_cut(const char *path, long length)
{
	struct node *node = find(OS_HERE, path);
	if (!node)
		fake_bail_out("there is nothing to cut");
	node->length = length < 0 ? node->length - (size_t)-length : (size_t)length;
	node->bytes[node->length] = '\0';
}

unsigned fake_descriptors(void)
{
	unsigned count = 0;
	for (int i = 0; i < DESCRIPTORS_MAX; i++)
		count += descriptors[i].kind != NOTHING;
	return count;
}

/* -- descriptors -- */

static int take_descriptor(struct descriptor taken)
{
	if (fake_faults.descriptors_left == 0)
		return OS_ERROR_NO_DESCRIPTOR;
	for (int i = 0; i < DESCRIPTORS_MAX; i++) {
		if (descriptors[i].kind != NOTHING)
			continue;
		fake_faults.descriptors_left -= fake_faults.descriptors_left > 0;
		descriptors[i] = taken;
		if (taken.node)
			taken.node->open++;
		return FIRST_DESCRIPTOR + i;
	}
	return OS_ERROR_NO_DESCRIPTOR;
}

int fake_follow(int number)
{
	return take_descriptor((struct descriptor){.kind = PROCESS, .pid = number});
}

int fake_followed(int descriptor)
{
	const struct descriptor *followed = descriptor_of(descriptor);
	return followed && followed->kind == PROCESS ? followed->pid : -1;
}

static int open_node(enum kind kind, int directory, const char *path)
{
	fake_move_on();
	struct node *node = find(directory, path);
	if (!node)
		return OS_ERROR_MISSING;
	if (node->kind != kind)
		return kind == DIRECTORY ? OS_ERROR_NOT_DIRECTORY : OS_ERROR_IS_DIRECTORY;
	return take_descriptor((struct descriptor){.kind = kind, .node = node});
}

int os_open(int directory, const char *path)
{
	return open_node(FILE_NODE, directory, path);
}

int os_open_append(int directory, const char *path)
{
	return open_node(FILE_NODE, directory, path);
}

int os_open_write(int directory, const char *path)
{
	return open_node(FILE_NODE, directory, path);
}

int os_open_directory(int directory, const char *path)
{
	return open_node(DIRECTORY, directory, path);
}

void os_close(int number)
{
	struct descriptor *descriptor = descriptor_of(number);
	if (number < 0)
		return;
	if (!descriptor)
		fake_bail_out("a descriptor is closed that is not open");
	struct node *node = descriptor->node;
	*descriptor = (struct descriptor){.kind = NOTHING};
	if (!node)
		return;
	if (node->locked_by == number)
		node->locked_by = 0;
	node->open--;
	drop(node);
}

void fake_close_all(void)
{
	for (int i = 0; i < DESCRIPTORS_MAX; i++)
		if (descriptors[i].kind != NOTHING)
			os_close(FIRST_DESCRIPTOR + i);
}

/* -- os/file.h -- */

static int64_t read_node(const struct node *node, char *data, size_t capacity, uint64_t offset)
{
	size_t left = offset < node->length ? node->length - (size_t)offset : 0;
	size_t length = left < capacity ? left : capacity;
	if (length > 0)
		memcpy(data, node->bytes + offset, length);
	return (int64_t)length;
}

int64_t os_read_at(int number, char *data, size_t capacity, uint64_t offset)
{
	fake_move_on();
	const struct descriptor *descriptor = descriptor_of(number);
	return descriptor && descriptor->kind == FILE_NODE ? read_node(descriptor->node, data, capacity, offset)
							   : OS_ERROR_BAD_DESCRIPTOR;
}

int64_t os_read(int directory, const char *path, char *data, size_t capacity)
{
	int file = os_open(directory, path);
	int64_t length = file < 0 ? file : os_read_at(file, data, capacity, 0);
	os_close(file);
	return length;
}

int64_t os_read_once(int directory, const char *path, char *data, size_t capacity)
{
	return os_read(directory, path, data, capacity);
}

int64_t os_write(int number, struct text data)
{
	const struct descriptor *descriptor = descriptor_of(number);
	if (!descriptor || descriptor->kind != FILE_NODE)
		return OS_ERROR_BAD_DESCRIPTOR;
	fake_pass(fake_faults.write_ns);
	fake_queued_ns += fake_faults.write_queued_ns;
	size_t written = append(descriptor->node, data.data, data.length);
	return written > 0 || data.length == 0 ? (int64_t)written : OS_ERROR_FULL;
}

int64_t os_write_at(int number, struct text data, uint64_t offset)
{
	struct descriptor *descriptor = descriptor_of(number);
	if (!descriptor || descriptor->kind != FILE_NODE)
		return OS_ERROR_BAD_DESCRIPTOR;
	struct node *node = descriptor->node;
	size_t there = offset < node->length ? node->length - (size_t)offset : 0;
	there = there < data.length ? there : data.length;
	if (offset > node->length)
		fake_bail_out("a file with a hole");
	if (there > 0)
		memcpy(node->bytes + offset, data.data, there);
	return (int64_t)(there + append(node, data.data + there, data.length - there));
}

int os_append(int directory, const char *path, struct text data, uint64_t limit)
{
	int file = os_open_append(directory, path);
	if (file < 0)
		return file;
	bool too_large = limit > 0 && descriptor_of(file)->node->length >= limit;
	int64_t written = too_large ? OS_ERROR_TOO_LARGE : os_write(file, data);
	os_close(file);
	return written < 0 ? (int)written : written < (int64_t)data.length ? OS_ERROR_FULL : 0;
}

int os_open_table(int directory, const char *path, uint32_t user, struct os_table *table)
{
	*table = (struct os_table){.file = os_open_append(directory, path), .owner = user};
	if (table->file < 0)
		return table->file;
	table->size = descriptor_of(table->file)->node->length;
	return 0;
}

void os_mark_slow(int descriptor, uint32_t mode)
{
	(void)descriptor;
	(void)mode;
}

int os_create(int directory, const char *path, struct text data)
{
	if (find(directory, path))
		return OS_ERROR_EXISTS;
	struct node *node = fake_faults.descriptors_left == 0 ? NULL : make(FILE_NODE, directory, path);
	if (!node)
		return OS_ERROR_NO_DESCRIPTOR;
	return append(node, data.data, data.length) < data.length ? OS_ERROR_FULL : 0;
}

int64_t os_size(int number)
{
	const struct descriptor *descriptor = descriptor_of(number);
	return descriptor && descriptor->node ? (int64_t)descriptor->node->length : OS_ERROR_BAD_DESCRIPTOR;
}

int64_t os_read_link(int directory, const char *path, char *data, size_t capacity)
{
	const struct node *node = find(directory, path);
	return !node ? OS_ERROR_MISSING : node->kind != LINK ? OS_ERROR_INVALID : read_node(node, data, capacity, 0);
}

int os_make_directory(const char *path)
{
	if (find(OS_HERE, path))
		return OS_ERROR_EXISTS;
	return make(DIRECTORY, OS_HERE, path) ? 0 : OS_ERROR_FULL;
}

int os_remove(int directory, const char *path)
{
	struct node *node = find(directory, path);
	if (!node)
		return OS_ERROR_MISSING;
	free(node->path);
	node->path = NULL;
	drop(node);
	return 0;
}

int os_remove_directory(const char *path)
{
	size_t length = strlen(path);
	for (int i = 0; i < nodes_end; i++)
		if (nodes[i].path && strncmp(nodes[i].path, path, length) == 0 && nodes[i].path[length] == '/')
			return OS_ERROR_NOT_EMPTY;
	return os_remove(OS_HERE, path);
}

int os_rename(int directory, const char *from, const char *to)
{
	struct node *node = find(directory, from);
	if (!node)
		return OS_ERROR_MISSING;
	(void)os_remove(directory, to);
	free(node->path);
	node->path = strdup(whole_path(directory, to));
	return 0;
}

int os_make_link(const char *target, int directory, const char *path)
{
	if (find(directory, path))
		return OS_ERROR_EXISTS;
	struct node *node = make(LINK, directory, path);
	if (!node)
		return OS_ERROR_FULL;
	(void)append(node, target, strlen(target));
	return 0;
}

bool os_exists(int directory, const char *path)
{
	return find(directory, path) != NULL;
}

int os_list(const char *path, void (*take)(void *context, const char *name), void *context)
{
	const struct node *listed = find(OS_HERE, path);
	size_t length = listed ? strlen(listed->path) : 0;
	if (!listed)
		return OS_ERROR_MISSING;
	for (int i = 0; i < nodes_end; i++) {
		const char *inside = nodes[i].path;
		if (inside && strncmp(inside, listed->path, length) == 0 && inside[length] == '/' &&
			!strchr(inside + length + 1, '/'))
			take(context, inside + length + 1);
	}
	return 0;
}

int os_check_directory(const char *path, bool sticky_allowed)
{
	const struct node *node = find(OS_HERE, path);
	(void)sticky_allowed;
	return !node ? OS_ERROR_MISSING : node->kind == DIRECTORY ? 0 : OS_ERROR_NOT_DIRECTORY;
}

int os_lock(int number, bool shared)
{
	struct descriptor *descriptor = descriptor_of(number);
	(void)shared;
	if (!descriptor || descriptor->kind != FILE_NODE)
		return OS_ERROR_BAD_DESCRIPTOR;
	if (descriptor->node->locked_by != 0 && descriptor->node->locked_by != number)
		return OS_ERROR_BUSY;
	descriptor->node->locked_by = number;
	return 0;
}

int64_t os_age_ns(int directory, const char *path)
{
	return os_exists(directory, path) ? 0 : OS_ERROR_MISSING;
}

int64_t os_mounts(char *data, size_t capacity)
{
	(void)data, (void)capacity;
	return 0;
}

int os_file_facts(struct text mounts, const char *path, struct file_facts *facts)
{
	const struct node *node = find(OS_HERE, path);
	(void)mounts;
	if (!node)
		return OS_ERROR_MISSING;
	*facts = (struct file_facts){
		.kind = node->kind == FILE_NODE   ? FILE_REGULAR
			: node->kind == DIRECTORY ? FILE_DIRECTORY
						  : FILE_OTHER,
		.bytes = node->length,
		.place = {1, (uint64_t)(node - nodes)},
	};
	return 0;
}

void os_volatile_directory(struct buffer *out)
{
	buffer_string(out, "/tmp");
}
