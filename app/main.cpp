// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/desktop/desktop.h"
#include "app/utf8locale.h"

#include <QFile>

/// Chooses between window and command line.
int main(int argc, char **argv)
{
    proctor::useUtf8Locale();
    QStringList words;
    for (int i = 1; i < argc; ++i)
        words << QFile::decodeName(argv[i]);
    return proctor::isCommand(words) ? proctor::runCommandLine(argc, argv) : proctor::runDesktop(argc, argv);
}
