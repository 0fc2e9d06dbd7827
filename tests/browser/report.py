#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page of `unbound-idn report` in headless Chromium: report.py COMMAND FOLDER [AXE]. Prints TAP, leaves pictures in FOLDER. AXE is
axe.min.js, of the npm package axe-core, which then finds no fault of accessibility."""

import base64
import io
import json
import pathlib
import re
import subprocess
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/command"))
import report_log  # noqa: E402
from tap import Tap  # noqa: E402

WIDTHS = 360, 768, 1280

# Elements whose right edge is past the window's, or whose text is wider than they are.
OVERFLOW = """
const found = [], width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > width) found.push('page ' + document.documentElement.scrollWidth);
for (const e of document.querySelectorAll('main *')) {
  const box = e.getBoundingClientRect();
  if (getComputedStyle(e).clipPath !== 'none' || e.closest('thead') && getComputedStyle(e.closest('thead')).clipPath !== 'none') continue;
  if (box.width > 0 && (box.right > width + 0.5 || box.left < -0.5)) found.push(e.tagName + '.' + e.className + ' ' + box.left + '-' + box.right);
}
return found.slice(0, 5);
"""

# The contrast of each text with the nearest background behind it (WCAG 2.2, 1.4.3).
CONTRAST = """
const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const rgb = text => text.match(/[0-9.]+/g).map(Number);
const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const behind = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; }
                      return [255, 255, 255]; };
let worst = [21, ''], count = 0;
const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const e = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || e.closest('svg') || !e.getClientRects().length) continue;
  const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  count++;
  if (ratio < worst[0]) worst = [ratio, e.tagName + '.' + e.className + ' ' + walk.currentNode.data.trim().slice(0, 30)];
}
return [worst[0], worst[1], count];
"""

# Bars that lie on a text of their own cell, or leave it; charts without a size; captions that charts cover.
OVERLAPS = """
const found = [], hits = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
for (const bar of document.querySelectorAll('.bar')) {
  const cell = bar.parentElement.getBoundingClientRect(), box = bar.getBoundingClientRect(), range = document.createRange();
  range.selectNode(bar.parentElement.firstChild);
  if (hits(box, range.getBoundingClientRect())) found.push('bar on ' + bar.parentElement.textContent);
  if (box.width < 1 || box.height < 2 || box.left < cell.left - 0.5 || box.right > cell.right + 0.5) found.push('bar of ' + bar.parentElement.textContent);
}
const tiles = [...document.querySelectorAll('.tiles dd')].map(e => [e.parentElement.getBoundingClientRect().top, e.getBoundingClientRect().bottom]);
for (const [top, bottom] of tiles) if (tiles.some(t => t[0] === top && Math.abs(t[1] - bottom) > 1)) found.push('figures of tiles on different lines');
for (const svg of document.querySelectorAll('svg')) {
  const box = svg.getBoundingClientRect();
  if (box.width < 200 || box.height < 40) found.push('chart ' + box.width + 'x' + box.height);
  for (const rect of svg.querySelectorAll('rect')) {
    const r = rect.getBoundingClientRect();
    if (r.width <= 0 || r.left < box.left - 0.5 || r.right > box.right + 0.5 || r.top < box.top - 1.5 || r.bottom > box.bottom + 0.5) found.push('rect');
  }
  if (hits(box, svg.closest('figure').querySelector('figcaption').getBoundingClientRect())) found.push('caption');
  if (hits(box, svg.parentElement.querySelector('.scale').getBoundingClientRect())) found.push('scale');
}
const ticks = [...document.querySelectorAll('.ticks span')].map(e => e.getBoundingClientRect()).filter(r => r.width > 0);
for (let i = 1; i < ticks.length; i++) if (hits(ticks[i - 1], ticks[i])) found.push('ticks');
if (ticks.length < 3) found.push('too few ticks: ' + ticks.length);
const cells = [...document.querySelectorAll('tr')].filter(e => e.getClientRects().length);
for (const row of cells) {
  const boxes = [...row.children].map(e => e.getBoundingClientRect()).filter(r => r.width > 1);
  for (let i = 1; i < boxes.length; i++) if (hits(boxes[i - 1], boxes[i])) found.push('cells of ' + row.textContent.slice(0, 30));
}
return found.slice(0, 5);
"""

# Cells that do not cut off what letters with piles of accents draw above and below them.
INK = "return [...document.querySelectorAll('td')].filter(e => getComputedStyle(e).overflowY === 'visible').map(e => e.textContent.slice(0, 30)).slice(0, 5)"


class Browser:
    def __init__(self):
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                         "--disable-background-networking", "--disable-component-update", "--no-first-run"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))

    def show(self, path, width, dark=False, media="screen"):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
        self.driver.get(path.as_uri())

    def run(self, script):
        return self.driver.execute_script(script)

    def picture(self, path, width):
        size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": width, "height": min(size["height"], 12000), "scale": 1}
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})["data"]
        path.write_bytes(base64.b64decode(data))

    def requests(self):
        """Returns the requests since the last call, except the one for the page itself."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def print_pdf(self, path):
        data = self.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})["data"]
        path.write_bytes(base64.b64decode(data))


