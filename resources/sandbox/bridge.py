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
--die-with-parent follows the *thread* that started bwrap. BOOT is boot.py; then "<length>\n", this file, and the protocol.

ORDER: hello <- ; put* -> ok*; init -> ready; run/tool/...; bye -> bye.  Before init only put, get, list, ping, bye.

WHAT IS ADDED to version 1 (all optional for the host):
  init         "wall":"bwrap" (needed; another wall is answered by `fail`). `fail` of an init has "id":null.
  ready        reward_files: the stale ones that were found *and removed*. prompts: paths relative to /app, so
               "environment/system.md" where only that exists; of system.md instruction.md context.json.
  run          rlimits {"NPROC":60,...} by name. Ends in `exit`, or in `fail` when nothing could be started (program missing,
               wall not built; then `started` may have been sent).
               signal is only reported where the bridge ended the run itself (limit, kill), or for who=verifier|setup;
               for an agent that died of a signal the inner bubblewrap says code 128+n and that is passed on as it is.
  out          "skip":n on the first message after a gap: n bytes over `cap` were dropped before it (the last 64 KiB of a
               stream are always sent). `dropped` in exit is the sum over both streams.
  tool_res     "error":"..." whenever status is not 200. Status 499: the caller hung up, or the agent's run ended.
  tool_start   of our wrapper's calls: "argv":[...] and "stdin_size":n in place of "args". When the JSON text of args or argv is
               over 64 KiB: null in its place and "cut":{"text":...,"size":n,"sha256":...}. who: agent | verifier.
               at: seconds since the `started` of the current run. Calls refused with 400/404 are reported too.
  log          "cut":{...} likewise.
  http         size is -1 for a chunked body. The body always ends with http_body "eof":true, even when it is empty.
  http_end     may carry "abort":true: the stream broke; the client sees a broken body instead of a clean end.
  entries, eof "truncated"; eof of diff: "deleted":[paths].
  fail         "id":null for a line that cannot be read. Any message may have an id and is then answered (ports -> ok).
Exit codes: 0 bye or end of input, 65 broken start or a line over 1 MiB, 70 SIGTERM, 71 heartbeat missed, 72 deadline.
"""
