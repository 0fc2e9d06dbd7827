# SPDX-License-Identifier: BSD-3-Clause
# Libraries that the command alone needs, libfstrm for `tap` and jansson for `report`: a part of the Makefile.

.PHONY: have-command-libs

COMMAND_PKGS := libfstrm jansson
COMMAND_LIBS  = $(eval COMMAND_LIBS := $$(shell pkg-config --libs $(COMMAND_PKGS)))$(COMMAND_LIBS)

have-command-libs:
	@pkg-config --exists $(COMMAND_PKGS) 2>/dev/null || \
	    { echo "The headers of libfstrm or jansson, which only the command needs, are missing: run 'make deps' first." >&2; exit 1; }

$(filter $(OUT)/obj/tools/tap/% $(OUT)/obj/tools/logs/%,$(TOOL_O)): | have-command-libs
