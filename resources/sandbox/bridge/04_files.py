# SPDX-License-Identifier: GPL-3.0-or-later
# Files in and out.


def is_below(path, roots):
    return any(path.startswith(root + "/") for root in roots)


def checked_path(path):
    if not isinstance(path, str) or "\0" in path or not is_below(path, (APP, "/logs")) or os.path.normpath(path) != path:
        raise Refused("refused", "a path must be absolute, plain and below %s" % APP)
    return path


def open_checked(path, flags, mode=0):
    """Opens a regular file, never through a link, and asks the kernel where the descriptor really is: no race, no linked
    folder, no pipe that blocks."""
    fd = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, mode)
    if not stat.S_ISREG(os.fstat(fd).st_mode) or not is_below(os.readlink("/proc/self/fd/%d" % fd), (APP, "/logs")):
        os.close(fd)
        raise Refused("refused", "%s is not a regular file below %s" % (path, APP))
    return fd


def entries_below(top):
    """(path below top, entry, lstat), parents first, sorted, links not followed."""
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            found = sorted(os.scandir(os.path.join(top, folder)), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in found:
            name = os.path.join(folder, entry.name)
            try:
                yield name, entry, entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)


def tar_head(name, mode, size, mtime, kind, target):
    """A head of a tar archive. Short plain names are most, and do without tarfile, whose import takes longer than all else
    that is done for a few files."""
    texts = [os.fsencode(name + ("/" if kind == b"5" else "")), os.fsencode(target)]
    if any(len(text) > 100 or text.translate(None, PLAIN) for text in texts) or size >= 8 << 30 or not 0 <= mtime < 8 << 30:
        import tarfile
        head = tarfile.TarInfo(name)
        head.mode, head.size, head.mtime, head.type, head.linkname = mode, size, mtime, kind, target
        return head.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
    numbers = b"%07o\0%07o\0%07o\0%011o\0%011o\0" % (mode, 0, 0, size, mtime)
    head = texts[0].ljust(100, b"\0") + numbers + b" " * 8 + kind + texts[1].ljust(100, b"\0") + b"ustar\x0000"
    head = head.ljust(512, b"\0")
    return head[:148] + b"%06o\0" % sum(head) + head[155:]


