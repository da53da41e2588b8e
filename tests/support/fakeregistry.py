#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for an image registry (HTTP API version 2, pulls only) that fails as it is asked to.

fakeregistry.py [--port N] [--upstream URL] [--rate BYTES] [--auth bearer|basic] [--times N]

Prints `ready <port>` and serves 127.0.0.1 until its standard input ends.

The first part of a repository's name says what happens, the rest is free:

    ok          an image of one small layer
    slow        the same with a layer of --size bytes, sent at --rate bytes a second
    huge        a layer of a few kilobytes that unpacks to 200 MB
    cut         the connection ends in the middle of the layer, --times times; then as ok
    missing     404 manifest unknown
    nowhere     404 name unknown
    private     401 unauthorized
    hub         401 denied, what Docker Hub says of a repository that is private or not there
    denied      403 denied
    limited     429 with Docker Hub's words
    limitedplain  429 without a JSON body
    limitedonce 429 --times times, then as ok
    broken      500
    brokenonce  500 --times times, then as ok
    unavailable 503
    otherplatform  an image for a CPU that does not exist
    garbage     a manifest that is no JSON

`terse-` before one of the refusals leaves out the error's detail, which changes the engine's words.

With --upstream the repositories ok, slow, cut, limitedonce and brokenonce with a longer name are those of that
registry: `slow/proctor-test/x` is its `proctor-test/x`, throttled.

With --auth every request needs a login, which nobody gets: bearer as Docker Hub and others (the token is refused for
`private` and `denied`; other repositories get one), basic as a registry behind a password.

GET /_counts: {"GET /v2/ok/a/manifests/1": 1, ...}; POST /_reset empties it.
"""
import argparse
import gzip
import hashlib
import io
import json
import random
import sys
import tarfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
MANIFEST_LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
WITH_CONTENT = ("ok", "slow", "cut", "limitedonce", "brokenonce")
RATE_LIMIT = ("You have reached your pull rate limit. You may increase the limit by authenticating and upgrading: "
              "https://www.docker.com/increase-rate-limit")
REFUSALS = {
    "missing": (404, "MANIFEST_UNKNOWN", "manifest unknown"),
    "nowhere": (404, "NAME_UNKNOWN", "repository name not known to registry"),
    "private": (401, "UNAUTHORIZED", "authentication required"),
    "hub": (401, "DENIED", "requested access to the resource is denied"),
    "denied": (403, "DENIED", "requested access to the resource is denied"),
    "limited": (429, "TOOMANYREQUESTS", RATE_LIMIT),
    "limitedonce": (429, "TOOMANYREQUESTS", RATE_LIMIT),
    "broken": (500, "UNKNOWN", "unknown error"),
    "brokenonce": (500, "UNKNOWN", "unknown error"),
    "unavailable": (503, "UNAVAILABLE", "service unavailable"),
}


def digest_of(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def layer_of(content):
    """A gzipped layer with one file, and the digest of the tar in it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        entry = tarfile.TarInfo("payload")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 1, mtime=0), digest_of(packed.getvalue())


class MadeUpImage:
    def __init__(self, content, architecture="amd64"):
        layer, unpacked = layer_of(content)
        config = json.dumps({
            "architecture": architecture, "os": "linux", "config": {"Cmd": ["/payload"]},
            "rootfs": {"type": "layers", "diff_ids": [unpacked]}}).encode()
        self.blobs = {digest_of(layer): layer, digest_of(config): config}
        self.manifest = json.dumps({
            "schemaVersion": 2, "mediaType": MANIFEST,
            "config": {"mediaType": "application/vnd.docker.container.image.v1+json", "size": len(config),
                       "digest": digest_of(config)},
            "layers": [{"mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip", "size": len(layer),
                        "digest": digest_of(layer)}]}).encode()


class Registry:
    def __init__(self, options):
        self.options = options
        self.counts = Counter()
        self.lock = threading.Lock()
        self.images = {}
        self.tries = Counter()

    def image(self, kind):
        with self.lock:
            if kind not in self.images:
                size = {"slow": self.options.size, "huge": 0, "cut": 400_000}.get(kind, 2000)
                content = bytes(200_000_000) if kind == "huge" else random.Random(kind).randbytes(size)
                self.images[kind] = MadeUpImage(content)
            return self.images[kind]

    def first_times(self, key, counts=True):
        """Whether this is one of the first --times askings for the key."""
        with self.lock:
            tried = self.tries[key]
            self.tries[key] += counts
            return tried < self.options.times


class Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    registry = None

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, kind="application/json", **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Docker-Distribution-Api-Version", "registry/2.0")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code, message, detail=None, **headers):
        error = {"code": code, "message": message, **({"detail": detail} if detail else {})}
        self.answer(status, json.dumps({"errors": [error]}).encode(), **headers)

    def do_HEAD(self):
        self.do_GET()

    def do_POST(self):
        if self.path == "/_reset":
            with self.registry.lock:
                self.registry.counts.clear()
                self.registry.tries.clear()
        self.answer(200, b"{}")

    def do_GET(self):
        if self.path == "/_counts":
            with self.registry.lock:
                body = json.dumps(self.registry.counts, sort_keys=True).encode()
            return self.answer(200, body)
        with self.registry.lock:
            self.registry.counts[f"{self.command} {self.path.partition('?')[0]}"] += 1
        if self.path.startswith("/token"):
            return self.give_token()
        if self.registry.options.auth and not self.headers.get("Authorization"):
            return self.ask_for_login()
        if self.path in ("/v2", "/v2/"):
            return self.answer(200, b"{}")
        repository, slash, rest = self.path.removeprefix("/v2/").rpartition("/manifests/")
        if slash:
            return self.give_manifest(repository, rest)
        repository, slash, rest = self.path.removeprefix("/v2/").rpartition("/blobs/")
        if slash:
            return self.give_blob(repository, rest)
        return self.refuse(404, "NOT_FOUND", "not found")

    # --- login

    def ask_for_login(self):
        host = self.headers.get("Host", "127.0.0.1")
        challenge = 'Basic realm="fake"' if self.registry.options.auth == "basic" else \
            f'Bearer realm="http://{host}/token",service="fake"'
        self.refuse(401, "UNAUTHORIZED", "authentication required", Www_Authenticate=challenge)

    def give_token(self):
        if "repository%3Adenied" in self.path or "repository:denied" in self.path:
            return self.refuse(403, "DENIED", "requested access to the resource is denied")
        return self.answer(200, b'{"token": "nobody", "expires_in": 300}')

    # --- content

    def give_manifest(self, repository, reference):
        kind = repository.split("/")[0]
        if kind == "limitedplain":
            return self.answer(429, b"Too Many Requests\n", "text/plain", Retry_After="30")
        once = kind in ("limitedonce", "brokenonce")
        refusal = REFUSALS.get(kind.removeprefix("terse-"))
        # An engine whose HEAD was refused asks once more by GET: both are one failure.
        if refusal and (not once or self.registry.first_times(repository, self.command == "GET")):
            headers = {"Retry_After": "1"} if refusal[0] == 429 else {}
            detail = None if kind.startswith("terse-") else {"Name": repository, "Tag": reference}
            return self.refuse(*refusal, detail, **headers)
        if self.upstream_of(repository):
            return self.pass_on(repository, "/manifests/" + reference)
        if kind == "garbage":
            return self.answer(200, b"<html>hello</html>", MANIFEST)
        if kind == "otherplatform":
            return self.give_other_platform()
        body = self.registry.image(kind).manifest
        return self.answer(200, body, MANIFEST, Docker_Content_Digest=digest_of(body))

    def give_other_platform(self):
        manifest = self.registry.image("otherplatform").manifest
        body = json.dumps({"schemaVersion": 2, "mediaType": MANIFEST_LIST, "manifests": [
            {"mediaType": MANIFEST, "size": len(manifest), "digest": digest_of(manifest),
             "platform": {"architecture": "mips64le", "os": "linux"}}]}).encode()
        self.answer(200, body, MANIFEST_LIST, Docker_Content_Digest=digest_of(body))

    def give_blob(self, repository, digest):
        kind = repository.split("/")[0]
        if self.upstream_of(repository):
            return self.pass_on(repository, "/blobs/" + digest)
        blob = self.registry.image(kind).blobs.get(digest)
        if blob is None:
            return self.refuse(404, "BLOB_UNKNOWN", "blob unknown to registry")
        return self.send_blob(kind, repository, digest, len(blob), io.BytesIO(blob))

    def send_blob(self, kind, repository, digest, size, source):
        begin = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        source.read(begin)
        self.send_response(206 if begin else 200)
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{size - 1}/{size}")
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(size - begin))
        self.send_header("Docker-Content-Digest", digest)
        self.end_headers()
        if self.command == "HEAD":
            return
        if kind == "cut" and size > 10_000 and self.registry.first_times(repository + digest):
            self.wfile.write(source.read(size // 2))
            self.close_connection = True
            return
        chunk = max(1, self.registry.options.rate // 20) if kind == "slow" else 1 << 20
        while data := source.read(chunk):
            self.wfile.write(data)
            if kind == "slow":
                time.sleep(0.05)

    def upstream_of(self, repository):
        kind, _, rest = repository.partition("/")
        upstream = self.registry.options.upstream
        return f"{upstream}/v2/{rest}" if upstream and "/" in rest and kind in WITH_CONTENT else ""

    def pass_on(self, repository, rest):
        kind = repository.split("/")[0]
        headers = {"Accept": ", ".join(self.headers.get_all("Accept", ["*/*"]))}
        request = urllib.request.Request(self.upstream_of(repository) + rest, headers=headers, method=self.command)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                if rest.startswith("/blobs/"):
                    return self.send_blob(kind, repository, rest.removeprefix("/blobs/"),
                                          int(reply.headers["Content-Length"]), reply)
                body = reply.read()
                self.send_response(200)
                for name in ("Content-Type", "Content-Length", "Docker-Content-Digest"):
                    self.send_header(name, reply.headers[name])
                self.end_headers()
                return self.wfile.write(body) if body else None
        except urllib.error.HTTPError as error:
            return self.answer(error.code, error.read())


def main():
    parser = argparse.ArgumentParser(description="A stand-in for an image registry that fails as it is asked to.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--upstream", default="")
    parser.add_argument("--rate", type=int, default=400_000, help="bytes a second of slow layers")
    parser.add_argument("--size", type=int, default=1_000_000, help="bytes of the layer of slow images")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--auth", choices=("bearer", "basic"))
    Request.registry = Registry(parser.parse_args())
    server = ThreadingHTTPServer(("127.0.0.1", Request.registry.options.port), Request)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("ready", server.server_address[1], flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
