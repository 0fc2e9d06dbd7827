# SPDX-License-Identifier: BSD-3-Clause
# Proofs, and comparisons with what is proved: see doc/testing.md. The Makefile includes this file.

EQUAL := $(OUT)/prove/equal

OBJECTS += $(OUT)/obj/tests/prove/equal.o

$(EQUAL): $(OUT)/obj/tests/prove/equal.o $(LIBXN)
	$(call say,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) $^

# Empty: up to the longest that each part has.
PROVE_LENGTH ?=
PROVE_RANDOM ?= 100000000

.PHONY: prove prove-equal
prove prove-equal: PART_HOURS := 1
prove: packages ## no undefined behaviour in punycode.c, utf8.c and wire.c, by Frama-C (PROVE_LENGTH=5: up to so many elements)
	@tools/build/deps.sh prove
	@$(run_parts) -j 1 $(foreach part,punycode utf8 wire,"prove $(part)=tests/prove/prove.py $(part) $(PROVE_LENGTH)")

# $(1): of which part; $(2): its arguments. By the variant of this processor, and by the one of all.
equal_part = "equal $(1)=$(EQUAL) $(2)" "equal $(1) (any processor)=XN_CPU=generic $(EQUAL) $(2)"
# Halves by seed, side by side.
equal_random = $(call equal_part,$(1),random $(1) $$(($(PROVE_RANDOM) / 2)))
prove-equal: packages $(EQUAL) ## fast and plain Punycode compared (PROVE_RANDOM=100000000 random labels)
	@$(run_parts) $(call equal_random,20261122) $(call equal_random,20261123) $(call equal_part,points,points) \
	    $(call equal_part,short,short)
