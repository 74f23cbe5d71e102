// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/process/shell_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>

namespace cli {
namespace {

void close_end(int &fd) {
    if (fd >= 0) close(fd);
    fd = -1;
}

// The options for posix_spawn(): the pipes, a process group, and default handling of signals.
struct Setup {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    Setup(int in, int out) {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        posix_spawnattr_init(&attributes);
        sigset_t usual;
        sigemptyset(&usual);
        sigaddset(&usual, SIGPIPE);
        sigaddset(&usual, SIGINT);
        sigaddset(&usual, SIGTERM);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setpgroup(&attributes, 0);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    ~Setup() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    Setup(const Setup &) = delete;
    Setup &operator=(const Setup &) = delete;
};

int spawn_shell(const std::string &command, char *const *environment, int in, int out,
                pid_t &child) {
    const Setup setup(in, out);
    std::string words[] = {"sh", "-c", command};
    char *arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    return posix_spawn(&child, "/bin/sh", &setup.actions, &setup.attributes, arguments,
                       environment);
}

}  // namespace

ShellProcess::ShellProcess(const std::string &command,
                           const std::vector<std::pair<std::string, std::string>> &environment) {
    int to_child[2] = {-1, -1}, from_child[2] = {-1, -1};
    if (pipe2(to_child, O_CLOEXEC) != 0 || pipe2(from_child, O_CLOEXEC) != 0) error_ = errno;
    std::vector<std::string> added;
    for (const auto &[name, value] : environment) added.push_back(name + "=" + value);
    std::vector<char *> all;
    for (std::string &one : added) all.push_back(one.data());
    for (char **one = environ; *one; ++one) all.push_back(*one);
    all.push_back(nullptr);
    if (!error_) error_ = spawn_shell(command, all.data(), to_child[0], from_child[1], child_);
    close_end(to_child[0]);
    close_end(from_child[1]);
    in_ = to_child[1];
    out_ = from_child[0];
    if (error_) child_ = 0;
    else fcntl(in_, F_SETFL, O_NONBLOCK), fcntl(out_, F_SETFL, O_NONBLOCK);
}

ShellProcess::~ShellProcess() { kill(); }

void ShellProcess::add_to(std::vector<pollfd> &all, bool has_input) const {
    if (in_ >= 0 && has_input) all.push_back({in_, POLLOUT, 0});
    if (out_ >= 0) all.push_back({out_, POLLIN, 0});
}

// A program may close its input early. That is no error, because this process ignores SIGPIPE.
size_t ShellProcess::write(std::string_view text) {
    size_t written = 0;
    while (in_ >= 0 && written < text.size()) {
        const ssize_t wrote = ::write(in_, text.data() + written, text.size() - written);
        if (wrote > 0) written += static_cast<size_t>(wrote);
        if (wrote < 0 && errno == EAGAIN) break;
        if (wrote < 0 && errno != EINTR) close_end(in_);
    }
    return written;
}

void ShellProcess::read(std::string &to, size_t max) {
    char block[64 << 10];
    while (out_ >= 0 && to.size() <= max) {
        const ssize_t got = ::read(out_, block, sizeof block);
        if (got > 0) to.append(block, static_cast<size_t>(got));
        else if (got < 0 && errno == EAGAIN) return;
        else if (got == 0 || errno != EINTR) close_end(out_);
    }
}

void ShellProcess::close_input() { close_end(in_); }
void ShellProcess::close_output() { close_end(out_); }

void ShellProcess::signal(int number) const {
    if (child_) ::kill(-child_, number);
}

void ShellProcess::kill() {
    close_input();
    close_output();
    signal(SIGKILL);
    reap(true);
}

void ShellProcess::end(int64_t grace_ms) {
    constexpr int kStepMs = 5;
    close_input();
    signal(SIGTERM);
    for (int64_t waited = 0; waited < grace_ms && !reap(); waited += kStepMs)
        poll(nullptr, 0, kStepMs);
    kill();
}

bool ShellProcess::reap(bool waits) {
    if (!child_) return true;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child_, &status, waits ? 0 : WNOHANG)) < 0 && errno == EINTR) {
    }
    if (ended == 0) return false;
    child_ = 0;
    if (ended > 0 && WIFEXITED(status)) status_ = WEXITSTATUS(status);
    return true;
}

namespace {

volatile sig_atomic_t is_stopped = 0;
void on_stop_signal(int) { is_stopped = 1; }

}  // namespace

std::string shell_word(const std::string &word) {
    if (!word.empty() &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "/._-+") == word.npos)
        return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

void handle_signals() {
    struct sigaction action = {};
    action.sa_handler = on_stop_signal;
    sigset_t both;
    sigemptyset(&both);
    for (int one : {SIGINT, SIGTERM}) {
        sigaddset(&both, one);
        sigaction(one, &action, nullptr);
    }
    sigprocmask(SIG_BLOCK, &both, nullptr);
}

bool interrupted() { return is_stopped; }

void wait_for(std::vector<pollfd> &all, int64_t max_ms) {
    max_ms = std::clamp<int64_t>(max_ms, 0, kMaxWaitMs);
    const timespec time = {max_ms / 1000, max_ms % 1000 * 1'000'000};
    sigset_t none;
    sigemptyset(&none);
    ppoll(all.data(), all.size(), &time, &none);
}

}  // namespace cli
