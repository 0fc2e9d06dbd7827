# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Knot Resolver, by a Lua module."""

import shutil

from host import GLUE, Host
from ownroot import libraries, may_change_root, own_root
from scenes import SCENES

CONFIG = """\
package.path = '{folder}/?.lua;' .. package.path
net.ipv6 = false
net.listen('127.0.0.1', {port})
trust_anchors.remove('.')
modules.unload('ta_update')
modules.unload('ta_signal_query')
modules.unload('priming')
cache.open(10 * MB, 'lmdb://{folder}/cache')
policy.add(policy.all(policy.FORWARD('127.0.0.1@{backend}')))
modules = {{ idn = {{ config = '{folder}/idn.conf', library = '{library}' }} }}
print('the resolver listens')
"""


class Kresd(Host):
    name = "kresd"
    differences = {}

    def missing(self):
        return "" if may_change_root() else "it looks for its files below /usr alone, and nobody may change the root folder"

    def configure(self, folder, port, library):
        (folder / "kres_modules").mkdir()
        shutil.copy(GLUE / "kresd.lua", folder / "kres_modules/idn.lua")
        config = folder / "config.lua"
        config.write_text(CONFIG.format(folder=folder, port=port, backend=self.backend(), library=library))
        command = own_root(self.peers, self.tool("kresd"), self.world.new_folder("kresd-root"),
                           libraries([self.library], self.environment), self.environment)
        inside = command[1] / str(folder).lstrip("/")  # the same folder, from within its root and from without
        shutil.move(folder, inside)
        folder.symlink_to(inside)
        return [*command, "-n", "-c", config, folder]

    def is_started(self, octets):
        return b"the resolver listens" in octets


HOST = Kresd
