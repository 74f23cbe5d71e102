// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See child.h.
#include "cli/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>

namespace cli {
namespace {

struct Actions {
    posix_spawn_file_actions_t all;
    Actions() { posix_spawn_file_actions_init(&all); }
    ~Actions() { posix_spawn_file_actions_destroy(&all); }
    Actions(const Actions &) = delete;
    Actions &operator=(const Actions &) = delete;
};

std::string read_all(int fd) {
    std::string out;
    char block[64 << 10];
    for (ssize_t got = 0; (got = read(fd, block, sizeof block)) != 0;) {
        if (got > 0) out.append(block, static_cast<size_t>(got));
        else if (errno != EINTR) break;
    }
    return out;
}

}  // namespace

ChildRan run_child(const std::vector<std::string> &command, int input, bool is_silent) {
    ChildRan ran;
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
        ran.error = errno;
        return ran;
    }
    Actions actions;
    posix_spawn_file_actions_adddup2(&actions.all, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions.all, pipe_ends[1], STDOUT_FILENO);
    if (is_silent)
        posix_spawn_file_actions_addopen(&actions.all, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char *> words;
    for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    pid_t child = 0;
    ran.error = posix_spawnp(&child, words[0], &actions.all, nullptr, words.data(), environ);
    close(pipe_ends[1]);
    if (ran.error == 0) ran.out = read_all(pipe_ends[0]);
    close(pipe_ends[0]);
    if (ran.error != 0) return ran;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
    return ran;
}

}  // namespace cli
