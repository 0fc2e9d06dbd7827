/* SPDX-License-Identifier: BSD-3-Clause */
/* idn.conf: refused with an error at its place, or read into values that the keys may have; and
 * from a file as from memory. */
#include "core/wire/wire.h"
#include "tests/fuzz/reports.h"

#include "module/config/config.h"

#include <sys/mman.h>
#include <unistd.h>

static void expect_name(const struct xnm_wirename *name)
{
    struct xn_wire_cursor cursor;

    assert_int_equal(xn_wire_open(&cursor, name->octets, name->len), XN_OK);
}

static void expect_path(const char *path)
{
    if (path)
        assert_true(path[0] != '\0');
}

static void expect_prefix(const struct xnm_prefix *prefix)
{
    assert_true(prefix->address.len == 4 || prefix->address.len == 16);
    assert_true(prefix->bits <= 8 * prefix->address.len && xnm_prefix_holds(prefix, prefix));
}

static void expect_values(const struct xnm_config *config)
{
    assert_in_range(config->log, XNM_LOG_TEXT, XNM_LOG_NONE);
    assert_in_range(config->log_names, XNM_LOG_NAMES_ALL, XNM_LOG_NAMES_POLICY);
    assert_in_range(config->log_name, XNM_LOG_NAME_BOTH, XNM_LOG_NAME_ASCII);
    assert_in_range(config->log_client, XNM_LOG_CLIENT_FULL, XNM_LOG_CLIENT_NONE);
    assert_in_range(config->show_emoji, XNM_NO, XNM_YES);
    assert_in_range(config->policy.mode, XNM_POLICY_ENFORCE, XNM_POLICY_LOG_ONLY);
    assert_in_range(config->policy.watch, XNM_WATCH_YES, XNM_WATCH_NO);
    assert_true(config->metrics_interval > 0);
    assert_in_range(config->policy.ttl, 0, INT32_MAX);
    assert_true(config->policy.memory >= 1 << 20);
    expect_path(config->log_to);
    expect_path(config->metrics_file);
    for (size_t i = 0; i < config->policy.file_count; i++) {
        assert_non_null(config->policy.files[i]);
        expect_path(config->policy.files[i]);
    }
    assert_in_range(config->client_subnet_from.count, 0, XNM_FORWARDERS_MAX);
    for (size_t i = 0; i < config->client_subnet_from.count; i++)
        expect_prefix(&config->client_subnet_from.prefixes[i]);
    const struct xnm_why_settings *why = &config->policy.why;
    assert_true(why->code == 0 || (why->code >= 20 && why->code < 0xFFFF));
    assert_non_null(memchr(why->contact, '\0', sizeof why->contact));
    assert_non_null(memchr(why->organization, '\0', sizeof why->organization));
    assert_non_null(memchr(why->language, '\0', sizeof why->language));
    assert_in_range(strlen(why->language), 2, XNM_WHY_LANGUAGE_MAX - 1);
    for (const char *at = why->contact; *at; at++)
        assert_in_range(*at, ' ', '~');
    expect_name(&config->policy.soa_mname);
    expect_name(&config->policy.soa_rname);
}

static void expect_same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_string_equal(a, b);
}

static void expect_same(const struct xnm_config *a, const struct xnm_config *b)
{
    expect_same_text(a->log_to, b->log_to);
    expect_same_text(a->metrics_file, b->metrics_file);
    assert_int_equal(a->policy.file_count, b->policy.file_count);
    for (size_t i = 0; i < a->policy.file_count; i++)
        assert_string_equal(a->policy.files[i], b->policy.files[i]);
    expect_octets(a->policy.soa_mname.octets, a->policy.soa_mname.len, b->policy.soa_mname.octets,
                  b->policy.soa_mname.len);
    expect_octets(a->policy.soa_rname.octets, a->policy.soa_rname.len, b->policy.soa_rname.octets,
                  b->policy.soa_rname.len);
}

static void expect_copy(const struct xnm_config *config)
{
    struct xnm_config copy;

    assert_true(xnm_config_copy(config, &copy));
    expect_values(&copy);
    expect_same(&copy, config);
    xnm_config_free(&copy);
}

#define FOLDER "/proc/self/fd"

/* Loads a file from memory. Its relative paths begin at the file's folder, so two paths may be the
 * same only there. */
static void expect_loaded(const uint8_t *data, size_t size, bool good)
{
    struct xnm_config config;
    char path[64];
    int fd = memfd_create("idn.conf", 0);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), size);
    snprintf(path, sizeof path, FOLDER "/%d", fd);
    xnm_config_init(&config);
    bool loaded = xnm_config_load(&config, path, &xnm_diagnostics_ignored);
    assert_true(loaded == good || (good && memmem(data, size, FOLDER, strlen(FOLDER))));
    xnm_config_free(&config);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reports reports = reports_of(data, size);
    const struct xnm_diagnostics diagnostics = {expect_report, &reports};
    char *text = exact_copy(data, size);
    struct xnm_config config;

    xnm_config_init(&config);
    bool good = xnm_config_parse(&config, REPORTS_FILE, text, size, &diagnostics);
    assert_int_equal(good, reports.errors == 0);
    if (good) {
        expect_values(&config);
        expect_copy(&config);
    }
    xnm_config_free(&config);
    expect_loaded(data, size, good);
    free(text);
    return 0;
}
