/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/unboundconf.h"

#include "module/file/textfile.h"
#include "tools/text/buffer.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    FILE_SIZE_MAX = 1 << 30, /* Unbound has none, and there are millions of local zones in one */
    DEPTH_MAX = 100, /* Unbound allows as many as it can open files: a file that includes itself */
    READINGS_MAX = 10000 /* Unbound has none: 18 files that each include the next one twice are read
                            a quarter of a million times */
};

typedef enum { CLAUSE_OTHER, CLAUSE_SERVER, CLAUSE_DYNLIB } clause;

struct reader {
    struct unboundconf *conf;
    struct unboundconf_draft *draft; /* NULL: none */
    const struct xnm_diagnostics *diagnostics;
    clause clause;
    unsigned depth, readings;
    bool failed;
    bool stopped; /* too deep, or too often: nothing more is read */
};

/* A file being read. */
struct source {
    struct reader *reader;
    const char *file;
    const char *at, *end;
    const char *counted; /* up to here line and column are known */
    unsigned line, column;
};

struct word {
    const char *at; /* without its quotes */
    size_t len;
    bool is_key; /* ended by a colon, which is not part of it */
    struct xnm_place place;
};

/* Settings of server: that are kept. */
static const struct {
    const char *name;
    size_t offset;
} settings[] = {
    {"module-config", offsetof(struct unboundconf, module_config)},
    {"chroot", offsetof(struct unboundconf, chroot)},
    {"username", offsetof(struct unboundconf, username)},
    {"directory", offsetof(struct unboundconf, directory)},
};
enum { SETTING_COUNT = sizeof settings / sizeof *settings };

/* Keys without a value: the words that Unbound 1.26.1 knows. */
static const char *const clauses[] = {
    "server", "stub-zone", "forward-zone", "auth-zone", "rpz",     "view",  "remote-control",
    "python", "dynlib",    "dnstap",       "dnscrypt",  "cachedb", "ipset",
};
enum { CLAUSE_COUNT = sizeof clauses / sizeof *clauses };

/* Keys with more than one value: those of Unbound 1.22.0. */
static const struct {
    const char *name;
    unsigned values;
} long_keys[] = {
    {"access-control", 2},          {"access-control-tag", 2},   {"access-control-tag-action", 3},
    {"access-control-tag-data", 3}, {"access-control-view", 2},  {"edns-client-string", 2},
    {"interface-action", 2},        {"interface-tag", 2},        {"interface-tag-action", 3},
    {"interface-tag-data", 3},      {"interface-view", 2},       {"local-zone", 2},
    {"local-zone-override", 3},     {"local-zone-tag", 2},       {"ratelimit-below-domain", 2},
    {"ratelimit-for-domain", 2},    {"response-ip", 2},          {"response-ip-data", 2},
    {"response-ip-tag", 2},         {"tcp-connection-limit", 2},
};
enum { LONG_KEY_COUNT = sizeof long_keys / sizeof *long_keys };

static void read_file(struct reader *reader, const char *file, const struct xnm_place *place);

static char *copy_text(const char *text, size_t len)
{
    struct buffer copy = {0};

    buffer_add(&copy, text, len);
    buffer_string(&copy);
    return copy.data;
}

/* --- words --- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_key_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/* The place in hand. Columns count characters, as the module's own messages do; from the place
 * before on, since all may stand on one line. */
static struct xnm_place place_of(struct source *source)
{
    for (; source->counted < source->at; source->counted++)
        source->column += ((unsigned char)*source->counted & 0xC0) != 0x80;
    return (struct xnm_place){source->file, source->line, source->column};
}

static void skip_to_word(struct source *source)
{
    while (source->at < source->end && (is_space(*source->at) || *source->at == '#')) {
        if (*source->at == '#') {
            const char *newline = memchr(source->at, '\n', (size_t)(source->end - source->at));
            source->at = newline ? newline : source->end;
        } else if (*source->at++ == '\n') {
            source->counted = source->at;
            source->column = 1;
            source->line++;
        }
    }
}

