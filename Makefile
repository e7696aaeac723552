# rtrack: build/librtrack.so, build/rtrack-run, build/rtrack-report
CFLAGS ?= -O2 -g
WARNINGS = -Wall -Wextra -Wconversion -Wshadow
ALL_CFLAGS = -std=gnu11 -I. $(WARNINGS) $(CFLAGS)
FREESTANDING = -ffreestanding -fPIC -fvisibility=hidden -fno-stack-protector -fno-asynchronous-unwind-tables -U_FORTIFY_SOURCE
PLATFORM = linux

CORE = $(wildcard core/*.c)
SAMPLER = $(wildcard sampler/*.c sampler/$(PLATFORM)/*.c)
PRELOAD = $(wildcard preload/*.c preload/$(PLATFORM)/*.c)
LAUNCHER = $(wildcard launcher/*.c)
REPORT = $(wildcard report/*.c) build/page.c
PAGE = $(wildcard report/page/*)
UPLOT = $(firstword $(wildcard third_party/uplot) node_modules/uplot)

LIBRARY_OBJECTS = $(patsubst %.c,build/pic/%.o,$(CORE) $(SAMPLER) $(PRELOAD))
RUN_OBJECTS = $(patsubst %.c,build/obj/%.o,$(CORE) $(SAMPLER) $(LAUNCHER))
REPORT_OBJECTS = $(patsubst %.c,build/obj/%.o,$(CORE) $(REPORT))

all: build/librtrack.so build/rtrack-run build/rtrack-report

build/librtrack.so: $(LIBRARY_OBJECTS) preload/librtrack.map
	$(CC) $(ALL_CFLAGS) -shared -nostdlib -Wl,-soname,librtrack.so -Wl,--version-script=preload/librtrack.map -Wl,-e,rtrack_keeper_start -Wl,-z,now -Wl,-z,relro -Wl,-z,nodelete -Wl,--hash-style=both -o $@ $(LIBRARY_OBJECTS)

build/rtrack-run: $(RUN_OBJECTS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(RUN_OBJECTS)

build/rtrack-report: $(REPORT_OBJECTS)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(REPORT_OBJECTS) -lcjson -lcurl -lz -lm

build/pic/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(FREESTANDING) -MMD -MP -c -o $@ $<

build/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

build/page.c: scripts/embed $(PAGE) $(UPLOT)/LICENSE
	@mkdir -p $(@D)
	scripts/embed $@ report/html_page.h page_template=report/page/page.html \
		page_style=$(UPLOT)/dist/uPlot.min.css,report/page/page.css \
		page_script=$(UPLOT)/dist/uPlot.iife.min.js,report/page/units.js,report/page/charts.js,report/page/page.js \
		page_license=$(UPLOT)/LICENSE

node_modules/uplot/LICENSE: package-lock.json
	npm ci --omit=dev --ignore-scripts --no-audit --no-fund
	@touch $@

clean:
	rm -rf build

.PHONY: all clean
-include $(wildcard build/*/*/*.d build/*/*/*/*.d)
