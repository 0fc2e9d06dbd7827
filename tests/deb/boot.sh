#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# boot.sh ROOT GROUP: systemd as process 1 of the Debian in ROOT, a mount point, in namespaces of its own but with the
# caller's network. GROUP, a control group made for it, is the root of all that it makes. What it sees of the kernel's
# settings it cannot change. It ends with SIGKILL, or as systemd does.
set -eu

root=$1 group=${2:-}
if [ "$$" != 1 ]; then
    exec unshare --mount --pid --uts --ipc --fork --kill-child "$0" "$root" "$group"
fi
if [ -n "$group" ]; then
    echo 0 >"$group/cgroup.procs"
    exec unshare --cgroup "$0" "$root"
fi

cd "$root"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs sysfs sys
mount -o remount,bind,ro sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/shm dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for number in 3:null 5:zero 7:full 8:random 9:urandom; do
    mknod -m 666 "dev/${number#*:}" c 1 "${number%:*}"
done
mknod -m 666 dev/tty c 5 0
pivot_root . .
umount -l .
exec setpriv --bounding-set -sys_time,-sys_module,-sys_rawio \
    env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target
