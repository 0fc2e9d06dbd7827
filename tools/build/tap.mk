# SPDX-License-Identifier: BSD-3-Clause
# libfstrm, which `unbound-idn tap` alone needs: a part of the Makefile.

.PHONY: have-fstrm

FSTRM_LIBS = $(eval FSTRM_LIBS := $$(shell pkg-config --libs libfstrm))$(FSTRM_LIBS)

have-fstrm:
	@pkg-config --exists libfstrm 2>/dev/null || \
	    { echo "The headers of libfstrm, which only the command needs, are missing: run 'make deps' first." >&2; exit 1; }

$(filter $(OUT)/obj/tools/tap/%,$(TOOL_O)): | have-fstrm
