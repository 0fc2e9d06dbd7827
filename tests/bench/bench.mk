# SPDX-License-Identifier: BSD-3-Clause
# Measurements. The Makefile includes this file.

.PHONY: codec-labels bench bench-instructions bench-querycost bench-filter bench-policy bench-unbound \
        bench-tap bench-tap-load bench-lists bench-lookalike bench-hosts

CODEC_DATA  := $(BUILD)/data/codec
CODEC_BENCH  = $(PYTHON) -B tests/bench/codec.py --bench $(OUT)/bench/bench_codec --labels $(CODEC_DATA)/labels \
    --peers $(CODEC_DATA)/root/usr/lib/$$($(CC) -print-multiarch) --output $(OUT)/bench.json

codec-labels: $(OUT)/bench/bench_codec packages
	@tools/build/debian-data.sh $(CODEC_DATA) $$($(PYTHON) -B tests/bench/codec_labels.py --packages)
	@[ -e $(CODEC_DATA)/labels/zh.txt ] || $(PYTHON) -B tests/bench/codec_labels.py $(CODEC_DATA) $(CODEC_DATA)/labels

bench: codec-labels ## the codec beside ICU, libidn2, libidn and RFC 3492: time a label; then bench-filter
	@$(CODEC_BENCH)
	@$(MAKE) bench-filter

bench-instructions: codec-labels ## the codec in instructions, with valgrind
	@$(CODEC_BENCH) --instructions

bench-tap: $(COMMAND) ## what a frame costs `tap` in instructions, with valgrind: for doc/cost.md
	@$(PYTHON) -B tests/bench/tap_cost.py $(COMMAND)

bench-tap-load: $(COMMAND) ## 100,000 frames a second for two minutes: what `tap` reads, writes and loses; on a quiet machine
	@$(PYTHON) -B tests/bench/tap_load.py $(COMMAND)

bench-querycost: $(OUT)/tests/test_querycost ## the names that cost most instructions, with valgrind: for doc/threats.md
	@for part in reading all; do echo "$$part:"; tests/bench/instructions.sh 1 measure_$$part $< --once | sort -rn | head -n 5; done

FILTER_DATA := $(BUILD)/data/filter

bench-filter: $(COMMAND) packages ## what filter reads in a second, beside cat and idn2
	@tools/build/debian-data.sh $(FILTER_DATA) idn2 libidn2-0 libunistring2
	@$(PYTHON) -B tests/bench/filter.py --command $< --idn2 $(FILTER_DATA)/root/usr/bin/idn2 \
	    --libraries $(FILTER_DATA)/root/usr/lib/$$($(CC) -print-multiarch) --output $(OUT)/bench-filter.json

bench-policy: $(OUT)/bench/bench_policy $(OUT)/bench/bench_reload ## a million rules and changes of lists: time, memory and instructions
	@$(OUT)/bench/bench_reload
	@$<
	@tests/bench/instructions.sh 100000 ask $< --decide

bench-unbound: $(OUT)/bench/bench_udpload packages ## what a query costs Unbound with the module, and without
	@tools/build/deps.sh ci
	@$(MAKE) unbound
	@$(MAKE) module
	@tools/build/netns.sh $(PYTHON) -B tests/bench/unbound_cost.py --unbound $(UNBOUND) --module $(MODULE) --load $< \
	    --python-binding $(UNBOUND_CONFIG)/pythonmod/unboundmodule.py --json $(OUT)/bench-unbound.json

bench-hosts: $(IDNPOLICY) deps ## what a query costs other resolvers in instructions, with valgrind, without the policy and with it
	@$(MAKE) zone hosts-trixie hosts-testing
	@tools/build/netns.sh $(PYTHON) -B tests/hosts/instructions.py --library $(IDNPOLICY) --unbound $(UNBOUND) --peers $(BUILD)/peers \
	    --zone $(BUILD)/zone unbound kresd recursor:WithPacketCache recursor dnsdist trixie/kresd trixie/dnsdist testing/unbound:OwnPython \
	    testing/kresd:Kresd6 testing/recursor:WithPacketCache testing/recursor testing/dnsdist

bench-lists: $(COMMAND) ## which lists and zones are dear to read: seconds and memory for a megabyte of each shape
	@$(PYTHON) -B tests/bench/lists.py $(COMMAND)

LOOKALIKE_DATA := $(BUILD)/data/lookalike
LOOKALIKE_BENCH = $(addprefix $(OUT)/bench/bench_,lookalike_policy characters)

bench-lookalike: $(LOOKALIKE_BENCH) $(COMMAND) packages ## look-alikes: forged names found, honest words found wrongly, in data that no table was tuned on
	@tools/build/debian-data.sh $(LOOKALIKE_DATA) \
	    $$(for list in word_lists lookalike_words honest_names; do $(PYTHON) -B tests/bench/$$list.py --packages; done)
	@tools/build/netns.sh $(PYTHON) -B tests/bench/lookalike_heldout.py --data $(LOOKALIKE_DATA) --bench $(OUT)/bench \
	    --command $(COMMAND) --rules conf/idn-policy.conf --output $(OUT)/lookalike
	@tools/build/netns.sh $(PYTHON) -B tests/bench/lookalike_ascii.py --data $(LOOKALIKE_DATA) --bench $(OUT)/bench \
	    --output $(OUT)/lookalike
