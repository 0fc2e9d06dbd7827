# SPDX-License-Identifier: BSD-3-Clause
# unbound-idn: `make help` lists the targets. Everything made goes to $(BUILD); V=1 shows commands.

VERSION    := 0.1.0
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
comma := ,
PYTHON := /usr/bin/python3
Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $(1)")

# SAN=address: AddressSanitizer and UBSan in a folder of its own, for an Unbound built with the first.
# SAN=thread: ThreadSanitizer, likewise. SAN=fuzz: for `make fuzz`, which says CC=clang. SAN=coverage: for
# `make fuzz-coverage`.
ifeq ($(SAN),thread)
SAN_FLAGS    := -fsanitize=thread
SAN_NAME     := tsan
else ifeq ($(SAN),fuzz)
SAN_FLAGS    := -fsanitize=fuzzer-no-link,address,undefined
SAN_NAME     := fuzz
else ifeq ($(SAN),coverage)
SAN_FLAGS    := --coverage
SAN_NAME     := coverage
else
SAN_FLAGS    := -fsanitize=address,undefined
SAN_NAME     := asan
endif
ifdef SAN
OUT               := $(BUILD)/$(SAN_NAME)
UNBOUND_NAME      ?= unbound-$(SAN_NAME)
UNBOUND_CFLAGS    ?= $(firstword $(subst $(comma), ,$(SAN_FLAGS))) -fno-omit-frame-pointer -O1 -g1
UNBOUND_CONFIGURE ?= --disable-flto --without-pythonmodule --without-pyunbound
XN_HARDENING      := $(SAN_FLAGS) -fno-sanitize-recover=all -fno-omit-frame-pointer
XN_LDFLAGS        := $(SAN_FLAGS) -Wl,-z,relro,-z,now
else
OUT          := $(BUILD)
# What Debian 13 builds with; -fcf-protection is for x86 alone. tests/hardening.sh looks at what came of it.
XN_HARDENING := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection \
                $(if $(filter x86_64-% i%86-%,$(shell $(CC) -dumpmachine 2>/dev/null)),-fcf-protection)
XN_LDFLAGS   := -Wl,-z,relro,-z,now
endif

XN_CFLAGS := -std=c11 -D_GNU_SOURCE -DXN_VERSION='"$(VERSION)"' -I. -I$(OUT)/generated -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
             -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat-security \
             -Werror=implicit-function-declaration $(if $(WERROR),-Werror) \
             -fPIC -fvisibility=hidden -pthread $(XN_HARDENING)

# Asked for once, and only by the targets that need the answer.
PKGS       := icu-i18n icu-uc ldns liburcu-bp libpsl libxxhash
PKG_CFLAGS  = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS    = $(eval PKG_LIBS := -Wl,--as-needed $$(shell pkg-config --libs $(PKGS)))$(PKG_LIBS)

COMPILE = $(CC) $(XN_CFLAGS) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@
LINK    = $(CC) $(CFLAGS) -pthread $(XN_LDFLAGS) $(LDFLAGS) -o $@

# ---- the Unbound the module is built for (see tools/build/unbound.sh) ---------------------------

# Was one asked for? If not, the tests run with the machine's own and with Debian 13's, where that is another: of the
# same source the same daemon is built, octet by octet, and either module fits both.
RELEASE := $(shell sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null)
SECOND  := $(if $(UNBOUND_SRC)$(UNBOUND_SUITE)$(UNBOUND_NAME),,$(filter-out $(RELEASE),trixie))

UNBOUND_NAME  ?= unbound$(if $(UNBOUND_SUITE),-$(UNBOUND_SUITE))
UNBOUND        = $(BUILD)/$(UNBOUND_NAME)
UNBOUND_TREE   = $(or $(UNBOUND_SRC),$(BUILD)/unbound-src/$(UNBOUND_NAME))
UNBOUND_CONFIG = $(if $(wildcard $(UNBOUND_TREE)/config.h),$(UNBOUND_TREE),$(UNBOUND_TREE)/b/unbound)
UNBOUND_BIN   ?= $(if $(UNBOUND_SRC),$(UNBOUND_CONFIG)/unbound,$(UNBOUND)/sbin/unbound)