/* A backslash takes the character behind it along, and stays. */
static void skip_letter(struct source *source)
{
    bool escapes = *source->at == '\\' && source->at + 1 < source->end && source->at[1] != '\n';

    source->at += escapes ? 2 : 1;
}

static bool read_quoted(struct source *source, struct word *word)
{
    char quote = *source->at++;

    word->at = source->at;
    while (source->at < source->end && *source->at != quote && *source->at != '\n')
        skip_letter(source);
    word->len = (size_t)(source->at - word->at);
    if (source->at < source->end && *source->at == quote) {
        source->at++;
        return true;
    }
    source->reader->failed = true;
    xnm_diagnose(source->reader->diagnostics, XNM_ERROR, &word->place,
                 "this quote is not closed: expected a second %c on the line", quote);
    return false;
}

/* A key ends at its colon; a value goes on to white space or a quote, colons and all. */
static void read_bare(struct source *source, bool key_expected, struct word *word)
{
    bool may_be_key = key_expected;

    for (; source->at < source->end && !is_space(*source->at); skip_letter(source)) {
        if (*source->at == '"' || *source->at == '\'')
            break;
        if (*source->at == ':' && may_be_key && source->at > word->at) {
            word->len = (size_t)(source->at++ - word->at);
            word->is_key = true;
            return;
        }
        may_be_key &= is_key_letter(*source->at);
    }
    word->len = (size_t)(source->at - word->at);
}

/* False at the end of the file. A word whose quote is not closed is left out. */
static bool next_word(struct source *source, bool key_expected, struct word *word)
{
    for (;;) {
        skip_to_word(source);
        if (source->at == source->end)
            return false;
        *word = (struct word){.at = source->at, .place = place_of(source)};
        if (*source->at != '"' && *source->at != '\'') {
            read_bare(source, key_expected, word);
            return true;
        }
        if (read_quoted(source, word))
            return true;
    }
}

static bool word_is(const struct word *word, const char *text)
{
    return word->len == strlen(text) && memcmp(word->at, text, word->len) == 0;
}

/* --- includes --- */

static bool has_pattern(const char *path)
{
    return strpbrk(path, "*?[{~") != NULL;
}

/* The folder that a path is in, "." for one without a slash. Owned by the caller. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? copy_text(path, (size_t)(slash - path) + 1) : copy_text(".", 1);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool same_folder(const char *one, const char *other)
{
    char *folders[] = {folder_of(one), folder_of(other)};
    struct stat a, b;
    bool same = stat(folders[0], &a) == 0 && stat(folders[1], &b) == 0 && a.st_dev == b.st_dev &&
                a.st_ino == b.st_ino;

    free(folders[0]);
    free(folders[1]);
    return same;
}

static bool is_draft(const struct reader *reader, const char *file)
{
    return reader->draft && strcmp(name_of(file), name_of(reader->draft->path)) == 0 &&
           same_folder(file, reader->draft->path);
}

/* The path by which this pattern would find the draft if it were there, or NULL. Owned by the
 * caller. */
static char *found_draft(const struct reader *reader, const char *pattern)
{
    struct buffer path = {0};
    glob_t folders = {0};

    if (!reader->draft || fnmatch(name_of(pattern), name_of(reader->draft->path), FNM_PERIOD) != 0)
        return NULL;
    char *folder = folder_of(pattern);
    int result = glob(folder, GLOB_BRACE | GLOB_TILDE, NULL, &folders);
    for (size_t i = 0; result == 0 && i < folders.gl_pathc && path.len == 0; i++)
        if (same_folder(folders.gl_pathv[i], reader->draft->path))
            buffer_format(&path, "%s%s", strchr(pattern, '/') ? folders.gl_pathv[i] : "",
                          name_of(reader->draft->path));
    globfree(&folders);
    free(folder);
    return path.len > 0 ? buffer_string(&path) : NULL;
}

