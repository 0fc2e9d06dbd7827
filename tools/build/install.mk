# SPDX-License-Identifier: BSD-3-Clause
# Installs each file at its place, and makes the tarball of a release. The Makefile includes this file.

.PHONY: install install-module uninstall dist html

BINDIR        ?= $(PREFIX)/bin
LIBDIR        ?= $(PREFIX)/lib
INCLUDEDIR    ?= $(PREFIX)/include
MANDIR        ?= $(PREFIX)/share/man
PKGCONFIGDIR  ?= $(LIBDIR)/pkgconfig
MODULEDIR     ?= $(LIBDIR)/unbound
COMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR        ?= $(PREFIX)/share/zsh/site-functions
FISHDIR       ?= $(PREFIX)/share/fish/vendor_completions.d

# To make, a blank ends a file's name: half of it would be another folder, of which `uninstall` removes files.
$(foreach folder,DESTDIR PREFIX SYSCONFDIR BINDIR LIBDIR INCLUDEDIR MANDIR PKGCONFIGDIR MODULEDIR COMPLETIONDIR ZSHDIR FISHDIR GLUEDIR KRESDIR,\
    $(if $(word 2,$($(folder))),$(error $(folder) is "$($(folder))": expected a path without blanks)))

root    := $(if $(DESTDIR),$(abspath $(DESTDIR)))
confdir := $(root)$(SYSCONFDIR)/unbound

# ---- headers: public ones only ----------------------------------------

PUBLIC  := text/version text/status idna/finding punycode/punycode wire/size idna/unicode idna/uts46 idna/label names/written names/idna lookalike/lookalike
HEADERS := $(foreach header,$(PUBLIC),$(OUT)/include/libxn/$(notdir $(header)).h)

