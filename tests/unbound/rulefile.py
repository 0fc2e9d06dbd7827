# SPDX-License-Identifier: BSD-3-Clause
"""Rule files and lists of a daemon under test."""

import re

from daemon import eventually

IDN = "policy: rules.conf"  # what idn.conf has to say
SWAP = re.compile(r" info: idn: (policy: .*)")


def write(folder, text, name="rules.conf"):
    """Replaces a rule file or list, whole."""
    new = folder / f"{name}.new"
    new.write_text(text)
    new.chmod(0o644)
    new.rename(folder / name)


def rules(text, **lists):
    """For the `prepare` of World.resolver: the rule file, and lists by the names they have with a dot for each `_`."""
    def prepare(folder):
        write(folder, text)
        for name, content in lists.items():
            write(folder, content, name.replace("_", "."))
    return prepare


def swaps(resolver):
    """The daemon's messages about policies that came into force, in their order."""
    return SWAP.findall(resolver.daemon.log())


def changed(resolver, text, name="rules.conf"):
    """Writes the file, and waits until the watcher reports the swap."""
    before = len(swaps(resolver))
    write(resolver.folder, text, name)
    return eventually(lambda: len(swaps(resolver)) > before)
