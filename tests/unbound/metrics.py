# SPDX-License-Identifier: BSD-3-Clause
"""The metrics file: Prometheus' text format, read strictly."""

import re

LABEL = r'[a-z]+="(?:[^"\\\n]|\\["\\])*"'
SAMPLE = re.compile(rf'(unbound_idn_[a-z_]+)(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\d+(?:\.\d+)?)')


class Metrics:
    """Samples as {(name, ((label, value), ...)): number}."""

    def __init__(self, text):
        if not text.endswith("\n"):
            raise ValueError(f"not whole: {text[-80:]!r}")
        self.samples = {}
        described = set()
        for line in text.splitlines():
            if line.startswith("# "):
                described.add((line.split()[1], line.split()[2]))
                continue
            match = SAMPLE.fullmatch(line)
            if not match:
                raise ValueError(f"not a sample: {line!r}")
            labels = re.findall(r'([a-z]+)="((?:[^"\\]|\\.)*)"', match.group(2) or "")
            key = (match.group(1), tuple(sorted(labels)))
            if key in self.samples:
                raise ValueError(f"twice: {line!r}")
            self.samples[key] = float(match.group(3)) if "." in match.group(3) else int(match.group(3))
        for name, _ in self.samples:
            if not {("HELP", name), ("TYPE", name)} <= described:
                raise ValueError(f"{name} has no HELP or no TYPE")

    def sum(self, name, **labels):
        """The sum of all samples of unbound_idn_NAME that have these labels."""
        return sum(number for (sample, found), number in self.samples.items()
                   if sample == f"unbound_idn_{name}" and labels.items() <= dict(found).items())

    @property
    def replies(self):
        return self.sum("replies_total")

    @property
    def written(self):
        return self.sum("log_lines_total", result="written")

    @property
    def lost(self):
        return self.sum("log_lines_total", result="lost")

    def reloads(self, result):
        return self.sum("reloads_total", result=result)
