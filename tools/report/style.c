/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSS of the page, for a telephone, a desktop, dark mode and paper. Text has a contrast of at
 * least 4.5 to 1 against its background (WCAG 2, AA); make check-report measures it. */
#include "tools/report/report.h"

#define LIGHT                                                                                      \
    "color-scheme:light;--paper:#fff;--panel:#f5f7f9;--ink:#1b1f24;--quiet:#55606c;"               \
    "--line:#d5dbe1;--all:#4a6785;--idn:#0b63b0;--changed:#b03a00;--alike:#8a2560;"                \
    "--ok:#1a6b35;--warn:#8a5200;--bad:#b3261e;"

#define DARK                                                                                       \
    "color-scheme:dark;--paper:#12161b;--panel:#1b2128;--ink:#e4e8ed;--quiet:#a2adb8;"             \
    "--line:#333c46;--all:#8fa9c4;--idn:#6cb2ff;--changed:#ff9d66;--alike:#f095cb;"                \
    "--ok:#6fd08c;--warn:#f0b860;--bad:#ff8f85;"

/* Sections whose tables have three columns of text. */
#define FOUR ":is(#look-alikes,#rules,#blocked)"

static const char page[] =
    "\n:root{" LIGHT "}\n"
    "@media (prefers-color-scheme:dark){:root{" DARK "}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:16px/1.45 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",Arial,sans-serif}\n"
    "header,main,footer{max-width:64rem;margin:0 auto;padding:0 1rem}header{padding-top:1.5rem}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:0}\n"
    "h2{font-size:1.2rem;margin:0}\n"
    ".range{margin:.3rem 0 0;color:var(--quiet);font-variant-numeric:tabular-nums}\n"
    "section{margin:2.4rem 0 0}\n"
    "nav ul{list-style:none;margin:1.2rem 0 0;padding:0;display:flex;flex-wrap:wrap;"
    "gap:.3rem 1.2rem;font-size:.95rem}\n"
    "a{color:var(--idn)}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.7rem;"
    "margin:1.4rem 0 0}\n"
    ".tiles div{background:var(--panel);border-top:3px solid var(--line);padding:.6rem .8rem "
    ".7rem;display:flex;flex-direction:column;justify-content:space-between}\n"
    ".tiles .all{border-color:var(--all)}.tiles .idn{border-color:var(--idn)}"
    ".tiles .changed{border-color:var(--changed)}.tiles .alike{border-color:var(--alike)}\n"
    ".tiles dt{font-size:.85rem;color:var(--quiet)}\n"
    ".tiles dd{margin:0;font-size:1.5rem;font-weight:600;font-variant-numeric:tabular-nums}\n"
    ".tiles small{font-size:.85rem;font-weight:400;color:var(--quiet);white-space:nowrap}\n"
    ".unread,.more,.caption,caption{color:var(--quiet);font-size:.9rem;text-align:left}\n"
    ".unread{margin:.8rem 0 0}.more{margin:.5rem 0 0}.caption{margin:0 0 .6rem}"
    "caption{padding:0 0 .6rem}\n";

static const char charts[] =
    "figure{margin:0 0 .9rem}\n"
    "figcaption{font-size:.9rem;margin:0 0 .3rem 4.6rem}\n"
    ".peak{color:var(--quiet);white-space:nowrap}\n"
    ".key{display:inline-block;width:.7em;height:.7em;margin-right:.4em}\n"
    ".key.all{background:var(--all)}.key.idn{background:var(--idn)}"
    ".key.changed{background:var(--changed)}\n"
    ".plot{display:flex}\n"
    ".scale{width:4.6rem;padding-right:.5rem;display:flex;flex-direction:column;"
    "justify-content:space-between;text-align:right;font-size:.75rem;line-height:1;"
    "color:var(--quiet);font-variant-numeric:tabular-nums}\n"
    "svg{display:block;flex:1;min-width:0;height:7rem;border-bottom:1px solid var(--line);"
    "border-top:1px dotted var(--line)}\n"
    "figure~figure svg{height:4.5rem}\n"
    "g.all{fill:var(--all)}g.idn{fill:var(--idn)}g.changed{fill:var(--changed)}\n"
    ".ticks{position:relative;height:1.3rem;margin-left:4.6rem;font-size:.75rem;"
    "color:var(--quiet);font-variant-numeric:tabular-nums}\n"
    ".ticks span{position:absolute;padding-left:.25em;border-left:1px solid var(--line);"
    "white-space:nowrap}\n";

