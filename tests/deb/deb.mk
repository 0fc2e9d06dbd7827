# SPDX-License-Identifier: BSD-3-Clause
# Debian packages and their tests. The Makefile includes this file.

.PHONY: debian deb deb-hosts deb-first deb-second test-deb check-deb check-packaging

DEB_MACHINE := $(shell . /etc/os-release 2>/dev/null; echo $$VERSION_CODENAME)
DEB_SUITE    = $(or $(UNBOUND_SUITE),$(DEB_MACHINE))
# tools/build/deb.sh names its folder in the same way.
deb_folder   = $(BUILD)/deb$(addprefix -,$(filter-out $(DEB_MACHINE),$(1)))

deb: dist ## Debian packages in build/deb (UNBOUND_SUITE=trixie: Debian 13's, in build/deb-trixie); needs root
	@tools/build/deps.sh deb
	@BUILD='$(BUILD)' DIST='$(DIST)' UNBOUND_SUITE='$(UNBOUND_SUITE)' UNBOUND_VERSION='$(UNBOUND_VERSION)' \
	    tools/build/deb.sh

debian: ## debian/ in an unpacked tarball, for dpkg-buildpackage -Ppkg.unbound-idn.hosts: see doc/hosts.md
	@tools/build/deb-source.sh . $(VERSION)-1 unstable 'New upstream version.'

deb-hosts: dist ## those that need no rebuilt resolver, for this release, in build/deb-hosts
	@tools/build/deps.sh hosts
	@BUILD='$(BUILD)' DIST='$(DIST)' tools/build/deb-hosts.sh

# One make each, for one release after the other. No package depends on these, so their Unbound may be older.
deb-first:
	@$(MAKE) deb UNBOUND_SUITE=$(UNBOUND_SUITE) DEB_ALLOW_OLDER=1
deb-second: deb-first
	@$(MAKE) deb UNBOUND_SUITE=$(SECOND) DEB_ALLOW_OLDER=1

deb_part = "packages ($(1))=tests/deb/roots.sh $(BUILD)/debroot/$(1) $(call deb_folder,$(1)) && \
    unshare --mount tools/build/netns.sh $(PYTHON) tests/deb/run.py --roots $(BUILD)/debroot/$(1) --peers $(BUILD)/peers $(addprefix --older ,$(OLDER_DEBS)) $(2)"

# OLDER_DEBS: a folder with packages of an earlier version, from which one scene upgrades.
# T=deb/hosts, T=deb/hosts_tap: scenes whose name has that in it, with this release's packages.
test-deb: deps deb-first
	@tools/build/deps.sh deb-tests
	@tests/run $(call deb_part,$(DEB_SUITE),-k $(NAME))

check-deb: PART_HOURS := 1
# One release after the other: answers have to come within three seconds.
check-deb: deps deb-first $(if $(SECOND),deb-second) ## the Debian packages of this release and the next: installed, upgraded, removed; needs root
	@tools/build/deps.sh deb-tests
	@$(run_parts) -j 1 $(foreach suite,$(sort $(DEB_SUITE) $(SECOND)),$(call deb_part,$(suite)))

check-packaging: PART_HOURS := 1
check-packaging: dist ## a Debian source package and an RPM, from the tarball alone, with lintian and rpmlint
	@tools/build/deps.sh packaging
	@$(run_parts) -j 1 "packaging deb=tests/packaging.sh deb $(DIST)" "packaging rpm=tests/packaging.sh rpm $(DIST) $(if $(wildcard $(UNBOUND_CONFIG)/unbound),$(UNBOUND_TREE))"
