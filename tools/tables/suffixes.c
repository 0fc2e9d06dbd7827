/* SPDX-License-Identifier: BSD-3-Clause */
/* suffixes: makes the filter in front of libpsl's list (module/name/suffixfilter.h) from the file
 * that the list was made of, if it is installed. Each rule of the file is asked of libpsl, and its
 * rules are counted: if the file is another version, the filter is empty and for no list, so that
 * libpsl is asked about every name. */
#include "core/idna/unicode.h"
#include "core/names/idna.h"
#include "module/name/suffixfilter.h"

#include <libpsl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1024 };

static struct xn_unicode *unicode;
static uint8_t bits[XNM_SUFFIX_BITS / 8];

static void set_bits(const uint8_t *name, size_t len, bool wildcard)
{
    uint64_t hash = xnm_suffix_hash(name, len, wildcard);

    for (int second = 0; second < 2; second++) {
        size_t bit = xnm_suffix_bit(hash, second);
        bits[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
}

/* Adds a rule. A wildcard is one for its parent, too. Returns whether libpsl has it. */
static bool add_rule(const char *rule, bool icann)
{
    bool exception = *rule == '!', wildcard = strncmp(rule, "*.", 2) == 0;
    const char *name = rule + (exception ? 1 : wildcard ? 2 : 0);
    uint8_t wire[XN_WIRE_NAME_MAX];
    char text[2 + XN_IDNA_TEXT_MAX] = "0.";
    struct xn_findings findings;
    size_t len, text_len;

    if (xn_idna_to_wire(unicode, name, strlen(name), wire, &len, &findings) != XN_OK || len == 0 ||
        xn_idna_to_ascii(unicode, name, strlen(name), text + 2, &text_len, &findings) != XN_OK)
        return false;
    if (icann && !exception)
        set_bits(wire, len, false);
    if (icann && wildcard)
        set_bits(wire, len, true);
    return psl_is_public_suffix2(psl_builtin(), text + (wildcard ? 0 : 2),
                                 PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) == !exception;
}

/* Returns how many rules of the file libpsl has; 0 if it lacks one. */
static int read_rules(FILE *file)
{
    char line[LINE_SIZE];
    bool icann = false;
    int count = 0;

    while (fgets(line, sizeof line, file)) {
        if (strstr(line, "===BEGIN ICANN") || strstr(line, "===END ICANN"))
            icann = strstr(line, "===BEGIN") != NULL;
        line[strcspn(line, " \t\r\n")] = '\0';
        if (*line == '\0' || strncmp(line, "//", 2) == 0)
            continue;
        if (!add_rule(line, icann))
            return 0;
        count++;
    }
    return count;
}

int main(void)
{
    const psl_ctx_t *list = psl_builtin();
    int rules = psl_suffix_count(list) + psl_suffix_exception_count(list);
    FILE *file = fopen(psl_builtin_filename(), "r");

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    bool complete = file && rules > 0 && read_rules(file) == rules;
    if (!complete)
        memset(bits, 0, sizeof bits);
    printf("static const char suffix_list[] = \"%s\";\nstatic const uint8_t suffix_bits[] = {",
           complete ? psl_builtin_sha1sum() : "");
    for (size_t i = 0; i < sizeof bits; i++)
        printf("%s%u,", i % 16 == 0 ? "\n" : " ", bits[i]);
    printf("\n};\n");
    if (file)
        fclose(file);
    xn_unicode_close(unicode);
    return ferror(stdout) || fflush(stdout) != 0;
}
