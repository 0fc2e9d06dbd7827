# SPDX-License-Identifier: BSD-3-Clause
# unbound-idn: builds and installs. `make help` lists the targets. Everything made goes to $(BUILD); V=1 shows commands.
# Tests, daemons, fuzzing, proofs, benchmarks and packages are in the .mk file beside what they run.

VERSION    := $(shell sed -n 's/^.define XN_VERSION "\(.*\)"$$/\1/p' core/text/version.h)
# The shared libraries' version. Raise it if a symbol of tests/library/released.txt changes or goes.
SOVERSION  := 1
BUILD      ?= build
DESTDIR    ?=
PREFIX     ?= /usr/local
SYSCONFDIR ?= /etc
CFLAGS     ?= -O2 -g
LDFLAGS    ?=
ifeq ($(origin CC),default)
CC := gcc
endif

MAKEFLAGS += --no-print-directory
# All processors, unless the caller says -j.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null)
endif
comma  := ,
PYTHON := /usr/bin/python3
Q      := $(if $(V),,@)
say     = $(if $(V),,@echo "  $(1)")

# ---- flags --------------------------------------------------------------------------------------

ifdef SAN
include tests/sanitizers.mk
else
OUT          := $(BUILD)
# Debian 13's flags; -fcf-protection exists on x86 only. tests/hardening.sh checks the result.
XN_HARDENING := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection \
                $(if $(filter x86_64-% i%86-%,$(shell $(CC) -dumpmachine 2>/dev/null)),-fcf-protection)
XN_LDFLAGS   := -Wl,-z,relro,-z,now
# Reproducible: debug information names files from the top of the tree, and no date is compiled in.
XN_HARDENING += -ffile-prefix-map=$(CURDIR)=. -ffile-prefix-map=$(abspath $(BUILD))=build -Werror=date-time
endif

XN_CFLAGS := -std=c11 -D_GNU_SOURCE -I. -I$(OUT)/generated -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
             -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat-security \
             -Werror=implicit-function-declaration $(if $(WERROR),-Werror) \
             -fPIC -fvisibility=hidden -pthread $(XN_HARDENING)