class Files:
    """put, get, list, snapshot, diff."""

    def __init__(self, wire):
        self.wire = wire
        self.puts = {}      # id -> [fd, path, mode], fd None when it has failed already
        self.before = None  # path -> what tells a change

    def put(self, id, message):
        data, owner = unb64(message["d"]), int(number(message, "uid", 0, 0, (1 << 32) - 2))
        try:
            if id not in self.puts:
                if len(self.puts) >= 16:
                    raise Refused("bad", "too many files at once")
                self.puts[id] = self.begin_put(message)
            fd = self.puts[id][0]
            while fd is not None and data:
                data = data[os.write(fd, data):]
        except (OSError, Refused):
            if self.puts.get(id, [None])[0] is not None:
                os.close(self.puts[id][0])
            if message.get("eof"):
                self.puts.pop(id, None)
            elif len(self.puts) < 16:
                self.puts[id] = [None, "", 0]
            raise
        if message.get("eof"):
            fd, path, mode = self.puts.pop(id)
            if fd is not None:
                if os.getuid() == 0:
                    os.fchown(fd, owner, owner)
                os.fchmod(fd, mode)
                os.close(fd)
                self.wire.send({"t": "ok", "id": id})

    @staticmethod
    def begin_put(message):
        path, mode = checked_path(message["path"]), int(message.get("mode", 0o644)) & 0o777
        parent = os.path.dirname(path)
        if not is_below(os.path.realpath(parent) + "/", (APP, "/logs")):
            raise Refused("refused", "%s leads out of %s" % (parent, APP))
        os.makedirs(parent, 0o755, exist_ok=True)
        fd = open_checked(path, os.O_WRONLY | os.O_CREAT, 0o600)
        os.ftruncate(fd, 0)
        return [fd, path, mode]

    def get(self, id, message):
        limit = int(number(message, "max", BODY_MAX, 0, 1 << 40))
        fd = open_checked(checked_path(message["path"]), os.O_RDONLY)

        def job():
            size = 0
            while size < limit:
                data = os.read(fd, min(CHUNK, limit - size))
                if not data:
                    break
                size += len(data)
                self.wire.send_bulk({"t": "data", "id": id, "d": b64(data)})
                yield True
            truncated = bool(os.read(fd, 1))
            os.close(fd)
            self.wire.send_bulk({"t": "eof", "id": id, "size": size, "truncated": truncated})

        self.wire.add_job(self.guarded(id, job()))

    def guarded(self, id, job):
        try:
            yield from job
        except OSError as error:
            self.wire.send_bulk({"t": "fail", "id": id, "code": "refused", "why": str(error)})

    def list(self, id, message):
        top = message["path"] if message["path"] == APP else checked_path(message["path"])
        if os.path.realpath(top) != top or not os.path.isdir(top):
            code = "refused" if os.path.lexists(top) else "not_found"
            raise Refused(code, "%s is not a folder" % top)
        limit, room = int(number(message, "max", 1000, 0, 10000)), LINE_MAX // 2
        found, truncated, hashed = [], False, 0
        for name, _, info in entries_below(top):
            entry = {"path": name, "type": "other", "size": info.st_size, "mtime": info.st_mtime}
            for kind, test in (("file", stat.S_ISREG), ("dir", stat.S_ISDIR), ("link", stat.S_ISLNK)):
                if test(info.st_mode):
                    entry["type"] = kind
            # Within one turn of the loop, so only as much as takes no time: sparse files cost an agent nothing.
            if entry["type"] == "file" and hashed + info.st_size <= HASHED_MAX:
                import hashlib  # here, since most attempts have no such file, and it costs 4 ms
                hashed += info.st_size
                try:
                    with open(open_checked(os.path.join(top, name), os.O_RDONLY), "rb") as file:
                        entry["sha256"] = hashlib.sha256(file.read(BODY_MAX)).hexdigest()
                except (OSError, Refused):
                    pass
            room -= len(encode(entry))
            if len(found) >= limit or room < 0:
                truncated = True
                break
            found.append(entry)
        self.wire.send({"t": "entries", "id": id, "list": found, "truncated": truncated})

    @staticmethod
    def sign(info):
        return info.st_mode, info.st_size, info.st_mtime_ns, info.st_ino

    def snapshot(self, id, _):
        self.before = {}
        for name, _, info in entries_below(APP):
            if len(self.before) >= 100000:
                break
            self.before[name] = self.sign(info)
        self.wire.send({"t": "ok", "id": id})

    def diff(self, id, message):
        if self.before is None:
            raise Refused("bad", "no snapshot was taken")
        self.wire.add_job(self.guarded(id, self.changes(id, int(number(message, "max", 256 * MIB, 0, 1 << 40)))))

    def changes(self, id, limit):
        size, truncated, seen = 0, False, set()

        def send(data):
            nonlocal size
            size += len(data)
            for start in range(0, len(data), CHUNK):
                self.wire.send_bulk({"t": "data", "id": id, "d": b64(data[start:start + CHUNK])})
            return True

        for name, entry, info in entries_below(APP):
            seen.add(name)
            if self.before.get(name) == self.sign(info):
                continue
            fd, kind, length, target = None, b"0", 0, ""
            try:
                if stat.S_ISREG(info.st_mode):
                    if size + info.st_size > limit:
                        truncated = True
                        continue
                    fd, length = open_checked(entry.path, os.O_RDONLY), info.st_size
                elif stat.S_ISLNK(info.st_mode):
                    kind, target = b"2", os.readlink(entry.path)
                elif stat.S_ISDIR(info.st_mode) and name not in self.before:
                    kind = b"5"
                else:
                    continue
            except (OSError, Refused):
                continue
            head = tar_head(name, stat.S_IMODE(info.st_mode), length, int(info.st_mtime), kind, target)
            yield send(head)
            left = length
            while left > 0:     # a file that shrank meanwhile is filled up: the head has promised its size
                data = os.read(fd, min(CHUNK, left)) or bytes(min(CHUNK, left))
                left -= len(data)
                yield send(data)
            if fd is not None:
                os.close(fd)
                yield send(bytes(-length % 512))
        send(bytes(1024))
        deleted = sorted(set(self.before) - seen)[:1000]
        while sum(map(len, deleted)) > 64 * KIB:
            deleted.pop()
        self.wire.send_bulk({"t": "eof", "id": id, "size": size, "truncated": truncated, "deleted": deleted})
