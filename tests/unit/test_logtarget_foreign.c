/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard output that is a file of another user's, and was not opened to append: as a service
 * manager leaves it to a daemon that goes on without its rights. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/log/logtarget.h"
#include "tests/unit/filesize.h"

enum { NOBODY = 65534 };

static char path[] = "/tmp/test_logtarget_foreign.XXXXXX";

static void as_nobody(bool begin)
{
    assert_true(getuid() != 0 || seteuid(begin ? NOBODY : 0) == 0);
}

/* Between the two dup2() nothing is asserted: a message would go where the lines go. */
TEST(test_torn, "a torn line leaves no hole")
{
    int fd = mkstemp(path), saved = dup(STDOUT_FILENO);
    char text[64] = "";

    assert_true(fd >= 0 && unlink(path) == 0 && fchmod(fd, 0) == 0);
    fflush(NULL);
    dup2(fd, STDOUT_FILENO);
    as_nobody(true);
    struct xnm_logtarget *target = xnm_logtarget_open("/dev/stdout", false, &xnm_diagnose_silently);
    as_nobody(false);
    limit_file_size(6);
    size_t taken = xnm_logtarget_write(target, "123\n567\n", 8);
    limit_file_size(RLIM_INFINITY);
    size_t rest = xnm_logtarget_write(target, "567\n9\n", 6);
    xnm_logtarget_close(target);
    bool was_shared = lseek(STDOUT_FILENO, 0, SEEK_CUR) > 0;
    dup2(saved, STDOUT_FILENO);
    close(saved);
    assert_true(was_shared);
    assert_int_equal(taken, 4);
    assert_int_equal(rest, 6);
    assert_int_equal(pread(fd, text, sizeof text, 0), 10);
    assert_memory_equal(text, "123\n567\n9\n", 10);
    close(fd);
}

int main(void)
{
    signal(SIGXFSZ, SIG_IGN);
    return run_unit();
}
