# SPDX-License-Identifier: BSD-3-Clause
# Demonstrations: a resolver with the module, and Debian's own with tap. A part of the Makefile.

.PHONY: demo demo-resolver demo-stock run

# An Unbound of its own: it needs fewer packages than the one that the tests use, and less time.
DEMO_NAME := $(if $(UNBOUND_SRC),$(UNBOUND_NAME),unbound-demo)
demo_resolver = --unbound $(BUILD)/$(DEMO_NAME) --module $(call unbound_module,$(DEMO_NAME))
demo-resolver:
	@$(MAKE) unbound PACKAGES=demo UNBOUND_NAME=$(DEMO_NAME) UNBOUND_FEATURES=few
	@$(MAKE) module zone PACKAGES=demo UNBOUND_NAME=$(DEMO_NAME)

demo: demo-resolver ## a resolver with the module, asked a dozen names, stopped again
	@$(MAKE) $(COMMAND)
	@tools/build/netns.sh $(PYTHON) tests/unbound/demo.py $(demo_resolver)

demo-stock: ## Debian's own Unbound, unmodified, with tap beside it, asked the same
	@tools/build/deps.sh demo-stock
	@$(MAKE) $(COMMAND) zone
	@BUILD='$(BUILD)/stock' tools/build/peers.sh unbound
	@tools/build/netns.sh $(PYTHON) tests/unbound/demo.py --stock $(BUILD)/stock/peers --command $(COMMAND)

run: demo-resolver ## the same resolver on 127.0.0.1:5335, until interrupted
	@$(PYTHON) tests/unbound/demo.py --foreground $(demo_resolver)
