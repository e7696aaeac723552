/* SPDX-License-Identifier: Apache-2.0 */
/* The host's C library: environment, registrations, and interposed calls.
 *
 * The library is linked against nothing, so that one file works with glibc and musl. Functions of the C library are
 * weak references. Two kinds of functions are looked up in the dynamic loader's list of objects instead. One is a
 * function whose name programs may use for their own (on_exit). The other is a function that few processes have,
 * because for a weak reference the loader would search every object. */
#include "preload/host.h"

#include "core/spool.h"
#include "os/file.h"
#include "os/linux/sys.h"
#include "os/memory.h"
#include "os/process.h"
#include "os/self.h"

#include <elf.h>
#include <link.h>
#include <linux/auxvec.h>
#include <linux/errno.h>
#include <linux/prctl.h>

/* The dynamic loader reads the libraries to preload from this variable. */
#define VARIABLE "LD_PRELOAD="

#define WEAK __attribute__((weak, visibility("default")))

extern WEAK char **environ;
extern WEAK const char *gnu_get_libc_version(void);
extern WEAK unsigned long getauxval(unsigned long type);
extern WEAK int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object);
extern WEAK struct r_debug _r_debug;        /* list of loaded objects in glibc's loader */
extern WEAK struct r_debug *_dl_debug_addr; /* list of loaded objects in musl's loader */
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

char **host_environment(void)
{
	return &environ ? environ : NULL;
}

static bool names_the_same(const char *a, const char *b)
{
	while (*a == *b && *a != '=' && *a != '\0')
		a++, b++;
	return *a == '=' && *b == '=';
}

int host_environment_add(char *entry)
{
	size_t count = 0;
	if (!&environ)
		return -1;
	/* If the environment has an entry with that name, from an enclosing run, the new entry takes its place. */
	for (; environ && environ[count]; count++)
		if (names_the_same(environ[count], entry)) {
			environ[count] = entry;
			return 0;
		}
	char **copy = os_map((count + 2) * sizeof *copy);
	if (!copy)
		return -1;
	for (size_t i = 0; i < count; i++)
		copy[i] = environ[i];
	copy[count] = entry;
	/* glibc passes `environ` to main after the constructors, so main also gets the copy as its third argument. */
	environ = copy;
	return 0;
}

bool host_gives_arguments(void)
{
	return gnu_get_libc_version != NULL;
}

const char *host_executable_name(void)
{
	return getauxval && getauxval(AT_BASE) != 0 ? (const char *)getauxval(AT_EXECFN) : NULL;
}

bool host_is_privileged(void)
{
	if (getauxval && getauxval(AT_SECURE) != 0)
		return true;
	/* AT_SECURE describes the privileges at the exec. A program that opens the library later may have changed
	 * its ids since, so its ids are checked too. */
	return (!getauxval || host_is_running()) && os_is_privileged();
}

uint32_t host_user(void)
{
	return getauxval && !host_is_running() ? (uint32_t)getauxval(AT_EUID) : os_user();
}

/* -- symbols of the C library --------------------------------------------------------------------------- */

struct object {
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const uint16_t *versions;
};

static const void *address_in(const struct link_map *map, ElfW(Addr) value)
{
	/* The pointers in a dynamic section are absolute in glibc, and relative to the load address in musl. */
	return (const void *)(value < map->l_addr ? value + map->l_addr : value);
}

static struct object read_object(const struct link_map *map)
{
	struct object object = {0};
	for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
		const void *address = address_in(map, entry->d_un.d_ptr);
		if (entry->d_tag == DT_SYMTAB)
			object.symbols = address;
		else if (entry->d_tag == DT_STRTAB)
			object.strings = address;
		else if (entry->d_tag == DT_GNU_HASH)
			object.gnu_hash = address;
		else if (entry->d_tag == DT_HASH)
			object.hash = address;
		else if (entry->d_tag == DT_VERSYM)
			object.versions = address;
	}
	return object;
}

/* Returns whether a symbol has the given name. Hidden versions of a symbol do not match, because only old programs use
 * them, such as posix_spawn before glibc 2.15 (LSB, "Symbol Versioning"). */
static bool is_symbol(const struct object *object, uint32_t index, const char *name)
{
	enum { HIDDEN = 0x8000 };
	const ElfW(Sym) *symbol = &object->symbols[index];
	unsigned kind = symbol->st_info & 0xf;
	bool is_old = object->versions && object->versions[index] & HIDDEN;
	return !is_old && symbol->st_shndx != SHN_UNDEF && (kind == STT_FUNC || kind == STT_OBJECT) &&
	       text_is(text_of(object->strings + symbol->st_name), name);
}

/* Returns the symbol index of a function or variable, or 0 if the object does not define it (System V gABI, "Hash
 * Table"; GNU hash as in glibc's dl-lookup.c). */
