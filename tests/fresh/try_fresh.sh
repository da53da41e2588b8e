#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries this checkout in a fresh Debian 12, as somebody who has just cloned it would:
#
#   try_fresh.sh root     ./dev test, then ./dev run, as root with nothing installed
#   try_fresh.sh user     the same as an ordinary user; first without packages and sudo, when ./dev has to say
#                         what to install
#   try_fresh.sh chroot   Proctor in a plain chroot, where bubblewrap cannot work and Proctor has to say so
#   try_fresh.sh all      the three in this order; each needs the one before it
#   try_fresh.sh ci       what CI runs, with nothing installed
#
# The root is made by debootstrap and entered by unshare and pivot_root: as in a container or a virtual machine,
# user namespaces work in there, which a chroot prevents. Needs root, debootstrap and the network.
# PROCTOR_FRESH names the folder for it (default /var/tmp/proctor-fresh); what is there is used again.
set -euo pipefail

checkout=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=${PROCTOR_FRESH:-/var/tmp/proctor-fresh}
base=$work/base root=$work/root
place="/srv/a clone of proctor" # with spaces on purpose

say() { printf '%s\n' "fresh: $*"; }
die() {
    say "FAILED: $*" >&2
    exit 1
}

# Only packages of priority required; how this machine reaches the archive is taken over.
make_base() {
    [[ ! -e $base/.made ]] || return 0
    say "Making a minimal Debian 12 in $base"
    mkdir -p "$work"
    rm -rf "$base"
    debootstrap --variant=minbase bookworm "$base" >"$work/debootstrap.log" || die "see $work/debootstrap.log"
    grep -ls '^ *Acquire::' /etc/apt/apt.conf.d/* /etc/apt/apt.conf | xargs -r cp -t "$base/etc/apt/apt.conf.d" || true
    touch "$base/.made"
}

# A new root with the tracked files of the checkout, as they are now.
make_root() {
    make_base
    say "Copying the root and the checkout"
    rm -rf --one-file-system "$root"
    cp -a --reflink=auto "$base" "$root"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    chroot "$root" useradd --create-home ada
    mkdir -p "$root$place"
    git -c safe.directory='*' -C "$checkout" ls-files -z | tar -C "$checkout" --null -T - -c | tar -x -C "$root$place"
    chown -R root:root "$root$place"
}

# inside USER COMMAND: runs a shell command in the root, in the checkout, with an empty environment.
inside() {
    local user=$1 command=$2
    unshare --mount --pid --fork --ipc --uts --kill-child bash -euc '
        cd "$1"
        mount --make-rprivate /
        mount --bind . .
        cd "$1" # the bound folder, not the one below it
        mount -t proc proc proc
        mount --rbind /sys sys
        mount --rbind /dev dev
        mount -t tmpfs -o mode=1777 tmpfs tmp
        mkdir -p .host
        pivot_root . .host
        cd /
        umount -l /.host
        rmdir /.host
        hostname fresh
        runuser -u "$2" -- env -i HOME="$(getent passwd "$2" | cut -d: -f6)" TERM=dumb \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            bash -c "cd \"\$1\" && eval \"\$2\"" bash "$3" "$4" </dev/null
        exit # not the last command: this bash stays the first process and reaps what is left to it
    ' bash "$root" "$user" "$place" "$command"
}

# timed LOG WHAT COMMAND...: the output goes to a log of its own and the time is told.
timed() {
    local log=$work/$1.log what=$2 begin=$SECONDS status=0
    shift 2
    say "$what (log: $log)"
    "$@" >"$log" 2>&1 || status=$?
    if ((status != 0)); then
        tail -n 30 "$log"
        die "$what: exit code $status"
    fi
    tail -n 4 "$log"
    say "$what: $((SECONDS - begin)) s"
}

as_root() {
    make_root
    timed root-test "root: ./dev test, nothing installed" inside root './dev test'
    timed root-test-again "root: ./dev test, second call" inside root './dev test'
    timed root-run "root: ./dev run, no display" inside root './dev run'
}

# Without the packages ./dev must name them and stop; with them everything must work in the user's own hands.
as_user() {
    [[ -d $root$place/build ]] || as_root
    say "user: ./dev test where a package is missing and there is no sudo"
    inside root 'dpkg --remove --force-depends rapidjson-dev' >/dev/null
    if inside ada './dev test' >"$work/user-missing.log" 2>&1; then die "./dev test went on without a package"; fi
    grep -q 'apt-get install .*rapidjson-dev' "$work/user-missing.log" || die "the missing package is not named"
    inside root 'apt-get install -q -y rapidjson-dev' >/dev/null
    rm -rf "$root$place/build"
    inside root "chown -R ada:ada ."
    timed user-run "ordinary user: ./dev run, no display" inside ada './dev run'
    timed user-test "ordinary user: ./dev test" inside ada './dev test'
}

in_chroot() {
    local user status
    [[ -x $root$place/build/release/bin/proctor ]] || as_user
    for user in root ada; do
        say "chroot, $user: proctor demo"
        status=0
        unshare --mount bash -euc '
            mount --make-rprivate /
            mount -t proc proc "$1/proc"
            mount --rbind /dev "$1/dev"
            exec chroot "$1" runuser -u "$2" -- bash -c "cd /tmp && \"\$1\" demo" bash "$3"
        ' bash "$root" "$user" "$place/build/release/bin/proctor" >"$work/chroot-$user.log" 2>&1 </dev/null || status=$?
        tail -n 6 "$work/chroot-$user.log"
        ((status == 3)) || die "exit code $status where 3 (the machine failed) was expected"
        grep -qi bubblewrap "$work/chroot-$user.log" || die "it is not said that bubblewrap cannot work"
    done
}

as_ci() {
    make_root
    timed ci "CI: .ci/run, nothing installed" inside root 'CI=true bash .ci/run'
}

((EUID == 0)) || die "this needs root"
case ${1:-} in
    root) as_root ;;
    user) as_user ;;
    chroot) in_chroot ;;
    ci) as_ci ;;
    all)
        as_root
        as_user
        in_chroot
        ;;
    *)
        sed -n '3,14s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit 2
        ;;
esac
say "passed"
