/* SPDX-License-Identifier: BSD-3-Clause */
/* All files of a policy, and those that take their place: read as a swap reads them, or refused
 * with an error. What is in force decides any name for any client, decides the same when it is
 * compiled, and can be told by metrics. An input is texts with a line `=` between them: a rule
 * file, a list, a zone, a file of addresses, and the same four again. In place of these, a text `-`
 * is a file that is gone, and an empty one leaves the file as it was. */
#include "tests/fuzz/compiled.h"

#include "module/config/config.h"
#include "module/load/policyfiles.h"
#include "module/run/metrics.h"
#include "tests/unit/logline_grammar.h"
#include "tests/unit/prometheus.h"

#include <fcntl.h>

/* --- the files --- */

enum { FILES = 4 };
static const char *const file_names[FILES] = {"rules", "list", "zone", "addresses"};
static char folder[64];

static void open_folder(void)
{
    strcpy(folder, "/dev/shm/xn-fuzz-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static const char *path_of(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void close_folder(void)
{
    for (unsigned i = 0; i < FILES; i++)
        unlink(path_of(file_names[i]));
    assert_int_equal(rmdir(folder), 0);
}

/* Takes the text before the next line `=`. */
static size_t take_text(const uint8_t **data, size_t *size, const uint8_t **text)
{
    const uint8_t *end = memmem(*data, *size, "\n=\n", 3);
    size_t len = end ? (size_t)(end + 1 - *data) : *size, behind = len + (end ? 2 : 0);

    *text = *data;
    *data += behind;
    *size -= behind;
    return len;
}

/* Returns whether a file has changed. */
static bool write_files(const uint8_t **data, size_t *size)
{
    bool changed = false;

    for (unsigned i = 0; i < FILES; i++) {
        const uint8_t *text;
        size_t len = take_text(data, size, &text);
        const char *path = path_of(file_names[i]);
        if (len == 0)
            continue;
        changed = true;
        unlink(path);
        if (text[0] == '-' && (len == 1 || text[1] == '\n'))
            continue;
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        assert_int_equal(write(fd, text, len), len);
        close(fd);
    }
    return changed;
}

/* --- reading them --- */

static void count_errors(void *arg, xnm_severity severity, const struct xnm_place *place,
                         const char *message)
{
    size_t *errors = arg;

    assert_true(message[0] != '\0');
    check_characters(message, (int32_t)strlen(message), false);
    assert_memory_equal(place->file, folder, strlen(folder));
    *errors += severity == XNM_ERROR;
}

/* Without a policy if there is none. */
static struct xnm_policyfiles read_files(const struct xnm_policy *before)
{
    static const char text[] = "idn:\n    policy: rules\n    policy-memory: 64m\n";
    size_t errors = 0;
    const struct xnm_diagnostics diagnostics = {count_errors, &errors};
    struct xnm_config config;
    struct xnm_policyfiles read;

    xnm_config_init(&config);
    assert_true(
        xnm_config_parse(&config, path_of("idn.conf"), text, sizeof text - 1, &diagnostics));
    const struct xnm_policyfiles_options options = {.config = &config,
                                                    .unicode = text_unicode(),
                                                    .diagnostics = &diagnostics,
                                                    .hits = text_hits(),
                                                    .before = before};
    bool good = xnm_policyfiles_read(&options, &read);
    assert_int_equal(good, read.policy != NULL);
    assert_true((read.policy && read.bad_lists == 0) || errors > 0);
    assert_false(read.no_memory);
    assert_in_range(read.sources.count, 1, SIZE_MAX);
    xnm_config_free(&config);
    return read;
}

/* --- what is in force --- */

static void expect_metrics(const struct xnm_policy *policy, const struct xnm_policyfiles *read)
{
    static struct samples samples;
    struct xnm_metrics *metrics = xnm_metrics_new();
    const struct xnm_metrics_extra extra = {
        .policy = policy,
        .reload = {.bad_lists = read->bad_lists, .list_bad_lines = read->bad_lines}};
    size_t len;
    char *text = xnm_metrics_text(metrics, &extra, &len);

    assert_int_equal(strlen(text), len);
    read_samples(text, &samples);
    assert_int_equal(value_of(&samples, "unbound_idn_policy_rules"), xnm_policy_rule_count(policy));
    assert_int_equal(value_of(&samples, "unbound_idn_policy_names"),
                     xnm_policy_entry_count(policy));
    free(text);
    xnm_metrics_free(metrics);
}

/* Writes what the policy says of each name; returns its length. */
static size_t put_decisions(const struct xnm_policy *policy, char *text, size_t room)
{
    size_t len = 0;

    for (size_t i = 0; i < COMPILED_NAMES; i++) {
        struct xnm_decision decision;
        len += (size_t)snprintf(text + len, room - len, "%s\n",
                                decided(policy, compiled_names[i], 1, 1, &decision));
        assert_in_range(len, 1, room - 1);
    }
    return len;
}

/* A file that is gone, or is none, is refused as a source. */
static struct xnm_arena compile(const struct xnm_policyfiles *read)
{
    const struct xnm_sources none = {0};
    struct xnm_arena compiled;
    const char *source;

    if (xnm_compiled_write(read->policy, &read->sources, &compiled, &source)) {
        assert_false(xnm_stamp_of(source).regular);
        assert_null(xnm_compiled_write(read->policy, &none, &compiled, &source));
    }
    return compiled;
}

/* Uses a policy; returns the same one, compiled and read again. */
static struct xnm_policy *expect_policy(struct xnm_policyfiles *read)
{
    static char before[1 << 20], after[1 << 20];
    const char *why;

    use(read->policy);
    expect_metrics(read->policy, read);
    size_t len = put_decisions(read->policy, before, sizeof before);
    struct xnm_policy *policy = policy_of_compiled(compile(read), &why);
    assert_null(why);
    xnm_policy_free(read->policy);
    expect_octets(after, put_decisions(policy, after, sizeof after), before, len);
    expect_metrics(policy, read);
    return policy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct xnm_policyfiles first, second;
    struct xnm_policy *before = NULL;

    open_folder();
    write_files(&data, &size);
    first = read_files(NULL);
    if (first.policy)
        before = expect_policy(&first);
    if (write_files(&data, &size)) {
        second = read_files(before);
        if (second.policy)
            xnm_policy_free(expect_policy(&second));
        xnm_sources_free(&second.sources);
    }
    xnm_policy_free(before);
    xnm_sources_free(&first.sources);
    close_folder();
    return 0;
}
