// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "run_accp.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace {

constexpr size_t kKept = 64 << 20;

struct Pipe {
    int ends[2] = {-1, -1};
    Pipe() {
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    }
    ~Pipe() {
        shut(0);
        shut(1);
    }
    void shut(int end) {
        if (ends[end] >= 0) close(ends[end]);
        ends[end] = -1;
    }
};

pid_t start(const Args &command, Pipe &in, Pipe &out, Pipe &err) {
    std::vector<char *> argv;
    for (const std::string &arg : command) argv.push_back(const_cast<char *>(arg.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    dup2(in.ends[0], STDIN_FILENO);
    dup2(out.ends[1], STDOUT_FILENO);
    dup2(err.ends[1], STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execv(argv[0], argv.data());
    _exit(127);
}

// Reads what is available. Returns false at the end.
bool take(int fd, Ran &run, bool is_out) {
    static char buffer[64 << 10];
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0) return false;
    const std::string_view text(buffer, static_cast<size_t>(got));
    if (!is_out) {
        run.err.append(text.substr(0, kKept - std::min(kKept, run.err.size())));
        return true;
    }
    run.out_bytes += text.size();
    run.out_lines += static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    run.out.append(text.substr(0, kKept - std::min(kKept, run.out.size())));
    return true;
}

// Writes as much as the pipe accepts. Returns false if all is written or the reader has closed it.
bool give(int fd, std::string_view &piece, const std::function<std::string_view()> &next) {
    if (piece.empty()) piece = next();
    if (piece.empty()) return false;
    const ssize_t wrote = write(fd, piece.data(), piece.size());
    if (wrote < 0) return errno == EAGAIN;
    piece.remove_prefix(static_cast<size_t>(wrote));
    return true;
}

// Returns the most resident memory so far, 0 if the process has ended. ru_maxrss of wait4(2) would
// also count this test program, from before the exec.
long peak_kib(pid_t child) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmHWM:", 0) == 0) return std::stol(line.substr(6));
    }
    return 0;
}

Ran run_command(const Args &command, const std::function<std::string_view()> &next) {
    signal(SIGPIPE, SIG_IGN);
    Ran run;
    Pipe in, out, err;
    const pid_t child = start(command, in, out, err);
    in.shut(0);
    out.shut(1);
    err.shut(1);
    fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
    std::string_view piece;
    while (out.ends[0] >= 0 || err.ends[0] >= 0) {
        pollfd waits[3] = {
            {in.ends[1], POLLOUT, 0}, {out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
        if (poll(waits, 3, 600'000) <= 0) {
            kill(child, SIGKILL);
            run.err.append("\nrun_accp: nothing happened for ten minutes\n");
            break;
        }
        if (waits[0].revents != 0 && !give(in.ends[1], piece, next)) {
            run.peak_kib = peak_kib(child);
            in.shut(1);
        }
        if (waits[1].revents != 0 && !take(out.ends[0], run, true)) out.shut(0);
        if (waits[2].revents != 0 && !take(err.ends[0], run, false)) err.shut(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return run;
}

}  // namespace

Ran run_accp_fed(const Args &args, const std::function<std::string_view()> &next) {
    Args command{ACCP_CLI_PATH};
    command.insert(command.end(), args.begin(), args.end());
    return run_command(command, next);
}

Ran run_accp(const Args &args, std::string_view input) {
    return run_accp_fed(args, [&] { return std::exchange(input, {}); });
}

Ran run_shell(const std::string &line) {
    return run_command({"/bin/sh", "-c", "accp() { \"" ACCP_CLI_PATH "\" \"$@\"; }\n" + line},
                       [] { return std::string_view(); });
}

std::string lives_on(const std::string &pid_file) {
    const std::string is_alive = "kill -0 $(cat " + pid_file + ") 2>/dev/null";
    return "i=0; while " + is_alive + " && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done; " +
           is_alive + " && echo it lives";
}

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string project_file(const std::string &path) {
    std::ifstream file(std::string(ACCP_SOURCE_DIR "/") + path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot open " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
