# SPDX-License-Identifier: BSD-3-Clause
# Debian packages and their tests: a part of the Makefile, which knows all else.

.PHONY: deb check-deb

deb: dist ## Debian packages in build/deb (UNBOUND_SUITE=trixie: Debian 13's, in build/deb-trixie); needs root
	@tools/build/deps.sh deb
	@BUILD='$(BUILD)' DIST='$(DIST)' UNBOUND_SUITE='$(UNBOUND_SUITE)' tools/build/deb.sh
