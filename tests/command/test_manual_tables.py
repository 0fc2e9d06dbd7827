# SPDX-License-Identifier: BSD-3-Clause
"""The manual pages list what the code has, and the other way round: subcommands and options, keys with their values,
defaults and bounds, actions, triggers and options of rules, fields of log lines, reasons, metrics, limits, the environment
and messages."""

import pathlib
import re
import tempfile

import manpage


def source(root, *names):
    return "".join((root / name).read_text(encoding="utf-8") for name in names)


def defined(text, name):
    """The value of a constant of an enum: a sum, product or shift of numbers."""
    value = re.search(rf"\b{name} = ([-0-9xXA-Fa-f +*/<]+?)(?=[,\n}}/]| /\*)", text)[1]
    assert re.fullmatch(r"[-0-9xXA-Fa-f +*/<]+", value), value
    return eval(value)  # pylint: disable=eval-used


def same(tap, got, want, name):
    """Two sets: what is in one alone is shown."""
    tap.equal((sorted(set(got) - set(want)), sorted(set(want) - set(got))), ([], []), f"{name}: those of the page alone, of the code alone")
    tap.equal(len(set(want)) > 1, True, f"{name}: there are some")


# ---- the command -------------------------------------------------------------------------------------------------------


def options_of(command, name):
    text = command(name, "--help")[1].decode().split("\n", 1)[1]
    return set(re.findall(r"^  (?:.*, )?(--?[a-z][a-z-]*)", text, re.M)) | set(re.findall(r"(?<=[ ,])--[a-z][a-z-]*(?=,|$|  )", text, re.M))


def documented(lines, start):
    """Options in lines with this macro: `Fl -json` is --json, `Fl o` is -o."""
    return {f"-{word}" for line in lines if line.startswith(start) for word in re.findall(r"\bFl (\S+)", line)}


def synopsis(page):
    """{subcommand: its options} of the SYNOPSIS, each form of which begins with .Nm and .Cm."""
    found = {}
    for form in "\n".join(page.section("SYNOPSIS")).split("\n.Nm\n")[1:]:
        lines = form.splitlines()
        if lines[0].startswith(".Cm "):
            for name in re.findall(r"[a-z]+", lines[0][4:]):
                found.setdefault(name, set()).update(*(documented([line], ".") for line in lines[1:]))
    return found


def check_command(tap, command, page):
    helped = re.findall(r"^  ([a-z]+) +(.*)", command("--help")[1].decode(), re.M)
    names = [name for name, _ in helped]
    listed, forms = re.findall(r"^\.It Cm ([a-z]+)\n(.*)", "\n".join(page.section("DESCRIPTION")), re.M), synopsis(page)
    tap.equal(listed, helped, "unbound-idn(1): the subcommands, as --help has them")
    same(tap, forms, names, "unbound-idn(1): SYNOPSIS")
    sections = {name: title for title in page.titles("DESCRIPTION") for name in title.split(", ")}
    same(tap, sections, names, "unbound-idn(1): a section for each subcommand")
    for name in names:
        has = options_of(command, name)
        same(tap, documented(page.section(f"DESCRIPTION/{sections.get(name)}"), ".It ") | {"--help"}, has | {"--help"}, f"unbound-idn(1): {name}")
        same(tap, forms.get(name, set()) | {"--help"}, has | {"--help"}, f"unbound-idn(1): {name}: SYNOPSIS")
    tap.equal(documented(page.section("SYNOPSIS"), ".Fl -help"), {"--help", "--version"}, "unbound-idn(1): what is no subcommand's")


# ---- idn.conf ----------------------------------------------------------------------------------------------------------

KEY = re.compile(r'\{"([a-z-]+)", ([A-Z]+), .*?, (?:WORDS\((.*?)\)|NULL), (\w+), (\w+)\},')


def keys(text):
    """(key, kind, words, bounds) of each row of the table."""
    table = text[text.index("} keys[] = {"):text.index("enum { KEY_COUNT")]
    rows = [(row[1], row[2], re.findall(r'"([^"]+)"', row[3] or ""), [bound if bound.isdigit() else defined(text, bound) for bound in row.group(4, 5)])
            for row in KEY.finditer(table)]
    assert len(rows) == table.count('    {"'), "each row is understood"
    return rows


