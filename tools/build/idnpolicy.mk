# SPDX-License-Identifier: BSD-3-Clause
# libidnpolicy, the engine as a shared library, what joins it to resolvers (module/hosts/), and what is installed of both. A part of
# the Makefile.

.PHONY: install-idnpolicy

IDNPOLICY   := $(OUT)/libidnpolicy.so.$(SOVERSION)
ENGINE_O    := $(call objects,$(ENGINE_SRC))
IDNPOLICY_H := $(OUT)/include/idnpolicy.h
OBJECTS     += $(ENGINE_O)

# Sanitizer builds are never installed.
all: $(if $(SAN),,$(IDNPOLICY) $(OUT)/libidnpolicy.so $(IDNPOLICY_H))

# Stays loaded: a host may unload it with a handle open, whose threads run its code.
$(IDNPOLICY): $(ENGINE_O) $(XNM_O) $(CORE_O) module/engine/libidnpolicy.map
	$(call say,LD $@)
	$(Q)$(LINK) -shared -Wl,-soname,$(@F) -Wl,--version-script=module/engine/libidnpolicy.map -Wl,-z,defs,-z,nodelete \
	    $(filter %.o,$^) $(PKG_LIBS)

$(OUT)/libidnpolicy.so: $(IDNPOLICY)
	$(Q)ln -sf $(<F) $@

$(IDNPOLICY_H): module/engine/idnpolicy.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

INSTALLED_IDNPOLICY = $(addprefix $(root)$(LIBDIR)/,libidnpolicy.so.$(SOVERSION) libidnpolicy.so) $(root)$(PKGCONFIGDIR)/libidnpolicy.pc \
                      $(root)$(INCLUDEDIR)/idnpolicy.h

# Knot Resolver finds a module by its name in its own folder; the others load a file by its path.
GLUEDIR        ?= $(PREFIX)/share/unbound-idn
KRESDIR        ?= $(LIBDIR)/knot-resolver
GLUE           := unbound.py idnpolicy.lua recursor.lua dnsdist.lua
INSTALLED_GLUE  = $(addprefix $(root)$(GLUEDIR)/,$(GLUE)) $(addprefix $(root)$(KRESDIR)/kres_modules/,idn.lua idnpolicy.lua)
INSTALLED      += $(INSTALLED_IDNPOLICY) $(INSTALLED_GLUE)

libidnpolicy_pc = $(call pkgconfig,libidnpolicy,decides DNS names by the rules of unbound-idn)

install: install-idnpolicy
install-idnpolicy: all
	$(call make_folders,$(INSTALLED_IDNPOLICY) $(INSTALLED_GLUE))
	install -m 644 $(IDNPOLICY) $(root)$(LIBDIR)/libidnpolicy.so.$(SOVERSION)
	ln -sf libidnpolicy.so.$(SOVERSION) $(root)$(LIBDIR)/libidnpolicy.so
	install -m 644 $(IDNPOLICY_H) $(root)$(INCLUDEDIR)/idnpolicy.h
	$(file > $(OUT)/libidnpolicy.pc,$(libidnpolicy_pc))
	install -m 644 $(OUT)/libidnpolicy.pc $(root)$(PKGCONFIGDIR)/libidnpolicy.pc
	install -m 644 $(GLUE:%=module/hosts/%) $(root)$(GLUEDIR)/
	install -m 644 module/hosts/kresd.lua $(root)$(KRESDIR)/kres_modules/idn.lua
	install -m 644 module/hosts/idnpolicy.lua $(root)$(KRESDIR)/kres_modules/
