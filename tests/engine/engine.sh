#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A private Docker engine for the tests: its own containerd, folder, bridge and cgroup, so that no other engine of
# the machine sees it. Its containers reach the host's address on the bridge and nothing else.
#
#   engine.sh start [--owner PID] [--data-size SIZE]
#                             starts one and prints the environment for the tests as lines `export NAME=VALUE`.
#                             It belongs to process PID and is removed by any later start or `stop` when that
#                             process has died; without --owner it stays until it is stopped.
#                             --data-size (as 24m): images and containers on a tmpfs of that size
#   engine.sh stop [FOLDER]   stops the engine of that folder and removes all of it; without FOLDER, the engines
#                             without an owner and those of dead owners
#   engine.sh status          one line for each engine: folder, owner, whether it answers
#   engine.sh images          makes the images of the tests in the engine that PROCTOR_TEST_ENGINE names
#
# Needs root (images: only to make the base). The folders lie in ${TMPDIR:-/var/tmp}; the base of the images is kept
# in ${PROCTOR_TEST_CACHE:-${XDG_CACHE_HOME:-~/.cache}/proctor-tests}.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

say() { printf '%s\n' "engine: $*" >&2; }
die() {
    say "$*"
    exit 1
}

places=${TMPDIR:-/var/tmp}
places=${places%/}
# A socket's path must stay below 108 bytes, and Docker puts its own ones deeper into the folder.
((${#places} < 50)) || places=/var/tmp

# One start or stop at a time; the folder itself is the lock, so that nothing has to be left behind.
take_lock() {
    exec 8<"$places"
    flock -w 120 8 || die "Another start or stop of a test engine has held $places for two minutes."
}

# --- processes and owners

start_time() { # PID: in clock ticks since boot; empty if there is no such process
    local line
    line=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    line=${line##*) }
    set -f
    # shellcheck disable=SC2086 # the fields are wanted
    set -- $line
    printf '%s\n' "${20}"
}

boot_id() { cat /proc/sys/kernel/random/boot_id; }

owner_lives() { # FOLDER
    local pid began boot
    read -r pid began boot <"$1/owner" 2>/dev/null || return 1
    [[ $pid != none ]] || return 0
    [[ $boot == "$(boot_id)" && $(start_time "$pid") == "$began" ]]
}

# Folders made by this script and by root, nothing that only looks like one.
engine_folders() {
    local folder
    for folder in "$places"/proctor-engine.??????; do
        [[ -d $folder && ! -L $folder && -O $folder ]] && printf '%s\n' "$folder"
    done
}

# Processes started for the engine of this folder: every one of them has the folder among its arguments.
pids_of() { # FOLDER NAME
    local process
    while read -r process; do
        process=${process%/cmdline}
        [[ $(cat "$process/comm" 2>/dev/null) == "$2"* ]] && printf '%s\n' "${process##*/}"
    done < <(grep -lF -e "$1/" /proc/[0-9]*/cmdline 2>/dev/null)
    return 0
}

wait_gone() { # SECONDS PID...
    local end=$((SECONDS + $1)) pid
    shift
    for pid in "$@"; do
        while [[ -d /proc/$pid && $(cut -d' ' -f3 "/proc/$pid/stat" 2>/dev/null) != Z ]]; do
            ((SECONDS < end)) || return 1
            sleep 0.05
        done
    done
}

end_processes() { # SIGNAL SECONDS PID...
    local signal=$1 seconds=$2
    shift 2
    (($#)) || return 0
    kill -"$signal" "$@" 2>/dev/null || true
    wait_gone "$seconds" "$@"
}

# Ends what runs in the containers, by their shims: the first process of a container takes all others with it.
end_containers() { # FOLDER
    local shim children
    for shim in $(pids_of "$1" containerd-shim); do
        children=$(cat "/proc/$shim/task/"*/children 2>/dev/null || true)
        # shellcheck disable=SC2086 # a list of numbers
        end_processes KILL 5 $children || true
    done
}

# --- stop

remove_engine() { # FOLDER
    local folder=$1 name=${1##*.} daemons mounted cgroup
    # Killed: all that they would tidy up is removed below.
    mapfile -t daemons < <(pids_of "$folder" dockerd)
    end_processes KILL 10 "${daemons[@]}" || true
    end_containers "$folder"
    mapfile -t daemons < <(pids_of "$folder" containerd) # and its shims
    end_processes KILL 10 "${daemons[@]}" || true

    while read -r mounted; do
        umount -l "$mounted" 2>/dev/null || true
    done < <(awk -v folder="$folder/" 'index($5, folder) == 1 {print $5}' /proc/self/mountinfo | sort -r)
    ip link delete "prct$name" 2>/dev/null || true
    for cgroup in /sys/fs/cgroup/proctor-"$name" /sys/fs/cgroup/*/proctor-"$name"; do
        [[ ! -d $cgroup ]] || find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || true
    done
    rm -rf --one-file-system "$folder"
}

remove_dead() {
    local folder
    while read -r folder; do
        owner_lives "$folder" && continue
        say "Removing the engine that an earlier run left in $folder"
        remove_engine "$folder"
    done < <(engine_folders)
}

command_stop() {
    local folder
    take_lock
    if (($#)); then
        folder=${1#unix://}
        folder=${folder%/d.sock}
        [[ -f $folder/owner ]] || die "There is no engine of the tests in $folder."
        remove_engine "$folder"
        return
    fi
    remove_dead
    while read -r folder; do
        [[ $(cat "$folder/owner") == none* ]] || continue
        say "Stopping $folder"
        remove_engine "$folder"
    done < <(engine_folders)
}

# --- start

free_subnet() { # prints the first three numbers of a network that the machine has no route into
    local subnet subnets=() i
    for ((i = 0; i < 40; i++)); do
        subnets+=("10.$((RANDOM % 54 + 200)).$((RANDOM % 256))")
    done
    for ((i = 0; i < 20; i++)); do
        subnets+=("172.$((RANDOM % 12 + 20)).$((RANDOM % 256))" "192.168.$((RANDOM % 254 + 1))" "198.18.$((RANDOM % 256))")
    done
    for subnet in "${subnets[@]}"; do
        [[ -z $(ip -4 route show table all root "$subnet.0/24" 2>/dev/null) ]] || continue
        ! ip -4 route show table all match "$subnet.0/24" | grep -qv -E '^(default|0\.0\.0\.0/)' || continue
        printf '%s\n' "$subnet"
        return
    done
    return 1
}

# In a container with cgroup v2 the processes lie in its topmost group, and a group with processes cannot hand
# controllers on. Only a group below the machine's own topmost one has a cgroup.type: nothing is moved elsewhere.
make_room_in_cgroup() {
    local top=/sys/fs/cgroup pid
    [[ -f $top/cgroup.controllers && -f $top/cgroup.type && -z $(cat $top/cgroup.subtree_control) ]] || return 0
    [[ -n $(cat $top/cgroup.procs) ]] || return 0
    say "Moving this container's processes into the cgroup /init, as nested containers need it"
    mkdir -p $top/init
    while read -r pid; do
        echo "$pid" 2>/dev/null >$top/init/cgroup.procs || true # it may have ended meanwhile
    done < <(cat $top/cgroup.procs)
    sed -e 's/ / +/g' -e 's/^/+/' $top/cgroup.controllers >$top/cgroup.subtree_control || true
}

write_containerd_config() { # FOLDER
    cat >"$1/containerd.toml" <<TOML
version = 2
root = "$1/cd"
state = "$1/cds"
disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.snapshotter.v1.aufs",
    "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper",
    "io.containerd.snapshotter.v1.zfs", "io.containerd.internal.v1.opt", "io.containerd.internal.v1.tracing"]
oom_score = 0
[grpc]
address = "$1/c.sock"
TOML
}

wait_answer() { # SECONDS PID COMMAND...: until the command succeeds; fails at once when the process has ended
    local end=$((SECONDS + $1)) pid=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [[ -d /proc/$pid ]] && ((SECONDS < end)) || return 1
        sleep 0.1
    done
}

start_daemons() { # FOLDER STORAGE
    local folder=$1 storage=$2 pid
    # A session of their own: Ctrl-C in the terminal is for the tests alone.
    setsid containerd --config "$folder/containerd.toml" --log-level warn >>"$folder/containerd.log" 2>&1 </dev/null 8<&- &
    pid=$!
    wait_answer 20 $pid test -S "$folder/c.sock" || return 1
    setsid dockerd --config-file "$folder/daemon.json" --containerd "$folder/c.sock" \
        --data-root "$folder/root" --exec-root "$folder/exec" --pidfile "$folder/pid" -H "unix://$folder/d.sock" \
        --bridge "prct${folder##*.}" --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false \
        --userland-proxy=false --cgroup-parent "/proctor-${folder##*.}" --exec-opt native.cgroupdriver=cgroupfs \
        --storage-driver "$storage" --shutdown-timeout 3 >>"$folder/dockerd.log" 2>&1 </dev/null 8<&- &
    pid=$!
    wait_answer 40 $pid env -u DOCKER_CONTEXT DOCKER_HOST="unix://$folder/d.sock" timeout 10 docker version
}

stop_daemons() { # FOLDER
    local daemons
    mapfile -t daemons < <(pids_of "$1" dockerd; pids_of "$1" containerd)
    end_processes TERM 5 "${daemons[@]}" || end_processes KILL 5 "${daemons[@]}" || true
    rm -rf "$1/root" "$1/cd" "$1/cds" "$1/pid"
}

command_start() {
    local owner=none size='' folder name subnet program began=$EPOCHREALTIME
    while (($#)); do
        case $1 in
            --owner) owner=$2 ;;
            --data-size) size=$2 ;;
            *) die "start: unknown argument $1" ;;
        esac
        shift 2
    done
    ((EUID == 0)) || die "Only root can start an engine."
    for program in dockerd containerd runc docker ip flock setsid; do
        command -v "$program" >/dev/null || die "There is no $program on this machine."
    done
    if [[ $owner != none ]]; then
        [[ -n $(start_time "$owner") ]] || die "There is no process $owner to own the engine."
        owner="$owner $(start_time "$owner")"
    else
        owner="none 0"
    fi
    take_lock
    remove_dead
    make_room_in_cgroup
    subnet=$(free_subnet) || die "No private network is free for the engine's bridge."

    folder=$(mktemp -d "$places/proctor-engine.XXXXXX")
    name=${folder##*.}
    # shellcheck disable=SC2064 # this folder
    trap "remove_engine '$folder'" EXIT
    trap 'exit 130' INT TERM HUP
    printf '%s\n' "$owner $(boot_id)" >"$folder/owner"
    printf '{}\n' >"$folder/daemon.json"
    write_containerd_config "$folder"
    if [[ -n $size ]]; then
        mkdir "$folder/root"
        mount -t tmpfs -o "size=$size,mode=0711" proctor-engine "$folder/root"
    fi
    ip link add "prct$name" type bridge 2>"$folder/bridge.log" ||
        die "The engine's bridge cannot be made: $(cat "$folder/bridge.log")"
    ip address add "$subnet.1/24" dev "prct$name"
    ip link set "prct$name" up

    if ! start_daemons "$folder" overlay2; then
        if grep -q -i -E 'driver not supported|graphdriver|overlay' "$folder/dockerd.log" 2>/dev/null && [[ -z $size ]]; then
            say "overlay2 does not work in $folder; using vfs, which is slow: $(tail -n 1 "$folder/dockerd.log")"
            stop_daemons "$folder"
            start_daemons "$folder" vfs || die "The engine does not start: $(tail -n 1 "$folder/dockerd.log")"
        else
            die "The engine does not start: $(tail -qn 1 "$folder"/*d.log | tail -n 1)"
        fi
    fi
    trap - EXIT INT TERM HUP
    say "An engine runs in $folder after $(awk "BEGIN {printf \"%.1f\", $EPOCHREALTIME - $began}") s"
    printf 'export %s\n' "PROCTOR_TEST_ENGINE=unix://$folder/d.sock" "PROCTOR_TEST_BRIDGE_ADDRESS=$subnet.1"
}

command_status() {
    local folder pid state owner
    while read -r folder; do
        read -r pid _ <"$folder/owner"
        owner="process $pid"
        [[ $pid != none ]] || owner="no owner"
        owner_lives "$folder" || owner+=" (dead)"
        state="does not answer"
        ! DOCKER_HOST=unix://$folder/d.sock timeout 10 docker version >/dev/null 2>&1 || state=answers
        printf '%s\n' "$folder: $owner, $state"
    done < <(engine_folders)
}

# --- images

# Everything that decides what is in the base; another recipe is another file in the cache.
base_recipe() {
    cat <<'TEXT'
bookworm minbase + python3, 1
TEXT
}

# Debian and python3 as a tar. How this machine reaches the archive is used and not left in the image.
make_base() { # TARGET
    local work
    ((EUID == 0)) || die "$1 has to be made, and only root can do that: run this once as root."
    command -v debootstrap >/dev/null || die "There is no debootstrap on this machine to make $1."
    find "$places" -maxdepth 1 -name 'proctor-base.??????' -user root -mmin +120 -exec rm -rf --one-file-system {} +
    work=$(mktemp -d "$places/proctor-base.XXXXXX")
    # shellcheck disable=SC2064 # this folder
    trap "rm -rf --one-file-system '$work'" EXIT
    trap 'exit 130' INT TERM HUP
    say "Making the base of the images: a minimal Debian with python3, kept as $1"
    debootstrap --variant=minbase bookworm "$work/root" >"$work/log" 2>&1 || {
        tail -n 5 "$work/log" >&2
        die "debootstrap failed; the lines above say why."
    }
    mkdir "$work/apt"
    grep -ls '^ *Acquire::' /etc/apt/apt.conf.d/* /etc/apt/apt.conf | xargs -r cp -t "$work/apt" || true
    (cd "$work/apt" && find . -type f -exec cp {} "$work/root/etc/apt/apt.conf.d/" \;)
    cp -L /etc/resolv.conf "$work/root/etc/resolv.conf"
    printf '#!/bin/sh\nexit 101\n' >"$work/root/usr/sbin/policy-rc.d"
    chmod 755 "$work/root/usr/sbin/policy-rc.d"
    DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$work/root" sh -ec '
        apt-get update -q
        apt-get install -q -y --no-install-recommends python3
        apt-get clean
        python3 -m compileall -q /usr/lib/python3.11 || true' >"$work/log" 2>&1 </dev/null || {
        tail -n 5 "$work/log" >&2
        die "python3 could not be installed into the base; the lines above say why."
    }
    (cd "$work/apt" && find . -type f -exec rm -f "$work/root/etc/apt/apt.conf.d/{}" \;)
    rm -rf "$work/root/var/lib/apt/lists" "$work/root/usr/share/doc" "$work/root/usr/share/locale" \
        "$work/root/usr/share/man" "$work/root/usr/share/info" "$work/root/usr/sbin/policy-rc.d"
    tar -C "$work/root" --numeric-owner --sort=name --exclude=./dev/* --exclude=./proc/* --exclude=./sys/* \
        --exclude=./tmp/* --exclude=./run/* --exclude=./var/log/* -cf "$1.new" .
    mv "$1.new" "$1"
    rm -rf --one-file-system "$work"
    trap - EXIT INT TERM HUP
}

command_images() {
    [[ -n ${PROCTOR_TEST_ENGINE:-} ]] || die "PROCTOR_TEST_ENGINE names no engine: start one first."
    export DOCKER_HOST=$PROCTOR_TEST_ENGINE
    unset DOCKER_CONTEXT
    local cache=${PROCTOR_TEST_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/proctor-tests} base key began=$EPOCHREALTIME
    mkdir -p "$cache"
    key=$(base_recipe | sha256sum | cut -c1-12)
    base=$cache/base-$key.tar
    exec 7>"$cache/lock"
    flock 7
    [[ -f $base ]] || make_base "$base"
    flock -u 7

    key=$(python3 -B "$here/make_images.py" --key "$base")
    if [[ $(docker images -q --filter "label=proctor.test.images=$key" | wc -l) != 0 ]] &&
        python3 -B "$here/make_images.py" --names | xargs docker image inspect --format '{{.Id}}' >/dev/null 2>&1; then
        say "The images are there."
        return
    fi
    python3 -B "$here/make_images.py" "$base" | docker load -q >/dev/null
    say "Made the images in $(awk "BEGIN {printf \"%.1f\", $EPOCHREALTIME - $began}") s"
}

command=${1:-}
(($#)) && shift
case $command in
    start) command_start "$@" ;;
    stop) command_stop "$@" ;;
    status) command_status ;;
    images) command_images ;;
    *)
        sed -n '3,20s/^#$//p; 3,20s/^# //p' "${BASH_SOURCE[0]}"
        exit 2
        ;;
esac