static uint32_t find_index(const struct object *object, const char *name)
{
	if (!object->symbols || !object->strings)
		return 0;
	if (object->gnu_hash) {
		uint32_t hash = 5381;
		for (const char *byte = name; *byte; byte++)
			hash = hash * 33 + (unsigned char)*byte;
		uint32_t buckets = object->gnu_hash[0];
		uint32_t first = object->gnu_hash[1];
		const uint32_t *bucket = object->gnu_hash + 4 + object->gnu_hash[2] * (sizeof(ElfW(Addr)) / 4);
		const uint32_t *chain = bucket + buckets;
		uint32_t index = buckets > 0 ? bucket[hash % buckets] : 0;
		if (index < first)
			return 0;
		for (;; index++) {
			if ((chain[index - first] | 1) == (hash | 1) && is_symbol(object, index, name))
				return index;
			if (chain[index - first] & 1)
				return 0;
		}
	}
	for (uint32_t index = 1; object->hash && index < object->hash[1]; index++)
		if (is_symbol(object, index, name))
			return index;
	return 0;
}

static bool is_c_library(const struct link_map *map)
{
	struct text name = text_basename(text_of(map->l_name));
	return text_starts(name, "libc.") || text_starts(name, "libc-") || text_starts(name, "ld-musl");
}

static const struct link_map *objects(void)
{
	const struct r_debug *debug = &_r_debug ? &_r_debug : &_dl_debug_addr ? _dl_debug_addr : NULL;
	return debug ? debug->r_map : NULL;
}

static const char *name_of_loader(void)
{
	for (const struct link_map *map = objects(); map; map = map->l_next)
		if (map->l_ld == _DYNAMIC)
			return map->l_name;
	return NULL;
}

static void *symbol_in(const struct link_map *map, const char *name)
{
	struct object object = read_object(map);
	uint32_t index = find_index(&object, name);
	return index > 0 ? (void *)(map->l_addr + object.symbols[index].st_value) : NULL;
}

/* Returns the next definition after the library's in the loader's order, like dlsym(RTLD_NEXT). Another preloaded
 * library (fakeroot) may be between the library and the C library. */
void *host_find_next(const char *name)
{
	bool behind = false;
	for (const struct link_map *map = objects(); map; map = map->l_next) {
		void *function = behind ? symbol_in(map, name) : NULL;
		if (function)
			return function;
		behind |= map->l_ld == _DYNAMIC;
	}
	return NULL;
}

void *host_find_own(const char *name)
{
	for (const struct link_map *map = objects(); map; map = map->l_next)
		if (map->l_ld == _DYNAMIC)
			return symbol_in(map, name);
	return NULL;
}

/* Absolute path of the library, or "". The loader reports only the name from LD_PRELOAD, which may be relative to
 * the initial working directory. */
static char absolute_path[SPOOL_PATH_MAX];
static bool is_named_absolutely BESIDE_LOADER;

const char *host_library_path(void)
{
	return absolute_path[0] ? absolute_path : name_of_loader();
}

/* Returns the path by which the loader of an executed program searches for the library. */
static const char *name_in_environment(void)
{
	return is_named_absolutely ? absolute_path : name_of_loader();
}

/* Returns whether an entry is LD_PRELOAD and its list contains the library, under any path. */
bool host_names_library(const char *entry)
{
	struct text text = text_of(entry);
	const char *path = host_library_path();
	const char *name = path ? text_basename(text_of(path)).data : "";

	for (bool names = text_starts(text, VARIABLE); names && text.length > 0; text.data++, text.length--)
		if (text_starts(text, name))
			return true;
	return false;
}

/* Returns the size, including the NUL, of an LD_PRELOAD entry that contains the library. Returns 0 for other
 * entries. */
static size_t size_of_list(const char *entry)
{
	return host_names_library(entry) ? text_length(entry) + 1 : 0;
}

/* Writes a copy of an LD_PRELOAD entry of `size` bytes in which `instead` replaces the library's path. If `instead`
 * is "", the path is removed, and the copy is never longer than the entry. Returns false if the copy contains no
 * path or does not fit into `out`. */
static bool write_list(struct buffer *out, const char *entry, size_t size, struct text instead)
{
	struct text name = text_basename(text_of(host_library_path()));
	struct text list = {entry + sizeof VARIABLE - 1, size - sizeof VARIABLE};

	buffer_string(out, VARIABLE);
	for (size_t start = 0; start < list.length;) {
		size_t end = start;
		while (end < list.length && list.data[end] != ':' && list.data[end] != ' ')
			end++;
		struct text item = {list.data + start, end - start};
		start = end + 1;
		if (text_equal(text_basename(item), name))
			item = instead;
		if (item.length > 0 && out->data[out->length - 1] != '=')
			buffer_byte(out, ':');
		buffer_text(out, item);
	}
	return buffer_terminate(out)[sizeof VARIABLE - 1] != '\0' && !out->full;
}

