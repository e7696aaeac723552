# rtrack: build/librtrack.so, build/rtrack-run, build/rtrack-report.
#
# Sources are found by folder, so a new file needs no line here. The library's objects are position-independent and
# freestanding, because the library is linked without a C library. BUILD is the output directory; builds with other
# compilers or sanitizers use another one.

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
PLATFORM ?= linux
CFLAGS ?= -O2 -g1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
FUZZ_SECONDS ?= 30
MUTATOR_SECONDS ?= 3600
# URL of the documents with a trailing slash, for links in the page; empty for no links.
DOCS ?=
VERSION := $(shell sed -n 's/^.define RTRACK_VERSION "\(.*\)"/\1/p' core/spool.h)

# Without -j, make runs one job per processor. It makes several targets one after the other: otherwise `make clean all`
# would delete what it builds, and `make check bench` would measure during the tests.
ifneq ($(filter 00 01,$(MAKELEVEL)$(words $(MAKECMDGOALS))),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif

# $(call say,CC) prints a short line for each file that is built. With V=1, make prints the commands instead; make -s
# prints neither.
V ?= 0
Q = $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V))$(findstring s,$(firstword -$(MAKEFLAGS))),,@printf '  %-4s %s\n' $(1) $@)

WARNINGS = -Wall -Wextra -Wconversion -Wshadow $(WERROR)
ALL_CFLAGS = -std=gnu11 -I. $(WARNINGS) $(CFLAGS)
comma = ,
# $(call probe,FLAG,TEXT,BASE) tests whether the compiler can compile TEXT with FLAG. It is "yes", "no", or an error
# message if the test failed. In that case the build ends before it compiles anything (UNKNOWN_FLAGS).
probe = $(shell CC='$(CC)' scripts/probe '$(1)' '$(2)' $(3))
# Flags that not every compiler has. They prevent the compiler from replacing loops with calls of strlen, and atomic
# operations with calls of libgcc. On macOS every program has libSystem, which contains both functions.
HAS_LOOPS := $(if $(filter-out darwin,$(PLATFORM)),$(call probe,-fno-tree-loop-distribute-patterns,,-Werror -c),no)
HAS_ATOMICS := $(if $(filter-out darwin,$(PLATFORM)),$(call probe,-mno-outline-atomics,,-Werror -c),no)
UNCALLED = $(if $(filter yes,$(HAS_LOOPS)),-fno-tree-loop-distribute-patterns) $(if $(filter yes,$(HAS_ATOMICS)),-mno-outline-atomics)
# -Os: the kernel maps sixteen pages of a file with one page fault. The library needs two such faults with -Os, and
# three with -O2, which makes no process faster. -fbuiltin: memcpy of a few bytes becomes a move instead of a call.
FREESTANDING = -Os -ffreestanding -fbuiltin $(UNCALLED) -fno-ident -fPIC -ffunction-sections -fdata-sections -fvisibility=hidden -fno-stack-protector -fno-asynchronous-unwind-tables -U_FORTIFY_SOURCE
# Puts constants and code in one segment, which saves a page fault per process. Some linkers, such as zig's, lack this
# option. $(comma) is used because a literal comma would end an argument of `call`.
ONE_PART = -Wl$(comma)-z$(comma)noseparate-code
HAS_ONE_PART := $(if $(filter-out darwin,$(PLATFORM)),$(call probe,$(ONE_PART),int one;,$(CFLAGS) -shared -nostdlib),no)
IN_ONE_PART = $(if $(filter yes,$(HAS_ONE_PART)),$(ONE_PART))
LIBRARY_LDFLAGS = -Wl,-soname,librtrack.so -Wl,--version-script=preload/librtrack.map -Wl,-e,rtrack_keeper_start \
	-Wl,-z,defs -Wl,--gc-sections -Wl,--build-id=none $(IN_ONE_PART) -Wl,-z,now -Wl,-z,norelro -Wl,-z,nodelete -Wl,--hash-style=gnu
