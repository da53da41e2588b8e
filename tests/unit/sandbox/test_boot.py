# SPDX-License-Identifier: GPL-3.0-or-later
"""How a sandbox starts the bridge: from code that was made for its Python, from the source otherwise."""
import marshal
import pathlib
import subprocess
import sys
import unittest

RESOURCES = pathlib.Path(__file__).resolve().parents[3] / "resources"
sys.path.insert(0, str(RESOURCES))

import compile_bridge  # noqa: E402

BOOT = (RESOURCES / "sandbox" / "boot.py").read_text()
SOURCE = [b"# SPDX one\nword = 'source'\n", b"# SPDX two\nimport os\nprint(word, os.read(0, 99).decode())\n"]
CODE = [b"# SPDX one\nword = 'code'\n", SOURCE[1]]


def start(program, announced=None):
    announced = len(program) if announced is None else announced
    return subprocess.run([sys.executable, "-I", "-S", "-u", "-c", BOOT], input=b"%d\n" % announced + program + b"first line",
                          capture_output=True, timeout=60)


class Boot(unittest.TestCase):
    def check(self, program, said):
        end = start(program)
        self.assertEqual((end.returncode, end.stdout, end.stderr), (0, said, b""))

    def test_source_alone(self):
        self.check(b"".join(SOURCE), b"source first line\n")

    def test_code_for_this_python(self):
        self.check(compile_bridge.compiled(CODE) + b"".join(SOURCE), b"code first line\n")

    def test_code_for_another_python(self):
        tag, code = compile_bridge.compiled(CODE).split(b"\n", 1)
        for other in (tag.replace(b"cpython-3", b"cpython-4"), tag[:-1] + b"x", tag + b"0"):
            self.assertNotEqual(other, tag)
            self.check(other + b"\n" + code + b"".join(SOURCE), b"source first line\n")

    def test_host_that_goes_away(self):
        program = b"".join(SOURCE)
        self.assertEqual(start(program, len(program) + 100).returncode, 65)

    def test_all_parts_of_the_bridge_are_there(self):
        parts = [part.read_bytes() for part in sorted((RESOURCES / "sandbox" / "bridge").glob("*.py"))]
        code = marshal.loads(compile_bridge.compiled(parts).split(b"\n", 1)[1])
        self.assertEqual([part.co_filename for part in code], ["bridge"] * len(parts))


if __name__ == "__main__":
    unittest.main()
