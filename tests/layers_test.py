#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps the house a house: reads the sources and fails on an upward or forbidden include, on a foreign
top-level folder, on a missing licence line, on a name that says nothing, on a file that grew too long.

Linking cannot forbid all of that: QProcess is Qt Core, and a header alone needs no library.
The test proves itself: each rule is broken once in a small tree of its own and must be reported there.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

FOLDERS = {"app", "models", "widgets", "resources", "tests", "translations"}
ROOT_FILES = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md",
              "dev", "action.yml", "Dockerfile"}
FLOORS = ("models", "widgets", "app")

# What a floor may include of Qt, as modules. app may use all.
QT_MODULES = {"models": {"QtCore", "QtGui"},
              "widgets": {"QtCore", "QtGui", "QtWidgets", "QtCharts", "QtSvg", "QtSvgWidgets"}}
# Other libraries whose headers lie in a folder of their own.
LIBRARIES = {"models": ("yaml-cpp/", "rapidjson/", "boost/math/"), "widgets": ()}
# System headers that belong to processes and sockets.
FORBIDDEN_SYSTEM = {"spawn.h", "netdb.h", "sys/wait.h", "sys/socket.h", "sys/un.h"}
FORBIDDEN_SYSTEM_FOLDERS = ("netinet/", "arpa/")
# Names, not includes: a precompiled or collective header brings these in without an include of their own.
PROCESS_OR_SOCKET = re.compile(
    r"\b(QProcess|QTcp\w+|QUdp\w+|QLocalServer|QLocalSocket|QSsl\w+|QNetwork\w+|QWebSocket\w*|QHttp\w+)\b"
    r"|(?<![\w.>:])(fork|popen|system|posix_spawnp?|execv\w*|execl\w*)\s*\(")
READS_FILES = re.compile(r"\b(QFile|ifstream|fopen)\b")
# What reads a results folder; widgets show its values and never call it.
RESULT_READERS = {"models/run/resultstore.h", "models/run/journal.h"}

EMPTY_NAME = re.compile(r"(Manager|Helper|Utility|Utilities|Utils?|Handler)(?![a-z])")
EMPTY_FILE_NAME = re.compile(r"manager|helper|utils?(?![a-z])|utilit|handler", re.IGNORECASE)
DECLARED = re.compile(r"^\s*(?:template\s*<[^>]*>\s*)?(?:class|struct|union|enum(?:\s+(?:class|struct))?|namespace)"
                      r"\s+(?:\[\[\w+\]\]\s*)?(\w+)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)

LONGEST = 450  # lines; above that a file is more than one thing


def qt_headers():
    """The folder that holds QtCore/, QtGui/ and so on: from CMake, else where Debian has it."""
    for folder in [os.environ.get("PROCTOR_QT_HEADERS", ""), *glob.glob("/usr/include/*/qt6"), "/usr/include/qt6"]:
        if os.path.isdir(os.path.join(folder, "QtCore")):
            return folder
    raise SystemExit("Qt's headers were not found; set PROCTOR_QT_HEADERS to the folder that holds QtCore")


QT_HEADERS = qt_headers()


def qt_module(header):
    """The Qt module of <header>, or None if it is not Qt's."""
    first = header.split("/")[0]
    if first.startswith("Qt") and os.path.isdir(os.path.join(QT_HEADERS, first)):
        return first
    if "/" in header:
        return None
    found = glob.glob(os.path.join(QT_HEADERS, "Qt*", glob.escape(header)))
    return os.path.basename(os.path.dirname(found[0])) if found else None


def files_of(root):
    """Paths from the root of what belongs to the project: what Git tracks, else all but hidden and build folders."""
    if os.path.exists(os.path.join(root, ".git")):
        try:
            listed = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z"],
                                    check=True, capture_output=True).stdout
            names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
            return sorted(name for name in names if os.path.isfile(os.path.join(root, name)))
        except (OSError, subprocess.CalledProcessError):
            pass
    names = []
    for folder, children, files in os.walk(root):
        inside = os.path.relpath(folder, root)
        children[:] = [child for child in children if child != "__pycache__" and not (
            inside == "." and (child.startswith(".") or re.match(r"build(-|$)", child)))]
        names += [os.path.normpath(os.path.join(inside, name)) for name in files]
    return sorted(names)