def make_page(command, folder, name, log):
    done = subprocess.run([command, "report", "-"], input=log.encode("utf-8", "surrogateescape"), capture_output=True, check=True)
    path = (folder / f"{name}.html").resolve()
    path.write_bytes(done.stdout)
    return path


def hostile_log():
    labels = [row["a_label"] for row in json.loads((ROOT / "tests/vectors/hostile-alabels.json").read_text(encoding="utf-8"))]
    names = [label.replace("\\", "\\092").replace(" ", "\\032").replace(".", "\\046").replace('"', "\\034") for label in labels]
    names += ["<script>document.title=1</script>", "<img\\032src=x\\032onerror=document.title=1>", "</style><svg/onload=document.title=1>",
              "a" * 63 + "." + "b" * 63 + "." + "c" * 63, "xn--" + "0" * 59, ".".join("a" * 120), "xn--4dbrk0ce.xn--hebz.xn--mgba9gv4ay78g"]
    lines = [f"[{1795300000 + 61 * number}] unbound[1:0] info: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff {name}.example. TYPE65280 IN NXDOMAIN 0.1 0 - "
             f"policy=nxdomain rule=\"{'<b>' * 20}:4294967295\" match=\"lookalike {'<i>' * 60}.{'w' * 63}.com\" key=strict\n"
             for number, name in enumerate(names)]
    # Two hundred accents on one letter reach over the whole page; a word without end.
    pile = "a" + "\u0301" * 200
    lines.append(f"[1795300000] unbound[1:0] info: 192.0.2.1 xn--{'w' * 59}.com. A IN NXDOMAIN 0.1 0 - policy={'w' * 300} rule=\"{pile}:1\" "
                 f"match=\"lookalike {pile}.com\" key={'k' * 300}\n" * 3)
    return "".join(lines) * 40


def layouts(tap, browser, folder, path, name):
    for width in WIDTHS:
        browser.show(path, width)
        tap.equal(browser.run(OVERFLOW), [], f"{name}, {width} px: nothing is wider than the window")
        tap.equal(browser.run(OVERLAPS), [], f"{name}, {width} px: nothing lies on anything else")
        tap.equal(browser.run(INK), [], f"{name}, {width} px: no cell draws outside itself")
        browser.picture(folder / f"{name}-{width}.png", width)


def contrasts(tap, browser, folder, path, name):
    for mode, dark, media in ("light", False, "screen"), ("dark", True, "screen"), ("printed from the dark", True, "print"):
        browser.show(path, 1200, dark, media)
        worst, where, count = browser.run(CONTRAST)
        tap.equal((worst >= 4.5, count > 100), (True, True), f"{name}, {mode}: contrast {worst:.1f} at least ({where})")
        if media == "screen":
            browser.picture(folder / f"{name}-{mode}.png", 1200)
        else:
            tap.equal(browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)", f"{name}, {mode}: white paper")


