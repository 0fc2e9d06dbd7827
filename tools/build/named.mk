# SPDX-License-Identifier: BSD-3-Clause
# The plugin for BIND's named, by the headers of bind9-dev: the machine's, or those that `make deps` unpacked. It fits that
# version of BIND alone. A part of the Makefile.

.PHONY: named named-trixie hosts-trixie

# Where usr/include/ns/hooks.h is; empty: nowhere, and there is no plugin.
NAMED_DEV ?= $(firstword $(foreach root,/ $(BUILD)/peers/,$(if $(wildcard $(root)usr/include/ns/hooks.h),$(root))))

NAMED_NAME ?= named
NAMED      := $(OUT)/$(NAMED_NAME)-idn.so
NAMED_SRC  := $(sort $(wildcard module/hosts/*.c))
NAMED_OBJ  := $(OUT)/obj$(addprefix /,$(filter-out named,$(NAMED_NAME)))
NAMED_O    := $(NAMED_SRC:%.c=$(NAMED_OBJ)/%.o)
NAMED_ID   := $(NAMED_OBJ)/module/hosts/named_version.h

# BIND's headers are C17 with GNU's extensions, and ask what its configure had found. A part of them is liburcu's, in 9.20.
NAMED_FLAGS = -std=gnu17 -Wno-pedantic -include $(NAMED_ID) -DHAVE_STDATOMIC_H=1 -DHAVE_THREADS_H=1 -DRCU_MEMBARRIER=1 \
              -isystem $(NAMED_DEV)usr/include

all: $(if $(SAN),,$(if $(NAMED_DEV),$(NAMED)))

named: $(NAMED) ## build/named-idn.so, the plugin for the BIND whose headers are there (NAMED_DEV=dir/)
	@:

named-trixie: ## Debian 13's named, unpacked in build/named-trixie, and the plugin for it: for tests
	@BUILD='$(BUILD)' tools/build/suite.sh $@ trixie bind9 bind9-utils bind9-dev
	@$(MAKE) named NAMED_NAME=$@ NAMED_DEV=$(BUILD)/$@/

hosts-trixie: ## Debian 13's other resolvers, unpacked in build/hosts-trixie: for tests
	@BUILD='$(BUILD)' tools/build/suite.sh $@ trixie knot-resolver pdns-recursor dnsdist unbound python3-unbound

# libns.so leads to libns-VERSION.so.
$(NAMED_ID): FORCE
	@[ -n '$(NAMED_DEV)' ] || { echo "The headers of BIND are missing: install bind9-dev, or run 'make deps'." >&2; exit 1; }
	@version=$$(readlink $(NAMED_DEV)usr/lib/*/libns.so | sed -n 's/^libns-\(.*\)\.so$$/\1/p'); \
	    [ -n "$$version" ] || { echo "$(NAMED_DEV)usr/lib/*/libns.so is missing." >&2; exit 1; }; \
	    mkdir -p $(@D); echo "#define NAMED_VERSION \"$$version\"" > $@.new; \
	    cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(NAMED_O): $(NAMED_OBJ)/%.o: %.c $(NAMED_ID)
	$(call say,CC $<)
	$(Q)$(COMPILE) $(NAMED_FLAGS) $<
$(NAMED_O): LIB_CFLAGS =

# BIND's functions are named's to bring. They are looked for when they are called, so that another named can be told what is
# wrong. The plugin stays loaded, because threads still have what it gave them.
$(NAMED): $(NAMED_O)
	$(call say,LD $@)
	$(Q)$(LINK) -shared -Wl,-z,lazy,-z,nodelete $(NAMED_O)

-include $(NAMED_O:.o=.d)