/* Replaces the library's relative name in LD_PRELOAD by an absolute path. A program that the host starts in another
 * directory would not find a relative name. */
static void name_absolutely(void)
{
	struct text path = text_of(absolute_path);

	/* These characters separate paths in LD_PRELOAD, so LD_PRELOAD cannot contain a path with them. */
	if (text_find(path, ':', 0) < path.length || text_find(path, ' ', 0) < path.length)
		return;
	for (char **entry = host_environment(); entry && *entry; entry++) {
		size_t size = size_of_list(*entry), room = size + path.length;
		struct buffer out = {size > 0 ? os_map(room) : NULL, 0, room, false};
		if (out.data && write_list(&out, *entry, size, path)) {
			*entry = out.data;
			is_named_absolutely = true;
		}
	}
}

void host_find_library(void)
{
	const char *name = name_of_loader();
	struct buffer out = BUFFER(absolute_path);
	if (!name || name[0] == '/' || os_working_directory(absolute_path, sizeof absolute_path) != 0)
		return;
	out.length = text_length(absolute_path);
	buffer_byte(&out, '/');
	buffer_string(&out, name);
	(void)buffer_terminate(&out);
	if (out.full)
		absolute_path[0] = '\0';
	else
		name_absolutely();
}

static bool is_confined BESIDE_LOADER;

void host_is_confined(void)
{
	is_confined = true;
}

/* Returns whether the library's file can be loaded. In a sandbox, the file is opened, because access(2) does not
 * check whether the sandbox allows opening it. If this process has no free descriptor, the file is assumed to be
 * loadable, because the loader of the next program will have a free descriptor. */
static bool may_load(const char *path)
{
	int file = is_confined ? os_open(OS_HERE, path) : OS_ERROR_NO_DESCRIPTOR;

	os_close(file);
	return os_may_read(path) && (file >= 0 || file == OS_ERROR_NO_DESCRIPTOR);
}

void host_forget_library(bool always)
{
	const char *path = name_in_environment();
	/* Nothing is changed if the library's file is loadable. Nothing is changed in a child of vfork either,
	 * because it shares its parent's environment. If the kernel does not report whether memory is shared, the
	 * child is assumed to come from fork, which is more common than vfork. */
	if (!path || !&environ || !environ || (!always && may_load(path)) ||
		process_shares_memory(os_pid(), os_parent()))
		return;
	char **kept = environ;
	for (char **entry = environ; *entry; entry++) {
		size_t size = size_of_list(*entry);
		struct buffer out = {size > 0 ? os_map(size) : NULL, 0, size, false};
		if (!out.data || write_list(&out, *entry, size, TEXT("")))
			*kept++ = out.data ? out.data : *entry;
	}
	*kept = NULL;
}

/* Memory for one environment, which the next exec uses again. Memory that a child of vfork maps stays mapped in its
 * parent, so a new mapping for each exec would accumulate. `owner`: the thread that uses this memory, or 0. Until
 * the owner has called exec, other threads map their own memory. */
static struct {
	void *data;
	size_t size;
	int owner;
} room;

