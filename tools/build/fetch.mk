# SPDX-License-Identifier: BSD-3-Clause
# unbound-idn-fetch, which `unbound-idn fetch` runs: a part of the Makefile. A program of its own, since no other part links libcurl
# and what comes with it.

.PHONY: have-curl

CURL_LIBS = $(eval CURL_LIBS := -Wl,--as-needed $$(shell pkg-config --libs libcurl libzstd zlib))$(CURL_LIBS)

have-curl:
	@pkg-config --exists libcurl libzstd zlib 2>/dev/null || \
	    { echo "The headers of libcurl, libzstd or zlib, which only fetch needs, are missing: run 'make deps' first." >&2; exit 1; }

$(OUT)/unbound-idn-fetch: $(FETCH_O) $(filter $(OUT)/obj/tools/check/% $(OUT)/obj/tools/text/% $(OUT)/obj/tools/command/command.o,$(TOOL_O)) $(LIBXNM) $(LIBXN)
	$(call say,LD $@)
	$(Q)$(LINK) -pie $^ $(PKG_LIBS) $(CURL_LIBS)

$(FETCH_O): | have-curl
$(COMMAND): | $(FETCH)
