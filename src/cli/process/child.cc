// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
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

// A child with a time limit gets its own process group, so that killing the group also kills what
// the child started.
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

// A point in time max_ms from now; 0 never comes.
class Deadline {
public:
    explicit Deadline(int64_t max_ms)
        : at_(std::chrono::steady_clock::now() + std::chrono::milliseconds(max_ms)),
          never_(max_ms == 0) {}
    // The time left as poll() takes it: -1 without a limit, 0 if it has passed.
    int left_ms() const {
        if (never_) return -1;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            at_ - std::chrono::steady_clock::now());
        return static_cast<int>(std::clamp<int64_t>(left.count(), 0, INT_MAX));
    }

private:
    std::chrono::steady_clock::time_point at_;
    bool never_;
};

// Reads to the end of the file. Returns false if the deadline passed first.
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

// Waits for a child that has closed its output. Kills it at the deadline.
int end_child(pid_t child, const Deadline &deadline, bool &is_timed_out) {
    constexpr int kStepMs = 5;
    int status = 0;
    for (pid_t ended = 0; ended != child;) {
        const int left = is_timed_out ? 0 : deadline.left_ms();
        if (left == 0) {
            is_timed_out = true;
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

ChildResult run_child(const std::vector<std::string> &command, int input, bool is_silent,
                      int64_t max_ms) {
    const Deadline deadline(max_ms);
    ChildResult ran;
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
    if (ran.error == 0) ran.is_timed_out = !read_all(pipe_ends[0], deadline, ran.out);
    close(pipe_ends[0]);
    if (ran.error != 0) return ran;
    const int status = end_child(child, deadline, ran.is_timed_out);
    if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
    return ran;
}

// The input goes through a temporary file, because two pipes could block each other when full.
ChildResult run_child_on(const std::vector<std::string> &command, std::string_view input,
                         int64_t max_ms) {
    const std::unique_ptr<FILE, CloseFile> file(tmpfile());
    if (!file || fwrite(input.data(), 1, input.size(), file.get()) != input.size() ||
        fflush(file.get()) != 0)
        throw Failure("a temporary file: " + std::string(std::strerror(errno)));
    lseek(fileno(file.get()), 0, SEEK_SET);
    return run_child(command, fileno(file.get()), false, max_ms);
}

bool is_command(const std::string &word) {
    if (word.find('/') != std::string::npos) return access(word.c_str(), X_OK) == 0;
    const char *path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + word).c_str(), X_OK) == 0) return true;
    return false;
}

void become(const std::vector<std::string> &command) {
    std::vector<char *> words;
    for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    std::signal(SIGPIPE, SIG_DFL);  // ignored in this program, but not in the other
    execvp(words[0], words.data());
    throw Failure(command[0] + ": " + std::strerror(errno));
}

}  // namespace cli
