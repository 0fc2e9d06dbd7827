# SPDX-License-Identifier: BSD-3-Clause
# conf/idn.conf as the packages have it: less is written of who asked what, as "The log" in doc/operations.md advises.
s/^# unbound-idn: every key, its default, and what it means\. See idn\.conf(5)\.$/# unbound-idn: every key and what it means, with what the package sets. idn.conf(5) has the defaults./
s/^    log-names: all$/    log-names: idn/
s/^    log-client: full$/    log-client: prefix/
