// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp wrap -- COMMAND...: the pipes between an MCP client, which is this program's standard
// input and output, and the server that the command is (server/mcp_wrap.h).
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <cerrno>

#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/mcp_actions.h"
#include "cli/sessions.h"
#include "cli/settings.h"
#include "cli/shell_process.h"
#include "cli/tokenizers.h"
#include "server/mcp_wrap.h"

namespace cli {
namespace {

// The client is read no further while the server has so much to read.
constexpr size_t kMaxPending = 4 << 20;
constexpr int64_t kMaxEndMs = 5000;  // that a server has to end when its input has

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

class WrapPipes {
public:
    WrapPipes(const Arguments &arguments, Streams &io)
        : arguments_(arguments),
          io_(io),
          tools_(arguments),
          config_(make_config(arguments)),
          tokenizer_(open_tokenizer(arguments, config_.get())),
          wrap_(rules_of(arguments), tools_.session(), tokenizer_.get()),
          server_(quoted(arguments.worker_command), {}) {
        if (server_.error() != 0) throw Failure("the server cannot be started");
        fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
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
        server_.signal(SIGTERM);
        server_.close_input();
        server_.reap(true);
        tools_.finish(io_);
        if (arguments_.shows_report) tell();
        return reads_client_ ? std::max(server_.status(), 1) : 0;
    }

    const server::WrapReport &report() const { return wrap_.report(); }

private:
    static server::WrapRules rules_of(const Arguments &arguments) {
        server::WrapRules rules;
        rules.max_tokens = arguments.max_result;
        rules.lists_on_demand = arguments.on_demand;
        return rules;
    }

    void go_on() {
        if (reads_client_ && to_server_.size() < kMaxPending) read_client();
        to_server_.erase(0, server_.write(to_server_));
        if (!reads_client_ && to_server_.empty() && server_.reads()) {
            server_.close_input();
            ends_at_ = clock_ms() + kMaxEndMs;
        }
        server_.read(from_server_, SIZE_MAX);
        each_line(from_server_, !server_.writes(), [&](std::string_view line) {
            server::McpWrap::Effects effects;
            wrap_.from_server(line, clock_ms(), effects);
            take(effects);
        });
        accp_error err = {};
        if (kept_ != wrap_.report().cut && tools_.keep(io_, err) != ACCP_OK)
            io_.err.text.append("accp: ").append(describe(err)).append("\n");
        kept_ = wrap_.report().cut;
        io_.flush();
    }

    void read_client() {
        char block[64 << 10];
        const ssize_t got = ::read(STDIN_FILENO, block, sizeof block);
        if (got > 0) from_client_.append(block, static_cast<size_t>(got));
        else if (got == 0 || (errno != EAGAIN && errno != EINTR)) reads_client_ = false;
        each_line(from_client_, !reads_client_, [&](std::string_view line) {
            server::McpWrap::Effects effects;
            wrap_.from_client(line, clock_ms(), effects);
            take(effects);
        });
    }

    void take(const server::McpWrap::Effects &effects) {
        for (const std::string &line : effects.to_client) io_.out.text.append(line).append("\n");
        for (const std::string &line : effects.to_server) to_server_.append(line).append("\n");
        for (const std::string &fault : effects.faults)
            io_.err.text.append("accp: ").append(fault).append("\n");
    }

    // Takes whole lines off the front of `text`; at its end what is left is one too.
    template <typename Each>
    static void each_line(std::string &text, bool at_end, Each each) {
        size_t begin = 0;
        for (size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
            if (end > begin) each(std::string_view(text).substr(begin, end - begin));
        if (at_end && begin < text.size()) each(std::string_view(text).substr(begin));
        text.erase(0, at_end ? text.npos : begin);
    }

    void tell() {
        const server::WrapReport &all = wrap_.report();
        const auto line = [&](const char *what, uint64_t whole, uint64_t given) {
            io_.err.text.append("accp: ").append(what).append(": ");
            io_.err.text.append(std::to_string(whole)).append(" tokens without, ");
            io_.err.text.append(std::to_string(given)).append(" with");
            if (whole)
                io_.err.text.append(" (").append(std::to_string(given * 100 / whole)).append(" %)");
            io_.err.text += '\n';
        };
        line("lists of tools", all.list_tokens_whole, all.list_tokens_given);
        line("results", all.tokens_whole, all.tokens_given);
        line("as a provider with a cache bills it", all.price_whole / 1000, all.price_given / 1000);
        io_.err.text.append("accp: ")
            .append(std::to_string(all.calls))
            .append(" calls, ")
            .append(std::to_string(all.cut))
            .append(" texts cut, ")
            .append(std::to_string(all.resolved))
            .append(" resolved\n");
        io_.flush();
    }

    const Arguments &arguments_;
    Streams &io_;
    SessionTools tools_;
    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    server::McpWrap wrap_;
    ShellProcess server_;
    std::string from_client_, from_server_, to_server_;
    uint64_t kept_ = 0;
    int64_t ends_at_ = 0;
    bool reads_client_ = true;
};

}  // namespace

int wrap_mcp(const Arguments &arguments, Streams &io) {
    if (arguments.worker_command.empty())
        throw Failure(
            "mcp wrap takes the server's command after --, as in: accp mcp wrap -- npx "
            "-y @modelcontextprotocol/server-filesystem .");
    return WrapPipes(arguments, io).run();
}

}  // namespace cli
