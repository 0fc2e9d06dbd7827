# SPDX-License-Identifier: BSD-3-Clause
"""Honest names of ASCII: the sites that EasyList has rules for (Debian's ublock-origin), those where Privacy Badger met
a tracker when it crawled popular sites (privacy-badger), and the home pages of all packages that apt knows. None of
them is in this repository. `--packages` prints the packages that are needed."""

import json
import re
import subprocess
import sys

PACKAGES = ("webext-privacy-badger", "webext-ublock-origin-firefox")
EASYLIST = "usr/share/mozilla/extensions/*/uBlock0@raymondhill.net/assets/thirdparties/easylist/easylist.txt"
BADGER = "usr/share/webext/privacy-badger/data/seed.json"
NAME = re.compile(r"(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")


def easylist(root):
    """The sites of element rules (site,site##element) and of domain= in request rules."""
    for path in root.glob(EASYLIST):
        for line in path.read_text("utf-8").split("\n"):
            element = re.match(r"([^#|/!]+)#[@?$]*#", line)
            limited = re.search(r"[$,]domain=([^,]*)", line)
            yield from element.group(1).split(",") if element else ()
            yield from limited.group(1).split("|") if limited else ()


def badger(root):
    if (root / BADGER).exists():
        for sites in json.loads((root / BADGER).read_text("utf-8"))["snitch_map"].values():
            yield from sites


def homepages():
    known = subprocess.run(["apt-cache", "dumpavail"], stdout=subprocess.PIPE, text=True, check=True).stdout
    yield from re.findall(r"^Homepage: *https?://([^/:?#\s]+)", known, re.MULTILINE)


def names(root):
    """Each once, without `www`."""
    found = (name.lower().lstrip("~").removeprefix("www.") for source in (easylist(root), badger(root), homepages())
             for name in source)
    return sorted({name for name in found if NAME.fullmatch(name) and "xn--" not in name})


if __name__ == "__main__":
    if sys.argv[1:] != ["--packages"]:
        sys.exit("usage: honest_names.py --packages")
    print(*PACKAGES)