def body(page, key):
    """The description of a key, flat."""
    lines = "\n".join(page.lines)
    text = re.search(rf"^\.It Ic {key} : .*\n((?:(?!\.It |\.El).*\n)*)", lines, re.M)
    return re.sub(r"\s+", " ", re.sub(r"^\.[A-Z][a-z] ", "", text[1], flags=re.M)) if text else ""


def takes(command, folder, *lines):
    (folder / "idn.conf").write_text("idn:\n" + "".join(f"    {line}\n" for line in lines))
    return command("check", str(folder / "idn.conf"))[0] == 0


def check_key(tap, command, page, folder, row, sample):
    key, kind, words, (low, high) = row
    heads = {head[0]: head[2:] for section in ("THE LOG", "THE POLICY", "METRICS") for head in page.heads(section, "Ic")}
    what, default = f"idn.conf(5): {key}", None
    if kind == "WORD":
        default = words[0]
        tap.equal([word for word in heads.get(key, []) if word != "|"], words, f"{what}: its values, the default first")
        tap.equal(f"{words[0]} is the default" in body(page, key), True, f"{what}: its default")
        tap.equal([takes(command, folder, f"{key}: {word}") for word in (*words, "other")], [True] * len(words) + [False], f"{what}: no other value")
    elif kind == "SECONDS":
        default = (re.findall(r"by default (\d+)\.", body(page, key)) or ["none"])[0]
        tap.equal(f": {low} to {high}, by default" in body(page, key), True, f"{what}: its bounds")
        tap.equal([takes(command, folder, f"{key}: {n}") for n in (int(low) - 1, low, high, int(high) + 1)], [False, True, True, False],
                  f"{what}: and no more")
    elif kind == "TARGET":
        default = "unbound"
        tap.equal(heads.get(key), ["unbound", "|", "path"], f"{what}: its values")
        tap.equal("unbound is the default" in body(page, key), True, f"{what}: its default")
    elif kind == "SOA":
        default = "ns.invalid. nobody.invalid."
        tap.equal(default in body(page, key), True, f"{what}: its default")
    elif kind == "MEMORY":
        tap.equal(heads.get(key), ["size"], f"{what}: its value")
        tap.equal([takes(command, folder, f"{key}: {size}") for size in ("1m", "1024k", "1048576", "1g", "1048575", "1x")], [True] * 4 + [False] * 2,
                  f"{what}: as it is written")
    else:
        tap.equal(heads.get(key), ["path"], f"{what}: its value")
    tap.equal(re.search(rf"^ +(#? ?){key}: (.*)$", sample, re.M).groups()[0 if default is None else 1], default or "# ",
              f"conf/idn.conf: {key}: its default, or a comment")


def check_mentions(tap, command, pages, folder, names):
    """The settings that the text of any page tells people to write, such as `log: json`."""
    said = {(page.name, *pair) for page in pages for pair in re.findall(r"^\.(?:Ic|Ql|Dl) ([a-z-]+): (\S+)$", page.path.read_text(), re.M)}
    said = sorted(pair for pair in said if pair[1] in names)
    tap.equal(len(said) > 2, True, "pages speak of keys with values")
    for page, key, value in said:
        tap.equal(takes(command, folder, f"{key}: {value}"), True, f"{page}: {key}: {value}")


def check_config(tap, command, pages, root):
    page = pages["idn.conf(5)"]
    text = source(root, "module/config/config.c", "module/rule/rule.h")
    rows, sample = keys(text), (root / "conf/idn.conf").read_text()
    same(tap, [head[0] for section in ("THE LOG", "THE POLICY", "METRICS") for head in page.heads(section, "Ic")], [row[0] for row in rows],
         "idn.conf(5): keys")
    examples = "".join(block.text for block in page.blocks() if block.text.startswith("idn:\n"))
    same(tap, re.findall(r"^ +([a-z-]+):", examples, re.M) + ["log"], [row[0] for row in rows], "idn.conf(5): keys that have an example")
    with tempfile.TemporaryDirectory(prefix="idn-manual-") as folder:
        for row in rows:
            check_key(tap, command, page, pathlib.Path(folder), row, sample)
        check_mentions(tap, command, pages.values(), pathlib.Path(folder), {row[0] for row in rows})
    for name, number in ("METRICS_INTERVAL", "metrics-interval"), ("POLICY_TTL", "policy-ttl"):
        tap.equal(f"by default {defined(text, name)}." in body(page, number), True, f"idn.conf(5): {number}: the default of the code")


