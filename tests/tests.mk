# SPDX-License-Identifier: BSD-3-Clause
# Tests: how they are built, which parts `make check` and its sisters have, and `make test` for one of them.
# A part of the Makefile.

.PHONY: have-cmocka hosts-trixie hosts-testing test test-unit test-unbound test-hosts test-tap test-command test-library test-fuzz unit-tests check check-fetch check-daemon check-programs check-tests check-unit \
        check-unbound check-hosts check-versions minimal-daemon check-long storms check-faults check-san check-tsan check-memcheck check-report check-all check-container check-release check-layout

UNIT_SRC  := $(sort $(wildcard tests/unit/test_*.c))
BENCH_SRC := $(sort $(wildcard tests/bench/bench_*.c))
UNIT      := $(UNIT_SRC:tests/unit/%.c=$(OUT)/tests/%)
BENCH     := $(BENCH_SRC:tests/bench/%.c=$(OUT)/bench/%)
FAULTS    := $(OUT)/faults.so
FAULTS_O  := $(call objects,$(sort $(wildcard tests/faults/*.c)))

CODEC_PEERS_O  := $(OUT)/obj/tests/bench/codecpeers.o $(OUT)/obj/tests/bench/rfc3492.o
OBJECTS        += $(call objects,$(UNIT_SRC) tests/unit/labelreference.c $(BENCH_SRC)) $(CODEC_PEERS_O) $(FAULTS_O)

PEERS  = nsd apparmor prometheus bind9 bind9-utils bind9-dnsutils knot knot-resolver pdns-recursor dnsdist dnsmasq-base redis-server tshark tcpdump dnsperf \
         logrotate rsyslog rsyslog-elasticsearch rsyslog-kafka kcat syslog-ng-core syslog-ng-mod-http prometheus-node-exporter unbound \
         python3-unbound systemd $(CLICKHOUSE)
# Debian 12 has it, Debian 13 does not.
CLICKHOUSE = $(shell apt-cache show clickhouse-server >/dev/null 2>&1 && echo clickhouse-server clickhouse-client)
IDNA_TEST := $(BUILD)/data/IdnaTestV2.txt

# ---- one test -----------------------------------------------------------------------------------

define FORMS
Which test? make test T=…
    policy              tests/unit/test_policy.c
    unbound/answers     tests/unbound/test_answers.py, with a daemon
    hosts/kresd         tests/hosts/host_kresd.py; hosts/kresd.policy.swap: one test of it
    tap/senders         tests/tap/test_senders.py
    fetch/answers       tests/fetch/test_answers.py
    command/filter      tests/command/test_filter.py
    library/linked      tests/library/linked.py
    fuzz/wire           tests/fuzz/fuzz_wire.c over its corpus
    deb/hosts           scenes of tests/deb/ (root; builds Unbound once)
    'unit policy'       any part of `make check-tests`, as that prints it; 'operations', 'bench codec', …
endef
FORM := $(and $(findstring /,$(T)),$(filter unit unbound hosts tap fetch command library fuzz deb,$(firstword $(subst /, ,$(T)))))
test: have-deps ## one test in seconds: T=policy, T=unbound/answers, T=command/filter, T=fuzz/wire; without T, all forms
	@$(if $(T),:,$(info $(FORMS)) exit 1)
	@$(MAKE) $(if $(FORM),test-$(FORM) NAME='$(lastword $(subst /, ,$(T)))', \
	    $(if $(wildcard tests/unit/test_$(filter-out unit,$(T)).c),test-unit NAME='$(filter-out unit,$(T))',check-tests PART='$(T)'))

test-unit:
	@[ -e tests/unit/test_$(NAME).c ] || { echo "There is no tests/unit/test_$(NAME).c." >&2; exit 1; }
	@$(MAKE) $(OUT)/tests/test_$(NAME)
	@$(if $(filter conformance,$(NAME)),tools/build/idna-test.sh $(IDNA_TEST))
	@tests/run "unit $(NAME)=CMOCKA_MESSAGE_OUTPUT=TAP XN_IDNA_TEST=$(IDNA_TEST) $(OUT)/tests/test_$(NAME)"

# With check-all's Unbound where it is built, else with that of `make check`. Programs that are built and packages that are
# unpacked are not looked at again.
test-unbound:
	@$(MAKE) $(if $(and $(wildcard $(UNBOUND)/sbin/unbound),$(wildcard $(BUILD)/peers/usr)),test-unbound-all,$(if $(SAN),daemons test-unbound-all,test-unbound-demo))
.PHONY: test-unbound-all test-unbound-demo
test-unbound-all:
	@$(MAKE) module zone
	@tests/run $(call daemon_part,$(UNBOUND_NAME),-k $(NAME))
test-unbound-demo:
	@tools/build/deps.sh check
	@$(MAKE) check-fetch check-daemon zone UNBOUND_NAME=$(DEMO_NAME) PACKAGES=check
	@$(MAKE) module UNBOUND_NAME=$(DEMO_NAME)
	@tests/run $(call demo_part,-k $(NAME))

# T=hosts/unbound: all of one host; T=hosts/kresd.policy.swap: one test.
test-hosts: $(IDNPOLICY)
	@[ -d $(BUILD)/peers/usr ] || $(MAKE) deps
	@$(MAKE) zone
	@tests/run $(call hosts_part,-k $(NAME))

# T=tap/senders, T=tap/resolvers, T=tap/resolvers.named.
test-tap: $(COMMAND)
	@[ -x $(UNBOUND)/sbin/unbound ] || $(MAKE) unbound
	@[ -d $(BUILD)/peers/usr ] || $(MAKE) deps
	@$(MAKE) zone
	@tests/run $(call tap_part,-k $(NAME))

# T=fetch/answers, T=fetch/runs.stop.
test-fetch: $(COMMAND)
	@tests/run $(call fetch_part,-k $(NAME))

test-command: $(COMMAND)
	@[ -e tests/command/test_$(NAME).py ] || { echo "There is no tests/command/test_$(NAME).py." >&2; exit 1; }
	@tests/run $(call command_part,$(NAME))

test-library: $(COMMAND) $(INSTALLED_LIBRARIES) $(IDNPOLICY) $(IDNPOLICY_H)
	@tests/run -p 'library $(NAME)' $(library_part) $(idnpolicy_part)

test-fuzz:
	@$(MAKE) $(OUT)/replay/$(NAME)
	@tests/run $(call replay_part,$(NAME))

# ---- building -----------------------------------------------------------------------------------

$(call objects,$(UNIT_SRC) $(wildcard tests/fuzz/*.c)): | have-cmocka
have-cmocka:
	@pkg-config --exists cmocka jansson >/dev/null 2>&1 || \
	    { echo "cmocka or jansson, which the tests need, is missing: run 'make deps' first." >&2; exit 1; }

hosts-trixie: ## Debian 13's other resolvers, unpacked in build/hosts-trixie: for tests
	@BUILD='$(BUILD)' tools/build/suite.sh $@ trixie knot-resolver dnsdist unbound bind9 bind9-utils

hosts-testing: ## Debian testing's other resolvers, unpacked in build/hosts-testing: for tests
	@BUILD='$(BUILD)' tools/build/suite.sh $@ testing knot-resolver6 pdns-recursor dnsdist unbound python3-unbound

.PHONY: unit-programs
unit-tests: $(UNIT) unit-programs
unit-programs: $(COMMAND) $(INSTALLED_LIBRARIES) $(LOOKALIKE_MAKER) $(addprefix $(OUT)/bench/bench_,codec policy reload udpload lists)
	@tools/build/idna-test.sh $(IDNA_TEST)

$(UNIT): $(OUT)/tests/%: $(OUT)/obj/tests/unit/%.o $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(PKG_LIBS) $(COMMAND_LIBS)

# Parts of the command, with the objects that they need.
unit_of = $(OUT)/tests/test_$(1): $(addprefix $(OUT)/obj/tools/,$(addsuffix .o,$(2)))
$(call unit_of,reportline,logs/line logs/logname logs/query logs/time text/shown)
$(call unit_of,reporttime,logs/time)
$(call unit_of,shown,text/shown)
$(call unit_of,host,command/host text/buffer)
$(call unit_of,tally,report/tally text/buffer)
$(call unit_of,timeline,report/timeline)
$(call unit_of,zone,logs/time)
$(call unit_of,policynames,rules/policynames)
$(call unit_of,rpzexport,rules/rpzexport rules/policynames)
$(call unit_of,program,text/program text/buffer)
$(call unit_of,linereader,text/linereader text/buffer)
$(call unit_of,labelscan,filter/labelscan filter/labeledge)

# … and of libidnpolicy.
$(filter $(OUT)/tests/test_idnp%,$(UNIT)): $(ENGINE_O)
$(OUT)/tests/test_idnp_fork: private XN_LDFLAGS += -Wl,--wrap=xnm_stop_wait

$(OUT)/tests/test_policy_property: $(OUT)/obj/tests/unit/labelreference.o

# Tests that make memory run out (tests/unit/nomemory.h).
$(addprefix $(OUT)/tests/test_,policy_memory reload_memory icufaults rules_memory): \
    private XN_LDFLAGS += $(foreach f,malloc calloc realloc strdup strndup mmap mremap,-Wl,--wrap=$(f))
# A test that sets the clock, and has no memory for a ring.
$(OUT)/tests/test_logwriter_host: private XN_LDFLAGS += $(foreach f,clock_gettime xnm_logring_new,-Wl,--wrap=$(f))
# A test that sets the stop flag in the middle of a list.
$(OUT)/tests/test_list_stop: private XN_LDFLAGS += -Wl,--wrap=xnm_stop_is_set

# Tests whose writers fail, or whose arguments are looked at.
$(OUT)/tests/test_rulelookalike: private XN_LDFLAGS += -Wl,--wrap=xn_lookalike_sequence

# ICU's functions have its version in their names.
ICU_FAILING  := uidna_openUTS46 u_getCombiningClass u_hasBinaryProperty uscript_getScriptExtensions uidna_labelToUnicode \
                uidna_labelToUnicodeUTF8 uidna_labelToASCII_UTF8 uidna_nameToASCII_UTF8 u_charName u_getUnicodeVersion
icu_major     = $(firstword $(subst ., ,$(shell pkg-config --modversion icu-uc)))
$(OUT)/tests/test_icufaults: private XN_LDFLAGS += $(foreach f,$(ICU_FAILING),-Wl,--wrap=$(f)_$(icu_major))

# A test that counts the threads that have a cache of names.
$(OUT)/tests/test_namecache: private XN_LDFLAGS += $(foreach f,calloc free,-Wl,--wrap=$(f))

$(OUT)/bench/bench_codec: $(CODEC_PEERS_O)
$(OUT)/bench/bench_reload: private BENCH_LIBS := -lcmocka
$(BENCH): $(OUT)/bench/%: $(OUT)/obj/tests/bench/%.o $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(BENCH_LIBS) $(PKG_LIBS)

# It stands between a daemon and what a sanitizer puts in its place, and is none of either.
$(FAULTS_O) $(FAULTS): XN_HARDENING :=
$(FAULTS_O) $(FAULTS): XN_LDFLAGS :=
$(FAULTS): $(FAULTS_O)
	$(call say,LD $@)
	$(Q)$(LINK) -shared $^

# ---- tests: parts for tests/run, which wants the longest first ----------------------------------

unit_part  = "unit $(1)=CMOCKA_MESSAGE_OUTPUT=TAP XN_IDNA_TEST=$(IDNA_TEST) $(OUT)/tests/test_$(1)"
unit_parts = $(foreach t,$(UNIT),$(call unit_part,$(t:$(OUT)/tests/test_%=%)))
# Once more without what only some processors have: see core/text/cpu.h.
unit_parts += $(foreach name,punycode punylabel traits utf8,"unit $(name) (any processor)=XN_CPU=generic \
    CMOCKA_MESSAGE_OUTPUT=TAP $(OUT)/tests/test_$(name)")

example_part = "example program=CC='$(CC)' tests/example.sh $(LIBXN) $(XN_LDFLAGS)"
library_part = "library manuals=$(PYTHON) -B tests/library/manuals.py $(LIBXN) $(CC) $(XN_LDFLAGS)" \
    $(if $(SAN),,"library symbols=$(PYTHON) -B tests/library/symbols.py $(OUT) $(SOVERSION) $(CC)" \
    "library migrating=$(PYTHON) -B tests/library/migrating.py $(LIBXN) $(CC)" \
    "library linked=$(PYTHON) -B tests/library/linked.py '$(BUILD)' '$(CC)'")
# A sanitizer's library would have to be loaded first, which Python does not.
idnpolicy_part = $(if $(SAN),,"library idnpolicy=$(PYTHON) -B tests/library/idnpolicy.py $(IDNPOLICY) $(CC)" \
    "library grown=$(PYTHON) -B tests/library/grown.py $(IDNPOLICY) '$(PKG_CFLAGS) $(PKG_LIBS)' '$(CC)'")
# Installs as packagers do; with a module where there is one.
install_part = $(if $(SAN),,"install=CC='$(CC)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' BUILD='$(BUILD)' tests/install.sh $(1)")
lookalike_part = "lookalike table=tests/lookalike.sh $(LOOKALIKE_MAKER)"
# One part for each file, so that they run side by side; the longest first. With a sanitizer the command has no progress to show
# by the second.
command_part = "command $(1)=$(PYTHON) tests/command/run.py $(COMMAND) -k $(1)."
command_parts = $(foreach name,enable check $(filter-out enable check $(if $(SAN),progress),$(patsubst tests/command/test_%.py,%,$(sort $(wildcard tests/command/test_*.py)))),$(call command_part,$(name)))
peers_part = "command with peers=tools/build/netns.sh $(PYTHON) tests/peers/logs_run.py --command $(COMMAND) \
    --unbound $(UNBOUND) --module $(MODULE) --peers $(BUILD)/peers --zone $(BUILD)/zone"

# The modules of other Unbounds, which this one must refuse.
DAEMONS       = $(UNBOUND_NAME) $(if $(SECOND),unbound-$(SECOND))
other_modules = $(foreach name,$(filter-out $(1),$(DAEMONS)),$(call unbound_module,$(name))) $(if $(SAN),$(BUILD)/idn.so)

daemon_part = "$$($(BUILD)/$(1)/sbin/unbound -V | sed -n 's/^Version/unbound/p') ($(1))=$(strip \
    ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=suppressions=$(CURDIR)/tests/unbound/tsan.supp \
    tools/build/netns.sh $(PYTHON) tests/unbound/run.py \
    --unbound $(BUILD)/$(1) --module $(call unbound_module,$(1)) \
    $(addprefix --other-module ,$(call other_modules,$(1))) $(if $(LONG),--long,-j 2) $(2))"
daemon_parts = $(foreach name,$(DAEMONS),$(call daemon_part,$(name)))

# Each call of the module fails once.
faults_part = "faults=ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:allocator_may_return_null=1 tools/build/netns.sh \
    $(PYTHON) tests/unbound/run.py --unbound $(UNBOUND) --module $(MODULE) --faults $(FAULTS) $(if $(LONG),--long)"

# Runs the commands of doc/operations.md and doc/fleet.md.
operations_part = "operations=tools/build/netns.sh $(PYTHON) tests/operations/run.py --command $(COMMAND) --unbound $(UNBOUND) $(strip \
    --module $(MODULE) $(addprefix --other-module ,$(call other_modules,$(UNBOUND_NAME))) --peers $(BUILD)/peers --zone $(BUILD)/zone $(1))"

# Other resolvers read the zone that `unbound-idn rpz` writes.
rpz_part = "rpz with peers=ASAN_OPTIONS=detect_leaks=0 tools/build/netns.sh $(PYTHON) tests/peers/rpz_run.py $(strip \
    --command $(COMMAND) --unbound $(UNBOUND) --peers $(BUILD)/peers)"

# The policy in resolvers that others wrote.
hosts_part = "hosts=tools/build/netns.sh $(PYTHON) tests/hosts/run.py --library $(IDNPOLICY) --unbound $(UNBOUND) $(strip \
    --peers $(BUILD)/peers --zone $(BUILD)/zone $(1))"
# One part each; the longest first.
hosts_parts = $(foreach host,kresd $(filter-out kresd,$(patsubst tests/hosts/host_%.py,%,$(sort $(wildcard tests/hosts/host_*.py)))),$(subst "hosts=,"hosts $(host)=,$(call hosts_part,-k $(host).)))

# Lists from servers that lie.
fetch_part = "fetch=tools/build/netns.sh $(PYTHON) tests/fetch/run.py --command $(COMMAND) $(1)"

# dnstap: senders, and resolvers that others wrote.
tap_part = "tap=ASAN_OPTIONS=detect_leaks=0 tools/build/netns.sh $(PYTHON) tests/tap/run.py --command $(COMMAND) --unbound $(UNBOUND) $(strip \
    --peers $(BUILD)/peers --zone $(BUILD)/zone $(1))"
tap_parts = $(foreach module,$(patsubst tests/tap/test_%.py,%,$(sort $(wildcard tests/tap/test_*.py))),$(subst "tap=,"tap $(module)=,$(call tap_part,-k $(module))))

# One round of each bench over little, for correctness.
bench_part = "bench codec=$(PYTHON) -B tests/bench/codec.py --smoke --bench $(OUT)/bench/bench_codec" \
    "bench filter=$(PYTHON) -B tests/bench/filter.py --smoke --command $(COMMAND)" \
    "bench lists=$(PYTHON) -B tests/bench/lists.py --smoke $(if $(SAN),--most 60) $(COMMAND)" \
    "bench list syntaxes=$(PYTHON) -B tests/bench/listsyntax.py --program $(OUT)/bench/bench_lists $(if $(LONG),--lines 1000000)" \
    "bench reload=$(OUT)/bench/bench_reload 3 1000"

# … with daemons.
daemon_bench_part = "bench unbound=tools/build/netns.sh $(PYTHON) -B tests/bench/unbound_cost.py --smoke --unbound $(UNBOUND) \
    --module $(MODULE) --load $(OUT)/bench/bench_udpload --python-binding $(UNBOUND_CONFIG)/pythonmod/unboundmodule.py"

layout_part = "layout=tests/layout.sh" "words=tests/words.sh" "layers=$(PYTHON) -B tests/layers.py $(OUT)/obj $(HOST_OBJ)"
hardening_part = "hardening=tests/hardening.sh $(COMMAND) $(MODULE) $(if $(SECOND),$(call unbound_module,unbound-$(SECOND)))"
runner_part = "tests/run=tests/runner.sh"
source_part = "source packages=tests/aptsource.sh" "package versions=tests/debchoose.sh"

# PART='unit policy': of a check's parts only the one that it prints by this name; PART=unit: all of that first word.
PART :=
# Parts that may take hours: ThreadSanitizer makes all slow.
PART_HOURS = $(LONG)$(filter thread,$(SAN))
# The long loads have the machine for themselves.
run_parts = tests/run $(if $(LONG),-j 1) $(if $(PART_HOURS),-t 14400) $(if $(PART),-p '$(PART)')

# Reads of what nothing has written, in the units, the fuzz corpora and the command.
under_memcheck = $(subst $(OUT)/tests/test_,tests/memcheck.sh $(OUT)/tests/test_,$(subst $(OUT)/replay/,tests/memcheck.sh $(OUT)/replay/,$(1)))
memcheck_parts = "memcheck=tests/uninitialised.sh '$(CC)'" \
    "memcheck command=tests/memcheck.sh -c $(COMMAND) $(PYTHON) tests/command/run.py {}" \
    $(subst "unit ,"memcheck unit ,$(subst "fuzz ,"memcheck fuzz ,$(call under_memcheck,$(unit_parts))))

program_parts = $(lookalike_part) $(example_part) $(library_part) $(idnpolicy_part) $(bench_part)
inner_parts   = $(command_parts) $(unit_parts) $(program_parts)
# Those of them that say less with a sanitizer, or nothing.
plain_parts   = $(call command_part,progress) $(call command_part,report) $(library_part) $(idnpolicy_part) \
    $(foreach name,$(UNITS_APART),$(call unit_part,$(name)))

# ---- make check: the main job, in a minute -----------------------------------------------------------

# In one program: all unit tests but those that need a program of their own, for --wrap, those that take over three seconds, and
# those that fail if a busy machine keeps a thread waiting for some milliseconds.
UNITS_APART := icufaults idnp_fork list_stop logwriter_host namecache policy_lookalikeindex policy_manylists policy_memory policy_poison \
               policyfiles_changes policyfiles_groups reload_memory rulelookalike rules_memory ticker \
               policy_property policyfiles_limits policyfiles_memory punylabel traits reload_watch
UNITS   := $(filter-out $(UNITS_APART),$(UNIT_SRC:tests/unit/test_%.c=%))
UNITS_H := $(OUT)/generated/units.h
UNITS_O := $(UNITS:%=$(OUT)/obj/units/%.o) $(OUT)/obj/units/all.o
UNITS_RENAMED = $(if $(filter all,$*),,-Dmain=main_$* -Dmkdtemp=unit_mkdtemp -Dmkstemp=unit_mkstemp)

$(UNITS_H): tests/tests.mk $(UNIT_SRC)
	@mkdir -p $(@D)
	@printf 'UNIT(%s)\n' $(UNITS) > $@
# Neither optimized nor warned about: `make check-all` compiles each as usual.
$(OUT)/obj/units/all.o: tests/unit/all.c $(UNITS_H)
$(UNITS:%=$(OUT)/obj/units/%.o): $(OUT)/obj/units/%.o: tests/unit/test_%.c
$(OUT)/obj/units/suffix.o: $(SUFFIXES)
$(UNITS_O): $(OUT)/obj/units/%.o: | have-deps have-cmocka
	$(call say,CC $<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -I. -I$(OUT)/generated -pthread -w $(PKG_CFLAGS) $(UNITS_RENAMED) -MMD -MP -c -o $@ $<
$(OUT)/units: $(UNITS_O) $(filter-out %/command/main.o,$(TOOL_O)) $(ENGINE_O) $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	$(Q)$(LINK) $^ -lcmocka $(PKG_LIBS) $(COMMAND_LIBS)
-include $(UNITS_O:.o=.d)

# Untrusted input, and the examples of README.
CHECK_FUZZ    := config list message punycode rpz rules wire
CHECK_COMMAND := readme filter punycode
CHECK_PEERS   := $(BUILD)/check
demo_part = "real Unbound=tools/build/netns.sh $(PYTHON) tests/unbound/run.py --unbound $(BUILD)/$(DEMO_NAME) $(strip \
    --module $(call unbound_module,$(DEMO_NAME)) --peers $(CHECK_PEERS)/peers --zone $(BUILD)/zone $(1))"
check_parts = $(call demo_part,-j 4 --only tests/unbound/main-job.txt) \
    "unit tests=XN_IDNA_TEST=$(IDNA_TEST) $(OUT)/units" \
    $(foreach name,$(CHECK_COMMAND),$(call command_part,$(name))) \
    $(foreach name,$(CHECK_FUZZ),$(call replay_part,$(name)))

define CHECK_SAYS
make check: builds Unbound, the module, the command and the libraries, then runs the unit tests, the corpora of
hostile input, every command line of README, and what the module does in a real Unbound. On two idle processors
this takes a minute, or three if packages must be installed and everything built. `make check-all` proves the rest.
endef
check: ## the main job: unit tests, hostile input, a real Unbound, README's commands (a minute; three on a bare machine)
	$(info $(CHECK_SAYS))
	@tools/build/deps.sh check
	@$(MAKE) check-fetch check-daemon check-programs UNBOUND_NAME=$(DEMO_NAME) PACKAGES=check
	@$(MAKE) module UNBOUND_NAME=$(DEMO_NAME)
	@$(MAKE) check-run UNBOUND_NAME=$(DEMO_NAME)

# Side by side: what waits for apt, what waits for configure, and what compiles.
check-fetch:
	@BUILD='$(CHECK_PEERS)' tools/build/peers.sh nsd
	@tools/build/idna-test.sh $(IDNA_TEST)
check-daemon:
	@$(MAKE) unbound UNBOUND_FEATURES=few
check-programs: all $(OUT)/units $(CHECK_FUZZ:%=$(OUT)/replay/%) zone
.PHONY: check-run
check-run:
	@$(run_parts) $(check_parts)

# ---- make check-all, and its parts -----------------------------------------------------------------

check-all: ## all tests of a change (in .ci/run: under 45 minutes): check, check-tests, check-san, five seconds of each fuzz target, format-check
	@tests/sum '$(MAKE) check' '$(MAKE) check-tests ONCE=1' '$(MAKE) check-san' 'FUZZ_SEED=1 $(MAKE) fuzz FUZZ_SECONDS=5 FUZZ_JOBS=$(shell nproc)' '$(MAKE) format-check'

# ONCE=1: without what check-san runs with sanitizers: the daemon tests of the first Unbound, the command's, most unit tests and
# benches. check runs the main job of each without.
ONCE :=
once_or = $(if $(ONCE),$(1),$(2))

check-tests: deps daemons ## all tests but check-san, fuzz and check-release (PART='unit policy': one part, as it is printed)
	@$(MAKE) $(call once_or,unit-programs $(UNITS_APART:%=$(OUT)/tests/test_%),unit-tests) $(FAULTS) $(IDNPOLICY) hosts-trixie hosts-testing resolver
	$(if $(SECOND),@$(MAKE) resolver $(second))
	@$(run_parts) $(call once_or,$(call daemon_part,$(lastword $(DAEMONS))),$(daemon_parts)) \
	    $(hosts_parts) $(tap_parts) $(faults_part) $(rpz_part) $(operations_part) $(call fetch_part) $(peers_part) $(resolver_parts) \
	    $(daemon_bench_part) $(call once_or,$(plain_parts),$(inner_parts)) $(layout_part) $(call install_part,$(MODULE)) $(hardening_part) $(runner_part) $(source_part)

check-unit: packages ## unit tests and tests of the command
	@$(MAKE) unit-tests
	@$(run_parts) $(inner_parts) $(call install_part)

check-unbound: deps daemons ## tests with real daemons (UNBOUND_SUITE, UNBOUND_SRC: with that one only)
	@$(run_parts) $(daemon_parts) $(rpz_part)

check-san: deps ## unit and daemon tests with AddressSanitizer and UBSan
ifndef SAN
	@$(MAKE) daemons UNBOUND_NAME=unbound
	@$(MAKE) check-san SAN=address
else
	@$(MAKE) daemons
	@$(MAKE) unit-tests $(FAULTS) resolver
	@$(run_parts) $(daemon_parts) $(resolver_parts) $(if $(filter address,$(SAN)),$(faults_part)) $(if $(LONG),$(soak_parts)) $(inner_parts)
endif

check-tsan: deps ## the same with ThreadSanitizer
	@$(MAKE) daemons UNBOUND_NAME=unbound
	@$(MAKE) check-san SAN=thread

check-memcheck: packages ## unit tests, fuzz corpora and tests of the command under valgrind's memcheck
	@tools/build/deps.sh ci
	@$(MAKE) unit-tests
	@$(run_parts) $(memcheck_parts)
check-memcheck: PART_HOURS := 1

check-long: deps daemons ## check-unbound with the loads and waits that take minutes; a million log lines in ClickHouse; check-memcheck
	@tools/build/deps.sh ci
	@$(MAKE) unit-tests
	@$(run_parts) $(daemon_parts) $(call operations_part,--long -k clickhouse.report) $(soak_parts) $(memcheck_parts)
check-long storms: LONG := 1

storms: deps daemons ## an hour of random questions, servers and configurations with each Unbound (MODEL_SECONDS, MODEL_SEED)
	@$(run_parts) $(foreach name,$(DAEMONS),$(call daemon_part,$(name),-k model.storms))

# Structs have other members in an Unbound without what distributions add.
MINIMAL := --without-pythonmodule --without-pyunbound --disable-subnet --disable-dnstap --disable-systemd --disable-cachedb \
           --without-libhiredis --without-libnghttp2 --without-libevent --disable-tfo-client --disable-tfo-server --disable-flto
minimal-daemon:
	@$(MAKE) unbound UNBOUND_CONFIGURE='$(MINIMAL)'
	@$(MAKE) module

check-versions: deps daemons ## tests with real daemons that have as little as there may be; every module with every daemon
	@$(MAKE) minimal-daemon UNBOUND_NAME=unbound-minimal UNBOUND_SUITE=
	$(if $(SECOND),@$(MAKE) minimal-daemon $(second) UNBOUND_NAME=unbound-$(SECOND)-minimal)
	@$(run_parts) $(foreach name,$(filter %-minimal,$(DAEMONS)),$(call daemon_part,$(name))) \
	    $(foreach name,$(filter-out %-minimal,$(DAEMONS)),$(call daemon_part,$(name),-k loading.other_unbound))
check-versions: DAEMONS += unbound-minimal $(if $(SECOND),unbound-$(SECOND)-minimal)

check-hosts: deps daemons ## the policy in unmodified resolvers: Unbound's Python, Knot Resolver, dnsdist, PowerDNS Recursor
	@$(MAKE) $(IDNPOLICY) hosts-trixie hosts-testing
	@$(run_parts) $(hosts_parts)

check-faults: deps daemons ## each call of the module (memory, files, threads) fails once; the resolver goes on
	@$(MAKE) $(FAULTS)
	@$(run_parts) $(faults_part)
check-faults: LONG := 1

check-report: packages ## the page of `unbound-idn report` in a browser; its pictures are in build/report
	@tools/build/deps.sh report
	@$(MAKE) $(COMMAND)
	@$(run_parts) "report page=tools/build/netns.sh $(PYTHON) tests/browser/report.py $(COMMAND) $(OUT)/report $(AXE)"

# Not in check-all: debootstrap, and Unbound built in the image, take three minutes of processor time.
check-container: ## the images of tools/container, built by buildah and run by podman, without a registry; needs root
	@tools/build/deps.sh containers
	@tools/build/debroot.sh make trixie $(BUILD)/debroot/trixie/base
	@$(MAKE) zone
	@$(run_parts) "container=tests/container/image.sh $(BUILD)/container $(BUILD)/debroot/trixie/base && . $(BUILD)/container/environment && \
	    unshare --mount tools/build/netns.sh $(PYTHON) tests/container/run.py --zone $(BUILD)/zone \
	    --compose $(BUILD)/container/compose/usr/lib/python3/dist-packages"

check-release: ## what takes hours: check-versions, check-long, check-faults, check-san, check-tsan, check-report, check-deb, check-packaging, check-container, prove, tidy
	@tests/sum $(patsubst %,'$(MAKE) check-%',versions long faults) '$(MAKE) check-san LONG=1' '$(MAKE) check-tsan LONG=1' $(patsubst %,'$(MAKE) check-%',report deb packaging container) '$(MAKE) prove' '$(MAKE) tidy'

check-layout: ## which file may include and call what, and how long it may be
	@$(run_parts) $(layout_part)
