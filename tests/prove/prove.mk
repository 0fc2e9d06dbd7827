# SPDX-License-Identifier: BSD-3-Clause
# Proofs, and comparisons with what is proved: see doc/testing.md. The Makefile includes this file.

# Empty: up to the longest that each part has.
PROVE_LENGTH ?=
PROVE_RANDOM ?= 100000000

.PHONY: prove prove-equal
prove prove-equal: PART_HOURS := 1
prove: packages ## no undefined behaviour in punycode.c, utf8.c and wire.c, by Frama-C (PROVE_LENGTH=5: up to so many elements)
	@tools/build/deps.sh prove
	@$(run_parts) -j 1 $(foreach part,punycode utf8 wire,"prove $(part)=tests/prove/prove.py $(part) $(PROVE_LENGTH)")

# $(1): a seed; half of the labels. By the variant of this processor, and by the one of all.
equal_labels = XN_SEED=$(1) XN_PUNYLABELS=$$(($(PROVE_RANDOM) / 2)) CMOCKA_MESSAGE_OUTPUT=TAP $(OUT)/tests/test_punylabel
equal_part   = "equal $(1)=$(equal_labels)" "equal $(1) (any processor)=XN_CPU=generic $(equal_labels)"
prove-equal: packages $(OUT)/tests/test_punylabel ## fast and plain Punycode compared (PROVE_RANDOM=100000000 random labels)
	@$(run_parts) $(call equal_part,20261122) $(call equal_part,20261123)
