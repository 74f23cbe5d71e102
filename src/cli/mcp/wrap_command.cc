// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp wrap -- COMMAND...: the pipes between an MCP client, which is this program's standard
// input and output, and the server that the command is (server/mcp/wrap.h).
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "cli/host.h"
#include "cli/process/interrupt.h"
#include "cli/mcp/actions.h"
#include "cli/mcp/wrap_end.h"
#include "cli/settings.h"
#include "cli/process/shell_process.h"

namespace cli {
namespace {

// The client is read no further while the server has so much to read.
constexpr size_t kMaxPending = 4 << 20;
constexpr int64_t kMaxEndMs = 5000;  // that a server has to end when its input has
constexpr int64_t kTermMs = 1000;    // and when it is told to

// One command line of sh that has these words.
std::string quoted(const std::vector<std::string> &words) {
    std::string line = "exec";
    for (const std::string &word : words) {
        line += " '";
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

// Can the shell find it?
bool is_command(const std::string &word) {
    if (word.find('/') != std::string::npos) return access(word.c_str(), X_OK) == 0;
    const char *path = std::getenv("PATH");
    std::istringstream places(path ? path : "/usr/bin:/bin");
    for (std::string place; std::getline(places, place, ':');)
        if (access((place + "/" + word).c_str(), X_OK) == 0) return true;
    return false;
}

class WrapPipes {
public:
    WrapPipes(const Arguments &arguments, Streams &io)
        : end_(arguments, io), server_(quoted(arguments.worker_command), {}) {
        if (server_.error() != 0) throw Failure("the server cannot be started");
    }

    // Until both sides have ended: the server's exit status.
    int run() {
        handle_signals();
        while (server_.writes() && !interrupted()) {
            std::vector<pollfd> all;
            if (reads_client_ && to_server_.size() < kMaxPending)
                all.push_back({STDIN_FILENO, POLLIN, 0});
            server_.add_to(all, !to_server_.empty());
            wait_for(all, ends_at_ ? std::max<int64_t>(ends_at_ - clock_ms(), 0) : kMaxWaitMs);
            if (ends_at_ && clock_ms() >= ends_at_) break;
            go_on();
        }
        server_.end(kTermMs);
        end_.finish();
        return reads_client_ ? std::max(server_.status(), 1) : 0;
    }

private:
    void go_on() {
        std::vector<std::string> lines;
        if (reads_client_ && to_server_.size() < kMaxPending)
            reads_client_ = end_.read_client(lines);
        pass_on(lines);
        to_server_.erase(0, server_.write(to_server_));
        if (!reads_client_ && to_server_.empty() && server_.reads()) {
            server_.close_input();
            ends_at_ = clock_ms() + kMaxEndMs;
        }
        server_.read(from_server_.text(), LinePieces::kMaxLine);
        lines.clear();
        from_server_.each_line(!server_.writes(),
                               [&](std::string_view line) { end_.from_server(line, lines); });
        pass_on(lines);
        end_.flush();
    }

    void pass_on(const std::vector<std::string> &lines) {
        for (const std::string &line : lines) to_server_.append(line).append("\n");
    }

    WrapEnd end_;
    ShellProcess server_;
    LinePieces from_server_;
    std::string to_server_;
    int64_t ends_at_ = 0;
    bool reads_client_ = true;
};

}  // namespace

int wrap_mcp(const Arguments &arguments, Streams &io) {
    if (!arguments.url.empty()) {
        if (!arguments.worker_command.empty())
            throw Failure("mcp wrap takes either --url or the server's command after --");
        return wrap_remote(arguments, io);
    }
    if (arguments.worker_command.empty())
        throw Failure(
            "mcp wrap takes the server's command after --, as in: accp mcp wrap -- npx "
            "-y @modelcontextprotocol/server-filesystem .; or its address: --url "
            "https://host/mcp");
    const std::string &command = arguments.worker_command.front();
    if (!is_command(command))
        throw Failure("mcp wrap: there is no command " + command +
                      (command.find(' ') != std::string::npos
                           ? "; its words go behind -- one by one, without quotes around them all"
                           : "; what comes behind -- is the server's command"));
    return WrapPipes(arguments, io).run();
}

}  // namespace cli