# Removes a header that an older build installed and that is no longer public.
$(shell rm -f $(filter-out $(HEADERS),$(wildcard $(OUT)/include/libxn/*.h)))

# In one folder they find one another, wherever that is; for all others they are <libxn/name.h>.
define public_header
$(OUT)/include/libxn/$(notdir $(1)).h: core/$(1).h tools/build/install.mk
	@mkdir -p $$(@D)
	$$(Q)sed -e '/^#include "core\//s:core/.*/::' $$(foreach header,$$(PUBLIC),-e 's:core/$$(header)\.h:libxn/$$(notdir $$(header)).h:g') $$< > $$@
endef
$(foreach header,$(PUBLIC),$(eval $(call public_header,$(header))))

all unit-tests: $(HEADERS)

# ---- manuals: each function's name is a link to the page that describes it --------------

MANUALS := $(sort $(wildcard doc/*.[1-8]))
manual   = $(root)$(MANDIR)/man$(subst .,,$(suffix $(1)))/$(notdir $(1))
functions_of = $(filter-out $(notdir $(basename $(MANUALS))),$(shell sed -n 's/^\.Nm \(\(xn\|idnp\)_[a-z0-9_]*\).*/\1/p' $(1)))

# ---- installing ---------------------------------------------------------------------------------

INSTALLED = $(if $(COMMAND),$(root)$(BINDIR)/unbound-idn $(root)$(BINDIR)/unbound-idn-fetch $(root)$(BINDIR)/unbound-idn-enable) $(LIBRARIES) \
            $(HEADERS:$(OUT)/include/%=$(root)$(INCLUDEDIR)/%) $(foreach page,$(MANUALS),$(call manual,$(page))) \
            $(patsubst %,$(root)$(MANDIR)/man3/%.3,$(call functions_of,$(MANUALS))) \
            $(foreach name,bash zsh fish,$(call completion,$(name)))

completion      = $(root)$($(1)_completion)
bash_completion = $(COMPLETIONDIR)/unbound-idn
zsh_completion  = $(ZSHDIR)/_unbound-idn
fish_completion = $(FISHDIR)/unbound-idn.fish

# Each library: static, shared, the link that a linker looks for, and what pkg-config says.
LIBRARIES = $(foreach name,libxn libxn-punycode,$(addprefix $(root)$(LIBDIR)/$(name),.a .so.$(SOVERSION) .so) $(root)$(PKGCONFIGDIR)/$(name).pc)

INSTALLED_MODULE = $(root)$(MODULEDIR)/idn.so

# The folders that installing creates: uninstalling removes only these.
FOLDERS ?= $(BUILD)/installed-folders

# $(1): files. Makes their folders.
define make_folders
	@mkdir -p $(BUILD)
	@for folder in $(sort $(patsubst %/,%,$(dir $(1)))); do \
	    above=$$folder; \
	    while [ -n "$$above" ] && [ ! -d "$$above" ]; do echo "$$above"; above=$${above%/*}; done >> $(FOLDERS); \
	    install -d -m 755 "$$folder" || exit 1; \
	done
endef

# $(1): files that are no more. Goes up from where they were, as long as nothing else is there. A clone that did not
# install knows of one folder alone.
define remove_folders
	@rmdir $(root)$(INCLUDEDIR)/libxn 2>/dev/null || :
	@touch $(FOLDERS)
	@for folder in $(sort $(patsubst %/,%,$(dir $(1)))); do \
	    while grep -qxF "$$folder" $(FOLDERS) && { [ ! -d "$$folder" ] || rmdir "$$folder" 2>/dev/null; }; do \
	        folder=$${folder%/*}; \
	    done; \
	done
	@while read -r folder; do [ ! -d "$$folder" ] || echo "$$folder"; done < $(FOLDERS) > $(FOLDERS).new && mv $(FOLDERS).new $(FOLDERS)
	@[ -s $(FOLDERS) ] || rm -f $(FOLDERS)
endef

# $(1): name; $(2): what it is; $(3): more. Relative to the prefix where they are below it, so that pkg-config
# --define-prefix can move them.
within = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))
define pkgconfig
prefix=$(PREFIX)
libdir=$(call within,$(LIBDIR))
includedir=$(call within,$(INCLUDEDIR))

Name: $(1)
Description: $(2)
Version: $(VERSION)
Libs: -L$${libdir} -l$(1:lib%=%)
Cflags: -I$${includedir}$(3)
endef
# ICU is C++, and its own libraries must follow it: Requires.private would put it last.
define static_icu

Libs.private: $(shell pkg-config --static --libs $(ICU)) -lstdc++ -lm
endef
libxn_pc          = $(call pkgconfig,libxn,Punycode$(comma) IDNA and look-alikes of domain names,$(static_icu))
libxn-punycode_pc = $(call pkgconfig,libxn-punycode,the part of libxn that needs no ICU: Punycode$(comma) UTF-8 and names in wire format)

install: all ## the command, the library, manuals, completion for three shells (DESTDIR, PREFIX, LIBDIR, MANDIR)
	$(call make_folders,$(INSTALLED))
	$(if $(COMMAND),install -m 755 $(COMMAND) $(FETCH) $(ENABLE) $(root)$(BINDIR)/)
	install -m 644 $(ARCHIVES) $(SHARED) $(root)$(LIBDIR)/
	$(foreach name,$(notdir $(SHARED)),ln -sf $(name) $(root)$(LIBDIR)/$(basename $(name)) && ):
	install -m 644 $(HEADERS) $(root)$(INCLUDEDIR)/libxn/
	$(foreach name,libxn libxn-punycode,$(file > $(OUT)/$(name).pc,$($(name)_pc)))
	install -m 644 $(OUT)/libxn.pc $(OUT)/libxn-punycode.pc $(root)$(PKGCONFIGDIR)/
	$(foreach name,bash zsh fish,tools/completion/script.sh $(name) > $(OUT)/completion && \
	    install -m 644 $(OUT)/completion $(call completion,$(name)) && ):
	$(foreach page,$(MANUALS),install -m 644 $(page) $(call manual,$(page)) && ):
	@$(foreach page,$(filter %.3,$(MANUALS)),echo '.so man3/$(notdir $(page))' > $(OUT)/named.3; \
	    for name in $(call functions_of,$(page)); do \
	        install -m 644 $(OUT)/named.3 $(root)$(MANDIR)/man3/$$name.3 || exit 1; \
	    done; ):

# By another name first: a daemon that is starting finds the old module or the new one, never half of one, and one that
# runs keeps what it has.
install-module: $(MODULE) ## the module and, unless there is one, its configuration (UNBOUND_SRC=dir, SYSCONFDIR)
	$(call make_folders,$(INSTALLED_MODULE))
	install -m 644 $(MODULE) $(INSTALLED_MODULE).new && mv -f $(INSTALLED_MODULE).new $(INSTALLED_MODULE)
	install -d -m 755 $(confdir)
	tools/build/samples.sh $(confdir)

uninstall: ## what install and install-module made, but the configuration
	rm -f $(INSTALLED) $(INSTALLED_MODULE)
	$(call remove_folders,$(INSTALLED) $(INSTALLED_MODULE))

# ---- the tarball --------------------------------------------------------------------------------

DIST := $(BUILD)/unbound-idn-$(VERSION).tar.gz

# The files that git knows or, where the tree is no clone or there is no git, all but what was made. The same octets for the same files:
# sorted, with no owner, and dated as the last commit, which the Makefile is in an unpacked tarball.
html: ## the manuals as web pages, in build/html; needs mandoc
	@tools/build/html.sh $(OUT)/html doc/html.css $(MANUALS)
	@echo "$(OUT)/html/index.html"

dist: ## the tarball of a release, build/unbound-idn-VERSION.tar.gz
	@mkdir -p $(BUILD)
	@if [ -e .git ] && git rev-parse --quiet --verify HEAD > $(BUILD)/dist.files 2>&1; then \
	    git ls-files -z > $(BUILD)/dist.files && time=$$(git log -1 --format=%ct) || exit 1; \
	    git diff --quiet HEAD || echo 'dist: note: files differ from the last commit' >&2; \
	else \
	    find . \( -path './$(BUILD)' -o -path ./.git -o -path ./debian -o -name __pycache__ \) -prune -o -type f -printf '%P\0' > $(BUILD)/dist.files; \
	    time=$$(stat -c %Y Makefile); \
	fi; \
	LC_ALL=C sort -z $(BUILD)/dist.files | \
	    tar --create --file=$(BUILD)/dist.tar --format=ustar --no-recursion --transform='s:^:unbound-idn-$(VERSION)/:' \
	        --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$${SOURCE_DATE_EPOCH:-$$time}" \
	        --null --files-from=- && gzip -9 --no-name --stdout $(BUILD)/dist.tar > $(DIST) || exit 1; \
	rm $(BUILD)/dist.tar $(BUILD)/dist.files
	@echo "$(DIST)"
