/* SPDX-License-Identifier: BSD-3-Clause */
/* The note that `fetch` leaves beside a list: whatever it holds, each text in it ends within its
 * room and is one line; and what is written is read back. */
#include "tests/fuzz/target.h"

#include "tools/fetch/note.h"

#include <fcntl.h>
#include <unistd.h>

static const char folder_path[] = "/dev/shm/idn-fetchnote-XXXXXX";
static char made[sizeof folder_path];

static void remove_folder(void)
{
    char note[sizeof made + 16];

    snprintf(note, sizeof note, "%s/l.fetch", made);
    unlink(note);
    rmdir(made);
}

static int notes_folder(void)
{
    static int folder = -1;

    if (folder >= 0)
        return folder;
    strcpy(made, folder_path);
    assert_non_null(mkdtemp(made));
    atexit(remove_folder);
    folder = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(folder >= 0);
    return folder;
}

static void put(int folder, const uint8_t *data, size_t size)
{
    int fd = openat(folder, "l.fetch", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    assert_true(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    close(fd);
}

static void expect_text(const char *text, size_t room)
{
    assert_true(strnlen(text, room) < room);
    assert_null(strchr(text, '\n'));
}

static void expect_same(const struct note *got, const struct note *want)
{
    assert_int_equal(!got->url, !want->url);
    if (want->url)
        assert_string_equal(got->url, want->url);
    assert_string_equal(got->version.etag, want->version.etag);
    assert_string_equal(got->version.modified, want->version.modified);
    assert_string_equal(got->trouble, want->trouble);
    assert_true(got->good == want->good && got->bad == want->bad);
    if (want->url) {
        assert_true(got->size == want->size && got->entries == want->entries);
        assert_true(got->mtime == want->mtime && got->mtime_ns == want->mtime_ns);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int folder = notes_folder();
    struct note note, again;

    put(folder, data, size);
    note_read(folder, "l", &note);
    expect_text(note.version.etag, sizeof note.version.etag);
    expect_text(note.version.modified, sizeof note.version.modified);
    expect_text(note.trouble, sizeof note.trouble);
    assert_int_equal(note_write(folder, "l", &note), 0);
    note_read(folder, "l", &again);
    expect_same(&again, &note);
    note_free(&note);
    note_free(&again);
    return 0;
}
