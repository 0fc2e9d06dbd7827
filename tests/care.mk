# SPDX-License-Identifier: BSD-3-Clause
# The layout of the sources, and what compilers do not find. A part of the Makefile.

.PHONY: format format-check map tidy

FORMATTED := $(sort $(wildcard $(addsuffix /*.[ch],core/* module/* tools/* tests/* tests/fuzz/unbound)))

format: ## lay the sources out with clang-format
	@clang-format -i $(FORMATTED)

format-check: ## say where the layout differs
	@clang-format --dry-run --Werror $(FORMATTED)

map: ## write doc/map.md from the first sentence of each source
	@tools/build/map.py > doc/map.md.new && mv doc/map.md.new doc/map.md

tidy: $(HOST_ID) $(LOOKALIKE) $(TRAITS) $(SUFFIXES) ## clang-tidy and cppcheck
	clang-tidy --quiet $(CORE_SRC) tools/tables/traitswords.c tools/tables/suffixes.c $(XNM_SRC) $(ENGINE_SRC) $(TOOL_SRC) $(LOOKALIKE_SRC) -- $(XN_CFLAGS) $(PKG_CFLAGS)
	clang-tidy --quiet $(HOST_SRC) -- $(XN_CFLAGS) $(PKG_CFLAGS) $(HOST_FLAGS)
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=identicalInnerCondition --error-exitcode=1 -I. \
	    $(CORE_SRC) $(XNM_SRC) $(ENGINE_SRC) $(TOOL_SRC)
