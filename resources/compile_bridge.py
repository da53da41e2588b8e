# SPDX-License-Identifier: GPL-3.0-or-later
"""usage: compile_bridge.py TARGET PART...

Compiles the parts of the bridge for this Python, as sandbox/boot.py wants to find it: a line that names the Python, then
a list of code objects. Compiling is most of what a bridge costs at its start, and many images have the Python that this
machine has."""
import _frozen_importlib_external
import marshal
import pathlib
import sys


def compiled(parts):
    # As boot.py compiles them, without the texts that nobody asks a running bridge for.
    code = marshal.dumps([compile(part, "bridge", "exec", optimize=2) for part in parts])
    assert b"# SPDX" not in code, "boot.py would take it for the beginning of a part"
    magic = _frozen_importlib_external.MAGIC_NUMBER.hex().encode()
    return b"%a %s\n" % (sys.implementation.cache_tag, magic) + code


if __name__ == "__main__":
    target, *paths = map(pathlib.Path, sys.argv[1:])
    target.write_bytes(compiled([path.read_bytes() for path in sorted(paths, key=lambda path: path.name)]))