# ---- rules -------------------------------------------------------------------------------------------------------------


# The forms of conditions, and the values of the options of look-alikes.
CONDITIONS = ["invalid", "script in Ar LIST", "script not-in Ar LIST", "script-level Cm highly | moderate | minimal", "mixed-digits", "restricted",
              "wholescript", "emoji", "bidi"]
VALUES = [("key=", "exact"), ("key=", "strict"), ("tld=", "same"), ("tld=", "any"), ("tld=", "private"), ("label=", "right"), ("label=", "any"), ("ascii=", "off"),
          ("ascii=", "safe"), ("ascii=", "wide"), ("within=", "no"), ("within=", "yes")]


def check_values(tap, command):
    """The words of the lists above are accepted, and no others: the message about another word has the whole list."""
    with tempfile.TemporaryDirectory(prefix="idn-manual-") as folder:
        path = pathlib.Path(folder) / "rules.conf"
        for option in sorted({option for option, _ in VALUES}):
            values = [value for other, value in VALUES if other == option]
            path.write_text("".join(f"log lookalike paypal.com {option}{value} tag={value}\n" for value in values))
            tap.equal(command("check", str(path))[0], 0, f"idn-policy(5): {option}: {', '.join(values)}")
            path.write_text(f"log lookalike paypal.com {option}other\n")
            expected = re.search(r"expected (.*)", command("check", str(path))[1].decode())[1]
            same(tap, values, re.findall(r"[a-z]+", expected.replace(" or ", " ")), f"idn-policy(5): {option}")


def check_rules(tap, page, root):
    text = source(root, "module/rule/table.c")

    def of(table):
        rows = text[text.index(f"}} {table}["):]
        return re.findall(r'= \{"([a-z-]+)"', rows[:rows.index("\n};")])

    def items(title):
        """The words after .It Ic, outside tables."""
        return [line[7:] for line in page.section(title) if line.startswith(".It Ic ") and " Ta " not in line]

    def heads(title):
        return [word for line in page.section(f"DESCRIPTION/{title}") if line.startswith(".It Ic ")
                for word in re.findall(r"Ic ([a-z-]+)=?|, ([a-z-]+)(?==? |=?$)", line)]

    def flat(pairs):
        return [first or second for first, second in pairs]

    actions, triggers, options = of("actions"), of("triggers"), of("options")
    same(tap, flat(heads("Actions")) + ["rpz"], actions, "idn-policy(5): actions")
    described = {word for line in items("DESCRIPTION/Triggers") for word in re.split(r"[ ,]+", line)}
    tap.equal(set(triggers) - described, set(), "idn-policy(5): triggers")
    same(tap, [line for line in items("DESCRIPTION/Triggers") if line.startswith("name ")], ["name Ar NAME", "name No *. Ns Ar NAME"],
         "idn-policy(5): forms of a name")
    same(tap, items("CONDITIONS"), CONDITIONS, "idn-policy(5): conditions")
    same(tap, {line.split()[0] for line in items("CONDITIONS")}, {"invalid", *triggers[triggers.index("script"):]}, "idn-policy(5): conditions, their words")
    same(tap, set(re.findall(r"([a-z]+)=", " ".join(items("DESCRIPTION/Options")))), options, "idn-policy(5): options")
    same(tap, re.findall(r"([a-z]+=) Ns Cm ([a-z]+)", " ".join(items("LOOK-ALIKES"))), VALUES, "idn-policy(5): values of options")
    examples = "".join(block.text for block in page.blocks() if block.title in ("SYNOPSIS", "EXAMPLES"))
    for words, form in (actions, r"^{}\s"), (triggers, r"\s{}\s|^{}\s"), (options, r"\s{}="):
        tap.equal([word for word in words if not re.search(form.replace("{}", word), examples, re.M)], [], f"idn-policy(5): {words[-1]} and its like have an example")
    values = "\n".join(page.section("LOOK-ALIKES"))
    tap.equal({option for option in ("key", "tld", "label", "ascii", "min", "near", "within") if f".It Ic {option}= Ns " not in values}, set(),
              "idn-policy(5): options of look-alikes")


# ---- what the module writes --------------------------------------------------------------------------------------------


