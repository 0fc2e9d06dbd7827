/* SPDX-License-Identifier: BSD-3-Clause */
/* The two questions of `unbound-idn fetch`, a script: which lists have a URL, and whether a
 * download may replace one of them. */
#ifndef XN_TOOLS_CHECK_DOWNLOAD_H
#define XN_TOOLS_CHECK_DOWNLOAD_H

struct xn_unicode;

/* Prints a line for each list whose rule, in a rule file that the configuration `config` names, has
 * url=. Its fields, separated by one tab: the rule's FILE:LINE:COLUMN, the list, the URL, and, if
 * the list's folder cannot be opened without following a symbolic link that others may have made,
 * why. No field has a control character or a character that is invisible. Two rules with the same
 * list and the same URL make one line. Returns STATUS_FINE; STATUS_FINDING if a rule has an error,
 * a list has a second URL, or its path cannot be printed in a line; STATUS_USAGE if the
 * configuration cannot be read, or no rule. Reports errors on standard error. */
int download_print_urls(const struct xn_unicode *unicode, const char *config);

/* Checks the file `download`, which was downloaded for the list `list` of download_print_urls, as
 * its rule reads it, and against the entries of the present list (shrink=). Prints one line without
 * control characters: the number of entries, and returns STATUS_FINE; or the reason to reject the
 * download, and returns STATUS_FINDING. Returns STATUS_USAGE, and says why on standard error, if a
 * file cannot be read, or no rule with url= names the list. */
int download_check(const struct xn_unicode *unicode, const char *config, const char *download,
                   const char *list);

#endif