/* In the order of their names, the draft in its place. */
static void read_found(struct reader *reader, const char *pattern, const glob_t *found,
                       const struct xnm_place *place)
{
    char *draft = found_draft(reader, pattern);
    bool awaits_draft = draft;

    for (size_t i = 0; i < found->gl_pathc; i++) {
        const char *file = found->gl_pathv[i];
        int order = awaits_draft ? strcmp(draft, file) : 1;

        if (order <= 0) {
            read_file(reader, draft, place);
            awaits_draft = false;
        }
        if (order != 0)
            read_file(reader, file, place);
    }
    if (awaits_draft)
        read_file(reader, draft, place);
    free(draft);
}

/* Unbound changes into `directory` as soon as it has read it. */
static char *resolve(const struct reader *reader, const char *path)
{
    const char *folder = reader->conf->directory.text;
    struct buffer resolved = {0};

    if (path[0] != '/' && path[0] != '~' && folder && folder[0])
        buffer_format(&resolved, "%s/", folder);
    buffer_add(&resolved, path, strlen(path) + 1);
    return resolved.data;
}

static void read_include(struct reader *reader, const struct word *word)
{
    char *path = copy_text(word->at, word->len), *resolved = resolve(reader, path);
    glob_t found = {0};
    int result = has_pattern(path)
                     ? glob(resolved, GLOB_ERR | GLOB_BRACE | GLOB_TILDE, NULL, &found)
                     : GLOB_ABORTED;

    if (word->len == 0) {
        reader->failed = true;
        xnm_diagnose(reader->diagnostics, XNM_ERROR, &word->place, "empty name: expected a file");
    } else if (result == 0 || result == GLOB_NOMATCH) {
        read_found(reader, resolved, &found, &word->place);
    } else {
        read_file(reader, resolved, &word->place);
    }
    globfree(&found);
    free(resolved);
    free(path);
}

/* What follows include-toplevel, in the file or behind it, begins with a clause of its own. */
static void parse_include(struct source *source, bool is_toplevel)
{
    struct word word;

    if (!next_word(source, false, &word))
        return;
    if (is_toplevel)
        source->reader->clause = CLAUSE_OTHER;
    read_include(source->reader, &word);
    if (is_toplevel)
        source->reader->clause = CLAUSE_OTHER;
}

/* --- settings --- */

static void free_value(struct unboundconf_value *value)
{
    free(value->text);
    free(value->file);
}

static void keep(struct unboundconf_value *value, const struct word *word)
{
    free_value(value);
    *value = (struct unboundconf_value){
        .text = copy_text(word->at, word->len),
        .file = copy_text(word->place.file, strlen(word->place.file)),
        .line = word->place.line,
        .column = word->place.column,
    };
}

static void keep_dynlib_file(struct unboundconf *conf, const struct word *word)
{
    struct buffer values = {.data = (char *)conf->dynlib_files,
                            .len = conf->dynlib_file_count * sizeof *conf->dynlib_files};

    values.cap = values.len;
    memset(buffer_reserve(&values, sizeof *conf->dynlib_files), 0, sizeof *conf->dynlib_files);
    conf->dynlib_files = (void *)values.data;
    keep(&conf->dynlib_files[conf->dynlib_file_count++], word);
}

static void keep_value(struct reader *reader, const struct word *key, const struct word *value)
{
    if (reader->clause == CLAUSE_DYNLIB && word_is(key, "dynlib-file"))
        keep_dynlib_file(reader->conf, value);
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (reader->clause == CLAUSE_SERVER && word_is(key, settings[i].name))
            keep((void *)((char *)reader->conf + settings[i].offset), value);
}