def check_line(tap, page, root):
    text = source(root, "module/log/line.c")
    fields = re.findall(r'" ([a-z]+)=', text)
    same(tap, [head[0].rstrip("=") for head in page.heads("THE LINE", "Ic")], fields, "unbound-module-idn(8): fields")
    text = re.sub(r"/\*.*?\*/", "", source(root, "module/log/json.c"), flags=re.S).replace("\\", "")
    code = set(re.findall(r'"([@a-z][a-z_.]*)":', text)) | set(re.findall(r'put_(?:text_|number_)?member\(\w+, "([a-z._]+)"', text))
    listed = {word for head in page.heads("THE LINE/JSON") for word in head}
    inner = {key for key in code if "." not in key} - {"@timestamp", "tags"}
    tap.equal(len(inner), 5, "unbound-module-idn(8): members of idn.labels are found in the code")
    same(tap, listed, code - inner, "unbound-module-idn(8): JSON")
    lines = "\n".join(page.section("THE LINE/JSON"))
    same(tap, re.findall(r"^\.Ic (\S+)", lines[lines.index(".It idn.labels"):lines.index(".It idn.lookalike")], re.M), inner,
         "unbound-module-idn(8): JSON, members of idn.labels")
    said = page.text("THE LINE/JSON")
    tap.equal(re.search(r'ECS_VERSION "(\S+)"', text)[1] in said, True, "unbound-module-idn(8): ecs.version")


def check_words(tap, page, root):
    """Reasons, actions as policy= has them, transports."""
    reasons = re.findall(r'\[XN_\w+\] = \{"([a-z-]+)"', source(root, "core/idna/finding.c"))
    listed = [head[0] for head in page.heads("THE LINE/What is wrong with a label")]
    tap.equal(listed, [word for word in reasons if word != "empty"], "unbound-module-idn(8): reasons, worst first")
    actions = re.findall(r'= \{"([a-z-]+)", XNM_ARGUMENT', source(root, "module/rule/table.c"))
    lines = "\n".join(page.section("THE LINE"))
    of_policy = lines[lines.index(".It Ic policy="):lines.index(".It Ic rule=")]
    same(tap, [*re.findall(r"^\.Ql ([a-z-]+)", of_policy, re.M), "rpz"], actions, "unbound-module-idn(8): policy=")


def check_syntaxes(tap, page, root):
    """The words for the forms of lists in `check --json`."""
    said = re.search(r"\bsyntax (\([a-z, ]+\))", " ".join(page.lines).replace(".Ql ", ""))[1]
    words = re.findall(r'\[XNM_LIST_\w+\] = \{"[^"]+", "([a-z]+)"\}', source(root, "module/list/tally.c"))
    same(tap, re.findall(r"[a-z]+", said.replace(" or ", " ")), words, "unbound-idn(1): syntax")


def check_metrics(tap, page, root):
    text = source(root, "module/run/metrics.c")
    code = re.findall(r'put_(?:head|single)\(\s*text, "([a-z_]+)"', text)
    same(tap, [word for head in page.heads("METRICS") for word in head], [f"unbound_idn_{name}" for name in code], "unbound-module-idn(8): metrics")
    said = page.text("METRICS")
    labels = set(re.findall(r'\b([a-z]+)=\\"', text))
    tap.equal({label for label in labels if not re.search(rf"\b{label}\b", said)} - {"key"}, set(), "unbound-module-idn(8): metrics, their labels")
    tap.equal(len(labels) > 5, True, "unbound-module-idn(8): metrics have labels")
    values = set(re.findall(r'\\"([a-z]+)\\""', text)) | {"udp", "tcp", "dot", "doh", "doq", "enforce", "log-only", "observed"}
    tap.equal({value for value in values if value not in said}, set(), "unbound-module-idn(8): metrics, values of labels")


# ---- environment, limits, messages -------------------------------------------------------------------------------------


def check_environment(tap, pages, root):
    for page, folders in ("unbound-idn(1)", ("core", "tools")), ("unbound-module-idn(8)", ("core", "module")):
        asked = {name for folder in folders for path in (root / folder).glob("*/*.c") for name in re.findall(r'getenv\("(\w+)"\)', path.read_text())}
        if page == "unbound-idn(1)":
            asked |= set(re.findall(r"\$\{([A-Z_]+):-", (root / "tools/enable/unbound-idn-enable").read_text()))
        same(tap, [head[0] for head in pages[page].heads("ENVIRONMENT", "Ev")], asked | ({"TZ"} if page == "unbound-idn(1)" else set()), f"{page}: environment")


