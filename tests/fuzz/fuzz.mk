# SPDX-License-Identifier: BSD-3-Clause
# Fuzz targets: see tests/fuzz/target.h. The Makefile includes this file.

FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_O   := $(FUZZ_SRC:%.c=$(OUT)/obj/%.o) $(OUT)/obj/tests/fuzz/replay.o
REPLAY   := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=$(OUT)/replay/%)
FUZZ     := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=$(OUT)/targets/%)

OBJECTS += $(FUZZ_O)

# Objects that a target needs beside the libraries.
fuzz_of = $(OUT)/replay/$(1) $(OUT)/targets/$(1): $(addprefix $(OUT)/obj/,$(addsuffix .o,$(2)))
report_line := $(addprefix tools/logs/,line query time logname) tools/text/shown
$(call fuzz_of,message,$(patsubst %.c,%,$(wildcard module/engine/*.c)))
$(call fuzz_of,punycode,tests/bench/rfc3492)
$(call fuzz_of,host,tools/codec/convert tools/command/host tools/text/buffer tools/text/shown)
$(call fuzz_of,labelscan,tools/filter/labelscan tools/filter/labeledge)
$(call fuzz_of,logline,$(report_line))
$(call fuzz_of,report,$(report_line) $(patsubst %.c,%,$(filter-out %/report.c,$(wildcard tools/report/*.c))) $(addprefix tools/text/,buffer color html program) \
    $(patsubst %.c,%,$(wildcard tools/check/*.c)) tools/command/command tools/command/progress)
$(call fuzz_of,reportline,$(report_line))
$(call fuzz_of,reporttime,tools/logs/time)
$(call fuzz_of,tap,$(addprefix tools/tap/,frames dnstap reply) $(patsubst %.c,%,$(wildcard module/engine/*.c)))
$(call fuzz_of,policyfiles,$(addprefix tools/rules/,rpzexport policynames))
$(call fuzz_of,rpzprint,$(addprefix tools/rules/,rpzprint rpzexport policynames) tools/text/buffer)

# Unbound itself in one process, with the module: its library, and what it is linked with, as its own
# Makefile says. Ours are put in the place of what would use the network.
resolver = resolver$(unbound_suffix)
RESOLVER := $(foreach folder,replay targets,$(OUT)/$(folder)/$(call resolver,$(UNBOUND_NAME)))
WORLD_O  := $(patsubst %.c,$(HOST_OBJ)/%.o,$(wildcard tests/fuzz/unbound/*.c))
$(WORLD_O): $(HOST_OBJ)/%.o: %.c $(HOST_ID) | have-deps
	$(compile_host)
$(firstword $(RESOLVER)): $(OUT)/obj/tests/fuzz/replay.o
$(RESOLVER): $(WORLD_O) $(HOST_O) $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(if $(findstring /targets/,$@),-fsanitize=fuzzer) $(filter %.o,$^) $(filter %.a,$^) $(UNBOUND_CONFIG)/.libs/libunbound.a \
	    $(foreach f,comm_point_send_reply comm_point_drop_reply outnet_serviced_query_stop,-Wl,--wrap=$(f)) \
	    -lcmocka $(PKG_LIBS) $$(sed -n 's/^\(SSLLIB\|LIBS\)=//p' $(UNBOUND_CONFIG)/Makefile)

.PHONY: resolver
resolver: $(firstword $(RESOLVER)) # for the Unbound that UNBOUND_NAME says
	@:
resolver_parts = $(foreach name,$(DAEMONS),$(call replay_part,resolver, ($(name)),,$(call resolver,$(name))))

# The same inputs in every run, for any compiler, and those that clang's libFuzzer makes.
$(REPLAY): $(OUT)/replay/%: $(OUT)/obj/tests/fuzz/fuzz_%.o $(OUT)/obj/tests/fuzz/replay.o $(LIBXNM) $(LIBXN)
$(FUZZ): $(OUT)/targets/%: $(OUT)/obj/tests/fuzz/fuzz_%.o $(LIBXNM) $(LIBXN)
$(REPLAY) $(FUZZ):
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $(if $(filter $@,$(FUZZ)),-fsanitize=fuzzer) $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(PKG_LIBS) $(COMMAND_LIBS)

unit-tests: $(REPLAY)
# $(1): the target; $(2): what distinguishes this run; $(3): its environment; $(4): the program, if it is named otherwise.
replay_part = "fuzz corpus $(1)$(2)=$(3) $(OUT)/replay/$(or $(4),$(1)) tests/fuzz/corpus/$(1).pack"
unit_parts += $(foreach t,$(notdir $(REPLAY)),$(call replay_part,$(t)))
runner_part += "fuzz packs=tests/fuzz/packs.sh $(OUT)/replay/wire"
unit_parts += $(foreach t,punycode label utf8,$(call replay_part,$(t), (any processor),XN_CPU=generic))

.PHONY: fuzz fuzz-targets fuzz-coverage branches
FUZZ_SECONDS ?= 60
fuzz: packages ## each fuzz target for FUZZ_SECONDS (60) with libFuzzer, FUZZ_JOBS (1) at a time; what it finds is in build/fuzz
ifneq ($(SAN),fuzz)
	@tools/build/deps.sh ci
	@[ -x $(UNBOUND)/sbin/unbound ] || $(MAKE) unbound
	@$(MAKE) fuzz SAN=fuzz CC=clang UNBOUND_NAME=$(UNBOUND_NAME)
else
	@$(MAKE) fuzz-targets
	@tests/fuzz/run.sh $(OUT) $(FUZZ_SECONDS) $(notdir $(FUZZ)) $(notdir $(lastword $(RESOLVER)))
endif
fuzz-targets: $(FUZZ) $(lastword $(RESOLVER))

# Lines are those of the source: nothing is optimized. GROWN=1: with what `make fuzz` has added.
fuzz-coverage: packages ## which lines of core/ and of what reads files the fuzz corpora run (MISSED=1: and which not)
ifneq ($(SAN),coverage)
	@$(MAKE) fuzz-coverage SAN=coverage CFLAGS='-O0 -g'
else
	@$(MAKE) $(REPLAY)
	@$(PYTHON) tests/fuzz/coverage.py $(if $(MISSED),--missed) $(OUT) tests/fuzz/corpus tests $(if $(GROWN),$(wildcard $(BUILD)/fuzz/corpus))
endif

branches: packages ## that tests take each branch of core/, of what reads policies and of what decides, or tests/fuzz/branches/ says why none can
ifneq ($(SAN),coverage)
	@$(MAKE) branches SAN=coverage CFLAGS='-O0 -g'
else
	@$(MAKE) unit-tests
	@find $(OUT) -name '*.gcda' -delete
	-@$(run_parts) $(call command_part) $(unit_parts) # where a disk is full, or a folder another user's, gcov itself complains
	@$(PYTHON) tests/fuzz/branches.py $(OUT) tests/fuzz/branches
endif
