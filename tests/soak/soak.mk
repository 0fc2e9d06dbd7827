# SPDX-License-Identifier: BSD-3-Clause
# The soak: see tests/soak/run.py. The Makefile includes this file.

.PHONY: soak
SOAK_SECONDS ?= 1800
SOAK_SEED    ?=
SOAK_SWAP    ?=
SOAK_SHARE   ?= 1

# A wall clock that can be set. Not with a sanitizer, whose own library wants to be the first.
SOAK_CLOCK := $(OUT)/soak/clock.so
check-long soak: $(if $(SAN),,$(SOAK_CLOCK))
$(SOAK_CLOCK): tests/soak/clock.c | packages
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(XN_CFLAGS) -fvisibility=default $(CPPFLAGS) $(CFLAGS) -shared $(LDFLAGS) -o $@ $<

# LeakSanitizer looks at a daemon's end here, and nowhere else.
soak_run = ASAN_OPTIONS=detect_leaks=1 TSAN_OPTIONS=suppressions=$(CURDIR)/tests/unbound/tsan.supp \
    tools/build/netns.sh $(PYTHON) tests/soak/run.py --unbound $(BUILD)/$(1) --module $(call unbound_module,$(1)) \
    --peers $(BUILD)/peers --zone $(BUILD)/zone --keep $(BUILD)/soak --seconds $(2) \
    $(addprefix --seed ,$(SOAK_SEED)) $(if $(SOAK_SWAP),--swap) --share $(SOAK_SHARE) $(if $(SAN),--sanitized,--clock $(SOAK_CLOCK))

# The long checks run these with each Unbound.
soak_parts = $(foreach name,$(UNBOUND_NAME) $(if $(SECOND),unbound-$(SECOND)),"soak ($(name))=$(strip $(call soak_run,$(name),120))")

soak: deps daemons ## half an hour under load, faults and reloads (SOAK_SECONDS, SOAK_SEED, SOAK_SWAP, SOAK_SHARE); two minutes in check-release
	@$(call soak_run,$(UNBOUND_NAME),$(SOAK_SECONDS))
