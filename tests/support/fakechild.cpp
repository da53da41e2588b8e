// SPDX-License-Identifier: GPL-3.0-or-later
// The one child program of all tests of processes. Its arguments (without any: the words of the environment
// variable FAKECHILD) are steps done one after another:
//   print TEXT | line TEXT | error TEXT   stdout without and with '\n', a line on stderr
//   bytes HEX                             raw bytes on stdout
//   lines N PER_SECOND                    numbered lines; 0 a second = as fast as possible
//   huge BYTES                            that much of the letter x on stdout
//   echo                                  stdin to stdout until its end
//   sleep MS | exit CODE | signal N | crash
//   ignore-term | stop                    no SIGTERM from now on; SIGSTOP to itself
//   grandchild MS                         a child in the same group that holds stdout open
//   daemon MS                             a child with its own session and closed descriptors (double fork)
//   close-output                          closes stdout and stderr
//   file PATH                             creates a file
//   environment NAME | descriptors | signals | ids | session | directory | umask | parent-death
//                                         a line that says what was inherited
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace
{

using Words = std::deque<std::string>;

std::string take(Words &words)
{
    if (words.empty()) {
        std::fprintf(stderr, "fakechild: a word is missing\n");
        std::exit(99);
    }
    std::string word = words.front();
    words.pop_front();
    return word;
}

long takeNumber(Words &words)
{
    return std::stol(take(words));
}

void put(int descriptor, const std::string &bytes)
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = write(descriptor, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            std::_Exit(98);
        done += static_cast<std::size_t>(written);
    }
}

void putLine(const std::string &text)
{
    put(STDOUT_FILENO, text + '\n');
}

void rest(long milliseconds)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

void putBytes(Words &words)
{
    const std::string hex = take(words);
    std::string bytes;
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
    put(STDOUT_FILENO, bytes);
}

void putLines(Words &words)
{
    const long count = takeNumber(words);
    const long perSecond = takeNumber(words);
    for (long line = 1; line <= count; ++line) {
        putLine(std::to_string(line));
        if (perSecond > 0)
            rest(1000 / perSecond);
    }
}

void putHuge(Words &words)
{
    const std::string block(64 * 1024, 'x');
    auto left = static_cast<std::size_t>(takeNumber(words));
    for (; left > block.size(); left -= block.size())
        put(STDOUT_FILENO, block);
    put(STDOUT_FILENO, block.substr(0, left));
}

void echo()
{
    char block[4096];
    for (ssize_t size = read(STDIN_FILENO, block, sizeof block); size != 0;
         size = read(STDIN_FILENO, block, sizeof block)) {
        if (size > 0)
            put(STDOUT_FILENO, std::string(block, static_cast<std::size_t>(size)));
        else if (errno != EINTR)
            return;
    }
}

void startGrandchild(Words &words)
{
    const long milliseconds = takeNumber(words);
    if (fork() == 0) {
        rest(milliseconds);
        std::_Exit(0);
    }
}

void startDaemon(Words &words)
{
    const long milliseconds = takeNumber(words);
    int ready[2];
    if (pipe(ready) != 0)
        std::_Exit(97);
    if (fork() == 0) {
        setsid();
        if (fork() != 0)
            std::_Exit(0);
        setsid();
        for (int descriptor = 0; descriptor < 64; ++descriptor)
            close(descriptor);
        rest(milliseconds);
        std::_Exit(0);
    }
    close(ready[1]);
    char byte;
    while (read(ready[0], &byte, 1) < 0 && errno == EINTR)
        continue;
    close(ready[0]);
}

void tellDescriptors()
{
    std::string text;
    for (int descriptor = 0; descriptor < 1024; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) >= 0)
            text += std::to_string(descriptor) + ' ';
    }
    putLine(text);
}