def without_comments(text):
    """C++ text with comments blanked, lines kept. Strings stay: they may hold an include's name."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return pattern.sub(lambda match: match.group() if match.group()[0] == '"'
                       else "\n" * match.group().count("\n"), text)


def without_strings(text):
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def include_problems(path, text):
    """Upward and forbidden includes of one C++ file of a floor."""
    floor = path.split("/")[0]
    floors_below = FLOORS[:FLOORS.index(floor) + 1]
    in_desktop = path.startswith("app/desktop/")
    may_draw = in_desktop or path == "app/main.cpp" or path.startswith("app/reports/")
    for system, own in INCLUDE.findall(text):
        if own:
            if own.endswith(".moc"):
                continue
            target = own.split("/")[0]
            if target not in FLOORS:
                yield f'includes "{own}", which is not written from the root'
            elif target not in floors_below:
                yield f'includes "{own}", upwards'
            elif floor == "widgets" and own in RESULT_READERS:
                yield f'includes "{own}": widgets read no result file'
            elif floor == "app" and target == "widgets" and not in_desktop and not (
                    may_draw and own.startswith("widgets/charts/")):
                yield f'includes "{own}": only app/desktop knows the window'
            elif floor == "app" and own.startswith("app/desktop/") and not in_desktop and path != "app/main.cpp":
                yield f'includes "{own}": only main.cpp opens the window'
            continue
        module = qt_module(system)
        if floor == "app":
            if module in ("QtWidgets", "QtCharts", "QtSvgWidgets") and not may_draw:
                yield f"includes <{system}>: only app/desktop knows the window"
            continue
        if module:
            if module not in QT_MODULES[floor]:
                yield f"includes <{system}> of {module}, which {floor} may not use"
        elif system in FORBIDDEN_SYSTEM or system.startswith(FORBIDDEN_SYSTEM_FOLDERS):
            yield f"includes <{system}>: {floor} starts no process and opens no socket"
        elif "/" in system and not system.startswith(("sys/", *LIBRARIES[floor])):
            yield f"includes <{system}> of a library that {floor} may not use"


def use_problems(path, text):
    """Names used without an include of their own."""
    floor = path.split("/")[0]
    if floor == "app":
        return
    for match in PROCESS_OR_SOCKET.finditer(text):
        yield f"uses {(match.group(1) or match.group(2))}: {floor} starts no process and opens no socket"
    if floor == "widgets":
        for match in READS_FILES.finditer(text):
            yield f"uses {match.group()}: widgets read no file"


def is_source(path, text):
    name = os.path.basename(path)
    return (name.endswith((".cpp", ".h", ".py", ".sh", ".cmake", ".js")) or name == "CMakeLists.txt"
            or text.startswith("#!"))


def problems(root):
    """Every broken rule under root as `path: what is wrong`."""
    found = []
    names = files_of(root)
    for folder in sorted({name.split("/")[0] for name in names if "/" in name and not name.startswith(".")}):
        if folder not in FOLDERS:
            found.append(f"{folder}/: not one of the agreed top-level folders")
    for path in names:
        inside = path.split("/")
        if len(inside) == 1 and not path.startswith(".") and path not in ROOT_FILES:
            found.append(f"{path}: not one of the agreed files of the root")
        if path.startswith("tests/data/"):
            continue  # other people's data, kept as they are
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if not is_source(path, text):
            continue
        lines = text.splitlines()
        first = lines[1:2] if text.startswith("#!") else lines[:1]
        if "SPDX-License-Identifier: GPL-3.0-or-later" not in "".join(first):
            found.append(f"{path}: no SPDX line first")
        if EMPTY_FILE_NAME.search(inside[-1]):
            found.append(f"{path}: a file name that says nothing")
        if path.endswith(".py"):
            classes = re.findall(r"^\s*class\s+(\w+)", text, re.MULTILINE)
        elif path.endswith((".cpp", ".h")):
            text = without_comments(text)
            classes = DECLARED.findall(text)
        else:
            classes = []
        found += [f"{path}: {name} is a name that says nothing" for name in classes if EMPTY_NAME.search(name)]
        if inside[0] in FLOORS and path.endswith((".cpp", ".h")):
            if len(lines) > LONGEST:
                found.append(f"{path}: {len(lines)} lines, more than {LONGEST}")
            code = without_strings(text)
            found += [f"{path}: {problem}" for problem in include_problems(path, text)]
            found += [f"{path}: {problem}" for problem in use_problems(path, code)]
    return found


SPDX = "// SPDX-License-Identifier: GPL-3.0-or-later\n"

# A tree that breaks no rule, with what comes close to breaking one.
CLEAN = {
    "README.md": "Proctor\n",
    "models/run/outcome.h": SPDX + '#include "models/core/words.h"\n#include <QColor>\n#include <QtCore/QString>\n'
                                   "#include <vector>\n#include <yaml-cpp/yaml.h>\n#include <sys/file.h>\n"
                                   "// A QProcess is not for here.\nstruct Utilization {};\n",
    "models/run/resultstore.h": SPDX + "#include <QFile>\nclass ResultStore {};\n",
    "widgets/mainwindow.cpp": SPDX + '#include "models/run/outcome.h"\n#include "mainwindow.moc"\n'
                                     "#include <QLabel>\n#include <QFileDialog>\n"
                                     'auto hint = "QProcess";\n',
    "app/process/process.h": SPDX + "#include <QProcess>\n#include <QTcpServer>\n#include <sys/wait.h>\n",
    "app/desktop/desktop.cpp": SPDX + '#include "widgets/mainwindow.h"\n#include "app/process/process.h"\n',
    "app/reports/picture.cpp": SPDX + '#include "widgets/charts/bars.h"\n#include <QApplication>\n',
    "app/main.cpp": SPDX + '#include "app/desktop/desktop.h"\n#include <QApplication>\n',
    "resources/CMakeLists.txt": "# SPDX-License-Identifier: GPL-3.0-or-later\n",
    "tests/data/foreign_helper.py": "class Helper: pass\n",
    "tests/run.sh": "#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n",
}

# One planted violation each: path, text (SPDX is put before it), a piece of the one sentence expected.
PLANTED = [
    ("models/a.h", '#include "widgets/mainwindow.h"\n', "upwards"),
    ("models/a.h", '#include "app/process/process.h"\n', "upwards"),
    ("widgets/a.h", '#include "app/process/process.h"\n', "upwards"),
    ("models/a.h", '#include "outcome.h"\n', "not written from the root"),
    ("models/a.h", "#include <QLabel>\n", "of QtWidgets, which models may not use"),
    ("models/a.h", "#include <QtWidgets>\n", "of QtWidgets, which models may not use"),
    ("models/a.h", "#include <QtNetwork/QHostAddress>\n", "of QtNetwork, which models may not use"),
    ("models/a.h", "  #  include <QHostAddress>\n", "of QtNetwork, which models may not use"),
    ("models/a.h", "#include <QChart>\n", "of QtCharts, which models may not use"),
    ("models/a.h", "#include <boost/process.hpp>\n", "a library that models may not use"),
    ("models/a.h", "#include <boost/asio/io_context.hpp>\n", "a library that models may not use"),
    ("models/a.h", "#include <sys/socket.h>\n", "opens no socket"),
    ("models/a.h", "#include <netinet/in.h>\n", "opens no socket"),
    ("models/a.cpp", "void f(QProcess &child);\n", "uses QProcess: models starts no process"),
    ("models/a.cpp", "int f() { return system(command); }\n", "uses system: models starts no process"),
    ("widgets/a.cpp", "QTcpSocket *socket;\n", "uses QTcpSocket: widgets starts no process"),
    ("widgets/a.cpp", "#include <QHostInfo>\n", "of QtNetwork, which widgets may not use"),
    ("widgets/a.cpp", '#include "models/run/resultstore.h"\n', "widgets read no result file"),
    ("widgets/a.cpp", "QFile file(path);\n", "uses QFile: widgets read no file"),
    ("app/cli/a.cpp", '#include "widgets/mainwindow.h"\n', "only app/desktop knows the window"),
    ("app/cli/a.cpp", "#include <QMessageBox>\n", "only app/desktop knows the window"),
    ("app/runner/a.cpp", '#include "widgets/charts/bars.h"\n', "only app/desktop knows the window"),
    ("app/reports/a.cpp", '#include "widgets/mainwindow.h"\n', "only app/desktop knows the window"),
    ("app/runner/a.cpp", '#include "app/desktop/desktop.h"\n', "only main.cpp opens the window"),
    ("core/a.h", "", "not one of the agreed top-level folders"),
    ("models/runhelper.h", "", "a file name that says nothing"),
    ("app/util.cpp", "", "a file name that says nothing"),
    ("models/a.h", "class RunManager {};\n", "RunManager is a name that says nothing"),
    ("models/a.h", "enum class PageHandler { A };\n", "PageHandler is a name that says nothing"),
    ("models/a.h", "\n" * 450, "451 lines, more than 450"),
]

# Planted without the SPDX line.
PLANTED_BARE = [
    ("models/a.h", "class Phase {};\n", "no SPDX line first"),
    ("dev", "#!/bin/sh\necho\n", "no SPDX line first"),
    ("tests/a.py", "import os\n", "no SPDX line first"),
    ("notes.txt", "\n", "not one of the agreed files of the root"),
    ("tests/a.py", "# SPDX-License-Identifier: GPL-3.0-or-later\nclass TextUtils:\n", "a name that says nothing"),
]


class Layers(unittest.TestCase):
    def problems_of_tree(self, files):
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            return problems(root)

    def test_the_project_keeps_the_rules(self):
        self.assertGreater(len(files_of(ROOT)), 20, "no sources found")
        self.assertEqual(problems(ROOT), [], "\n" + "\n".join(problems(ROOT)))

    def test_every_agreed_folder_stands(self):
        for folder in sorted(FOLDERS):
            self.assertTrue(os.path.isdir(os.path.join(ROOT, folder)), f"{folder}/ is missing")

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.problems_of_tree(CLEAN), [])

    def test_each_planted_violation_is_reported(self):
        planted = [(path, SPDX + text, expected) for path, text, expected in PLANTED] + PLANTED_BARE
        for path, text, expected in planted:
            with self.subTest(path=path, text=text[-60:], expected=expected):
                found = self.problems_of_tree({**CLEAN, path: text})
                self.assertEqual(len(found), 1, found)
                self.assertIn(expected, found[0])


if __name__ == "__main__":
    sys.exit(unittest.main())
