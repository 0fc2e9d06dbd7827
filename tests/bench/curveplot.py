# SPDX-License-Identifier: BSD-3-Clause
"""What curves.py measured, as the plots and the tables of doc/cost.md. A table stands between two comments,
<!-- figures NAME --> and <!-- end -->, and what was between them is replaced; a plot is a file beside the page."""

import re
import subprocess

# gnuplot's own colours are hard to tell apart by people who see fewer (Okabe and Ito's palette is made for that).
STYLE = """\
set terminal svg size 720,400 font 'sans-serif,13' background rgb 'white'
set output '{path}'
set border 3 linecolor rgb '#888888'
set tics nomirror textcolor rgb '#333333'
set grid linecolor rgb '#dddddd'
set key outside right top Left reverse spacing 1.3 samplen 2
set xlabel '{x}'
set ylabel '{y}'
"""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")


def draw(path, x_label, y_label, curves, settings=""):
    """Curves are {title: [[x, y], ...]}."""
    data = "".join(f"$c{n} <<E\n" + "".join(f"{x} {y}\n" for x, y in points) + "E\n" for n, points in enumerate(curves.values()))
    plots = ", ".join(f"$c{n} with linespoints linewidth 2 pointtype {n % 7 + 4} pointsize 0.7 linecolor rgb '{COLOURS[n % len(COLOURS)]}' "
                      f"title '{title}'" for n, title in enumerate(curves))
    script = STYLE.format(path=path, x=x_label, y=y_label) + settings + data + f"plot {plots}\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def table(x_label, curves):
    """Curves side by side in Markdown, a row for each x."""
    values = {title: dict(map(tuple, points)) for title, points in curves.items()}
    rows = [[x_label, *curves], ["---:"] * (len(curves) + 1)]
    for x in sorted({x for points in values.values() for x in points}):
        rows.append([f"{x:,}", *(f"{points[x]:,}" if x in points else "" for points in values.values())])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def chosen(curves, titles):
    return {title: curves[key] for key, title in titles.items() if key in curves}


def made_of(_folder, columns):
    """{column: {row: figure}} in Markdown, with the sum of each column."""
    rows = [["", *columns], ["---", *["---:"] * len(columns)]]
    for part in next(iter(columns.values())):
        rows.append([part, *(f"{figures[part]:,}" for figures in columns.values())])
    rows.append(["**all**", *(f"**{sum(figures.values()):,}**" for figures in columns.values())])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


# ---- what the page has ----------------------------------------------------------------------------------------------

OURS = {"libxn, Cyrillic": "Cyrillic", "libxn, Han": "Han", "libxn, Latin": "Latin, one é"}


def label_length(folder, curves):
    decoded = curves["A-label to U-label"]
    shown = chosen(decoded, {**OURS, "ICU, Cyrillic": "ICU, Cyrillic", "libidn2, Cyrillic": "libidn2, Cyrillic"})
    draw(folder / "label-length.svg", "characters of a label", "instructions to decode and to validate it", shown, "set logscale y\n")
    costs = {f"{operation}, {title}": points for operation in ("A-label to U-label", "U-label to A-label")
             for title, points in chosen(curves[operation], OURS).items()}
    return table("characters", costs)


def plotted(name, x, y, settings, column):
    """Curves that are drawn and listed as they are."""
    def part(folder, curves):
        draw(folder / f"{name}.svg", x, y, curves, settings)
        return table(column, curves)
    return part


FROM_ZERO = "set yrange [0:*]\n"
PARTS = {
    "made-of": made_of,
    "label-length": label_length,
    "labels-a-name": plotted("labels-a-name", "A-labels of a name", "instructions a query", FROM_ZERO, "A-labels"),
    "rules": plotted("rules", "names of a policy", "ns a decision, four labels", "set logscale x\n" + FROM_ZERO, "names"),
    "threads": plotted("threads", "threads of the daemon", "CPU time, ratio", "set yrange [0.9:*]\nset xtics 1\n", "threads"),
    "log-volume": plotted("log-volume", "percent of replies that are logged", "instructions a query", FROM_ZERO, "percent"),
}


def update_page(page, figures):
    folder = page.parent / page.stem
    folder.mkdir(exist_ok=True)
    text = page.read_text("utf-8")
    for name, part in PARTS.items():
        if name not in figures:
            continue
        begin, end = f"<!-- figures {name} -->\n", "<!-- end -->"
        if begin not in text:
            raise SystemExit(f"curveplot.py: {page} has no place for figures: expected '{begin.strip()}'")
        between = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        text = between.sub(lambda _, rows=part(folder, figures[name]), begin=begin: begin + rows + end, text)
    page.write_text(text, "utf-8")
