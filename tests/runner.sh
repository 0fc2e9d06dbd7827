#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests what tests/run prints for parts that pass, fail, skip, die, hang, or leave a process or a file. Prints TAP.
set -eu

run=${0%/*}/run
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
. "${0%/*}/tap.sh"

# COMMAND...: prints its output without progress lines and seconds, and its exit status.
said() {
    status=0
    "$@" >"$folder/said" 2>&1 || status=$?
    sed -e '/^\[/d' -e 's/, [0-9.]* s$//' "$folder/said"
    echo "status $status"
}

wanted='late                                     2 passed
fails                                    1 passed, 1 failed
    not ok 2 - two
    # why
    | an error
plan                                     1 passed, 1 failed
    # Bad plan.  You planned 3 tests but ran 1.
none                                     0 passed, 1 failed
    # No plan found in TAP output
    # ran no test
dies                                     1 passed, 1 failed
    # died of signal 11
status                                   1 passed, 1 failed
    # exit status 3
leaves                                   1 passed
7 passed, 5 failed
status 1'
# Parts print as they end; sort where that is not the order in which they begin.
for jobs in 1 2 9; do
    sorted=cat
    [ "$jobs" = 1 ] || sorted=sort
    result "$jobs at a time" "$(echo "$wanted" | $sorted)" "$(said "$run" -j "$jobs" \
        'late=sleep 0.2; echo 1..2; echo ok 1; echo ok 2' \
        'fails=echo 1..2; echo ok 1; echo not ok 2 - two; echo "# why"; echo an error >&2; exit 1' \
        'plan=echo 1..3; echo ok 1' \
        'none=true' \
        'dies=echo 1..1; echo ok 1; kill -SEGV $$' \
        'status=echo 1..1; echo ok 1; exit 3' \
        "leaves=sleep 600 & echo \$! >>'$folder/left'; echo 1..1; echo ok 1" | $sorted)"
done
# shellcheck disable=SC2046 # one for each run
result 'what is left running is not waited for' 'status 0' "$(said kill $(cat "$folder/left"))"

skips() {
    said env "$@" "$run" -j 1 'some=echo 1..4; echo ok 1; printf "ok %s # SKIP %s\n" "2 - two" why "3 - three" no "4 - four" why' \
        'all=echo 1..0 \# SKIP no'
}
result 'skips are told, those of a part with one reason in one line' 'some                                     1 passed
all                                      0 passed
skipped some: why: two, and 1 more
skipped some: no: three
skipped all: no
1 passed, 0 failed, 4 skipped
status 0' "$(skips -u XN_NO_SKIP)"
result 'or fail' 'some                                     1 passed, 3 failed
    ok 2 - two # SKIP why
    ok 3 - three # SKIP no
    ok 4 - four # SKIP why
all                                      0 passed, 1 failed
    # skipped whole: no
skipped some: why: two, and 1 more
skipped some: no: three
skipped all: no
1 passed, 4 failed
status 1' "$(skips XN_NO_SKIP=1)"

added() { # COMMAND...: prints what tests/sum counts
    said "${0%/*}/sum" "$@" | tail -n 2
}
result 'a sum' '6 passed, 0 failed, 3 skipped
status 0' "$(added 'echo 2 passed, 0 failed, 1 skipped' 'echo 3 passed, 0 failed' 'echo 1 passed, 0 failed, 2 skipped')"
timed() { said "${0%/*}/sum" "$@" | sed -n '/^The longest/,$s/^[0-9.]* \(.*[(=]\)/N \1/p'; }
parts="$run -j 1 'quick=echo 1..1; echo ok 1' 'slow=sleep 0.3; echo 1..1; echo ok 1' 'none=echo 1..1; echo not ok 1'"
result 'a sum has the longest parts first' "N slow ($parts)" "$(timed "$parts" | head -n 1)"
result 'a sum without a skip, with commands that count nothing' '4 passed, 2 failed
status 1' "$(added 'echo 3 passed, 1 failed; exit 1' true false)"

failing="$run -j 1 'bad=echo 1..2; echo ok 1; echo not ok 2 - two; seq 1 20 | sed \"s/^/\\# /\"' 'good=echo 1..1; echo ok 1 - fine'"
result 'a sum ends with what failed: the start of each part, the end of what counts nothing' "What failed:
bad ($failing)
    not ok 2 - two
$(seq 1 14 | sed 's/^/    # /')
    …
seq 5 25; false
$(seq 14 25 | sed 's/^/    /')
3 passed, 2 failed
status 1" "$(said "${0%/*}/sum" "$failing" true 'seq 5 25; false' | sed -n '/^What failed/,$p')"
result 'a sum of what is good' '' "$(said "${0%/*}/sum" true | grep 'What failed')"

some() { # PART: prints which of three parts it selects
    said "$run" -j 1 -p "$1" 'unit a=echo 1..1; echo ok 1' 'unit ab=echo 1..1; echo ok 1' 'unit a (1.2)=echo 1..1; echo ok 1'
}
result 'all parts of a word' 'unit a                                   1 passed
unit ab                                  1 passed
unit a (1.2)                             1 passed
3 passed, 0 failed
status 0' "$(some unit)"
result 'a part, and its variants, no part whose name only begins so' 'unit a                                   1 passed
unit a (1.2)                             1 passed
2 passed, 0 failed
status 0' "$(some 'unit a')"
result 'a part by its whole name, which is no pattern' 'unit a (1.2)                             1 passed
1 passed, 0 failed
status 0' "$(some 'unit a (1.2)')"
result 'a part that there is not' "tests/run: no part is called 'unit a .1.2.'; there are:
    unit a
    unit ab
    unit a (1.2)
status 255" "$(some 'unit a .1.2.')"
result 'make hands it on, with its spaces' "tests/run: no part is called 'a (1.2)'; there are:
    layout
    words
    layers" "$(env -u MAKEFLAGS make -C "${0%/*}/.." --no-print-directory check-layout PART='a (1.2)' 2>&1 | grep -v '^make')"

far() { "$run" "$@" 2>&1 | grep '^\['; }
result 'how far it is, at intervals, with the tests that have ended in the parts that run' '[1/2] running: slow (2); so far 1 passed' "$(far -j 2 -n 1 'slow=echo 1..3; echo ok 1; echo not ok 2; sleep 1.6; echo ok 3' 'quick=echo 1..1; echo ok 1')"

result 'no part' "usage: tests/run [-j N] [-n SECONDS] [-p PART] [-t SECONDS] LABEL=COMMAND...
status 255" "$(said "$run")"

result 'no time' "usage: tests/run [-j N] [-n SECONDS] [-p PART] [-t SECONDS] LABEL=COMMAND...
status 255" "$(said "$run" -t 0 'part=echo 1..1; echo ok 1')"
result 'a part that does not end, and one after it' "hangs                                    1 passed, 1 failed
    # Bad plan.  You planned 2 tests but ran 1.
    # took longer than 1 s
stubborn                                 1 passed, 1 failed
    # died of signal 9
ends                                     1 passed
3 passed, 2 failed
status 1" "$(said "$run" -j 1 -t 1 "hangs=echo 1..2; echo ok 1; sleep 60; echo ok 2" \
    "stubborn=trap '' TERM; echo 1..1; echo ok 1; sleep 60; sleep 60" 'ends=echo 1..1; echo ok 1')"

mkfifo "$folder/begun"
TMPDIR=$folder "$run" "stopped=trap 'sleep 0.1; echo and its part >&3; exit' TERM; mktemp; ls '$folder' >&3; echo >'$folder/begun'; sleep 60 & wait" \
    3>"$folder/said" >/dev/null 2>&1 &
read -r _ <"$folder/begun"
kill "$!"
wait "$!" || status=$?
result 'stopped, its part first, and what that has made is gone' 'begun
idn-check-…
left
said
and its part
begun
left
said' "$(ls "$folder" | cat "$folder/said" - | sed 's/^\(idn-check-\).*/\1…/')"

# The tests of daemons print through tests/unbound/tap.py.
result 'an exception, one that ends a thread, and no point at all are failures' "not ok 1 - raises: no exception, but ValueError: two lines
not ok 2 - a thread: no exception, but ValueError: invalid literal for int() with base 10: 'x'
ok 3 - starts one: goes on
not ok 4 - silent: makes a point
1..4
status 1" "$(said env "PYTHONPATH=${0%/*}/unbound" /usr/bin/python3 -B -c '
import sys, threading
from tap import Report

report = Report(sys.stdout, False)
with report.test("raises"):
    raise ValueError("two lines\n, of which one is shown")
with report.test("starts one") as tap:
    thread = threading.Thread(target=int, args=("x",), name="a thread")
    thread.start()
    thread.join()
    tap.ok(True, "goes on")
with report.test("silent"):
    pass
sys.exit(0 if report.finish() else 1)' | grep -v '^#')"
echo "1..$number"
