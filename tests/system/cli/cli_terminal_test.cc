// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests output that appears only on a terminal: colour, unless NO_COLOR is set, and the progress of
// long work.
#include "run_accp.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

namespace {

constexpr std::string_view kFrame = "@a>req:x{k:1}\n";

// Runs `accp COMMAND` with the descriptor `on_terminal_fd` on a terminal. Its input is a pipe that
// stays open until the terminal received something, if `awaits`. Returns what the terminal
// received.
std::string on_terminal(const char *command, int on_terminal_fd, bool no_color, bool awaits) {
    int master = -1;
    int slave = -1;
    int in[2];
    if (openpty(&master, &slave, nullptr, nullptr, nullptr) != 0 || pipe(in) != 0)
        return "no terminal";
    const pid_t child = fork();
    if (child == 0) {
        setenv("TERM", "xterm", 1);
        no_color ? setenv("NO_COLOR", "1", 1) : unsetenv("NO_COLOR");
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        dup2(in[0], STDIN_FILENO);
        dup2(slave, on_terminal_fd);
        close(in[1]);
        execl(ACCP_CLI_PATH, ACCP_CLI_PATH, command, nullptr);
        _exit(127);
    }
    close(slave);
    close(in[0]);
    pollfd ready = {master, POLLIN, 0};
    int tries = 0;
    do {
        if (write(in[1], kFrame.data(), kFrame.size()) < 0) break;
    } while (awaits && ++tries < 6000 && poll(&ready, 1, 20) == 0);
    close(in[1]);
    std::string seen;
    char buffer[4096];
    for (ssize_t got; (got = read(master, buffer, sizeof buffer)) > 0;)
        seen.append(buffer, static_cast<size_t>(got));
    int status = 0;
    waitpid(child, &status, 0);
    close(master);
    EXPECT_EQ(status, 0);
    return seen;
}

TEST(CliTerminal, ColourOnATerminalOnly) {
    const std::string seen = on_terminal("inspect", STDOUT_FILENO, false, false);
    EXPECT_NE(seen.find("\x1b[1mrecord 1\x1b[0m"), std::string::npos) << seen;
    EXPECT_EQ(on_terminal("inspect", STDOUT_FILENO, true, false).find('\x1b'), std::string::npos);
    EXPECT_EQ(run_accp({"inspect"}, kFrame).out.find('\x1b'), std::string::npos);
}

TEST(CliTerminal, ProgressOfLongWork) {
    const std::string seen = on_terminal("canon", STDERR_FILENO, false, true);
    EXPECT_NE(seen.find(" records, 0 MiB"), std::string::npos) << seen;
    EXPECT_EQ(seen.substr(seen.size() - std::min<size_t>(seen.size(), 3)), "\x1b[K")
        << "it is wiped at the end";
    std::string of_short = seen;  // on a busy machine its work may take long once
    for (int tries = 0; !of_short.empty() && tries < 10; ++tries)
        of_short = on_terminal("canon", STDERR_FILENO, false, false);
    EXPECT_EQ(of_short, "") << "short work shows none";
}

}  // namespace