MIB, GIB = 1 << 20, 1 << 30
# A sentence of a page, the place of its number in the code, and the number's unit.
LIMITS = [
    ("idn.conf(5)", "at most {} MiB", "module/config/config.h", "XNM_CONFIG_SIZE_MAX", MIB),
    ("idn-policy(5)", "{} MiB at most", "module/rule/rules.h", "XNM_RULES_SIZE_MAX", MIB),
    ("idn-policy(5)", "{} GiB at most", "module/rule/rules.h", "XNM_LIST_SIZE_MAX", GIB),
    ("idn-policy(5)", "lines of {} octets", "module/rule/action.h", "XNM_RULE_LINE_MAX", 1),
    ("idn-policy(5)", "after {} errors", "module/rule/action.h", "XNM_RULES_ERRORS_MAX", 1),
    ("idn.conf(5)", "after {} of them", "module/config/config.h", "XNM_CONFIG_ERRORS_MAX", 1),
    ("idn-policy(5)", "At most {} errors of each kind", "module/list/tally.h", "XNM_LIST_TALLY_SAID_MAX", 1),
    ("idn-policy(5)", "{} different tags", "module/policy/policy.h", "XNM_TAGS_MAX", 1),
    ("idn-policy(5)", "more than {} aliases before a refused name", "module/answer/chaincache.h", "XNM_ALIAS_LINKS_MAX", 1),
    ("idn-policy(5)", "the counters count the first {};", "module/policy/policy.h", "XNM_DECISION_LOGS_MAX", 1),
    ("idn-policy(5)", "If more than {} protected names of one rule", "module/policy/lookalike.h", "XNM_LOOKALIKE_ALIKE_MAX", 1),
    ("idn-policy(5)", "of these types, up to {};", "module/rule/action.h", "XNM_RULE_TYPES_MAX", 1),
    ("idn-policy(5)", "up to {} octets of UTF-8", "module/rule/action.h", "XNM_RULE_EDE_TEXT_MAX", 1),
    ("idn-policy(5)", "up to {} letters and digits", "module/rule/action.h", "XNM_RULE_TAG_MAX", 1),
    ("idn-policy(5)", "up to {} IPv4 and IPv6 addresses", "module/rule/record.c", "ADDRESSES_MAX", 1),
    ("idn-policy(5)", "up to {} codes of ISO 15924", "module/rule/rule.h", "XNM_RULE_SCRIPTS_MAX", 1),
    ("idn-policy(5)", "up to {} top-level domains", "module/rule/rule.h", "XNM_RULE_EXCEPT_MAX", 1),
    ("unbound-module-idn(8)", "A line has {} octets at most", "module/log/line.h", "XNM_LOGLINE_TEXT_MAX", 1),
    ("unbound-module-idn(8)", "its first {} octets", "module/log/line.h", "XNM_LOGLINE_FILE_MAX", 1),
    ("unbound-module-idn(8)", "own log ({} octets)", "module/log/writer.h", "XNM_LOGWRITER_HOST_LINE_MAX", 1),
    ("unbound-module-idn(8)", "more than {} rules", "module/run/metrics.h", "XNM_METRICS_RULES_MAX", 1),
    ("unbound-module-idn(8)", "a ring of {} MiB", "module/log/ring.h", "XNM_LOGRING_SIZE", MIB),
    ("unbound-module-idn(8)", "{} threads can have one", "module/log/writer.c", "RINGS_MAX", 1),
    ("unbound-module-idn(8)", "The log's thread has {} kB", "module/log/writer.c", "OUTPUT_SIZE", 1024),
    ("unbound-idn(1)", "at most {} octets: no names", "tools/codec/codepoints.h", "CODEPOINTS_MAX", 1),
    ("unbound-idn(1)", "one string of at most {} code points", "tools/codec/codepoints.h", "CODEPOINTS_MAX", 1),
    ("unbound-idn(1)", "at most {} different", "tools/report/count.c", "TOP_NAMES_MAX", 1),
    ("unbound-idn(1)", "{} internationalized names", "tools/report/count.c", "NAMES_MAX", 1),
    ("unbound-idn(1)", "{} blocked names", "tools/report/count.c", "BLOCKED_MAX", 1),
    ("unbound-idn(1)", "{} clients", "tools/report/count.c", "CLIENTS_MAX", 1),
    ("unbound-idn(1)", "{} rules, ", "tools/report/count.c", "RULES_MAX", 1),
    ("unbound-idn(1)", "{} things that rules matched", "tools/report/count.c", "MATCHES_MAX", 1),
    ("unbound-idn(1)", "is exact up to {};", "tools/report/count.c", "DISTINCT_MAX", 1),
    ("unbound-idn(1)", "more than {} KiB", "tools/logs/line.h", "REPORT_LINE_MAX", 1024),
]


