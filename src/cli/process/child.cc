// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See child.h.
#include "cli/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include "cli/host.h"

namespace cli {
namespace {

struct Actions {
    posix_spawn_file_actions_t all;
    Actions() { posix_spawn_file_actions_init(&all); }
    ~Actions() { posix_spawn_file_actions_destroy(&all); }
    Actions(const Actions &) = delete;
    Actions &operator=(const Actions &) = delete;
};

// A child that may be ended has a group of its own, so that what it has started ends with it.
struct Attributes {
    posix_spawnattr_t all;
    explicit Attributes(bool has_group) {
        posix_spawnattr_init(&all);
        if (has_group) posix_spawnattr_setflags(&all, POSIX_SPAWN_SETPGROUP);
    }
    ~Attributes() { posix_spawnattr_destroy(&all); }
    Attributes(const Attributes &) = delete;
    Attributes &operator=(const Attributes &) = delete;
};

// A time from now on; 0: none.
class Deadline {
public:
    explicit Deadline(int64_t max_ms)
        : at_(std::chrono::steady_clock::now() + std::chrono::milliseconds(max_ms)),
          is_none_(max_ms == 0) {}
    // As poll() takes it: -1 for ever, 0 where it is over.
    int left_ms() const {
        if (is_none_) return -1;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            at_ - std::chrono::steady_clock::now());
        return static_cast<int>(std::clamp<int64_t>(left.count(), 0, INT_MAX));
    }

private:
    std::chrono::steady_clock::time_point at_;
    bool is_none_;
};

// False: the time was over first.
bool read_all(int fd, const Deadline &deadline, std::string &out) {
    char block[64 << 10];
    for (;;) {
        pollfd ready = {fd, POLLIN, 0};
        const int count = poll(&ready, 1, deadline.left_ms());
        if (count == 0) return false;
        const ssize_t got = count < 0 ? -1 : read(fd, block, sizeof block);
        if (got == 0 || (got < 0 && errno != EINTR)) return true;
        if (got > 0) out.append(block, static_cast<size_t>(got));
    }
}

// Waits for a child that has closed its output, and ends one whose time is over.
int end_child(pid_t child, const Deadline &deadline, bool &is_late) {
    constexpr int kStepMs = 5;
    int status = 0;
    for (pid_t ended = 0; ended != child;) {
        const int left = is_late ? 0 : deadline.left_ms();
        if (left == 0) {
            is_late = true;
            kill(-child, SIGKILL);
        }
        ended = waitpid(child, &status, left > 0 ? WNOHANG : 0);
        if (ended < 0 && errno != EINTR) break;
        if (ended == 0) poll(nullptr, 0, std::min(left, kStepMs));
    }
    return status;
}

struct CloseFile {
    void operator()(FILE *file) const { fclose(file); }
};

}  // namespace

std::string ChildRan::fault() const {
    if (error != 0) return std::strerror(error);
    if (is_late) return "it took too long, and was ended";
    if (status < 0) return "it was ended by a signal";
    return status == 0 ? "" : "exit status " + std::to_string(status);
}

ChildRan run_child(const std::vector<std::string> &command, int input, bool is_silent,
                   int64_t max_ms) {
    const Deadline deadline(max_ms);
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
    const Attributes attributes(max_ms != 0);
    ran.error =
        posix_spawnp(&child, words[0], &actions.all, &attributes.all, words.data(), environ);
    close(pipe_ends[1]);
    if (ran.error == 0) ran.is_late = !read_all(pipe_ends[0], deadline, ran.out);
    close(pipe_ends[0]);
    if (ran.error != 0) return ran;
    const int status = end_child(child, deadline, ran.is_late);
    if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
    return ran;
}

// By way of a temporary file: a pipe both ways could fill up on either side.
ChildRan run_child_on(const std::vector<std::string> &command, std::string_view input,
                      int64_t max_ms) {
    const std::unique_ptr<FILE, CloseFile> file(tmpfile());
    if (!file || fwrite(input.data(), 1, input.size(), file.get()) != input.size() ||
        fflush(file.get()) != 0)
        throw Failure("a temporary file: " + std::string(std::strerror(errno)));
    lseek(fileno(file.get()), 0, SEEK_SET);
    return run_child(command, fileno(file.get()), false, max_ms);
}

std::vector<std::string> split_command(std::string_view text) {
    std::vector<std::string> command;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) command.push_back(word);
    return command;
}

}  // namespace cli
