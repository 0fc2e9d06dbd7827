/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with libxn: prints a wire-format name for people, and the findings about its labels.
 * cc doc/example.c $(pkg-config --cflags --libs libxn) */
#include <libxn/idna.h>
#include <stdio.h>

int main(void)
{
    static const uint8_t wire[] = "\3www\15xn--pypal-4ve\7example"; /* ends with the root's 0 */
    struct xn_unicode *unicode;
    struct xn_findings findings;
    char text[XN_IDNA_DISPLAY_MAX], fault[XN_UNICODE_FAULT_MAX];
    size_t len;
    xn_status status = xn_unicode_open(&unicode);

    if (status != XN_OK) {
        fprintf(stderr, "%s\n", xn_unicode_fault(status, fault));
        return 1;
    }
    if (xn_idna_display_wire(unicode, wire, sizeof wire, text, &len, &findings) != XN_OK)
        return 1;
    printf("%s\n", text);
    for (size_t i = 0; i < findings.label_count; i++) {
        xn_reasons reasons = findings.labels[i];
        if (reasons != 0)
            printf("label %zu is %s: %s\n", i + 1, xn_label_status_word(xn_reasons_status(reasons)),
                   xn_reason_word(xn_reasons_worst(reasons)));
    }
    xn_unicode_close(unicode);
    return 0;
}