static bool open_clause(struct reader *reader, const struct word *key)
{
    for (size_t i = 0; i < CLAUSE_COUNT; i++) {
        if (!word_is(key, clauses[i]))
            continue;
        reader->clause = word_is(key, "server")   ? CLAUSE_SERVER
                         : word_is(key, "dynlib") ? CLAUSE_DYNLIB
                                                  : CLAUSE_OTHER;
        return true;
    }
    return false;
}

static unsigned values_of(const struct word *key)
{
    for (size_t i = 0; i < LONG_KEY_COUNT; i++)
        if (word_is(key, long_keys[i].name))
            return long_keys[i].values;
    return 1;
}

/* Of a key that is not known all words behind its first value are passed over, unless they look
 * like keys. */
static void parse_values(struct source *source, const struct word *key)
{
    struct word value;

    if (next_word(source, false, &value))
        keep_value(source->reader, key, &value);
    for (unsigned left = values_of(key); left > 1; left--)
        next_word(source, false, &value);
}

static void parse(struct source *source)
{
    struct word key;

    while (!source->reader->stopped && next_word(source, true, &key)) {
        if (!key.is_key || open_clause(source->reader, &key))
            continue;
        if (word_is(&key, "include") || word_is(&key, "include-toplevel"))
            parse_include(source, word_is(&key, "include-toplevel"));
        else
            parse_values(source, &key);
    }
}

static void read_text(struct reader *reader, const char *file, const char *text, size_t len)
{
    struct source source = {.reader = reader, .file = file, .line = 1, .column = 1};

    source.at = source.counted = text;
    source.end = text + len;
    reader->depth++;
    parse(&source);
    reader->depth--;
}

static void read_draft(struct reader *reader)
{
    struct unboundconf_draft *draft = reader->draft;

    draft->is_included = true;
    if (draft->text)
        read_text(reader, draft->path, draft->text, strlen(draft->text));
}

/* Returns why not, or NULL. */
static const char *try_file(struct reader *reader, const char *file)
{
    struct xnm_textfile text = {0};

    if (reader->depth == DEPTH_MAX) {
        reader->stopped = true;
        return "includes are nested too deep: does a file include itself?";
    }
    if (reader->readings++ == READINGS_MAX) {
        reader->stopped = true;
        return "10000 files are included before it: expected no more than that, and each once";
    }
    if (is_draft(reader, file)) {
        read_draft(reader);
        return NULL;
    }
    const char *trouble = xnm_textfile_read(file, FILE_SIZE_MAX, &text);
    if (!trouble) {
        read_text(reader, file, text.text, text.len);
        xnm_textfile_free(&text);
    }
    return trouble;
}

/* `place` is that of the include, or the file itself. */
static void read_file(struct reader *reader, const char *file, const struct xnm_place *place)
{
    const char *trouble = reader->stopped ? NULL : try_file(reader, file);

    if (!trouble)
        return;
    reader->failed = true;
    if (place->line > 0)
        xnm_diagnose(reader->diagnostics, XNM_ERROR, place, "cannot read %s: %s", file, trouble);
    else
        xnm_diagnose(reader->diagnostics, XNM_ERROR, place, "%s", trouble);
}

bool unboundconf_read(const char *file, struct unboundconf *conf, struct unboundconf_draft *draft,
                      const struct xnm_diagnostics *diagnostics)
{
    struct reader reader = {.conf = conf, .draft = draft, .diagnostics = diagnostics};
    struct xnm_place place = {.file = file};

    *conf = (struct unboundconf){0};
    read_file(&reader, file, &place);
    return !reader.failed;
}

void unboundconf_free(struct unboundconf *conf)
{
    for (size_t i = 0; i < SETTING_COUNT; i++)
        free_value((void *)((char *)conf + settings[i].offset));
    for (size_t i = 0; i < conf->dynlib_file_count; i++)
        free_value(&conf->dynlib_files[i]);
    free(conf->dynlib_files);
}

struct xnm_place unboundconf_place(const struct unboundconf_value *value)
{
    return (struct xnm_place){value->file, value->line, value->column};
}
