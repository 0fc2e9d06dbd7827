/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/moduleorder.h"

#include "module/base/order.h"

#include <string.h>

static const char dynlib[] = "dynlib", python[] = "python ";

/* Of Unbound 1.17.1, 1.22.0 and 1.26.1, which have the same (smallapp/unbound-checkconf.c). */
static const char *const known[] = {
    "cachedb dynlib iterator",
    "dns64 dynlib cachedb iterator",
    "dns64 dynlib iterator",
    "dns64 dynlib validator cachedb iterator",
    "dns64 dynlib validator iterator",
    "dns64 validator dynlib iterator",
    "dynlib cachedb iterator",
    "dynlib dns64 cachedb iterator",
    "dynlib dns64 iterator",
    "dynlib dns64 validator cachedb iterator",
    "dynlib dns64 validator iterator",
    "dynlib dynlib dynlib iterator",
    "dynlib dynlib dynlib validator iterator",
    "dynlib dynlib iterator",
    "dynlib dynlib validator iterator",
    "dynlib ipsecmod iterator",
    "dynlib ipsecmod respip iterator",
    "dynlib ipsecmod respip validator iterator",
    "dynlib ipsecmod validator iterator",
    "dynlib iterator",
    "dynlib respip cachedb iterator",
    "dynlib respip iterator",
    "dynlib respip subnetcache iterator",
    "dynlib respip subnetcache validator iterator",
    "dynlib respip validator cachedb iterator",
    "dynlib respip validator iterator",
    "dynlib subnetcache iterator",
    "dynlib subnetcache validator iterator",
    "dynlib validator cachedb iterator",
    "dynlib validator iterator",
    "ipsecmod dynlib iterator",
    "ipsecmod dynlib respip iterator",
    "ipsecmod dynlib respip validator iterator",
    "ipsecmod dynlib validator iterator",
    "ipsecmod respip validator dynlib iterator",
    "ipsecmod validator dynlib iterator",
    "python dynlib dynlib dynlib iterator",
    "python dynlib dynlib dynlib validator iterator",
    "python dynlib dynlib iterator",
    "python dynlib dynlib validator iterator",
    "python dynlib iterator",
    "python dynlib validator iterator",
    "respip cachedb dynlib iterator",
    "respip subnetcache dynlib iterator",
    "respip subnetcache dynlib validator iterator",
    "respip subnetcache validator dynlib iterator",
    "respip validator cachedb dynlib iterator",
    "respip validator dynlib cachedb iterator",
    "subnetcache dynlib iterator",
    "subnetcache dynlib validator iterator",
    "subnetcache validator dynlib iterator",
    "validator cachedb dynlib iterator",
    "validator dynlib cachedb iterator",
    "validator dynlib iterator",
};
enum { KNOWN_COUNT = sizeof known / sizeof *known };

static bool is_dynlib(const char *word, size_t len)
{
    return len == strlen(dynlib) && memcmp(word, dynlib, len) == 0;
}

size_t moduleorder_position(const char *order, size_t n)
{
    size_t position = 0, len;

    for (const char *word; (word = xnm_order_word(&order, &len)); position++)
        if (is_dynlib(word, len) && n-- == 0)
            break;
    return position;
}

bool moduleorder_is_known(const char *order)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        if (strcmp(order, known[i]) == 0)
            return true;
    return false;
}

/* As often as it is there, or once, behind the first `before` of the other words. */
static void insert_dynlib(const char *order, size_t before, struct buffer *result)
{
    size_t len, left = xnm_order_dynlib_count(order), position = 0;
    const char *word, *space = "";

    left = left > 0 ? left : 1;
    while ((word = xnm_order_word(&order, &len)) || left > 0) {
        if (word && is_dynlib(word, len))
            continue;
        for (; left > 0 && (!word || position == before); left--, space = " ")
            buffer_format(result, "%s%s", space, dynlib);
        if (word)
            buffer_format(result, "%s%.*s", space, (int)len, word);
        space = " ";
        position++;
    }
}

static bool belongs_behind_python(const char *order)
{
    struct buffer behind = {0};

    insert_dynlib(order, 1, &behind);
    buffer_string(&behind);
    bool belongs =
        strncmp(behind.data, python, strlen(python)) == 0 && moduleorder_is_known(behind.data);
    buffer_free(&behind);
    return belongs;
}

void moduleorder_add_dynlib(const char *order, struct buffer *result)
{
    insert_dynlib(order, belongs_behind_python(order) ? 1 : 0, result);
}
