# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text that a user sees has a finished translation, and no translation is left over.

With --update the translation files take up new texts and drop old ones; then translate what is unfinished."""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("models", "widgets", "app")
LUPDATE = Path("/usr/lib/qt6/bin/lupdate")


def translation_files():
    return sorted((ROOT / "translations").glob("*.ts"))


def speaking_sources():
    return sorted(path for floor in FLOORS for path in (ROOT / floor).rglob("*") if path.suffix in (".cpp", ".h"))


def update(file):
    # -I: with our own headers at hand lupdate knows the namespace of a class, and with it the context at run time.
    program = LUPDATE if LUPDATE.exists() else Path(shutil.which("lupdate") or "lupdate")
    command = [program, "-I", ROOT, "-locations", "none", "-no-obsolete", "-silent", *speaking_sources(), "-ts", file]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True, timeout=240)


def messages(file):
    """(context, source, comment) -> (whether finished, translations)"""
    found = {}
    for context in ElementTree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            key = (context.findtext("name"), message.findtext("source"), message.findtext("comment") or "")
            translation = message.find("translation")
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            found[key] = ("type" not in translation.attrib and all(forms), forms)
    return found


class Translations(unittest.TestCase):
    def test_every_text_is_translated(self):
        self.assertTrue(translation_files())
        for file in translation_files():
            with self.subTest(file=file.name), tempfile.TemporaryDirectory() as folder:
                fresh = Path(folder) / file.name
                shutil.copy(file, fresh)
                update(fresh)
                here, now = messages(file), messages(fresh)
                self.assertGreater(len(now), 100)
                unfinished = sorted(key for key, (finished, _) in now.items() if not finished)
                self.assertEqual(unfinished, [], "not translated: run tests/translations_test.py --update and translate")
                self.assertEqual(sorted(here.keys() - now.keys()), [], "no longer used: run it with --update")

    def test_a_new_text_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            fresh = Path(folder) / "proctor_zh_CN.ts"
            shutil.copy(ROOT / "translations" / fresh.name, fresh)
            text = fresh.read_text(encoding="utf-8")
            first = text.index("<message")
            fresh.write_text(text[:first] + text[text.index("</message>") + len("</message>"):], encoding="utf-8")
            update(fresh)
            self.assertTrue(any(not finished for finished, _ in messages(fresh).values()))

    def test_placeholders_survive(self):
        for file in translation_files():
            for (context, source, _), (_, forms) in messages(file).items():
                for form in forms:
                    with self.subTest(file=file.name, context=context, source=source):
                        wanted = sorted(re.findall(r"%L?(?:\d+|n)", source))
                        self.assertEqual(sorted(re.findall(r"%L?(?:\d+|n)", form)), wanted)
                        mnemonic = re.compile(r"&(?=\w)")
                        self.assertEqual(len(mnemonic.findall(form)), len(mnemonic.findall(source)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        for ts in translation_files():
            update(ts)
    else:
        unittest.main()