def check_limits(tap, pages, root):
    for page, phrase, file, name, unit in LIMITS:
        number = defined(source(root, file), name) // unit
        said = {phrase.format(number), phrase.format(f"{number:,}")}
        tap.equal(any(text in pages[page].text() for text in said), True, f"{page}: {phrase.format(number)}")


# Files whose messages are about what the module does, and not about a place in a text.
TELLING = [f"module/{name}.c" for name in ("unbound/host", "log/target", "log/writer", "unbound/module", "load/policyfiles", "load/lists", "load/reading", "load/reload", "run/state", "file/writable")]
# Messages of Unbound, which tests/unbound/test_manual.py looks for.
OF_UNBOUND = ("Unknown value in module-config", "unable to load dynamic library")
LITERAL = r'"(?:[^"\\]|\\.)*"'
CALL = r'\b(?:xnm_diagnose|tell|log_err|report_policy|snprintf\(force)\b(?:[^";]|"[a-z]+"\})*?'
MESSAGE = re.compile(rf"{CALL}({LITERAL}(?:\s*(?:{LITERAL}|[A-Z]+_[A-Z_]+))*)\s*[,)]")


def messages(text):
    """Their formats: literals that stand side by side are one, and a constant between them is a %s."""
    for found in MESSAGE.findall(text):
        parts = re.findall(rf"({LITERAL})|([A-Z_]+)", found)
        message = "".join(literal[1:-1] if literal else "%s" for literal, _ in parts).replace('\\"', '"').removeprefix("idn: ")
        if message != "%s" and message.startswith("%s") == message.startswith("%s;"):
            yield message


def as_pattern(text, placeholder):
    return re.compile(r"(?:(?:[A-Z:]+|[a-zA-Z]+): )?" + ".*".join(re.escape(piece) for piece in re.split(placeholder, text)))


def says(item, message):
    """Can the message be what the page has? A placeholder of either stands for anything in the other."""
    return (as_pattern(message, r"%(?:\.\*|\.[0-9]|)(?:llu|ld|zu|[dsuf])").fullmatch(item) or
            as_pattern(re.sub(r"^([A-Z]+|[A-Z:]+): ", "", item), r"\b[A-Z]+\b").fullmatch(message))


def check_messages(tap, page, root):
    told = [*messages(source(root, *TELLING)), *re.findall("\"(ICU's .*?)\"", source(root, "core/text/status.c"))]
    items = [manpage.plain(line[4:]) for line in page.section("DIAGNOSTICS") if line.startswith(".It ")]
    items = [item for item in items if not item.startswith(OF_UNBOUND)]
    tap.equal((len(told) > 15, len(items) > 15), (True, True), "unbound-module-idn(8): there are messages")
    for message in told:
        tap.equal(any(says(item, message) for item in items), True, f"unbound-module-idn(8): has the message: {message}")
    for item in items:
        tap.equal(len(re.findall(r"\b[a-z]+\b", item)) > 1, True, f"unbound-module-idn(8): has words that tell: {item}")
        tap.equal(any(says(item, message) for message in told), True, f"unbound-module-idn(8): the code says: {item}")


def run(tap, command, root):
    pages = {page.name: page for page in map(manpage.Page, sorted((root / "doc").glob("*.[158]")))}
    module = pages["unbound-module-idn(8)"]
    check_command(tap, command, pages["unbound-idn(1)"])
    check_config(tap, command, pages, root)
    check_rules(tap, pages["idn-policy(5)"], root)
    check_syntaxes(tap, pages["unbound-idn(1)"], root)
    check_values(tap, command)
    for check in check_line, check_words, check_metrics, check_messages:
        check(tap, module, root)
    check_environment(tap, pages, root)
    check_limits(tap, pages, root)
