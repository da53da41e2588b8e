#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""All images of the tests as one archive for `docker load`, on standard output: make_images.py BASE_TAR

No build: each image is the base, a layer of files and a configuration, and the base is sent once. Same input, same
image ids.

    proctor-test/base:1         the base alone
    proctor-test/<instance>:1   a bundle of the demo exam at /app, WORKDIR /app
    proctor-test/<name>:1       a folder of images/: files of `root/` over a demo bundle, and what image.json says

image.json: "bundle": the demo instance below it; "config": Docker's configuration (Entrypoint, Cmd, User, WorkingDir);
"without": paths taken out of the base; "tools": names added to the bundle's tool_defs.json.

make_images.py --names lists the images, --key BASE_TAR prints a key that changes when one of them would.
make_images.py --bundle FOLDER NAME BASE_LAYER is one more image: a bundle over the base, which the engine has already
and of which the archive holds the digest alone.
"""
import glob
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GENERATOR = os.path.join(ROOT, "resources", "demo", "make_demo.py")
PREFIX = "proctor-test/"


def own_by_root(entry):
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    # Whatever the umask of the checkout was.
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return None if "__pycache__" in entry.name else entry


def layer(folder, place, without=()):
    """A tar of what is in the folder, at its place in the image; `without` is taken out of the layers below."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in sorted(os.listdir(folder)):
            archive.add(os.path.join(folder, name), os.path.join(place, name), filter=own_by_root)
        for path in without:
            head, tail = os.path.split(path.strip("/"))
            archive.addfile(tarfile.TarInfo(os.path.join(head, ".wh." + tail)))
    return buffer.getvalue()


def special_images():
    folder = os.path.join(HERE, "images")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name, "image.json"), encoding="utf-8") as file:
            yield name, json.load(file)


def bundles(demo):
    """{instance: folder}"""
    found = {}
    for family in sorted(os.listdir(demo)):
        for definitions in sorted(glob.glob(os.path.join(demo, family, "*", "tool_defs.json"))):
            folder = os.path.dirname(definitions)
            found[os.path.basename(folder)] = folder
    return found


def images(demo):
    """(name, layer or None, configuration) of each image."""
    yield "base", None, {}
    instances = bundles(demo)
    for instance, folder in instances.items():
        yield instance, layer(folder, "app"), {"WorkingDir": "/app"}
    for name, wanted in special_images():
        folder = os.path.join(demo, "special-" + name)
        shutil.copytree(instances[wanted["bundle"]], os.path.join(folder, "app"))
        own = os.path.join(HERE, "images", name, "root")
        if os.path.isdir(own):
            shutil.copytree(own, folder, symlinks=True, dirs_exist_ok=True)
        define_tools(os.path.join(folder, "app", "tool_defs.json"), wanted.get("tools", ()))
        yield name, layer(folder, "", wanted.get("without", ())), {"WorkingDir": "/app", **wanted.get("config", {})}


def define_tools(path, names):
    with open(path, encoding="utf-8") as file:
        tools = json.load(file)
    tools += [{"type": "function", "function": {
        "name": name, "description": "A tool of the tests.",
        "parameters": {"type": "object", "properties": {"question": {"type": "string"}}}}} for name in names]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(tools, file, ensure_ascii=False, indent=2)


def configuration(config, key, layers):
    config = {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], "Cmd": ["bash"],
              "Labels": {"proctor.test.images": key}, **config}
    history = [{"created": "2024-01-01T00:00:00Z", "created_by": "proctor tests"} for _ in layers]
    return json.dumps({"architecture": machine(), "os": "linux", "created": "2024-01-01T00:00:00Z", "config": config,
                       "rootfs": {"type": "layers", "diff_ids": layers}, "history": history}).encode()


def machine():
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)


def add(archive, name, data):
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


def digest_of_file(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_archive(base, made, output):
    key = key_of(base, made)
    base_digest = digest_of_file(base)
    manifest = []
    written = set()
    with tarfile.open(fileobj=output, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        archive.add(base, base_digest + ".tar")
        for name, own, config in made:
            digests = [base_digest]
            if own is not None:
                digests.append(hashlib.sha256(own).hexdigest())
                if digests[1] not in written:
                    add(archive, digests[1] + ".tar", own)
                    written.add(digests[1])
            data = configuration(config, key, ["sha256:" + digest for digest in digests])
            config_name = hashlib.sha256(data).hexdigest() + ".json"
            add(archive, config_name, data)
            manifest.append({"Config": config_name, "RepoTags": [f"{PREFIX}{name}:1"],
                             "Layers": [digest + ".tar" for digest in digests]})
        add(archive, "manifest.json", json.dumps(manifest).encode())


def write_bundle(folder, name, base_layer, output):
    own = layer(folder, "app")
    digest = hashlib.sha256(own).hexdigest()
    config = configuration({"WorkingDir": "/app"}, "trial", [base_layer, "sha256:" + digest])
    with tarfile.open(fileobj=output, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        add(archive, "config.json", config)
        add(archive, digest + ".tar", own)
        add(archive, "manifest.json", json.dumps([{
            "Config": "config.json", "RepoTags": [f"{PREFIX}{name}:1"],
            "Layers": [base_layer.removeprefix("sha256:") + ".tar", digest + ".tar"]}]).encode())


def key_of(base, made):
    """The base counts by its name, which holds its recipe."""
    digest = hashlib.sha256(os.path.basename(base).encode())
    with open(os.path.abspath(__file__), "rb") as file:
        digest.update(file.read())
    for name, own, config in made:
        digest.update(name.encode() + (own or b"") + json.dumps(config, sort_keys=True).encode())
    return digest.hexdigest()[:16]


def main():
    if sys.argv[1] == "--bundle":
        write_bundle(*sys.argv[2:5], sys.stdout.buffer)
        return
    with tempfile.TemporaryDirectory() as demo:
        subprocess.run([sys.executable, "-B", GENERATOR, demo], check=True)
        made = list(images(demo))
        if sys.argv[1] == "--names":
            print("\n".join(f"{PREFIX}{name}:1" for name, _, _ in made))
        elif sys.argv[1] == "--key":
            print(key_of(sys.argv[2], made))
        else:
            write_archive(sys.argv[1], made, sys.stdout.buffer)


if __name__ == "__main__":
    main()
