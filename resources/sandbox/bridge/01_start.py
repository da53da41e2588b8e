# SPDX-License-Identifier: GPL-3.0-or-later
"""The bridge: main process of a sandbox, the only thing in it the host talks to (JSON lines on fds 0 and 1).

STARTING IT (local sandbox). The host starts an outer bubblewrap whose process 1 is this program:

    bwrap --unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try
      --as-pid-1 --die-with-parent --new-session --hostname sandbox --cap-drop ALL
      --clearenv --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv LANG C.UTF-8
      --ro-bind /usr /usr  + for each of bin sbin lib lib32 lib64 libx32 that exists on the host:
        `--symlink usr/NAME /NAME` where the host has a link, `--ro-bind /NAME /NAME` where it has a folder
      --proc /proc --dev /dev --size 67108864 --tmpfs /dev/shm --remount-ro /dev
      --perms 0755 --size 1048576 --tmpfs /etc + --ro-bind-try for /etc/{alternatives,ssl,ld.so.cache,localtime}
      --perms 1777 --size 1073741824 --tmpfs /tmp   --perms 0755 --size 16777216 --tmpfs /run
      --perms 0755 --size 67108864 --tmpfs /logs    --perms 0755 --size QUOTA --tmpfs /app
      --remount-ro / --chdir /app  python3 -I -S -u -c BOOT

--as-pid-1 is required (`init` is refused otherwise): nothing inside can then signal the bridge, orphans come to it, and its
end is the end of everything. The bridge itself writes passwd, group, hosts, nsswitch.conf into the empty /etc.
A host that is root first becomes an ordinary user (setgroups([]), setresgid, setresuid to a uid of the attempt, for example
20000+n; no passwd entry needed): started by real root the inner /proc would be refused. The uid inside stays that uid.
--die-with-parent follows the *thread* that started bwrap. BOOT is boot.py; then "<length>\n", the files of this folder
joined in the order of their names (one program, one namespace; boot.py says what may stand before them), and the protocol.

STARTING IT (container). The bridge is the main process, as root, with what set-up needs and no more:

    docker run -i --rm --pull never --log-driver none --network bridge|none --user 0:0 --no-healthcheck
      --security-opt no-new-privileges --cap-drop ALL --cap-add CHOWN --cap-add DAC_OVERRIDE --cap-add FOWNER
      --cap-add SETUID --cap-add SETGID --cap-add KILL --pids-limit 512 --memory 4g --name N --label L
      --entrypoint python3 IMAGE -I -S -u -c BOOT

or, in a container whose own entrypoint must run (no --init there), by `docker exec -i --user 0:0 N python3 -I -S -u -c BOOT`. The
bridge knows the form by its process number. The image needs python3 and bash and none of su, useradd, pkill, ps. Then `init` with
"wall":"uid" and "uid":N, a number no other attempt on the machine has now (the kernel counts processes by it):
  - the account `agent` with that uid and gid, /home/agent; an `agent` of the image is replaced;
  - /app is root's, 0755; tests/, databases and `hide` are 0700/0600; a hidden link is followed only where it stays in /app; what
    others could write below /app is closed to them; answer.json, answer.md, artifacts/, logs/ are the agent's;
  - the tools are moved to .tools_real beside their folder, wrappers take their places (08_rights.py says how tools still find
    what is theirs);
  - root's programs (tools, verifier, set-up) have HOME=/root and a TMPDIR of their own, and lose search paths into folders of
    the agent's; what an image left open to everybody where they look for programs and modules is closed.
Before a verifier starts, what the agent left to mislead it is taken away: links out of what is the agent's and pipes below artifacts/
and logs/ (with each wall), its files in /tmp, /var/tmp and /dev/shm; an answer over 64 MiB is cut to that.
The two forms differ at the end of a run. Main process: everybody but the bridge is killed, so also what `docker exec` started
meanwhile, tool calls of the host (answered 499) and daemons of tools. Exec form: the agent's user and all that descends from the bridge;
the image's services live on. In both nobody of it is alive when `exit` is sent, and calls in flight have had their answer.

ORDER: hello <- ; put* -> ok*; init -> ready; run/tool/...; bye -> bye.  Before init only put, get, list, ping, bye.

WHAT IS ADDED to version 1 (all optional for the host):
  init         "wall":"bwrap" or "uid" (needed; another wall is answered by `fail`). `fail` of an init has "id":null. Ports that are not
               named are 9999 and 9998; 0 leaves one closed.
  ready        reward_files: the stale ones that were found *and removed*. prompts: paths relative to /app, so
               "environment/system.md" where only that exists; of system.md instruction.md context.json. With the wall "uid" also
               "form":"main"|"exec", and for exec "adopts": false when orphans cannot be followed (python3 without ctypes).
  put          uid: owner and group of the file, where the bridge is root.
  run          rlimits {"NPROC":60,...} by name; an agent has NPROC 512 without (wall "uid": at most the container's limit less 64).
               cwd: /app without; for an agent with the wall "uid" the folder told in hello. Ends in `exit`, or in `fail` when
               nothing could be started (program missing, wall not built; then `started` may have been sent).
               signal is only reported where the bridge ended the run itself (limit, kill), or for who=verifier|setup;
               for an agent that died of a signal the inner bubblewrap says code 128+n and that is passed on as it is; with the wall
               "uid" it is a signal. oom: killed (signal 9, or code 137 of a shell) while the container's memory ran out.
               leftovers: of the run's user, alive when it ended by itself; 0 where the bridge ended it.
  out          "skip":n on the first message after a gap: n bytes over `cap` were dropped before it (the last 64 KiB of a
               stream are always sent). `dropped` in exit is the sum over both streams.
  tool_res     "error":"..." whenever status is not 200. Status 499: the caller hung up, or the agent's run ended.
  tool_start   of our wrapper's calls: "argv":[...] and "stdin_size":n in place of "args". When the JSON text of args or argv is
               over 64 KiB: null in its place and "cut":{"text":...,"size":n,"sha256":...}. who: agent | verifier.
               at: seconds since the `started` of the current run. Calls refused with 400/404 are reported too.
  log          "cut":{...} likewise.
  step         "d":{...}: what an agent inside sends by POST /trajectory (an object of at most 1 MiB, answered {"status":"ok"};
               413 over that, and when 64 MiB or 100,000 steps have been sent), or "d":null and "cut":{...}.
  http         size is -1 for a chunked body. The body always ends with http_body "eof":true, even when it is empty.
  tool_cancel  {"t":"tool_cancel","id":9} ends the host's own call 9; its tool_res comes with status 499 (or had been sent already).
  http_end     may carry "abort":true: the stream broke; the client sees a broken body instead of a clean end.
  pong         also without a question ("id":null) while the bridge is busy with very many files.
  entries, eof "truncated"; eof of diff: "deleted":[paths].
  fail         "id":null for a line that cannot be read. Any message may have an id and is then answered (ports -> ok).
Exit codes: 0 bye or end of input, 65 broken start or a line over 1 MiB, 66 python3 of the image is incomplete (stderr says what
is missing), 70 SIGTERM, 71 heartbeat missed, 72 deadline.
"""