def accessible(tap, browser, path, name, axe):
    """axe-core finds nothing, at each width, light and dark."""
    for width, dark in [(width, dark) for width in WIDTHS for dark in (False, True)]:
        browser.show(path, width, dark)
        browser.run(axe)
        found = browser.driver.execute_async_script("axe.run(document).then(arguments[0])")
        faults = [f"{rule['id']}: {rule['help']}: {node['html'][:80]}" for rule in found["violations"] for node in rule["nodes"]]
        tap.equal((faults[:5], len(found["passes"]) > 15), ([], True), f"{name}, {width} px, {'dark' if dark else 'light'}: axe finds nothing")


def silence(tap, browser, path, name):
    """Nothing runs, nothing is asked for, and no name is markup."""
    browser.requests(), browser.errors()
    browser.show(path, 1200)
    tap.equal([url for url in browser.requests() if url != path.as_uri()], [], f"{name}: asks nobody for anything")
    tap.equal(browser.errors(), [], f"{name}: no errors")
    counts = browser.run("return [document.scripts.length, document.querySelectorAll('img,iframe,object,link,a:not([href^=\"#\"]),form,input').length, document.title]")
    tap.equal((counts[:2], counts[2].startswith("DNS queries, ")), ([0, 0], True), f"{name}: no script, nothing to be fetched or sent")
    browser.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    refused = [error for error in browser.errors() if "Content Security Policy" in error]
    tap.equal(len(refused) > 0, True, f"{name}: even markup of somebody else would fetch nothing")


def prints(tap, browser, folder, path, name, pages):
    browser.show(path, 1200, dark=True, media="")
    pdf = folder / f"{name}.pdf"
    browser.print_pdf(pdf)
    subprocess.run(["pdftoppm", "-r", "60", "-png", str(pdf), str(folder / f"{name}-page")], check=True)
    about = subprocess.run(["pdfinfo", str(pdf)], capture_output=True, check=True, text=True).stdout
    tap.equal((int(re.search(r"Pages: +(\d+)", about).group(1)) in pages, "(A4)" in about), (True, True), f"{name}, printed: {min(pages)} to {max(pages)} pages of A4")
    words = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, check=True, text=True).stdout
    edges = [float(edge) for edge in re.findall(r'xMax="([0-9.]+)"', words)]
    tap.equal((len(edges) > 300, max(edges) <= 595 - 13 * 72 / 25.4 + 1), (True, True), f"{name}, printed: nothing leaves the paper's margin")


def picture_has_charts(tap, folder):
    """Colours of all three charts are in the picture, light and dark."""
    from PIL import Image
    for mode, colours in ("light", ["4a6785", "0b63b0", "b03a00"]), ("dark", ["8fa9c4", "6cb2ff", "ff9d66"]):
        image = Image.open(io.BytesIO((folder / f"day-{mode}.png").read_bytes())).convert("RGB")
        found = {pixel: count for count, pixel in image.getcolors(1 << 24)}
        for colour in colours:
            tap.equal(found.get(tuple(bytes.fromhex(colour)), 0) > 3000, True, f"day, {mode}: a chart in #{colour}")


def main():
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    axe = pathlib.Path(sys.argv[3]).read_text(encoding="utf-8") if len(sys.argv) > 3 else ""
    folder.mkdir(parents=True, exist_ok=True)
    tap = Tap()
    day = make_page(command, folder, "day", "".join(report_log.text_line(reply) + "\n" for reply in report_log.Day(100000).replies()))
    hostile = make_page(command, folder, "hostile", hostile_log())
    browser = Browser()
    try:
        for path, name in (day, "day"), (hostile, "hostile"):
            silence(tap, browser, path, name)
            layouts(tap, browser, folder, path, name)
            contrasts(tap, browser, folder, path, name)
            if axe:
                accessible(tap, browser, path, name, axe)
        prints(tap, browser, folder, day, "day", range(4, 9))
        prints(tap, browser, folder, hostile, "hostile", range(3, 40))
        picture_has_charts(tap, folder)
    finally:
        browser.driver.quit()
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
