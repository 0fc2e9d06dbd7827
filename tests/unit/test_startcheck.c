/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a configuration fits, where there is no ICU or no memory for what is said: the Makefile
 * links this with --wrap of what fails. What else result.c asks is answered here. */
#include "tests/unit/vectors.h"

#include "tools/check/check.h"
#include "tools/check/checkconf.h"
#include "tools/check/supervised.h"
#include "tools/enable/startcheck.h"

#include <stdio.h>

static struct {
    bool no_unicode, no_memory;
    unsigned opened, closed;
    char **text; /* of the stream that was opened last */
} streams;

FILE *__real_open_memstream(char **text, size_t *len);
FILE *__wrap_open_memstream(char **text, size_t *len);
int __real_fclose(FILE *stream);
int __wrap_fclose(FILE *stream);
xn_status __real_xn_unicode_open(struct xn_unicode **unicode);
xn_status __wrap_xn_unicode_open(struct xn_unicode **unicode);

FILE *__wrap_open_memstream(char **text, size_t *len)
{
    streams.opened++;
    streams.text = text;
    return __real_open_memstream(text, len);
}

/* Fails as if there were no memory for the last part of the text. */
int __wrap_fclose(FILE *stream)
{
    int result = __real_fclose(stream);

    streams.closed++;
    if (!streams.no_memory)
        return result;
    free(*streams.text);
    *streams.text = NULL;
    return EOF;
}

xn_status __wrap_xn_unicode_open(struct xn_unicode **unicode)
{
    return streams.no_unicode ? XN_UNICODE_DATA : __real_xn_unicode_open(unicode);
}

/* --- what else is asked --- */

bool check_starts(struct xn_unicode *unicode, const char *file, const struct check_daemon *what,
                  struct check_draft *draft, FILE *out)
{
    (void)unicode, (void)file, (void)what, (void)draft;
    fputs("it does not start\nand more\n", out);
    return false;
}

char *checkconf_find(const char *given, const char *daemon)
{
    (void)given, (void)daemon;
    return NULL;
}

bool checkconf_accepts(const char *program, const struct xnm_place *place,
                       const struct xnm_diagnostics *diagnostics)
{
    (void)program, (void)place, (void)diagnostics;
    return false;
}

bool checkconf_read(const char *program, const struct xnm_place *place,
                    const struct xnm_diagnostics *diagnostics, struct checkconf *conf)
{
    (void)program, (void)place, (void)diagnostics, (void)conf;
    return false;
}

void checkconf_free(struct checkconf *conf)
{
    (void)conf;
}

const char *supervised_run(unsigned seconds, supervised_work *work, void *arg, struct buffer *found)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = __real_open_memstream(&text, &len);

    (void)seconds;
    assert_non_null(out);
    work(arg, out);
    assert_int_equal(__real_fclose(out), 0);
    buffer_add(found, text, len);
    free(text);
    return NULL;
}

/* --- */

static void expect_reason(const char *reason)
{
    const struct start_question question = {
        .daemon = "d", .module = "m", .config = "c", .unbound_conf = "u", .is_foreign = true};
    struct startcheck result;

    streams.opened = streams.closed = 0;
    startcheck_find(&question, &result);
    assert_int_equal(result.verdict, START_LOADED);
    assert_false(result.good);
    buffer_string(&result.reason);
    assert_string_equal(result.reason.data, reason);
    assert_int_equal(streams.opened, streams.closed);
    startcheck_free(&result);
}

static void test_reason(void **state)
{
    (void)state;
    expect_reason("it does not start");
}

static void test_no_program(void **state)
{
    const struct start_question question = {.unbound_conf = "u"};
    struct startcheck result = {.verdict = START_GOOD};

    (void)state;
    startcheck_confirm(&question, &result);
    assert_int_equal(result.verdict, START_BAD);
    assert_string_equal(buffer_string(&result.reason), "u: unbound-checkconf is gone");
    startcheck_free(&result);
}

static void test_no_unicode(void **state)
{
    (void)state;
    streams.no_unicode = true;
    expect_reason(xn_status_text(XN_UNICODE_DATA));
    streams.no_unicode = false;
}

static void test_no_memory(void **state)
{
    (void)state;
    streams.no_memory = true;
    expect_reason("out of memory");
    streams.no_memory = false;
}

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "the first line is why", test_reason, NULL);
    add_test(&group, "unbound-checkconf is gone", test_no_program, NULL);
    add_test(&group, "no ICU: nothing stays open", test_no_unicode, NULL);
    add_test(&group, "no memory for the reason", test_no_memory, NULL);
    int failed = run_group("startcheck", &group);
    free(group.tests);
    return failed;
}
