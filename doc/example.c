/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program does with libxn: shows a wire-format name to people, and says what is odd about
 * it. cc doc/example.c $(pkg-config --cflags --libs libxn) */
#include <libxn/display.h>
#include <stdio.h>

int main(void)
{
    static const uint8_t wire[] = "\3www\15xn--pypal-4ve\7example"; /* ends with the root's 0 */
    struct xn_unicode *unicode;
    struct xn_name name;
    char text[XN_DISPLAY_NAME_MAX];

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    if (xn_name_read(unicode, wire, sizeof wire, 0, &name) != XN_OK)
        return 1;
    printf("%.*s\n", (int)xn_display_name(&name, 0, text), text);
    for (size_t i = 0; i < name.label_count; i++) {
        xn_reasons reasons = name.labels[i].reasons;
        if (reasons != 0)
            printf("label %zu is %s: %s\n", i + 1, xn_label_status_word(xn_reasons_status(reasons)),
                   xn_reason_word(xn_reasons_worst(reasons)));
    }
    xn_unicode_close(unicode);
    return 0;
}