void tellSignals()
{
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, nullptr, &blocked);
    std::string text;
    for (int number = 1; number < 32; ++number) {
        struct sigaction action = {};
        sigaction(number, nullptr, &action);
        if (sigismember(&blocked, number) == 1 || action.sa_handler != SIG_DFL)
            text += std::to_string(number) + ' ';
    }
    putLine(text);
}

void tellIds()
{
    uid_t uids[3];
    gid_t gids[3];
    getresuid(&uids[0], &uids[1], &uids[2]);
    getresgid(&gids[0], &gids[1], &gids[2]);
    std::ostringstream text;
    text << uids[0] << ' ' << uids[1] << ' ' << uids[2] << ' ' << gids[0] << ' ' << gids[1] << ' ' << gids[2]
         << " groups " << getgroups(0, nullptr);
    putLine(text.str());
}

void tellSession()
{
    putLine(std::to_string(getpid()) + ' ' + std::to_string(getpgrp()) + ' ' + std::to_string(getsid(0)));
}

void tellDirectory()
{
    char path[4096];
    putLine(getcwd(path, sizeof path) ? path : "?");
}

void tellUmask()
{
    char text[8];
    std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(umask(0)));
    putLine(text);
}

void tellParentDeath()
{
    int number = 0;
    prctl(PR_GET_PDEATHSIG, &number);
    putLine(std::to_string(number));
}

void tellEnvironment(Words &words)
{
    const char *value = std::getenv(take(words).c_str());
    putLine(value ? value : "(unset)");
}

void makeFile(Words &words)
{
    close(open(take(words).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
}

void closeOutput()
{
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
}

[[noreturn]] void crash()
{
    std::abort();
}

const std::map<std::string, std::function<void(Words &)>> &steps()
{
    static const std::map<std::string, std::function<void(Words &)>> table = {
        {"print", [](Words &words) { put(STDOUT_FILENO, take(words)); }},
        {"line", [](Words &words) { putLine(take(words)); }},
        {"error", [](Words &words) { put(STDERR_FILENO, take(words) + '\n'); }},
        {"bytes", putBytes},
        {"lines", putLines},
        {"huge", putHuge},
        {"echo", [](Words &) { echo(); }},
        {"sleep", [](Words &words) { rest(takeNumber(words)); }},
        {"exit", [](Words &words) { std::_Exit(static_cast<int>(takeNumber(words))); }},
        {"signal", [](Words &words) { raise(static_cast<int>(takeNumber(words))); }},
        {"crash", [](Words &) { crash(); }},
        {"ignore-term", [](Words &) { signal(SIGTERM, SIG_IGN); }},
        {"stop", [](Words &) { raise(SIGSTOP); }},
        {"grandchild", startGrandchild},
        {"daemon", startDaemon},
        {"close-output", [](Words &) { closeOutput(); }},
        {"file", makeFile},
        {"environment", tellEnvironment},
        {"descriptors", [](Words &) { tellDescriptors(); }},
        {"signals", [](Words &) { tellSignals(); }},
        {"ids", [](Words &) { tellIds(); }},
        {"session", [](Words &) { tellSession(); }},
        {"directory", [](Words &) { tellDirectory(); }},
        {"umask", [](Words &) { tellUmask(); }},
        {"parent-death", [](Words &) { tellParentDeath(); }},
    };
    return table;
}

Words wordsOf(int count, char **arguments)
{
    Words words(arguments + 1, arguments + count);
    const char *fromEnvironment = std::getenv("FAKECHILD");
    if (words.empty() && fromEnvironment) {
        std::istringstream text(fromEnvironment);
        for (std::string word; text >> word;)
            words.push_back(word);
    }
    return words;
}

} // namespace

int main(int count, char **arguments)
{
    Words words = wordsOf(count, arguments);
    while (!words.empty()) {
        const std::string name = take(words);
        const auto step = steps().find(name);
        if (step == steps().end()) {
            std::fprintf(stderr, "fakechild: unknown step %s\n", name.c_str());
            return 99;
        }
        step->second(words);
    }
    return 0;
}
