# SPDX-License-Identifier: BSD-3-Clause
"""An AppArmor profile as apparmor_parser reads it, and what its rules say of a path."""

import re
import subprocess

RULE = re.compile(r"(?:(audit) )?(?:(deny) )?(?:(owner) )?((?:/|@\{)\S*) +([rwaklmixpPcCuU]+),")
VARIABLE = re.compile(r"(@\{\w+\})\s*\+?=\s*(.*)")
GLOB = re.compile(r"\*\*|\*|\?|\{|\}|,|\[[^]]*\]|.")


def parser(peers):
    """apparmor_parser where Debian 12 or a later one has it; None: nowhere."""
    return next((path for path in (peers / "sbin/apparmor_parser", peers / "usr/sbin/apparmor_parser") if path.exists()), None)


class Profile:
    """A profile with `local` as the file in local/ that it includes."""

    def __init__(self, peers, folder, profile, local, name="usr.sbin.unbound"):
        (folder / "local").mkdir()
        (folder / "local" / name).write_text(local)
        self.command = [parser(peers), "--config-file", "/dev/null", "--base", peers / "etc/apparmor.d", "-I", folder,
                        "-I", peers / "etc/apparmor.d", "-Q", "-T", "-K"]
        self.path = profile
        self.variables, self.rules = {}, []
        for line in self._run("-p").splitlines():
            line = line.strip()
            variable, rule = VARIABLE.fullmatch(line), RULE.match(line)
            if variable:
                self.variables.setdefault(variable.group(1), []).extend(variable.group(2).split())
            elif rule:
                self.rules.append((bool(rule.group(2)), bool(rule.group(3)), self._pattern(rule.group(4)), set(rule.group(5))))

    def _run(self, *options):
        return subprocess.run([*self.command, *options, self.path], capture_output=True, text=True, check=True).stdout

    def compile(self):
        """The profile as the kernel would get it; an error of the parser is raised."""
        return subprocess.run([*self.command, "-S", self.path], capture_output=True, check=True).stdout

    def _pattern(self, glob):
        for _ in range(8):  # variables in values of variables
            for name, values in self.variables.items():
                glob = glob.replace(name, "{" + ",".join(values) + "}")
        depth, out = 0, ""
        for part in GLOB.findall(glob):
            depth += (part == "{") - (part == "}")
            out += {"**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}.get(part) or \
                ("|" if part == "," and depth else "/+" if part == "/" else part if part[0] == "[" else re.escape(part))
        return re.compile(out.replace("/+)/+", "/+)"))  # the values of @{PROC} end with a slash

    def lacks(self, path, wanted, is_owner):
        """Returns those of the wanted permissions (letters) that no rule gives, or that a rule denies. `is_owner`: for a file of the
        process's own user."""
        given, denied = set(), set()
        for deny, owner, pattern, letters in self.rules:
            if (is_owner or not owner) and pattern.fullmatch(path):
                (denied if deny else given).update(letters)
        return "".join(sorted(set(wanted) - (given - denied)))