static const char tables[] =
    "table{width:100%;border-collapse:collapse;font-size:.95rem}\n"
    "th{text-align:left;font-size:.8rem;font-weight:600;color:var(--quiet);"
    "border-bottom:2px solid var(--line);padding:.2rem .6rem .2rem 0;vertical-align:bottom}\n"
    "td{border-bottom:1px solid var(--line);padding:.4rem .6rem .45rem 0;vertical-align:baseline;"
    "overflow-wrap:anywhere;overflow:hidden}\n" /* keeps stacked accents in their cell */
    FOUR " table{table-layout:fixed}\n"
    "#look-alikes th:nth-child(1){width:42%}#rules th:nth-child(1){width:26%}"
    "#look-alikes th:nth-child(3),#rules th:nth-child(2),#blocked th:nth-child(2){width:8.5rem}"
    "#blocked th:nth-child(1){width:42%}\n"
    ".n{text-align:right;white-space:nowrap;padding-right:0;padding-left:.6rem;width:7.5rem;"
    "font-variant-numeric:tabular-nums;overflow-wrap:normal}\n"
    ".none{color:var(--quiet)}\n"
    ".bar{display:block;height:4px;margin:.25rem 0 0;background:var(--idn);min-width:3px}\n"
    "#look-alikes .bar{background:var(--alike)}#rules .bar,#blocked .bar{background:var(--changed)}"
    "#queries .bar{background:var(--all)}\n"
    ".name{font-weight:600;unicode-bidi:isolate}\n"
    "code{font:.85em/1.4 ui-monospace,\"SF Mono\",Menlo,Consolas,\"DejaVu Sans Mono\",monospace;"
    "unicode-bidi:isolate}\n"
    "td>code,td>small{display:block;color:var(--quiet)}\n"
    "td>code:first-child{color:inherit}\n"
    ".two{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);column-gap:1rem;"
    "align-items:baseline}.two code{color:var(--quiet)}.two "
    "small{grid-column:1/-1;color:var(--quiet)}\n"
    "small{font-size:.85rem}\n"
    "small.ok,small.restricted,small.invalid{display:inline}\n"
    ".ok b{color:var(--ok)}.restricted b{color:var(--warn)}.invalid b{color:var(--bad)}\n"
    ".narrow{display:none;color:var(--quiet);font-weight:400}\n"
    ".word{color:var(--quiet)}\n"
    ".matches{list-style:none;margin:0;padding:0;font-size:.85rem}\n"
    ".askers{display:flex;flex-wrap:wrap;column-gap:.8rem}\n"
    ".count{color:var(--quiet);font-variant-numeric:tabular-nums}\n"
    ".badge.did{color:var(--changed);font-weight:600}\n"
    "footer{margin-top:3rem;padding-bottom:3rem;font-size:.85rem;color:var(--quiet)}\n"
    "footer:before{content:\"\";display:block;border-top:1px solid var(--line);"
    "margin-bottom:1rem}\n"
    "footer h2{font-size:1rem;color:var(--ink)}\n"
    "footer dl{display:grid;grid-template-columns:11rem 1fr;gap:.25rem 1rem;margin:.5rem 0 1rem}\n"
    "footer dt{font-weight:600}footer dd{margin:0}\n";

static const char media[] =
    "@media (max-width:44rem){\n"
    "body{font-size:15px}header,main,footer{padding-left:.75rem;padding-right:.75rem}"
    "h1{font-size:1.4rem}\n"
    "footer dl{grid-template-columns:1fr}\n"
    ".tiles{grid-template-columns:1fr 1fr}.tiles div:last-child:nth-child(odd){grid-column:1/-1}"
    ".tiles dd{font-size:1.25rem}\n"
    ".n{width:4.5rem}.scale,.ticks,figcaption{font-size:.7rem}\n"
    ".scale{width:3.6rem}.ticks,figcaption{margin-left:3.6rem}\n"
    "figcaption{font-size:.85rem}.peak{display:block}\n"
    ".ticks span:nth-child(even){display:none}\n"
    "td{padding-right:.5rem}.two{grid-template-columns:1fr}\n"
    /* four columns do not fit: the name and its count go on top, the rest below */
    FOUR
    " thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}\n" FOUR
    " tr{display:grid;grid-template-columns:1fr 4.5rem;"
    "border-bottom:1px solid var(--line);padding:.4rem 0}\n" FOUR
    " td{border:0;padding:.1rem 0}\n" FOUR " td:last-child{grid-area:1/2}\n" FOUR
    " td:nth-child(2)," FOUR " td:nth-child(3){grid-column:1/-1}\n"
    ".narrow{display:inline}\n"
    "}\n"
    "@media print{\n"
    ":root{" LIGHT "}\n"
    "@page{size:A4;margin:14mm 13mm}\n"
    "body{font-size:9.5pt}header,main,footer{max-width:none;padding:0}nav{display:none}\n"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
    "section{margin-top:1.4rem}footer,figure,tr,.tiles,.ticks,footer "
    "dl{break-inside:avoid}\n"
    "td{padding-top:.2rem;padding-bottom:.25rem}#time{break-inside:avoid}h2,caption,thead{break-"
    "after:avoid}thead{display:table-header-group}"
    "\n"
    ".tiles{grid-template-columns:repeat(3,1fr)}.tiles div{padding:.4rem .6rem}\n"
    "}\n";

const char *const report_style[] = {page, charts, tables, media, NULL};
