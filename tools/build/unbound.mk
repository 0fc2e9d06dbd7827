# SPDX-License-Identifier: BSD-3-Clause
# The Unbound that the module is built for (tools/build/unbound.sh), and the module. A part of the Makefile.

.PHONY: unbound zone daemons first-unbound second-unbound

# Unless the caller chose an Unbound, tests run with the machine's own and with Debian 13's, if they differ: the same
# source builds the same daemon, octet by octet, and either module fits both.
RELEASE := $(shell sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null)
SECOND  := $(if $(UNBOUND_SRC)$(UNBOUND_SUITE)$(UNBOUND_NAME),,$(filter-out $(RELEASE),trixie))

UNBOUND_NAME  ?= unbound$(if $(UNBOUND_SUITE),-$(UNBOUND_SUITE))
UNBOUND        = $(BUILD)/$(UNBOUND_NAME)
UNBOUND_TREE   = $(or $(UNBOUND_SRC),$(BUILD)/unbound-src/$(UNBOUND_NAME))
UNBOUND_CONFIG = $(if $(wildcard $(UNBOUND_TREE)/config.h),$(UNBOUND_TREE),$(UNBOUND_TREE)/b/unbound)
UNBOUND_BIN   ?= $(if $(UNBOUND_SRC),$(UNBOUND_CONFIG)/unbound,$(UNBOUND)/sbin/unbound)

# The suffix of files made for an Unbound; empty for a sanitizer's folder, which has only one.
unbound_suffix = $(patsubst unbound%,%,$(filter-out unbound-asan unbound-tsan,$(1)))
unbound_module = $(OUT)/idn$(unbound_suffix).so
MODULE        := $(call unbound_module,$(UNBOUND_NAME))
HOST_OBJ      := $(OUT)/obj/$(UNBOUND_NAME)
HOST_ID       := $(HOST_OBJ)/unbound_build.h
HOST_O        := $(HOST_SRC:%.c=$(HOST_OBJ)/%.o)

# ---- the module ---------------------------------------------------------------------------------

module: $(MODULE) ## build/idn.so, for the Unbound that `make unbound` built or UNBOUND_SRC=dir
	@:

# These get Unbound's config.h by itself.
HOST_FLAGS = -include $(HOST_ID) -include config.h -isystem $(UNBOUND_CONFIG) -isystem $(UNBOUND_TREE)
define compile_host
	$(call say,CC $< ($(UNBOUND_NAME)))
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(HOST_FLAGS) $<
endef
$(HOST_O): $(HOST_OBJ)/%.o: %.c $(HOST_ID) | have-deps
	$(compile_host)

$(HOST_ID): FORCE
	@tools/build/unbound-id.sh $(UNBOUND_CONFIG) $(UNBOUND_TREE) $(UNBOUND_BIN) $@

# Exports exactly the symbols that Unbound looks for. Unbound's own symbols stay undefined: the daemon has them. Ours
# must not: the linker would not report it, and the daemon only when it loads the module.
ENTRY_POINTS := clear deinit get_mem inform_super init operate

$(MODULE): $(XNM_O) $(HOST_O) $(LIBXN)
	$(call say,LD $@)
	$(Q)$(LINK) -shared -Wl,-z,nodelete -Wl,--exclude-libs,$(notdir $(LIBXN)) $^ $(PKG_LIBS)
	@set -- $$(nm -D --defined-only $@ | awk '{ print $$3 }' | sort); \
	    [ "$$*" = "$(ENTRY_POINTS)" ] || \
	    { echo "$@ must export '$(ENTRY_POINTS)', not '$$*'." >&2; exit 1; }
	@! nm -D --undefined-only $@ | grep -w 'U xnm\?_[a-z_0-9]*' || { echo "$@ lacks these." >&2; exit 1; }

# ---- the daemon and the zone of the demo and the tests ------------------------------------------------

unbound: packages ## build the distribution's Unbound with dynlib (UNBOUND_SUITE=trixie: Debian 13's)
	@BUILD='$(BUILD)' UNBOUND_NAME='$(UNBOUND_NAME)' UNBOUND_SUITE='$(UNBOUND_SUITE)' \
	    UNBOUND_VERSION='$(UNBOUND_VERSION)' APT_PREFER='$(APT_PREFER)' UNBOUND_SRC='$(UNBOUND_SRC)' UNBOUND_BIN='$(UNBOUND_BIN)' \
	    UNBOUND_FEATURES='$(UNBOUND_FEATURES)' UNBOUND_CONFIGURE='$(UNBOUND_CONFIGURE)' UNBOUND_CFLAGS='$(UNBOUND_CFLAGS)' \
	    tools/build/unbound.sh

ZONE := $(BUILD)/zone/example.zone.signed
zone: $(ZONE) ## sign the test zone
	@:
$(ZONE): conf/example.zone tools/build/zone.sh
	@tools/build/zone.sh $< $(@D)

# Each Unbound and its module; one make each, since the second reads what the first has made.
daemons: first-unbound $(if $(SECOND),second-unbound) ## each Unbound, its module and the zone: for single tests by hand
	@$(MAKE) all module zone
	$(if $(SECOND),@$(MAKE) module $(second))

second = UNBOUND_NAME=unbound-$(SECOND) UNBOUND_SUITE=$(SECOND) APT_PREFER=known
first-unbound: packages
	@$(MAKE) unbound
second-unbound: packages
	@$(MAKE) unbound $(second)
