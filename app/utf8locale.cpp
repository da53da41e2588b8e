// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/utf8locale.h"

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <langinfo.h>

namespace proctor
{

void useUtf8Locale()
{
    std::setlocale(LC_ALL, "");
    if (std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
        return;
    const char *all = std::getenv("LC_ALL");
    const bool isAllSet = all && *all;
    setenv(isAllSet ? "LC_ALL" : "LC_CTYPE", "C.UTF-8", 1);
}

} // namespace proctor