LIBRARY = $(BUILD)/librtrack.so
LIBRARY_LINK = -shared -nostdlib $(LIBRARY_LDFLAGS)
# On macOS the library is linked against libSystem, which defines _exit. The library's own _exit has another name
# there, and interpose.c makes dyld call it instead.
ifeq ($(PLATFORM),darwin)
LIBRARY = $(BUILD)/librtrack.dylib
LIBRARY_LINK = -dynamiclib -Wl,-install_name,@rpath/librtrack.dylib
$(BUILD)/pic/preload/librtrack.o: private FREESTANDING += -D_exit=rtrack_exit -D_Exit=rtrack_Exit -Dquick_exit=rtrack_quick_exit
endif
# Flags for the programs only, such as sanitizers.
PROGRAM_CFLAGS ?=
# names.h defines names that a platform's C library lacks.
NAMES = $(addprefix -include ,$(wildcard os/$(PLATFORM)/names.h)) $(if $(DOCS),-DMARKUP_DOCS='"$(DOCS)"')
# A precompiled header with C library headers that most files include. It makes a whole build a tenth faster. It is
# only used with gcc, and not if the programs have flags of their own. A build with clang, which does not use it, shows
# that each file includes the headers that it needs. Files that include kernel headers cannot use it.
IS_GCC := $(shell CC='$(CC)' scripts/probe --gcc)
HEADERS := $(if $(PROGRAM_CFLAGS),,$(if $(filter yes,$(IS_GCC)),$(BUILD)/obj/system.h.gch))
INCLUDED = $(if $(HEADERS),-D_GNU_SOURCE= -include $(BUILD)/obj/system.h)
# rtrack-run is linked statically, so that it runs in every container. STATIC is empty if there is no static C library,
# or with sanitizers, which do not support static programs.
ifeq ($(PLATFORM),darwin)
STATIC = # macOS has no static C library
else ifeq ($(origin STATIC),undefined)
HAS_STATIC := $(call probe,-static,int main(void) { return 0; },$(CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS))
STATIC = $(if $(filter yes,$(HAS_STATIC)),-static)
endif
HAS_STATIC ?= yes
# CURL=no builds rtrack-report without libcurl, and thereby without network access. This is also the case if the bundled
# sources contain no libcurl, and for macOS on another system, which lacks libcurl's headers.
CURL ?= yes
# If their sources are in THIRD_PARTY, where packages/sources puts them, cJSON, zlib, libcurl and mbed TLS are compiled
# into rtrack-report, which then is one static file. Debian has no static cJSON, so a plain `make` links the installed
# libraries.
THIRD_PARTY ?= third_party
BUNDLED := $(wildcard $(THIRD_PARTY)/cjson/cJSON.c $(addprefix $(THIRD_PARTY)/zlib/,adler32.c crc32.c deflate.c \
	gzclose.c gzlib.c gzread.c gzwrite.c infback.c inffast.c inflate.c inftrees.c trees.c uncompr.c compress.c zutil.c))
