/* SPDX-License-Identifier: BSD-3-Clause */
/* unbound.conf: what is kept of it stands where it is said to stand, and is found as well behind
 * another line. The file is in an empty folder and may include itself alone: slashes become
 * underscores. */
#include "tests/fuzz/target.h"

#include "tools/check/unboundconf.h"

#include <fcntl.h>
#include <unistd.h>

#define FOLDER "/tmp/xn-unboundconf-XXXXXX"
#define FILE_NAME "/unbound.conf"

struct reading {
    const char *path;
    char *text;
    size_t errors;
    struct unboundconf conf;
};

/* Up to the first NUL, which ends a draft. Owned by the caller. */
static char *text_of(const char *line, const uint8_t *data, size_t size)
{
    char *text = malloc(strlen(line) + size + 1), *end = stpcpy(text, line);

    for (size_t i = 0; i < size && data[i] != '\0'; i++)
        *end++ = data[i] == '/' ? '_' : (char)data[i];
    *end = '\0';
    return text;
}

/* --- places --- */

/* NULL: there is no such line. */
static const char *find_line(const char *text, unsigned number)
{
    for (; text && number > 1; number--) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text;
}

/* An octet that begins no character is in the column behind it, as the next character is. */
static bool stands_at(const char *at, unsigned column, const char *value)
{
    bool stands = false;

    for (unsigned here = 1; here <= column && *at != '\0' && *at != '\n'; at++) {
        const char *unquoted = at + (*at == '"' || *at == '\'');
        stands |= here == column && strncmp(unquoted, value, strlen(value)) == 0;
        here += ((unsigned char)*at & 0xC0) != 0x80;
    }
    return stands;
}

static void expect_place(const struct reading *reading, const struct xnm_place *place)
{
    const char *line = find_line(reading->text, place->line);

    assert_string_equal(place->file, reading->path);
    assert_non_null(line);
    assert_true(place->line > 0);
    assert_in_range(place->column, 1, strcspn(line, "\n"));
}

/* --- what is read --- */

static void expect_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                          const char *message)
{
    struct reading *reading = arg;

    assert_int_equal(severity, XNM_ERROR);
    assert_true(message[0] != '\0');
    expect_place(reading, place);
    reading->errors++;
}

static void expect_setting(const struct reading *reading, const struct unboundconf_value *value)
{
    const struct xnm_place place = unboundconf_place(value);

    if (!value->text)
        return;
    expect_place(reading, &place);
    assert_true(stands_at(find_line(reading->text, place.line), place.column, value->text));
    assert_null(strchr(value->text, '\n'));
}

static void read_text(struct reading *reading)
{
    const struct xnm_diagnostics diagnostics = {expect_report, reading};
    struct unboundconf_draft draft = {.path = reading->path, .text = reading->text};
    bool good = unboundconf_read(reading->path, &reading->conf, &draft, &diagnostics);

    assert_true(draft.is_included);
    assert_int_equal(good, reading->errors == 0);
}

/* The settings, and behind them the files; NULL: there are no more. */
static const struct unboundconf_value *value_at(const struct unboundconf *conf, size_t i)
{
    const struct unboundconf_value *const settings[] = {&conf->module_config, &conf->chroot,
                                                        &conf->username, &conf->directory};
    const size_t count = sizeof settings / sizeof *settings;

    if (i < count)
        return settings[i];
    return i - count < conf->dynlib_file_count ? &conf->dynlib_files[i - count] : NULL;
}

static void expect_values(const struct reading *reading)
{
    const struct unboundconf_value *value;

    for (size_t i = 0; (value = value_at(&reading->conf, i)); i++)
        expect_setting(reading, value);
}

static void expect_next_line(const struct unboundconf_value *value,
                             const struct unboundconf_value *next)
{
    assert_int_equal(value->text == NULL, next->text == NULL);
    if (!value->text)
        return;
    assert_string_equal(value->text, next->text);
    assert_int_equal(value->line + 1, next->line);
    assert_int_equal(value->column, next->column);
}

static void expect_same_behind_a_line(const struct reading *reading, const struct reading *behind)
{
    const struct unboundconf_value *value;

    assert_int_equal(reading->errors, behind->errors);
    assert_int_equal(reading->conf.dynlib_file_count, behind->conf.dynlib_file_count);
    for (size_t i = 0; (value = value_at(&reading->conf, i)); i++)
        expect_next_line(value, value_at(&behind->conf, i));
}

static void free_reading(struct reading *reading)
{
    unboundconf_free(&reading->conf);
    free(reading->text);
}

static void expect_reading(const char *path, const uint8_t *data, size_t size)
{
    struct reading reading = {.path = path, .text = text_of("", data, size)};
    struct reading behind = {.path = path,
                             .text = text_of("# server: username: none\n", data, size)};

    read_text(&reading);
    expect_values(&reading);
    read_text(&behind);
    expect_same_behind_a_line(&reading, &behind);
    free_reading(&reading);
    free_reading(&behind);
}

/* What an include finds begins at the working directory. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = FOLDER, path[sizeof FOLDER FILE_NAME];
    int here = open(".", O_RDONLY | O_DIRECTORY);

    assert_true(here >= 0);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    sprintf(path, "%s%s", folder, FILE_NAME);
    expect_reading(path, data, size);
    assert_int_equal(fchdir(here), 0);
    assert_int_equal(rmdir(folder), 0);
    close(here);
    return 0;
}
