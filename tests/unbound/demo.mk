# SPDX-License-Identifier: BSD-3-Clause
# Demonstrations: a resolver with the module, and Debian's own with tap. A part of the Makefile.

.PHONY: demo demo-stock run

demo: packages ## a resolver with the module, asked a dozen names, stopped again
	@$(MAKE) daemons UNBOUND_NAME=$(UNBOUND_NAME)
	@tools/build/netns.sh $(PYTHON) tests/unbound/demo.py --unbound $(UNBOUND) --module $(MODULE)

demo-stock: packages ## Debian's own Unbound, unmodified, with tap beside it, asked the same
	@$(MAKE) $(COMMAND) zone
	@BUILD='$(BUILD)/stock' tools/build/peers.sh unbound
	@tools/build/netns.sh $(PYTHON) tests/unbound/demo.py --stock $(BUILD)/stock/peers --command $(COMMAND)

run: packages ## the same resolver on 127.0.0.1:5335, until interrupted
	@$(MAKE) daemons UNBOUND_NAME=$(UNBOUND_NAME)
	@$(PYTHON) tests/unbound/demo.py --foreground --unbound $(UNBOUND) --module $(MODULE)