BUNDLED_CURL := $(if $(filter-out no,$(CURL)),$(wildcard $(addprefix $(THIRD_PARTY)/,curl/lib/*.c curl/lib/*/*.c mbedtls/library/*.c)))
# Empty without libcurl.
WITH_CURL := $(if $(filter-out no,$(CURL)),$(if $(BUNDLED),$(BUNDLED_CURL),yes))
BUNDLED += $(BUNDLED_CURL)
REPORT_LIBRARIES = $(if $(BUNDLED),,-lcjson -lz $(if $(WITH_CURL),-lcurl)) -lm
BUNDLED_CFLAGS = $(if $(BUNDLED),-isystem $(THIRD_PARTY) -isystem $(THIRD_PARTY)/zlib) $(if $(BUNDLED_CURL),-isystem \
	$(THIRD_PARTY)/curl/include -DCURL_STATICLIB)

CORE = $(wildcard core/*.c)
OS = $(wildcard os/*.c os/$(PLATFORM)/*.c os/$(PLATFORM)/*/*.c) $(if $(filter darwin,$(PLATFORM)),os/none/answers.c)
SAMPLER = $(wildcard sampler/*.c sampler/lines/*.c sampler/run/*.c)
PRELOAD = $(wildcard preload/*.c preload/$(PLATFORM)/*.c)
KEEPER = $(wildcard preload/$(PLATFORM)/keeper/*.c)
GPU = $(wildcard gpu/*.c gpu/$(PLATFORM)/*.c)
LAUNCHER = $(wildcard launcher/*.c launcher/beside/*.c launcher/posix/*.c launcher/$(PLATFORM)/*.c)
REPORT = $(filter-out report/services/http$(if $(WITH_CURL),_none).c,$(wildcard report/*.c report/*/*.c))
PAGE = $(wildcard report/page/assets/*)
UPLOT = $(firstword $(wildcard third_party/uplot) node_modules/uplot)

FOLDERS := $(patsubst %/,%,$(sort $(dir $(REPORT) $(LAUNCHER) $(GPU))))
# Folders whose code runs for each row of a run. -O1 makes them as fast as -O2, which takes 50 % longer to compile. For
# other folders, and the tests, -Og is as fast.
BUSY = $(addprefix report/,spool model history fleet)

# Objects that both the library and the programs use are compiled once, with the library's flags. If the programs have
# flags of their own, these objects are compiled twice.
COMMON = $(if $(PROGRAM_CFLAGS),,$(CORE) $(OS) $(SAMPLER))
objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out $(COMMON),$(1))) $(patsubst %.c,$(BUILD)/pic/%.o,$(filter $(COMMON),$(1)))
# preload/member.c is linked first. Its zero-initialized data then follows the initialized data, in a page that the
# dynamic loader has already written. This saves one of 57 page faults per process.
LIBRARY_OBJECTS = $(patsubst %.c,$(BUILD)/pic/%.o,preload/member.c $(CORE) $(OS) $(SAMPLER) $(filter-out preload/member.c,$(PRELOAD)))
RUN_OBJECTS = $(call objects,$(CORE) $(OS) $(SAMPLER) $(LAUNCHER))
KEEPER_OBJECTS = $(call objects,$(CORE) $(OS) $(SAMPLER) $(KEEPER))
GPU_OBJECTS = $(call objects,$(CORE) $(OS) $(SAMPLER) $(GPU))
REPORT_OBJECTS = $(call objects,$(CORE) $(OS) $(REPORT)) $(BUILD)/obj/page.o $(BUILD)/obj/more.o $(BUILD)/obj/sql.o $(patsubst $(THIRD_PARTY)/%.c,$(BUILD)/third_party/%.o,$(BUNDLED))

# Each file tests/unit/MODULE/NAME.c is built as a program build/unit/MODULE_NAME. Code of one platform is in a module
# named after the platform.
UNIT_MODULES = $(if $(filter-out darwin,$(PLATFORM)),darwin) core sampler $(if $(wildcard launcher/$(PLATFORM)/*.c),launcher) $(if $(wildcard gpu/$(PLATFORM)/*.c),gpu) report $(PLATFORM)
UNIT_SHARED = $(call objects,$(filter-out tests/unit/lib/fake_%,$(wildcard tests/unit/lib/*.c)))
# The sampler is tested on a simulated system that replaces os/$(PLATFORM); os/none provides the remaining functions.
# The parsers for macOS are tested on all other platforms, with simulated results.
UNIT_DARWIN = $(patsubst %.c,$(BUILD)/obj/%.o,tests/unit/darwin/fake/libproc.c os/none/answers.c os/darwin/parse.c os/darwin/process.c $(wildcard os/darwin/machine/*.c))
UNIT_FAKE = $(call objects,$(wildcard tests/unit/lib/fake_*.c os/*.c) os/none/answers.c)
UNIT = $(foreach module,$(UNIT_MODULES),$(patsubst tests/unit/$(module)/%.c,$(BUILD)/unit/$(module)_%,$(wildcard tests/unit/$(module)/*.c)))
TESTS ?= $(wildcard tests/*/*.bats)
FUZZ = $(patsubst fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard fuzz/*.c))

# Programs for another processor inherit LD_PRELOAD too: 32-bit programs, and programs in qemu.
PLATFORMS = $(if $(wildcard preload/$(PLATFORM)/*.c),$(BUILD)/platforms)
MACHINE := $(shell $(CC) -dumpmachine)

# The error message of a test of a flag, or nothing. An empty result means that scripts/probe did not run.
reason = $(if $(1),$(if $(filter-out yes no,$(1)),$(1)),scripts/probe cannot be run)
UNKNOWN_FLAGS = $(or $(call reason,$(HAS_LOOPS)),$(call reason,$(HAS_ATOMICS)),$(call reason,$(HAS_ONE_PART)),$(call reason,$(IS_GCC)),$(call reason,$(HAS_STATIC)),$(if $(MACHINE),,$(CC) -dumpmachine fails))

# A platform without preload/ or launcher/ has no library or no rtrack-run.
PROGRAMS = $(BUILD)/rtrack-report $(if $(wildcard preload/$(PLATFORM)/*.c),$(LIBRARY)) $(if $(KEEPER),$(BUILD)/rtrack-keeper) $(if $(wildcard launcher/$(PLATFORM)/*.c),$(BUILD)/rtrack-run) $(if $(wildcard gpu/$(PLATFORM)/*.c),$(BUILD)/rtrack-gpu)
SHELLS = bash zsh fish
COMPLETIONS = $(foreach shell,$(SHELLS),$(foreach program,rtrack-run rtrack-report,$(BUILD)/completions/$(shell)/$(program)))
MANUAL = $(BUILD)/man/rtrack-run.1 $(BUILD)/man/rtrack-report.1 $(BUILD)/man/librtrack.7 $(BUILD)/man/rtrack-spool.5

# TAKEN: programs of another build that are copied instead of built.
TAKEN ?=
all: $(filter-out $(addprefix $(BUILD)/,$(notdir $(TAKEN))),$(PROGRAMS)) $(PLATFORMS) $(TAKEN) ## build librtrack.so, rtrack-run, rtrack-report and rtrack-gpu (the default)
	$(if $(TAKEN),cp -p $(TAKEN) $(BUILD))

# ---- programs ----

$(LIBRARY): $(LIBRARY_OBJECTS) preload/librtrack.map
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(LIBRARY_LINK) -o $@ $(LIBRARY_OBJECTS)

$(BUILD)/rtrack-keeper: $(KEEPER_OBJECTS)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $(KEEPER_OBJECTS)

static: ## build everything below BUILD/static, as files that need no libraries of the machine
	packages/sources $(BUILD)/third_party
	$(MAKE) BUILD=$(BUILD)/static THIRD_PARTY=$(BUILD)/third_party all

$(BUILD)/platforms: scripts/platforms
	@rm -rf $(BUILD)/rtrack
	scripts/platforms $(MACHINE) $(BUILD)/rtrack
	@touch $@

$(BUILD)/rtrack-run: $(RUN_OBJECTS)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) $(STATIC) -o $@ $(RUN_OBJECTS)

# Dynamic, because it loads drivers' libraries.
$(BUILD)/rtrack-gpu: $(GPU_OBJECTS)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $(GPU_OBJECTS) -ldl

$(BUILD)/rtrack-report: $(REPORT_OBJECTS)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) $(if $(BUNDLED),$(STATIC))$(if $(BUNDLED_CURL), -Wl$(comma)--gc-sections) -o $@ $(REPORT_OBJECTS) $(REPORT_LIBRARIES)

# With -Os, some compilers (riscv64) turn the copy loop of memcpy, which this file defines, into a call of memcpy.
$(BUILD)/pic/preload/memory.o: private FREESTANDING := $(filter-out -Os,$(FREESTANDING))
$(BUILD)/pic/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) $(FREESTANDING) -MMD -MP -c -o $@ $<

$(BUILD)/obj/%.o: %.c $(BUILD)/flags $(HEADERS)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(BUNDLED_CFLAGS) $(INCLUDED) $(NAMES) -MMD -MP -c -o $@ $<

objects_in = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard $(addsuffix /*.c,$(1))))
$(call objects_in,$(BUSY)): private override CFLAGS := $(patsubst -O2,-O1,$(CFLAGS))
$(call objects_in,$(filter-out $(BUSY),$(FOLDERS)) $(wildcard tests/unit/*)): private override CFLAGS := $(patsubst -O1,-Og,$(patsubst -O2,-Og,$(CFLAGS)))

# Third-party code, which does not compile with our warnings.
$(BUILD)/third_party/%.o: $(THIRD_PARTY)/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(CFLAGS) $(PROGRAM_CFLAGS) $(BUNDLED_CFLAGS) $(OWN) -ffunction-sections -w -c -o $@ $<

OWN =
$(BUILD)/third_party/zlib/%.o: private OWN = -DHAVE_UNISTD_H -DHAVE_STDARG_H -Dfdopen=fdopen
$(BUILD)/third_party/mbedtls/%.o: private OWN = -I$(THIRD_PARTY)/mbedtls/include -I$(THIRD_PARTY)/mbedtls/library
$(BUILD)/third_party/curl/%.o: private OWN = -D_GNU_SOURCE -DHAVE_CONFIG_H -DBUILDING_LIBCURL -Ipackages \
	-I$(THIRD_PARTY)/curl/lib -I$(THIRD_PARTY)/mbedtls/include

# -g0: these files contain only data, and debugging information would contain the name of the build directory.
$(BUILD)/obj/page.o $(BUILD)/obj/more.o $(BUILD)/obj/sql.o: $(BUILD)/obj/%.o: $(BUILD)/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) -g0 -MMD -MP -c -o $@ $<

$(BUILD)/obj/system.h.gch: $(BUILD)/flags
	@mkdir -p $(@D)
	@printf '#include <%s.h>\n' dirent errno fcntl math signal stdarg stdbool stddef stdint stdio stdlib string sys/stat time unistd >$(@:.gch=)
	$(call say,PCH)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) -D_GNU_SOURCE= -x c-header -o $@ $(@:.gch=)

# Another platform, another compiler or other flags rebuild all objects.
FLAGS = $(PLATFORM) $(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(BUNDLED_CFLAGS) $(FREESTANDING) $(LIBRARY_LINK) $(LDFLAGS) $(STATIC)$(DOCS) $(if $(WITH_CURL),curl) $(if $(HEADERS),headers)
$(BUILD)/flags: FORCE
	$(if $(UNKNOWN_FLAGS),$(error $(UNKNOWN_FLAGS)))
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

# ---- the page of the HTML report ----

$(BUILD)/page.c: scripts/embed $(PAGE) $(UPLOT)/LICENSE
	@mkdir -p $(@D)
	$(call say,GEN)
	$(Q)scripts/embed $@ report/page/assets.h page_template=report/page/assets/page.html \
		page_style=$(UPLOT)/dist/uPlot.min.css,report/page/assets/page.css \
		page_script=$(UPLOT)/dist/uPlot.iife.min.js,report/page/assets/units.js,report/page/assets/later.js,report/page/assets/charts.js,report/page/assets/save.js,report/page/assets/timeline.js,report/page/assets/tree.js,report/page/assets/sort.js,report/page/assets/page.js \
		flame_script=report/page/assets/flame.js \
		site_script=report/page/assets/sort.js,report/page/assets/site.js page_license=$(UPLOT)/LICENSE

$(BUILD)/sql.c: scripts/embed $(wildcard report/fleet/sql/*)
	@mkdir -p $(@D)
	scripts/embed $@ report/fleet/views.h sql_duckdb=report/fleet/sql/duckdb.sql,report/fleet/sql/views.sql \
		sql_clickhouse=report/fleet/sql/clickhouse.sql,report/fleet/sql/views.sql

$(BUILD)/more.c: scripts/more report/page/charts.def $(wildcard docs/*.md report/*/*.c)
	@mkdir -p $(@D)
	$(call say,GEN)
	$(Q)scripts/more $@

# Keeps packages that only the tests of the page need, if they are installed.
node_modules/uplot/LICENSE: package-lock.json
	npm ci $(if $(wildcard node_modules/playwright-core),,--omit=dev) --ignore-scripts --no-audit --no-fund --no-update-notifier
	@touch $@

# ---- manual pages: text of docs/*.in, options from the programs' own help ----

man: $(MANUAL)

$(BUILD)/man/%: docs/%.in scripts/man docs/spool.md CHANGELOG.md $(BUILD)/rtrack-run $(BUILD)/rtrack-report
	@mkdir -p $(@D)
	BUILD=$(BUILD) scripts/man $< >$@.new
	@mv $@.new $@

# ---- completions of shells: options from the programs' own help ----

completions: $(COMPLETIONS)

$(COMPLETIONS): scripts/completions $(BUILD)/rtrack-run $(BUILD)/rtrack-report
	@mkdir -p $(@D)
	BUILD=$(BUILD) scripts/completions $(notdir $(@D)) $(@F) >$@.new
	@mv $@.new $@

docs: ## regenerate the tables in docs/spool.md and docs/report.md from the program's tables
	scripts/spool-tables core/columns.def os/linux/figures.def docs/spool.md >docs/spool.md.new
	mv docs/spool.md.new docs/spool.md
	scripts/total-table report/model/total.def docs/report.md >docs/report.md.new
	mv docs/report.md.new docs/report.md

# ---- tests ----

check: all man completions unit ## run the unit tests and the tests of the programs (TESTS=FILES: only these)
	BUILD=$(abspath $(BUILD)) scripts/tests $(UNIT) $(TESTS)

unit: $(UNIT)

# Objects that do not depend on the platform are copied from this build.
none: all unit ## build rtrack-report and the unit tests for a system that reports no figures, below BUILD/none
	rm -rf $(addprefix $(BUILD)/none/,obj pic)
	$(MAKE) BUILD=$(BUILD)/none PLATFORM=none $(BUILD)/none/flags
	cp -Rp $(addprefix $(BUILD)/,obj pic page.c more.c sql.c) $(BUILD)/none
	rm -rf $(BUILD)/none/obj/os $(BUILD)/none/pic/os
	find $(BUILD)/none -name '*.d' -exec sed -i 's,$(BUILD)/,$(BUILD)/none/,g' {} +
	touch -r $(BUILD)/flags $(BUILD)/none/flags
	$(MAKE) BUILD=$(BUILD)/none PLATFORM=none all unit

$(BUILD)/unit/core_%: $(BUILD)/obj/tests/unit/core/%.o $(UNIT_SHARED) $(call objects,$(CORE))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/unit/sampler_%: $(BUILD)/obj/tests/unit/sampler/%.o $(UNIT_FAKE) $(call objects,$(CORE) $(SAMPLER))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $^ -lm

# The test of lines.c defines its own readers of interpreters, so those in sampler/lines are not linked.
$(BUILD)/unit/sampler_lines: $(BUILD)/obj/tests/unit/sampler/lines.o $(UNIT_FAKE) $(call objects,$(CORE) $(filter-out sampler/lines/%,$(SAMPLER)))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/unit/darwin_%: $(BUILD)/obj/tests/unit/darwin/%.o $(UNIT_DARWIN) $(UNIT_SHARED) $(call objects,$(CORE))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/unit/launcher_%: $(BUILD)/obj/tests/unit/launcher/%.o $(UNIT_SHARED) $(filter-out %/main.o,$(RUN_OBJECTS))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/unit/gpu_%: $(BUILD)/obj/tests/unit/gpu/%.o $(UNIT_SHARED) $(filter-out %/main.o,$(GPU_OBJECTS))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $^ -lm -ldl

$(BUILD)/unit/$(PLATFORM)_%: $(BUILD)/obj/tests/unit/$(PLATFORM)/%.o $(UNIT_SHARED) $(call objects,$(CORE) $(OS))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/unit/report_%: $(BUILD)/obj/tests/unit/report/%.o $(UNIT_SHARED) $(filter-out %/main.o,$(REPORT_OBJECTS))
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(PROGRAM_CFLAGS) $(LDFLAGS) -o $@ $^ $(REPORT_LIBRARIES) -pthread

# Run the programs' tests with sanitizers. The library is built without them, because sanitizers need a C library.
# rtrack-report has only one thread, so it needs no thread sanitizer. Tests that pass a report to a browser or to other
# tools, and those that compare the output of commands with each other, are omitted: they take long and cover no more code
# of the programs.
SANITIZED_TESTS = $(filter-out $(addprefix tests/report/,one_value.bats snapshot.bats) $(addprefix tests/advice/,dialects.bats dialect_files.bats dialect_rounds.bats),$(wildcard tests/launcher/*.bats tests/report/*.bats tests/advice/*.bats))

ASAN = BUILD=$(BUILD)/asan TAKEN=$(LIBRARY) STATIC= CFLAGS='-O1 -g1' PROGRAM_CFLAGS='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
TSAN = BUILD=$(BUILD)/tsan TAKEN='$(LIBRARY) $(BUILD)/rtrack-report' STATIC= CFLAGS='-O1 -g1' PROGRAM_CFLAGS='-fsanitize=thread'

check-asan: $(LIBRARY) ## run the tests of the programs under the address and undefined-behaviour sanitizers
	$(MAKE) $(ASAN) TESTS='$(SANITIZED_TESTS)' check-sanitized

check-tsan: $(LIBRARY) $(BUILD)/rtrack-report ## run the tests of rtrack-run under the thread sanitizer
	SANITIZER=thread $(MAKE) $(TSAN) TESTS='$(wildcard tests/launcher/*.bats)' UNIT= check-sanitized

check-sanitized: all unit
	ASAN_OPTIONS=verify_asan_link_order=0 BUILD=$(abspath $(BUILD)) scripts/tests --name sanitized $(UNIT) $(TESTS)

check-musl: all ## run the library inside programs of another C library, musl
	BUILD=$(abspath $(BUILD)) scripts/tests tests/library/build.bats

# Tests the programs for another processor in qemu-user: all suites of rtrack-run, and suites of rtrack-report that
# test reading, counting and writing. Tests in which qemu-user differs from a real kernel are marked with not_in_qemu
# and skipped. Suites of the library and of totals are omitted, because they would test the emulator's accounting.
GUEST_TESTS = $(wildcard tests/launcher/*.bats) $(addprefix tests/report/,bill.bats discover.bats doctor.bats labels.bats list.bats marks.bats options.bats show.bats stats.bats)

check-arm: all ## run the tests of the programs on aarch64, in qemu-user
	BUILD=$(abspath $(BUILD)) packages/guest aarch64 $(GUEST_TESTS) || [ $$? = 77 ]

# Random process trees and random spools are generated from consecutive seeds; SEED is the first.
TREES ?= 2000
SPOOLS ?= 2000
SEED ?= 1
possible: $(BUILD)/rtrack-report ## check that all figures printed for SPOOLS=2000 random spools are possible (SEED=1: the first seed)
	python3 tests/lib/possible.py --report $(BUILD)/rtrack-report --seed $(SEED) --count $(SPOOLS)

LOOKS ?= 100000
ENDS ?= 10000
PYTHONS ?= $(wildcard $(foreach minor,[89] 1[0-4],/usr/bin/python3.$(minor) $(HOME)/.pyenv/versions/3.$(minor).*/bin/python3))
check-truth: all ## compare the totals of TREES=2000 random process trees with the kernel's, under rtrack-run and LD_PRELOAD (SEED=1: the first seed)
	@mkdir -p $(BUILD)/victims
	$(CC) -std=gnu11 -O2 -o $(BUILD)/victims/truth-tree tests/victims/work/tree.c
	$(CC) -std=gnu11 -O2 -static -o $(BUILD)/victims/truth-tree-static tests/victims/work/tree.c || rm -f $(BUILD)/victims/truth-tree-static
	$(CC) -std=gnu11 -O2 -o $(BUILD)/victims/truth-account tests/victims/work/account.c
	python3 tests/lib/trees.py --build $(abspath $(BUILD)) --tree $(BUILD)/victims/truth-tree --account $(BUILD)/victims/truth-account --static "$$(ls $(BUILD)/victims/truth-tree-static 2>/dev/null)" --kill-roots --first $(SEED) --count $(TREES)

check-lines: ## check LOOKS=100000 samples of code lines of each installed Python (PYTHONS) and of R, and samples of ENDS=10000 forks that end during the sample
	@mkdir -p $(BUILD)/victims
	$(CC) -std=gnu11 -O2 -I. -o $(BUILD)/victims/looks tests/victims/lines/looks.c $(wildcard sampler/lines/*.c) $(CORE) $(OS)
	@for python in $(PYTHONS); do for work in "chain 0" "chain 3" "chain 300" churn; do \
		nice $(BUILD)/victims/looks $(LOOKS) $$python tests/victims/lines/$${work%% *}.py 600 $${work##* } || exit 1; done; \
		nice $(BUILD)/victims/looks ends $$python tests/victims/lines/ends.py $(ENDS) || exit 1; done
	@[ ! -x /usr/lib/R/bin/exec/R ] || for work in 0 30 3000; do R_HOME=/usr/lib/R LD_LIBRARY_PATH=/usr/lib/R/lib \
		nice $(BUILD)/victims/looks $(LOOKS) /usr/lib/R/bin/exec/R --no-echo --file=tests/victims/lines/chain.R --args $$work || exit 1; done

check-groups: all ## run the tests of memory limits, CPU quotas and Slurm jobs with control groups of version 2, on an emulated machine
	scripts/dependencies groups
	printf '%s\n' "echo '+memory +cpu' >/sys/fs/cgroup/cgroup.subtree_control" \
		"BUILD=$(abspath $(BUILD)) bats --tap --filter-tags group tests/launcher/limits.bats tests/truth/killed.bats tests/report/discover.bats" | scripts/vm
	printf '%s\n' "BUILD=$(abspath $(BUILD)) bats --tap tests/jobs/slurm_groups.bats" | scripts/vm

check-gpu: all ## compare the figures of a real NVIDIA GPU with nvidia-smi, under known loads
	BUILD=$(abspath $(BUILD)) scripts/tests --name check-gpu tests/gpu/device.bats

check-transparency: all ## run real test suites with and without tracking, and compare the results of each test (SUITES=NAMES: only these)
	BUILD=$(abspath $(BUILD)) scripts/transparency $(SUITES)

fuzz: all $(FUZZ) ## feed random bytes to every parser, and damaged runs to every command (FUZZ_SECONDS=30 for each target, MUTATOR_SECONDS=3600 for damaged copies of real runs)
	BUILD=$(BUILD) scripts/fuzz $(FUZZ_SECONDS) $(FUZZ)
	python3 tests/lib/mutator.py $(BUILD)/rtrack-report $(BUILD)/fuzz/made/runs/spool $(BUILD)/mutated --seconds $(MUTATOR_SECONDS)

# Only clang has libFuzzer. With other compilers, fuzz/corpus/main.c runs a target once on each file of its corpus.
HAS_FUZZER = $(eval HAS_FUZZER := $(shell CC=clang scripts/probe -fsanitize=fuzzer 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }'))$(HAS_FUZZER)
FUZZER = $(filter yes,$(HAS_FUZZER))
# pointer-overflow is disabled, because it reports NULL + 0, which every compiler accepts.
FUZZ_SANITIZERS = address,undefined,float-cast-overflow -fno-sanitize=pointer-overflow
FUZZ_CC = $(if $(FUZZER),clang,$(CC)) -std=gnu11 -I. $(WARNINGS) -O1 -g1 -fno-sanitize-recover=all
# An archive of the code that targets call. Each target links only the objects that it needs.
FUZZED = $(CORE) $(OS) os/darwin/parse.c $(filter-out gpu/main.c,$(GPU)) $(wildcard sampler/lines/*.c) sampler/run/mask.c $(wildcard sampler/run/secret_*.c) $(REPORT)

$(BUILD)/fuzz/obj/report/main.o: private FUZZ_CC += -Dmain=report_main -Wno-missing-prototypes

$(BUILD)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(FUZZ_CC) -fsanitize=$(if $(FUZZER),fuzzer-no-link$(comma))$(FUZZ_SANITIZERS) -MMD -MP -c -o $@ $<

$(BUILD)/fuzz/obj/fuzzed.a: $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(FUZZED)) $(BUILD)/obj/page.o $(BUILD)/obj/more.o $(BUILD)/obj/sql.o
	rm -f $@
	ar qcs $@ $^

$(BUILD)/fuzz/%: $(BUILD)/fuzz/obj/fuzz/%.o $(BUILD)/fuzz/obj/fuzz/corpus/main.o $(BUILD)/fuzz/obj/fuzzed.a
	$(call say,LD)
	$(Q)$(FUZZ_CC) -fsanitize=$(if $(FUZZER),fuzzer$(comma))$(FUZZ_SANITIZERS) -o $@ $(if $(FUZZER),$(filter-out %/main.o,$^),$^) $(REPORT_LIBRARIES)

lint: $(BUILD)/librtrack.so ## check format, common mistakes, include directions, exported symbols, stack, scripts, another processor
	BUILD=$(abspath $(BUILD)) CHECKS='$(CHECKS)' scripts/tests --name lint scripts/lint

bench: all ## measure the cost of tracking, and compare it with its upper bounds
	BUILD=$(abspath $(BUILD)) scripts/bench

bench-quick: all ## measure the cost of a process and of a tick, in shorter runs
	BUILD=$(abspath $(BUILD)) scripts/bench --quick --peers storms calls ticks

bench-memory: all ## compare peaks, bounds and requests of ordinary jobs with an independent measurement
	BUILD=$(abspath $(BUILD)) scripts/bench-memory

demo: all ## track a build of this project and a data job, and write the report of each
	BUILD=$(abspath $(BUILD)) scripts/demo --built

# ---- installing and shipping ----

# systemd units that prune the spools of a site. `make install` does not enable them.
TIMERS = $(if $(filter linux,$(PLATFORM)),$(wildcard integrations/slurm/rtrack-prune.*))

install: all man completions ## install below PREFIX (/usr/local), or below DESTDIR/PREFIX
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib' '$(DESTDIR)$(PREFIX)/share/man/man1' '$(DESTDIR)$(PREFIX)/share/man/man5' '$(DESTDIR)$(PREFIX)/share/man/man7' '$(DESTDIR)$(PREFIX)/share/pkgconfig'
	install -m 755 $(BUILD)/rtrack-run $(BUILD)/rtrack-report '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 $(BUILD)/librtrack.so $(wildcard $(BUILD)/rtrack-gpu) '$(DESTDIR)$(PREFIX)/lib'
	install -m 644 $(BUILD)/man/rtrack-run.1 $(BUILD)/man/rtrack-report.1 '$(DESTDIR)$(PREFIX)/share/man/man1'
	install -m 644 $(BUILD)/man/librtrack.7 '$(DESTDIR)$(PREFIX)/share/man/man7'
	install -m 644 $(BUILD)/man/rtrack-spool.5 '$(DESTDIR)$(PREFIX)/share/man/man5'
	sed -e 's,@PREFIX@,$(PREFIX),' -e 's,@VERSION@,$(VERSION),' include/rtrack.pc.in >'$(DESTDIR)$(PREFIX)/share/pkgconfig/rtrack.pc'
	for program in rtrack-run rtrack-report; do \
		install -D -m 644 $(BUILD)/completions/bash/$$program '$(DESTDIR)$(PREFIX)/share/bash-completion/completions'/$$program; \
		install -D -m 644 $(BUILD)/completions/zsh/$$program '$(DESTDIR)$(PREFIX)/share/zsh/site-functions'/_$$program; \
		install -D -m 644 $(BUILD)/completions/fish/$$program '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d'/$$program.fish; \
	done
	scripts/platforms $(MACHINE) '$(DESTDIR)$(PREFIX)/lib/rtrack'
	$(if $(TIMERS),install -d '$(DESTDIR)$(PREFIX)/lib/systemd/system')
	$(foreach unit,$(TIMERS),sed 's,/usr/local/bin,$(PREFIX)/bin,' $(unit) >'$(DESTDIR)$(PREFIX)/lib/systemd/system/$(notdir $(unit))';)
	$(if $(wildcard include/rtrack.h),install -D -m 644 include/rtrack.h '$(DESTDIR)$(PREFIX)/include/rtrack.h')

# What a cluster needs beside the programs. The plugin is compiled on the cluster, against its version of Slurm.
SITE_FILES = $(filter-out integrations/slurm/rtrack-prune.%,$(wildcard integrations/slurm/*)) $(wildcard integrations/grafana/*.json sql/*.sql)

install-slurm: ## install what a cluster needs below PREFIX/share/rtrack: Slurm plugin (source), TaskProlog, epilog, module, dashboards, SQL
	for file in $(SITE_FILES); do \
		to='$(DESTDIR)$(PREFIX)/share/rtrack'/$${file#integrations/}; \
		install -d "$${to%/*}" && sed 's,/usr/local,$(PREFIX),g' $$file >"$$to" && chmod $$([ -x $$file ] && echo 755 || echo 644) "$$to" || exit; \
	done

uninstall: ## remove the installed files
	[ ! -d '$(DESTDIR)$(PREFIX)/share/rtrack' ] || { cd '$(DESTDIR)$(PREFIX)/share/rtrack' && rm -rf slurm grafana sql && cd .. && { rmdir rtrack 2>/dev/null || :; }; }
	rm -f '$(DESTDIR)$(PREFIX)/bin/rtrack-run' '$(DESTDIR)$(PREFIX)/bin/rtrack-report' '$(DESTDIR)$(PREFIX)/lib/librtrack.so'
	rm -f '$(DESTDIR)$(PREFIX)/lib/rtrack-gpu'
	cd '$(DESTDIR)$(PREFIX)/lib' && rm -f $(addprefix systemd/system/,$(notdir $(TIMERS))) && { [ ! -d systemd ] || find systemd -type d -empty -delete; }
	[ ! -d '$(DESTDIR)$(PREFIX)/lib/rtrack' ] || find '$(DESTDIR)$(PREFIX)/lib/rtrack' \( -name rtrack-gpu -o -name '*.so' -o -type d -empty \) -delete
	cd '$(DESTDIR)$(PREFIX)/share' && rm -f bash-completion/completions/rtrack-run bash-completion/completions/rtrack-report zsh/site-functions/_rtrack-run \
		zsh/site-functions/_rtrack-report fish/vendor_completions.d/rtrack-run.fish fish/vendor_completions.d/rtrack-report.fish
	rm -f '$(DESTDIR)$(PREFIX)/share/man/man1/rtrack-run.1' '$(DESTDIR)$(PREFIX)/share/man/man1/rtrack-report.1'
	rm -f '$(DESTDIR)$(PREFIX)/share/man/man7/librtrack.7' '$(DESTDIR)$(PREFIX)/include/rtrack.h'
	rm -f '$(DESTDIR)$(PREFIX)/share/man/man5/rtrack-spool.5' '$(DESTDIR)$(PREFIX)/share/pkgconfig/rtrack.pc'

dist: $(UPLOT)/LICENSE ## make the source archive, which builds without npm
	UPLOT=$(UPLOT) scripts/dist $(BUILD)/rtrack-$(VERSION).tar.gz

packages: $(UPLOT)/LICENSE ## build packages for x86-64 and aarch64 in BUILD/packages
	BUILD=$(BUILD) packages/build

site: ## build a web site of the documents in build/site/html, and check its links
	scripts/site

# For clangd and other tools that need the compiler's command line.
compile_commands.json: ## write the command of each source file, for clangd
	@scripts/compile-commands $@

clean: ## remove all build output
	rm -rf $(BUILD)

help: ## print this list
	@sed -n 's/^\([a-z_.-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 30

FORCE:

.PHONY: all none static man completions docs check unit check-asan check-tsan check-sanitized check-musl check-arm check-truth check-lines possible check-groups check-gpu check-transparency fuzz lint bench bench-quick bench-memory demo install install-slurm uninstall dist packages site compile_commands.json clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

-include $(wildcard $(BUILD)/fuzz/obj/*/*.d $(BUILD)/fuzz/obj/*/*/*.d $(BUILD)/fuzz/obj/*/*/*/*.d) $(patsubst %.o,%.d,$(LIBRARY_OBJECTS) $(RUN_OBJECTS) $(GPU_OBJECTS) $(REPORT_OBJECTS) $(UNIT_SHARED) $(UNIT_FAKE) $(UNIT_DARWIN) $(call objects,$(SAMPLER)) $(patsubst %.c,$(BUILD)/obj/%.d,$(wildcard tests/unit/*/*.c)))
