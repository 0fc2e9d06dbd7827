# SPDX-License-Identifier: BSD-3-Clause
# SAN=address: AddressSanitizer and UBSan in a folder of its own, for an Unbound built with the first.
# SAN=thread: ThreadSanitizer, likewise. SAN=fuzz: for `make fuzz`, which says CC=clang. SAN=coverage: for
# `make fuzz-coverage`. A part of the Makefile.

SAN_NAMES        := address=asan thread=tsan fuzz=fuzz coverage=coverage
SAN_FLAGS_thread := -fsanitize=thread
SAN_FLAGS_fuzz   := -fsanitize=fuzzer-no-link,address,undefined
# Counts each branch once, not once for each inlined call.
SAN_FLAGS_coverage := --coverage -Dalways_inline=unused
SAN_FLAGS        := $(or $(SAN_FLAGS_$(SAN)),-fsanitize=address,undefined)
SAN_NAME         := $(or $(patsubst $(SAN)=%,%,$(filter $(SAN)=%,$(SAN_NAMES))),asan)

OUT               := $(BUILD)/$(SAN_NAME)
UNBOUND_NAME      ?= unbound$(if $(filter asan tsan,$(SAN_NAME)),-$(SAN_NAME))
UNBOUND_CFLAGS    ?= $(firstword $(subst $(comma), ,$(SAN_FLAGS))) -fno-omit-frame-pointer -O1 -g1
UNBOUND_CONFIGURE ?= --disable-flto --without-pythonmodule --without-pyunbound
XN_HARDENING      := $(SAN_FLAGS) -fno-sanitize-recover=all -fno-omit-frame-pointer
XN_LDFLAGS        := $(SAN_FLAGS) -Wl,-z,relro,-z,now