try:
    import _socket  # the C part alone: `socket` costs 3 ms more at each start and adds nothing that is needed here
    import binascii
    import errno
    import json
    import os
    import re
    import select
    import signal
    import stat
    import sys
    import time
    from collections import deque, namedtuple
except ImportError as lacking:
    import os
    os.write(2, b"proctor: python3 in this image has no module %s; a complete one is needed (Debian: the package python3, not "
                b"python3-minimal alone)\n" % str(lacking.name).encode())
    os._exit(66)

VERSION = 1
KIB, MIB = 1024, 1024 * 1024
CHUNK = 32 * KIB            # raw bytes a message carries at most
LINE_MAX = MIB
BULK_HIGH, BULK_LOW = MIB, 256 * KIB
EVENT_MAX = 64 * KIB        # arguments in an event
DEPTH_MAX = 200             # of structures in them: JSON readers have limits that an agent must not reach
TAIL = 64 * KIB             # kept of the end of a stream that went over its cap
TOOL_OUTPUT = 4 * MIB
HEADER_MAX, BODY_MAX, HASHED_MAX = 64 * KIB, 64 * MIB, 32 * MIB
ARGUMENTS_MAX, ITEMS_MAX, DIGITS_MAX = 8 * MIB, 200000, 4300     # no command line can be longer, so a call cannot
BODIES_MAX = 128 * MIB      # of all connections together: an agent must not make the bridge the largest process
CONNECTIONS_MAX = 256
QUEUE_MAX = 256
IDLE = 30                   # seconds a client has to send its request
APP = "/app"
REWARDS = ("/app/reward.txt", "/logs/verifier/reward.txt")
READ = select.EPOLLIN | select.EPOLLRDHUP
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Refused(Exception):
    """A question that is answered by `fail`."""

    def __init__(self, code, why):
        Exception.__init__(self, why)
        self.code = code


def b64(data):
    return binascii.b2a_base64(data, newline=False).decode("ascii")


PLAIN = bytes(range(32, 127))
BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="


def unb64(text):
    data = text.encode("ascii")
    if data.translate(None, BASE64):    # a2b_base64 would skip what it does not know
        raise ValueError("not base64")
    return binascii.a2b_base64(data)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -1e15 < value < 1e15


def number(message, key, default, low, high):
    value = message.get(key)
    if value is None:
        value = default
    if not is_number(value):
        raise Refused("bad", "%s must be a number" % key)
    return min(max(value, low), high)


def clean(text):
    """Replaces lone surrogates, which JSON readers elsewhere refuse or change."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def encode(message):
    line = json.dumps(message, separators=(",", ":"))
    if "\\ud" in line:
        line = json.dumps(json.loads(clean(json.dumps(message, ensure_ascii=False))), separators=(",", ":"))
    return line.encode("ascii") + b"\n"


def depth(value):
    levels, row = 0, [value]
    while row:
        levels += 1
        row = [child for item in row if isinstance(item, (dict, list))
               for child in (item.values() if isinstance(item, dict) else item)]
    return levels


def for_event(key, value):
    """{key: value}, or what says that the value is too large or too deep for a line of the protocol."""
    text = clean(json.dumps(value, ensure_ascii=False))
    raw = text.encode("utf-8")
    if len(raw) > EVENT_MAX or depth(value) > DEPTH_MAX:
        import hashlib
        return {key: None, "cut": {"text": raw[:EVENT_MAX].decode("utf-8", "ignore"), "size": len(raw),
                                   "sha256": hashlib.sha256(raw).hexdigest()}}
    return {key: json.loads(text, parse_constant=str)}