# pkg-config is asked once, and only by the targets that need the answer. The codec library needs ICU alone.
ICU        := icu-i18n icu-uc
PKGS       := $(ICU) ldns liburcu-bp libpsl libxxhash
ICU_CFLAGS  = $(eval ICU_CFLAGS := $$(shell pkg-config --cflags $(ICU)))$(ICU_CFLAGS)
ICU_LIBS    = $(eval ICU_LIBS := -Wl,--as-needed $$(shell pkg-config --libs $(ICU)))$(ICU_LIBS)
PKG_CFLAGS  = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS    = $(eval PKG_LIBS := -Wl,--as-needed $$(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)

LIB_CFLAGS = $(PKG_CFLAGS)
COMPILE    = $(CC) $(XN_CFLAGS) $(LIB_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@
LINK       = $(CC) $(CFLAGS) -pthread $(XN_LDFLAGS) $(LDFLAGS) -o $@

# ---- sources ------------------------------------------------------------------------------------

objects  = $(patsubst %.c,$(OUT)/obj/%.o,$(1))

CORE_SRC := $(sort $(wildcard core/*/*.c))
HOST_SRC := $(sort $(wildcard module/unbound/*.c))
ENGINE_SRC := $(sort $(wildcard module/engine/*.c))
XNM_SRC  := $(filter-out $(HOST_SRC) $(ENGINE_SRC),$(sort $(wildcard module/*/*.c)))
TOOL_SRC := $(filter-out tools/build/% tools/tables/% tools/deb/%,$(sort $(wildcard tools/*/*.c)))

CORE_O := $(call objects,$(CORE_SRC))
XNM_O  := $(call objects,$(XNM_SRC))
TOOL_O := $(call objects,$(TOOL_SRC))

# Tables generated from ICU's data, by programs that are not shipped: look-alike keys, and traits of code points.
LOOKALIKE       := $(OUT)/generated/lookalike_table.h
LOOKALIKE_MAKER := $(OUT)/makers/lookalike
LOOKALIKE_SRC   := $(sort $(wildcard tools/tables/lookalike*.c))
LOOKALIKE_O     := $(call objects,$(LOOKALIKE_SRC))
TRAITS          := $(OUT)/generated/traits_table.h
TRAITS_MAKER    := $(OUT)/makers/traits
TRAITS_O        := $(call objects,$(wildcard tools/tables/traits*.c))

# The names that need no call of libpsl, generated from the file that libpsl's list was made from.
SUFFIXES        := $(OUT)/generated/suffix_table.h
SUFFIXES_MAKER  := $(OUT)/makers/suffixes
SUFFIXES_O      := $(call objects,tools/tables/suffixes.c)

LIBXN   := $(OUT)/libxn.a
LIBXNM  := $(OUT)/libxnm.a

# The installed libraries. libxn needs ICU; libxn-punycode is its part without ICU. Sanitizer builds are never installed.
PLAIN_SRC  := $(filter core/text/% core/punycode/% core/wire/% core/idna/finding.c,$(CORE_SRC))
ARCHIVES   := $(LIBXN) $(OUT)/libxn-punycode.a
SHARED     := $(ARCHIVES:.a=.so.$(SOVERSION))
INSTALLED_LIBRARIES := $(if $(SAN),,$(ARCHIVES) $(SHARED))
COMMAND := $(if $(TOOL_SRC),$(OUT)/unbound-idn)
FETCH   := $(if $(TOOL_SRC),$(OUT)/unbound-idn-fetch)
ENABLE  := $(if $(TOOL_SRC),$(OUT)/unbound-idn-enable)

# ---- building -----------------------------------------------------------------------------------

.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all
.PHONY: FORCE have-deps have-icu packages all module deps deps-ci peers clean help

all: $(LIBXN) $(LIBXNM) $(COMMAND) $(INSTALLED_LIBRARIES) ## the libraries and the command
	@:

have-icu:
	@{ command -v $(firstword $(CC)) && pkg-config --exists $(ICU); } >/dev/null 2>&1 || \
	    { echo "A compiler or ICU's headers are missing: run 'make deps' first." >&2; exit 1; }
have-deps:
	@{ command -v $(firstword $(CC)) && pkg-config --exists $(PKGS); } >/dev/null 2>&1 || \
	    { echo "A compiler or libraries are missing: run 'make deps' first." >&2; exit 1; }

# All objects except those that include Unbound's headers. Tests add theirs to OBJECTS.
OBJECTS := $(XNM_O) $(TOOL_O) $(SUFFIXES_O)
MAKERS  := $(LOOKALIKE_O) $(TRAITS_O)
$(CORE_O) $(MAKERS): LIB_CFLAGS = $(ICU_CFLAGS)
# Compiled once for the static and the shared library: all symbols are visible, and the linker limits the export.
$(CORE_O): private XN_CFLAGS += -fvisibility=default -fno-semantic-interposition
$(CORE_O) $(MAKERS): | have-icu
define compile
	$(call say,CC $<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $<
endef
$(CORE_O) $(MAKERS): $(OUT)/obj/%.o: %.c
	$(compile)

$(LIBXN): $(CORE_O) | have-icu
$(OUT)/libxn-punycode.a: $(call objects,$(PLAIN_SRC)) | have-icu
$(LIBXNM): $(XNM_O) | have-deps
$(ARCHIVES) $(LIBXNM):
	$(call say,AR $@)
	@mkdir -p $(@D)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(OUT)/libxn.so.$(SOVERSION): $(CORE_O)
$(OUT)/libxn-punycode.so.$(SOVERSION): $(call objects,$(PLAIN_SRC))
$(SHARED): core/libxn.map
	$(call say,LD $@)
	$(Q)$(LINK) -shared -Wl,-soname,$(@F) -Wl,--version-script=core/libxn.map -Wl,-z,defs -Wl,-Bsymbolic-functions $(filter %.o,$^) $(ICU_LIBS)

$(OUT)/unbound-idn: $(TOOL_O) $(call objects,$(ENGINE_SRC)) $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	$(Q)$(LINK) -pie $^ $(PKG_LIBS) $(COMMAND_LIBS)

# The command runs it from its own folder.
$(ENABLE): tools/enable/unbound-idn-enable
$(FETCH): tools/fetch/unbound-idn-fetch
$(ENABLE) $(FETCH):
	@mkdir -p $(@D)
	$(Q)install -m 755 $< $@
$(COMMAND): | $(ENABLE) $(FETCH)

# Order-only: a change of a file that they share with the library does not make the tables again.
$(LOOKALIKE_MAKER): $(LOOKALIKE_O) | $(addprefix $(OUT)/obj/core/text/,utf8.o utf8run.o cpu.o)
$(TRAITS_MAKER): $(TRAITS_O)
$(SUFFIXES_MAKER): $(SUFFIXES_O) $(LIBXN)
$(LOOKALIKE_MAKER) $(TRAITS_MAKER) $(SUFFIXES_MAKER):
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $^ $| $(if $(filter $@,$(SUFFIXES_MAKER)),$(PKG_LIBS),$(ICU_LIBS))

$(LOOKALIKE): $(LOOKALIKE_MAKER) core/lookalike/lookalike.table
$(TRAITS): $(TRAITS_MAKER) core/lookalike/lookalike.table
$(SUFFIXES): $(SUFFIXES_MAKER)
$(LOOKALIKE) $(TRAITS) $(SUFFIXES):
	$(call say,MAKE $@)
	@mkdir -p $(@D)
	$(Q)$^ > $@.$$$$ && mv $@.$$$$ $@

$(OUT)/obj/core/lookalike/lookalike.o: $(LOOKALIKE)
$(OUT)/obj/core/idna/traits.o $(OUT)/obj/core/idna/context.o: $(TRAITS)
$(OUT)/obj/module/name/suffix.o $(OUT)/obj/tests/unit/test_suffix.o: $(SUFFIXES)

# Libraries that the command alone needs: libfstrm for `tap`, jansson for `report`.
.PHONY: have-command-libs

COMMAND_PKGS := libfstrm jansson
COMMAND_LIBS  = $(eval COMMAND_LIBS := $$(shell pkg-config --libs $(COMMAND_PKGS)))$(COMMAND_LIBS)

have-command-libs:
	@pkg-config --exists $(COMMAND_PKGS) 2>/dev/null || \
	    { echo "The headers of libfstrm or jansson, which only the command needs, are missing: run 'make deps' first." >&2; exit 1; }

$(filter $(OUT)/obj/tools/tap/% $(OUT)/obj/tools/logs/%,$(TOOL_O)): | have-command-libs

# ---- what is needed around it ---------------------------------------------------------------------

include tools/build/unbound.mk
include tools/build/install.mk
include tools/build/idnpolicy.mk

packages:
	@tools/build/deps.sh $(PACKAGES)

deps: packages ## install missing Debian packages (needs root or sudo only then); unpack peers
	@BUILD='$(BUILD)' tools/build/peers.sh $(PEERS)

deps-ci: ## and those of .ci/run: clang, cppcheck, valgrind, mandoc
	@tools/build/deps.sh ci

peers: deps ## unpack (never install) the servers and tools that tests talk to

# ---- tests and what else is done with the sources -----------------------------------------------------

include tests/tests.mk
include tests/unbound/demo.mk
include tests/care.mk
include tests/deb/deb.mk
include tests/soak/soak.mk
include tests/fuzz/fuzz.mk
include tests/bench/bench.mk
include tests/prove/prove.mk

$(OBJECTS): $(OUT)/obj/%.o: %.c | have-deps
	$(compile)

-include $(patsubst %.o,%.d,$(CORE_O) $(MAKERS) $(OBJECTS) $(HOST_O))

clean: ## remove what was made
	rm -rf $(BUILD)

help: ## this list
	@awk -v first='demo demo-stock run check check-all test deb-hosts deb deps all install clean' -f tools/build/help.awk \
	    tests/tests.mk $(filter-out tests/tests.mk,$(filter %Makefile %.mk,$(MAKEFILE_LIST)))
