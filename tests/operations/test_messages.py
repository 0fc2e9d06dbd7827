# SPDX-License-Identifier: BSD-3-Clause
"""The table of messages has every message that the module writes into Unbound's log, and none that it does not write.

A message is a format of the sources with `…` for whatever is put in. What was expected in a text of the operator's is said
by xnm_textline_error() and its like, with a line and a column; the guide does not list these."""

import re

import guide

CALL = re.compile(r"\b(xnm_diagnose|log_err|log_warn|log_info|tell|report_policy|report_metrics|fail)\s*\(")
OF_A_NAME = {"fault.c", "rulename.c"}  # their tell() and fail() are about its characters
UNTOLD = re.compile(r"force->untold, sizeof force->untold,\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+)")
LITERALS = re.compile(r'"((?:[^"\\]|\\.)*)"|\b([A-Z]{2}[A-Z_]+)\b')
DIRECTIVE = re.compile(r"%(?:\.\*)?[-0-9.]*(?:ll|l|z)?[a-z]")
PREFIX = {"fail": "cannot log to it: ", "report_metrics": "metrics cannot be written: "}
WRAPPED = {f"{prefix}…" for prefix in PREFIX.values()}  # what these functions hand to xnm_diagnose


def arguments(text, start):
    """The text between the parenthesis that was opened before `start` and the one that closes it."""
    depth, at, quoted = 1, start, False
    while depth:
        if text[at] == "\\":
            at += 1
        elif text[at] == '"':
            quoted = not quoted
        elif not quoted:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return text[start:at - 1]


def joined(text):
    """Adjacent literals and the macros between them as one; None where there is no literal."""
    first = re.search(r'(?:"(?:[^"\\]|\\.)*"|\b(?:PACKAGE_STRING|XNM_UNBOUND_BUILD_ID)\b|\s)+', text[text.find('"'):]) if '"' in text else None
    if not first:
        return None
    parts = LITERALS.findall(first[0])
    return "".join(literal if not macro else "%s" for literal, macro in parts).replace('\\"', '"')


def as_listed(form):
    """A format as the guide has it."""
    return re.sub("…+", "…", DIRECTIVE.sub("…", form).removeprefix("idn: "))


def written():
    """{message: where} of all calls that have a format of their own."""
    found = {}
    for path in sorted((guide.ROOT / "module").glob("*/*.c")):
        text = path.read_text(encoding="utf-8")
        calls = [(match[1], arguments(text, match.end()), match.start()) for match in CALL.finditer(text)]
        calls += [("untold", match[1], match.start()) for match in UNTOLD.finditer(text)]
        for function, inside, at in calls:
            if path.name in OF_A_NAME and function in ("tell", "fail"):
                continue
            # The fallback of a format that is nothing but "%s" is a message, too; a place's name is none.
            form = joined(re.sub(r'\(struct xnm_place\)\{[^}]*\}|"%s",(?=[^"]*\? )', "", inside))
            if form is None:
                continue
            form = PREFIX.get(function, "") + form
            found.setdefault(as_listed(form), f"{path.name}:{text.count(chr(10), 0, at) + 1}")
    for name, text in ("load/lists.c", r"(?:cannot, sizeof cannot|loss, loss_cap)"), ("base/budget.c", "message, sizeof message"):
        for match in re.finditer(rf'snprintf\({text},\s*("[^"]*")', (guide.ROOT / "module" / name).read_text(encoding="utf-8")):
            found[as_listed(joined(match[1])).replace("%%", "%")] = name
    return found


def listed():
    cells = [row[0] for row in guide.tables("Messages")]
    return [re.sub("…+", "…", message) for cell in cells for message in re.findall(r"`([^`]+)`", cell)]


def test_table(_, tap):
    sources, table = written(), listed()
    tap.ok(len(sources) > 30, "messages were found in the sources", sources)
    tap.equal(sorted(message for message in set(table) if table.count(message) > 1), [], "none is listed twice")
    # A reason alone ("%s") is said elsewhere; that of a log or of metrics stands in words beside its row.
    unlisted = {message: where for message, where in sources.items()
                if message not in table and message != "…" and not any(message.startswith(form[:-1]) for form in WRAPPED & set(table))}
    tap.equal(unlisted, {}, "every message of the sources is in the table")
    tap.equal(sorted(set(table) - set(sources) - WRAPPED), [], "every message of the table is in the sources")
