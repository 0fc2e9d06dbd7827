/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of servers' configurations that lists are published in: dnsmasq's and Unbound's; and
 * BIND's. All are about zones: a name and all below it. */
#include "module/list/reader.h"
#include "module/rule/rule.h"

/* Takes a zone, or an exemption: in both the longest match decides. */
static void take(struct xnm_list_reader *list, const char *at, const char *end, bool exempts)
{
    memset(&list->modifiers, 0, sizeof list->modifiers);
    if (exempts && xnm_list_is_protected(list)) {
        xnm_list_skip(list, at, XNM_LIST_SKIP_PROTECTED);
        return;
    }
    list->modifiers.exempts = list->modified = exempts && list->tally.rule->action != XNM_PASSTHRU;
    xnm_list_take_written(list, at, end, XNM_SCOPE_ZONE);
    list->modified = false;
}

/* Reads the text in quotes, or the word, at *at, and moves *at past it. False: there is none. */
static bool read_quoted(const char **at, const char *end, const char **text, const char **text_end)
{
    const char *start = xnm_textline_skip_blanks(*at, end);
    bool is_quoted = start < end && (*start == '"' || *start == '\'');

    *text = start + is_quoted;
    *text_end = is_quoted ? memchr(*text, *start, (size_t)(end - *text))
                          : xnm_textline_skip_word(start, end);
    if (!*text_end || *text_end == *text)
        return false;
    *at = *text_end + is_quoted;
    return true;
}

/* Is a word among these? Each ends with a space. */
static bool is_among(const char *at, const char *end, const char *words)
{
    for (size_t len; *words; words += len + 1) {
        len = (size_t)(strchr(words, ' ') - words);
        if ((size_t)(end - at) == len && strncasecmp(words, at, len) == 0)
            return true;
    }
    return false;
}

/* --- dnsmasq --- */

/* address=/x/y/ADDRESS answers for x and y. server=/x/ and local=/x/ ask no server. `#` stands for
 * the usual servers, which makes the line an exemption. Any other server answers for x itself. */
static void read_dnsmasq(struct xnm_list_reader *list, const char *at, const char *end,
                         bool address)
{
    const char *slash = memrchr(at, '/', (size_t)(end - at)), *value = slash + 1;
    bool exempts = !address && end - value == 1 && *value == '#';

    if (!address && !exempts && value < end) {
        xnm_list_skip(list, at, XNM_LIST_SKIP_SERVER);
        return;
    }
    for (at++; at < value && !list->tally.stopped;) {
        const char *name_end = memchr(at, '/', (size_t)(value - at));
        const char *name = at + (*at == '.');
        at = name_end + 1;
        if (name_end == name)
            xnm_list_skip(list, name, XNM_LIST_SKIP_OPTION); /* names without a dot */
        else if (name_end - name == 1 && *name == '#')
            xnm_list_skip(list, name, XNM_LIST_SKIP_ROOT);
        else
            take(list, name, name_end, exempts);
    }
}

static bool is_dnsmasq(struct xnm_list_reader *list, const char *at, const char *end)
{
    static const char *const others[] = {
        "ipset=",  "nftset=", "rebind-domain-ok=", "bogus-nxdomain=",
        "server=", "local=",  "address=",          "conf-file="};
    static const char *const keys[] = {"address=/", "server=/", "local=/"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *slash = at + strlen(keys[i]) - 1;
        if (xnm_list_begins(at, end, keys[i]) &&
            memchr(slash + 1, '/', (size_t)(end - slash - 1))) {
            read_dnsmasq(list, slash, end, i == 0);
            return true;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (xnm_list_begins(at, end, others[i])) {
            xnm_list_skip(list, at, XNM_LIST_SKIP_OPTION);
            return true;
        }
    }
    return false;
}

/* --- Unbound --- */

static bool is_unbound(struct xnm_list_reader *list, const char *at, const char *end)
{
    static const char blocks[] = "static redirect refuse deny inform_deny inform_redirect "
                                 "always_nxdomain always_nodata always_refuse always_deny "
                                 "always_null ";
    static const char exempts[] =
        "transparent typetransparent always_transparent inform nodefault ";
    const char *name, *name_end, *type, *type_end, *pos = at + 11;

    if (xnm_list_begins(at, end, "server:"))
        return end - at == 7;
    if (xnm_list_begins(at, end, "local-data:") || xnm_list_begins(at, end, "local-data-ptr:")) {
        xnm_list_skip(list, at, XNM_LIST_SKIP_OPTION);
        return true;
    }
    if (!xnm_list_begins(at, end, "local-zone:"))
        return false;
    if (!read_quoted(&pos, end, &name, &name_end) || !read_quoted(&pos, end, &type, &type_end))
        xnm_list_bad(list, at, "local-zone: needs a name and a type");
    else if (is_among(type, type_end, blocks))
        take(list, name, name_end, false);
    else if (is_among(type, type_end, exempts))
        take(list, name, name_end, true);
    else
        xnm_list_skip(list, type, XNM_LIST_SKIP_ZONE);
    return true;
}

bool xnm_list_server(struct xnm_list_reader *list, const char *at, const char *end)
{
    size_t before = list->tally.entries;
    xnm_list_syntax syntax = XNM_LIST_BIND;

    if (!xnm_list_bind(list, at, end)) {
        syntax = XNM_LIST_UNBOUND;
        if (!is_unbound(list, at, end)) {
            syntax = XNM_LIST_DNSMASQ;
            if (!is_dnsmasq(list, at, end))
                return false;
        }
    }
    list->tally.of_syntax[syntax] += list->tally.entries - before;
    return true;
}