unbound_module = $(OUT)/idn$(patsubst unbound%,%,$(filter-out unbound-asan unbound-tsan,$(1))).so
MODULE        := $(call unbound_module,$(UNBOUND_NAME))
HOST_OBJ      := $(OUT)/obj/$(UNBOUND_NAME)
HOST_ID       := $(HOST_OBJ)/unbound_build.h

# ---- sources ------------------------------------------------------------------------------------

HOST_SRC := $(addprefix module/,module.c host.c answer.c upstream.c alias.c action.c message.c purge.c referral.c synthesis.c)
CORE_SRC := $(sort $(wildcard core/*.c))
XNM_SRC  := $(filter-out $(HOST_SRC),$(sort $(wildcard module/*.c)))
TOOL_SRC := $(sort $(wildcard tools/*.c))
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
BENCH_SRC := $(sort $(wildcard tests/bench/bench_*.c))

CODEC_PEERS_O := $(OUT)/obj/tests/bench/codecpeers.o $(OUT)/obj/tests/bench/rfc3492.o

CORE_O := $(CORE_SRC:%.c=$(OUT)/obj/%.o)
XNM_O  := $(XNM_SRC:%.c=$(OUT)/obj/%.o)
TOOL_O := $(TOOL_SRC:%.c=$(OUT)/obj/%.o)
UNIT_O := $(UNIT_SRC:%.c=$(OUT)/obj/%.o)
BENCH_O := $(BENCH_SRC:%.c=$(OUT)/obj/%.o) $(CODEC_PEERS_O)
HOST_O := $(HOST_SRC:%.c=$(HOST_OBJ)/%.o)

# What a label looks like, made from ICU's data: see tools/build/lookalike.c.
LOOKALIKE       := $(OUT)/generated/lookalike_table.h
LOOKALIKE_MAKER := $(OUT)/build/lookalike
LOOKALIKE_SRC   := $(sort $(wildcard tools/build/lookalike*.c))
LOOKALIKE_O     := $(LOOKALIKE_SRC:%.c=$(OUT)/obj/%.o)

# What ICU says of each code point: see tools/build/traits.c.
TRAITS       := $(OUT)/generated/traits_table.h
TRAITS_MAKER := $(OUT)/build/traits
TRAITS_O     := $(OUT)/obj/tools/build/traits.o

LIBXN   := $(OUT)/libxn.a
LIBXNM  := $(OUT)/libxnm.a
COMMAND := $(if $(TOOL_SRC),$(OUT)/unbound-idn)
UNIT    := $(UNIT_SRC:tests/unit/%.c=$(OUT)/tests/%)
BENCH   := $(BENCH_SRC:tests/bench/%.c=$(OUT)/bench/%)
NAMES_PROGRAMS := $(OUT)/bench/bench_scan $(OUT)/bench/bench_keys
FAULTS     := $(OUT)/faults.so
FAULTS_O   := $(patsubst %.c,$(OUT)/obj/%.o,$(sort $(wildcard tests/faults/*.c)))
PURGE_WAIT := $(HOST_OBJ)/tests/bench/purge_wait
PEERS   := nsd apparmor prometheus bind9 bind9-utils bind9-dnsutils knot knot-resolver pdns-recursor dnsdist dnsmasq-base tshark tcpdump dnsperf \
           logrotate rsyslog rsyslog-elasticsearch syslog-ng-core syslog-ng-mod-http prometheus-node-exporter unbound systemd
ZONE    := $(BUILD)/zone/example.zone.signed
IDNA_TEST := $(BUILD)/data/IdnaTestV2.txt

# ---- building -----------------------------------------------------------------------------------

.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all
.PHONY: FORCE have-deps packages unit-tests daemons first-unbound second-unbound codec-labels \
        all deps deps-ci unbound module peers zone demo run check check-unit check-unbound check-versions minimal-daemon check-long check-faults check-san check-tsan check-report check-all \
        check-layout bench-report bench-lists bench bench-filter bench-names bench-instructions bench-querycost bench-policy bench-unbound bench-curves bench-purge bench-lookalike format format-check tidy install install-module uninstall dist clean help

all: $(LIBXN) $(LIBXNM) $(COMMAND) ## the codec library and the command
	@:
module: $(MODULE) ## build/idn.so, for the Unbound that `make unbound` built or UNBOUND_SRC=dir
	@:
unit-tests: $(UNIT) $(COMMAND) $(LOOKALIKE_MAKER) $(addprefix $(OUT)/bench/bench_,codec policy udpload) $(NAMES_PROGRAMS)
	@tools/build/idna-test.sh $(IDNA_TEST)

have-deps:
	@{ command -v $(firstword $(CC)) && pkg-config --exists $(PKGS) cmocka jansson; } >/dev/null 2>&1 || \
	    { echo "A compiler or libraries are missing: run 'make deps' first." >&2; exit 1; }

$(LIBXN): $(CORE_O)
$(LIBXNM): $(XNM_O)
$(LIBXN) $(LIBXNM): | have-deps
	$(call say,AR $@)
	@mkdir -p $(@D)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(OUT)/unbound-idn: $(TOOL_O) $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	$(Q)$(LINK) -pie $^ $(PKG_LIBS)

$(UNIT): $(OUT)/tests/%: $(OUT)/obj/tests/unit/%.o $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(PKG_LIBS) -ljansson

# Parts of the command, with what they stand on.
unit_of = $(OUT)/tests/test_$(1): $(addprefix $(OUT)/obj/tools/,$(addsuffix .o,$(2)))
$(call unit_of,reportline,reportline reportjson reporttime shown)
$(call unit_of,reportname,reportname shown)
$(call unit_of,reporttime,reporttime)
$(call unit_of,shown,shown)
$(call unit_of,tally,tally distinct buffer)
$(call unit_of,timeline,timeline)
$(call unit_of,supervised,supervised buffer)
$(call unit_of,linereader,linereader buffer)
$(call unit_of,fit,fit buffer)
$(call unit_of,compile,compile)
$(call unit_of,labelscan,labelscan labeledge)

# What runs out of memory when it is told to (tests/unit/nomemory.h).
$(OUT)/tests/test_policy_memory $(OUT)/tests/test_reload_memory $(OUT)/tests/test_rulealias $(OUT)/tests/test_image: XN_LDFLAGS += $(foreach f,malloc calloc mmap mremap,-Wl,--wrap=$(f))
# What hangs in a file system.
$(OUT)/tests/test_reload_hang: XN_LDFLAGS += $(foreach f,stat open,-Wl,--wrap=$(f))
# What sets the clock, and has no memory for a ring.
$(OUT)/tests/test_logwriter_host: XN_LDFLAGS += $(foreach f,clock_gettime xnm_logring_new,-Wl,--wrap=$(f))
# What counts how often names are looked at.
COUNTED := xn_shape_read xn_lookalike_key xn_lookalike_compare getrandom
$(OUT)/tests/test_policy_shield $(OUT)/tests/test_policy_poison: \
    XN_LDFLAGS += $(foreach f,$(COUNTED),-Wl,--wrap=$(f))

# What counts how often it is asked whether anyone wants a file.
$(OUT)/tests/test_image_stop: XN_LDFLAGS += $(foreach f,read xnm_stop_is_set,-Wl,--wrap=$(f))

# What has writers fail, and looks what they are given.
$(OUT)/tests/test_fit: XN_LDFLAGS += $(foreach f,xn_unicode_open open_memstream fclose,-Wl,--wrap=$(f))
$(OUT)/tests/test_compile: XN_LDFLAGS += $(foreach f,fchmod fsync close,-Wl,--wrap=$(f))
$(OUT)/tests/test_rulelookalike: XN_LDFLAGS += -Wl,--wrap=xn_lookalike_sequence

# What counts how often labels are decoded.
$(OUT)/tests/test_memo: XN_LDFLAGS += -Wl,--wrap=xn_label_decode

# What counts the threads that remember labels.
$(OUT)/tests/test_recall: XN_LDFLAGS += $(foreach f,new free,-Wl,--wrap=xn_memo_$(f))

# What does without the table of traits when it is told to.
$(OUT)/tests/test_traits $(OUT)/replay/label $(OUT)/targets/label: \
    XN_LDFLAGS += $(foreach f,map_label check_ulabel check_display check_label mix,-Wl,--wrap=xn_traits_$(f))

$(OUT)/bench/bench_codec: $(CODEC_PEERS_O)
$(BENCH): $(OUT)/bench/%: $(OUT)/obj/tests/bench/%.o $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(PKG_LIBS)

# It stands between a daemon and what a sanitizer puts in its place, and is none of either.
$(FAULTS_O) $(FAULTS): XN_HARDENING :=
$(FAULTS_O) $(FAULTS): XN_LDFLAGS :=
$(FAULTS): $(FAULTS_O)
	$(call say,LD $@)
	$(Q)$(LINK) -shared $^

$(CORE_O) $(XNM_O) $(TOOL_O) $(UNIT_O) $(BENCH_O) $(LOOKALIKE_O) $(TRAITS_O) $(FAULTS_O): $(OUT)/obj/%.o: %.c | have-deps
	$(call say,CC $<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $<

$(LOOKALIKE_MAKER): $(LOOKALIKE_O) $(addprefix $(OUT)/obj/core/,utf8.o utf8run.o cpu.o)
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $^ $(PKG_LIBS)

$(LOOKALIKE): $(LOOKALIKE_MAKER) core/lookalike/lookalike.table
	$(call say,MAKE $@)
	@mkdir -p $(@D)
	$(Q)$(LOOKALIKE_MAKER) core/lookalike/lookalike.table > $@

$(OUT)/obj/core/lookalike.o: $(LOOKALIKE)

$(TRAITS_MAKER): $(TRAITS_O)
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $^ $(PKG_LIBS)

$(TRAITS): $(TRAITS_MAKER)
	$(call say,MAKE $@)
	@mkdir -p $(@D)
	$(Q)$(TRAITS_MAKER) > $@

$(OUT)/obj/core/traits.o: $(TRAITS)

# With Unbound's own cache in it.
$(PURGE_WAIT): XN_LDFLAGS += $(foreach f,lock unlock,-Wl$(comma)--wrap=pthread_spin_$(f))
$(PURGE_WAIT): $(PURGE_WAIT).o $(HOST_OBJ)/module/purge.o $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	$(Q)$(LINK) $^ $(UNBOUND_CONFIG)/.libs/libunbound.a $(PKG_LIBS) \
	    $(shell sed -n 's/^LIBS=//p' $(UNBOUND_CONFIG)/Makefile) -lssl

# These get Unbound's config.h by itself: "config.h" in module/ would be the module's own.
$(HOST_O) $(PURGE_WAIT).o: $(HOST_OBJ)/%.o: %.c $(HOST_ID) | have-deps
	$(call say,CC $< ($(UNBOUND_NAME)))
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -include $(HOST_ID) -include config.h -isystem $(UNBOUND_CONFIG) -isystem $(UNBOUND_TREE) $<

$(HOST_ID): FORCE
	@tools/build/unbound-id.sh $(UNBOUND_CONFIG) $(UNBOUND_BIN) $@

# Exactly what Unbound looks for. Its own symbols stay undefined here: the daemon brings them. Ours
# must not: the linker would not say so, and the daemon only when it loads the module.
ENTRY_POINTS := clear deinit get_mem inform_super init operate

$(MODULE): $(CORE_O) $(XNM_O) $(HOST_O)
	$(call say,LD $@)
	$(Q)$(LINK) -shared -Wl,-z,nodelete $^ $(PKG_LIBS)
	@set -- $$(nm -D --defined-only $@ | awk '{ print $$3 }' | sort); \
	    [ "$$*" = "$(ENTRY_POINTS)" ] || \
	    { echo "$@ must export '$(ENTRY_POINTS)', not '$$*'." >&2; exit 1; }
	@! nm -D --undefined-only $@ | grep -w 'U xnm\?_[a-z_0-9]*' || { echo "$@ lacks these." >&2; exit 1; }

-include $(CORE_O:.o=.d) $(LOOKALIKE_O:.o=.d) $(TRAITS_O:.o=.d) $(XNM_O:.o=.d) $(TOOL_O:.o=.d) $(UNIT_O:.o=.d) $(BENCH_O:.o=.d) $(FAULTS_O:.o=.d) $(HOST_O:.o=.d) $(PURGE_WAIT).d

# ---- what is fetched and made around it ---------------------------------------------------------

packages:
	@tools/build/deps.sh

deps: packages ## install the Debian packages that are missing (root, or sudo, only then), and peers
	@BUILD='$(BUILD)' tools/build/peers.sh $(PEERS)

deps-ci: ## and those of .ci/run: clang, cppcheck, valgrind, mandoc
	@tools/build/deps.sh ci

unbound: packages ## build the distribution's Unbound with dynlib (UNBOUND_SUITE=trixie: Debian 13's)
	@BUILD='$(BUILD)' UNBOUND_NAME='$(UNBOUND_NAME)' UNBOUND_SUITE='$(UNBOUND_SUITE)' \
	    UNBOUND_VERSION='$(UNBOUND_VERSION)' UNBOUND_SRC='$(UNBOUND_SRC)' UNBOUND_BIN='$(UNBOUND_BIN)' \
	    UNBOUND_CONFIGURE='$(UNBOUND_CONFIGURE)' UNBOUND_CFLAGS='$(UNBOUND_CFLAGS)' \
	    tools/build/unbound.sh

peers: deps ## unpack (never install) the servers and tools that tests talk to

zone: $(ZONE) ## sign the test zone
	@:
$(ZONE): conf/example.zone tools/build/zone.sh
	@tools/build/zone.sh $< $(@D)

# Each Unbound and its module; one make each, since the second reads what the first has made.
daemons: first-unbound $(if $(SECOND),second-unbound) ## each Unbound, its module and the zone: for single tests by hand
	@$(MAKE) all module zone
	$(if $(SECOND),@$(MAKE) module $(second))

second = UNBOUND_NAME=unbound-$(SECOND) UNBOUND_SUITE=$(SECOND)
first-unbound: packages
	@$(MAKE) unbound
second-unbound: packages
	@$(MAKE) unbound $(second)

demo: packages ## a resolver with the module, asked a dozen names, stopped again
	@$(MAKE) daemons UNBOUND_NAME=$(UNBOUND_NAME)
	@tools/build/netns.sh $(PYTHON) tests/unbound/demo.py --unbound $(UNBOUND) --module $(MODULE)

run: packages ## the same resolver on 127.0.0.1:5335, until interrupted
	@$(MAKE) daemons UNBOUND_NAME=$(UNBOUND_NAME)
	@$(PYTHON) tests/unbound/demo.py --foreground --unbound $(UNBOUND) --module $(MODULE)

# ---- tests: parts for tests/run, which wants the longest first ----------------------------------

unit_parts = $(foreach t,$(UNIT),"$(t:$(OUT)/tests/test_%=unit %)=CMOCKA_MESSAGE_OUTPUT=TAP \
    XN_IDNA_TEST=$(IDNA_TEST) $(t)")
# Once more without what only some processors have: see core/text/cpu.h.
unit_parts += $(foreach name,punycode punylabel traits utf8,"unit $(name) (any processor)=XN_CPU=generic \
    CMOCKA_MESSAGE_OUTPUT=TAP $(OUT)/tests/test_$(name)")

example_part = "example program=CC='$(CC)' tests/example.sh $(LIBXN) $(XN_LDFLAGS)"
library_part = "library manuals=$(PYTHON) -B tests/library/manuals.py $(LIBXN) $(CC) $(XN_LDFLAGS)"
# As packagers do it; with a module where there is one.
install_part = $(if $(SAN),,"install=CC='$(CC)' BUILD='$(BUILD)' tests/install.sh $(1)")
lookalike_part = "lookalike table=tests/lookalike.sh $(LOOKALIKE_MAKER)"
command_part = "command=$(PYTHON) tests/command/run.py $(COMMAND) --idna-test $(IDNA_TEST)"
peers_part = "command with peers=tools/build/netns.sh $(PYTHON) tests/peers/logs_run.py --command $(COMMAND) \
    --unbound $(UNBOUND) --module $(MODULE) --peers $(BUILD)/peers --zone $(BUILD)/zone"

# The modules of other Unbounds, which this one must refuse.
DAEMONS       = $(UNBOUND_NAME) $(if $(SECOND),unbound-$(SECOND))
other_modules = $(foreach name,$(filter-out $(1),$(DAEMONS)),$(call unbound_module,$(name))) $(if $(SAN),$(BUILD)/idn.so)

daemon_part = "$$($(BUILD)/$(1)/sbin/unbound -V | sed -n 's/^Version/unbound/p') ($(1))=$(strip \
    ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=suppressions=$(CURDIR)/tests/unbound/tsan.supp \
    tools/build/netns.sh $(PYTHON) tests/unbound/run.py \
    --unbound $(BUILD)/$(1) --module $(call unbound_module,$(1)) \
    $(addprefix --other-module ,$(call other_modules,$(1))) $(if $(LONG),--long) $(2))"
daemon_parts = $(foreach name,$(DAEMONS),$(call daemon_part,$(name)))

# Each call of the module fails once.
faults_part = "faults=ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:allocator_may_return_null=1 tools/build/netns.sh \
    $(PYTHON) tests/unbound/run.py --unbound $(UNBOUND) --module $(MODULE) --faults $(FAULTS) $(if $(LONG),--long)"

# What doc/operations.md says, done.
operations_part = "operations=tools/build/netns.sh $(PYTHON) tests/operations/run.py --command $(COMMAND) --unbound $(UNBOUND) $(strip \
    --module $(MODULE) $(addprefix --other-module ,$(call other_modules,$(UNBOUND_NAME))) --peers $(BUILD)/peers --zone $(BUILD)/zone)"

# What other resolvers do with the zone that `unbound-idn rpz` writes.
rpz_part = "rpz with peers=ASAN_OPTIONS=detect_leaks=0 tools/build/netns.sh $(PYTHON) tests/peers/rpz_run.py $(strip \
    --command $(COMMAND) --unbound $(UNBOUND) --peers $(BUILD)/peers)"

# One round of each bench over little, for correctness.
bench_part = "bench codec=$(PYTHON) -B tests/bench/codec.py --smoke --bench $(OUT)/bench/bench_codec" \
    "bench filter=$(PYTHON) -B tests/bench/filter.py --smoke --command $(COMMAND)" \
    "bench names=$(PYTHON) -B tests/bench/names.py --smoke --bench $(OUT)/bench" \
    "bench lists=$(PYTHON) -B tests/bench/lists.py --smoke $(if $(SAN),--most 60) $(COMMAND)" \
    "bench report=$(PYTHON) -B tests/bench/report.py --smoke $(COMMAND)"

# … with daemons.
daemon_bench_part = "bench unbound=tools/build/netns.sh $(PYTHON) -B tests/bench/unbound_cost.py --smoke --unbound $(UNBOUND) \
    --module $(MODULE) --load $(OUT)/bench/bench_udpload --python-binding $(UNBOUND_CONFIG)/pythonmod/unboundmodule.py" \
    "bench policy=tools/build/netns.sh $(PYTHON) -B tests/bench/policy_peers.py --smoke --unbound $(UNBOUND) \
    --module $(MODULE) --bench $(OUT)/bench/bench_policy --peers $(BUILD)/peers"

layout_part = "layout=tests/layout.sh"
hardening_part = "hardening=tests/hardening.sh $(COMMAND) $(MODULE) $(if $(SECOND),$(call unbound_module,unbound-$(SECOND)))"
runner_part = "tests/run=tests/runner.sh"
source_part = "source packages=tests/aptsource.sh"

# PART='unit policy': of a check's parts only the one that it prints by this name; PART=unit: all of that first word.
PART :=
# Parts that may take hours: ThreadSanitizer makes all slow.
PART_HOURS = $(LONG)$(filter thread,$(SAN))
# The long loads have the machine for themselves.
run_parts = tests/run $(if $(LONG),-j 1) $(if $(PART_HOURS),-t 14400) $(if $(PART),-p '$(PART)')

inner_parts = $(command_part) $(unit_parts) $(lookalike_part) $(example_part) $(library_part) $(bench_part)

check: deps daemons ## all tests of a change, but check-san (PART='unit policy': one part, as it is printed)
	@$(MAKE) unit-tests $(FAULTS)
	@$(run_parts) $(daemon_parts) $(faults_part) $(rpz_part) $(operations_part) $(peers_part) $(daemon_bench_part) $(inner_parts) $(layout_part) $(call install_part,$(MODULE)) $(hardening_part) $(runner_part) $(source_part)

check-unit: packages unit-tests ## unit tests and tests of the command
	@$(run_parts) $(inner_parts) $(call install_part)

check-unbound: deps daemons ## tests with real daemons (UNBOUND_SUITE, UNBOUND_SRC: with that one only)
	@$(run_parts) $(daemon_parts) $(rpz_part)

check-san: deps ## unit and daemon tests with AddressSanitizer and UBSan
ifndef SAN
	@$(MAKE) daemons UNBOUND_NAME=unbound
	@$(MAKE) check-san SAN=address
else
	@$(MAKE) daemons
	@$(MAKE) unit-tests $(FAULTS)
	@$(run_parts) $(daemon_parts) $(if $(filter address,$(SAN)),$(faults_part)) $(if $(LONG),$(soak_parts)) $(inner_parts)
endif

check-tsan: deps ## the same with ThreadSanitizer
	@$(MAKE) daemons UNBOUND_NAME=unbound
	@$(MAKE) check-san SAN=thread

check-long: deps daemons ## check-unbound with the loads and waits that take minutes
	@$(run_parts) $(daemon_parts) $(soak_parts)
check-long: LONG := 1

# Structs have other members in an Unbound without what distributions add.
MINIMAL := --without-pythonmodule --without-pyunbound --disable-subnet --disable-dnstap --disable-systemd --disable-cachedb \
           --without-libhiredis --without-libnghttp2 --without-libevent --disable-tfo-client --disable-tfo-server --disable-flto
minimal-daemon:
	@$(MAKE) unbound UNBOUND_CONFIGURE='$(MINIMAL)'
	@$(MAKE) module

check-versions: deps daemons ## tests with real daemons that have as little as there may be; every module with every daemon
	@$(MAKE) minimal-daemon UNBOUND_NAME=unbound-minimal UNBOUND_SUITE=
	$(if $(SECOND),@$(MAKE) minimal-daemon UNBOUND_NAME=unbound-$(SECOND)-minimal UNBOUND_SUITE=$(SECOND))
	@$(run_parts) $(foreach name,$(filter %-minimal,$(DAEMONS)),$(call daemon_part,$(name))) \
	    $(foreach name,$(filter-out %-minimal,$(DAEMONS)),$(call daemon_part,$(name),-k loading.other_unbound))
check-versions: DAEMONS += unbound-minimal $(if $(SECOND),unbound-$(SECOND)-minimal)

check-faults: deps daemons ## each call of the module (memory, files, threads) fails once; the resolver goes on
	@$(MAKE) $(FAULTS)
	@$(run_parts) $(faults_part)
check-faults: LONG := 1

check-report: packages $(COMMAND) ## the page of `unbound-idn report` in a browser; its pictures are in build/report
	@tools/build/deps.sh report
	@$(run_parts) "report page=tools/build/netns.sh $(PYTHON) tests/browser/report.py $(COMMAND) $(OUT)/report"

check-all: ## check, check-versions, check-long, check-faults, check-san, check-tsan, check-report, check-deb, prove, tidy and format-check
	@tests/sum 'make check' 'make check-versions' 'make check-long' 'make check-faults' 'make check-san LONG=1' 'make check-tsan LONG=1' 'make check-report' 'make check-deb' 'make prove' \
	    'make tidy' 'make format-check'

check-layout: ## which file may include what, and how long it may be
	@$(run_parts) $(layout_part)

# ---- fuzzing, soaking and measuring -----------------------------------------------------------------

include tests/deb/deb.mk
include tests/soak/soak.mk
include tests/fuzz/fuzz.mk
include tests/bench/bench.mk
include tests/prove/prove.mk

# ---- source care --------------------------------------------------------------------------------

FORMATTED := $(sort $(wildcard $(addsuffix /*.[ch],core module tools tools/build tests/unit tests/fuzz tests/faults tests/bench tests/prove tests/soak)))

format: ## lay the sources out with clang-format
	clang-format -i $(FORMATTED)

format-check: ## say where the layout differs
	@clang-format --dry-run --Werror $(FORMATTED)

tidy: $(HOST_ID) $(LOOKALIKE) $(TRAITS) ## clang-tidy and cppcheck
	clang-tidy --quiet $(CORE_SRC) tools/build/traits.c $(XNM_SRC) $(TOOL_SRC) $(LOOKALIKE_SRC) -- $(XN_CFLAGS) $(PKG_CFLAGS)
	clang-tidy --quiet $(HOST_SRC) -- $(XN_CFLAGS) $(PKG_CFLAGS) -include $(HOST_ID) -include config.h \
	    -isystem $(UNBOUND_CONFIG) -isystem $(UNBOUND_TREE)
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=identicalInnerCondition --error-exitcode=1 -I. \
	    $(CORE_SRC) $(XNM_SRC) $(TOOL_SRC)

# ---- installing ---------------------------------------------------------------------------------

include tools/build/install.mk

clean: ## remove what was made
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' $(filter %Makefile %.mk,$(MAKEFILE_LIST)) | expand -t 16
