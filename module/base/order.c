/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/order.h"

#include <stdbool.h>
#include <string.h>

static const char blanks[] = " \t\n\v\f\r";

const char *xnm_order_word(const char **at, size_t *len)
{
    const char *word = *at + strspn(*at, blanks);

    *len = strcspn(word, blanks);
    *at = word + *len;
    return *len > 0 ? word : NULL;
}

static bool is_word(const char *word, size_t len, const char *text)
{
    return strlen(text) == len && memcmp(word, text, len) == 0;
}

size_t xnm_order_dynlib_count(const char *order)
{
    size_t count = 0, len;

    for (const char *word; (word = xnm_order_word(&order, &len));)
        count += is_word(word, len, "dynlib");
    return count;
}

const char *xnm_order_cache_before(const char *order, size_t position, size_t *len)
{
    for (const char *word; position > 0 && (word = xnm_order_word(&order, len)); position--) {
        if (!is_word(word, *len, "python") && !is_word(word, *len, "dynlib"))
            return word;
    }
    return NULL;
}