static void *take_room(size_t size)
{
	int self = (int)SYS_CALL0(__NR_gettid), owner = __atomic_load_n(&room.owner, __ATOMIC_ACQUIRE);
	enum { SAME_MEMORY = 1 }; /* KCMP_VM */
	long compared = owner == 0 || owner == self ? -ESRCH
			: sys_is_translated()       ? -ENOSYS
					      : SYS_CALL5(__NR_kcmp, SYS_CALL0(__NR_getpid), owner, SAME_MEMORY, 0, 0);
	bool is_free = compared > 0 || compared == -ESRCH;

	if (!is_free ||
		!__atomic_compare_exchange_n(&room.owner, &owner, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return os_map(size);
	if (room.size < size) {
		os_unmap(room.data, room.size);
		room.data = os_map(size);
		room.size = room.data ? size : 0;
	}
	return room.data;
}

static char *const *without_library(char *const *environment)
{
	size_t count = 0, kept = 0, bytes = 0;

	for (; environment && environment[count]; count++)
		bytes += size_of_list(environment[count]);
	char **copy = bytes > 0 ? take_room((count + 1) * sizeof *copy + bytes) : NULL;
	if (!copy)
		return environment;
	char *place = (char *)(copy + count + 1);
	for (size_t i = 0; i < count; i++) {
		size_t size = size_of_list(environment[i]);
		struct buffer out = {place, 0, size, false};
		copy[kept] = size > 0 ? place : environment[i];
		kept += size == 0 || write_list(&out, environment[i], size, TEXT(""));
		place += size;
	}
	copy[kept] = NULL;
	return copy;
}

char *const *host_environment_to_hand_on(char *const *environment)
{
	const char *path = name_in_environment();

	/* ldd(1) executes the loader with this variable to list the libraries of a program. The library is removed
	 * here, because otherwise ldd would list it and packagers would add it as a dependency. */
	bool lists = environment_get(environment, "LD_TRACE_LOADED_OBJECTS") != NULL;
	return !path || (may_load(path) && !lists) ? environment : without_library(environment);
}

/* If the program has loaded the library at its start, the library comes before the C library in the loader's list.
 * If the program has opened the library later, the library comes after the C library. */
bool host_is_running(void)
{
	for (const struct link_map *map = objects(); map; map = map->l_next) {
		if (map->l_ld == _DYNAMIC)
			return false;
		if (map->l_name && is_c_library(map))
			return true;
	}
	return false;
}

static void *find_in_c_library(const char *name)
{
	for (const struct link_map *map = objects(); map; map = map->l_next)
		if (map->l_name && map->l_ld != _DYNAMIC && is_c_library(map))
			return symbol_in(map, name);
	return NULL;
}

void host_at_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	static char object;
	union {
		void *address;
		int (*call)(void (*)(void), void (*)(void), void (*)(void));
	} musls = {__register_atfork ? NULL : find_in_c_library("pthread_atfork")};

	if (__register_atfork)
		(void)__register_atfork(prepare, parent, child, &object);
	else if (musls.address)
		(void)musls.call(prepare, parent, child);
}

/* `counts`: whether the host is a Python that counts its threads. `later`: Python's function Py_AddPendingCall. Both
 * are looked up only once, at a time when no thread changes the loader's list. */
static struct {
	bool looked;
	bool counts;
	union {
		void *address;
		int (*call)(int (*function)(void *), void *argument);
	} later;
} python;

/* Py_Version exists since 3.11. Its bytes are the major version, the minor version, and so on. */
bool host_counts_threads(void)
{
	for (const struct link_map *map = python.looked ? NULL : objects(); map; map = map->l_next) {
		const unsigned long *version = symbol_in(map, "Py_Version");
		if (!version || python.counts)
			continue;
		python.counts = *version >= 0x030c0000;
		python.later.address = symbol_in(map, "Py_AddPendingCall");
	}
	/* Writes the flag only if it changes, because a write after a fork copies a page. */
	if (!python.looked)
		python.looked = true;
	return python.counts;
}

bool host_can_call_later(void)
{
	return python.later.address != NULL;
}

/* Python makes pending calls in its main thread, between two instructions. */
int host_call_later(int (*function)(void *unused))
{
	return python.later.address ? python.later.call(function, NULL) : -1;
}

int host_at_exit(void (*handler)(int status, void *unused))
{
	union {
		void *address;
		int (*call)(void (*)(int, void *), void *);
	} on_exit_function = {find_in_c_library("on_exit")};
	return on_exit_function.address ? on_exit_function.call(handler, NULL) : -1;
}

_Noreturn void host_exit_now(int status)
{
	for (;;) {
		(void)SYS_CALL1(__NR_exit_group, status);
		(void)SYS_CALL1(__NR_exit, status);
	}
}

/* _exit and execve of the next library after this one that defines them. Libraries after the C library are not
 * searched. The value is NULL if the C library is the next that defines the function, because then the system call
 * is made directly. */
static void *next_exit BESIDE_LOADER;
static void *next_execve BESIDE_LOADER;
static bool nexts_are_known BESIDE_LOADER;

void host_find_nexts(void)
{
	bool behind = false;
	for (const struct link_map *map = objects(); map && !nexts_are_known; map = map->l_next) {
		if (behind && map->l_name && is_c_library(map)) {
			nexts_are_known = true;
		} else if (behind) {
			next_exit = next_exit ? next_exit : symbol_in(map, "_exit");
			next_execve = next_execve ? next_execve : symbol_in(map, "execve");
		}
		behind |= map->l_ld == _DYNAMIC;
	}
}

/* If possible, makes the system call directly, because looking up the C library's function in a forked child would
 * copy pages. If the system call fails, the C library's function is called as well, because it sets errno. */
int host_execve_through(const char *path, char *const *arguments, char *const *environment)
{
	if (nexts_are_known && !next_execve)
		(void)SYS_CALL3(__NR_execve, path, arguments, environment);
	union {
		void *address;
		int (*call)(const char *, char *const *, char *const *);
	} function = {next_execve ? next_execve : host_find_next("execve")};
	return function.address ? function.call(path, arguments, environment) : -1;
}

_Noreturn void host_exit_through(const char *name, int status)
{
	bool known = (nexts_are_known || next_exit) && text_is(text_of(name), "_exit");
	union {
		void *address;
		void (*call)(int);
	} function = {known ? next_exit : host_find_next(name)};
	if (function.address)
		function.call(status);
	host_exit_now(status);
}
