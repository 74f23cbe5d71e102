// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The relay, and the pipes to a server that is a command (accp mcp wrap -- COMMAND...).
#include "cli/mcp/wrap.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/host.h"
#include "cli/process/child.h"
#include "cli/process/shell_process.h"
#include "cli/settings.h"

namespace cli {
namespace {

// The client is not read while this many bytes wait for the server.
constexpr size_t kMaxPending = 4 << 20;
constexpr int64_t kMaxEndMs = 5000;  // the time a server has to end after its input ended
constexpr int64_t kTermMs = 1000;    // the time a server has to end after SIGTERM

server::WrapRules wrap_rules(const Arguments &arguments) {
    server::WrapRules rules;
    rules.max_tokens = arguments.max_result;
    rules.lists_on_demand = arguments.on_demand;
    rules.has_bounds = arguments.has_bounds;
    return rules;
}

// Returns a command line of sh that runs these words.
std::string shell_command(const std::vector<std::string> &words) {
    std::string line = "exec";
    for (const std::string &word : words) line += " " + shell_word(word);
    return line;
}

}  // namespace

WrapRelay::WrapRelay(const Arguments &arguments, Streams &io)
    : arguments_(arguments),
      io_(io),
      tools_(arguments),
      config_(make_config(arguments)),
      tokenizer_(open_tokenizer(arguments, config_.get())),
      wrap_(wrap_rules(arguments), tools_.get(), tokenizer_.get()) {
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
}

void WrapRelay::from_client(std::string_view line, std::vector<std::string> &to_server) {
    server::McpWrap::Effects effects;
    wrap_.from_client(line, clock_ms(), effects);
    apply(effects, to_server);
}

void WrapRelay::from_server(std::string_view line, std::vector<std::string> &to_server) {
    server::McpWrap::Effects effects;
    wrap_.from_server(line, clock_ms(), effects);
    apply(effects, to_server);
}

void WrapRelay::apply(const server::McpWrap::Effects &effects,
                      std::vector<std::string> &to_server) {
    for (const std::string &line : effects.to_client) io_.out.text.append(line).append("\n");
    for (const std::string &line : effects.to_server) to_server.push_back(line);
    for (const std::string &fault : effects.faults) print_fault(fault);
}

void WrapRelay::print_fault(std::string_view fault) {
    io_.err.text.append("accp: ").append(fault).append("\n");
}

bool WrapRelay::read_client(std::vector<std::string> &to_server) {
    char block[64 << 10];
    const ssize_t got = ::read(STDIN_FILENO, block, sizeof block);
    const bool is_open = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
    if (got > 0) from_client_.text().append(block, static_cast<size_t>(got));
    from_client_.each_line(!is_open, [&](std::string_view line) { from_client(line, to_server); });
    return is_open;
}

void WrapRelay::flush() {
    accp_error err = {};
    if (durable_cuts_ != wrap_.report().cut && tools_.make_durable(io_, err) != ACCP_OK)
        print_fault(describe(err));
    durable_cuts_ = wrap_.report().cut;
    io_.flush();
}

void WrapRelay::finish() {
    tools_.finish(io_);
    if (arguments_.shows_report) print_report();
}

void WrapRelay::print_report() {
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

namespace {

// Relays over the pipes of a server process.
class WrapPipes {
public:
    WrapPipes(const Arguments &arguments, Streams &io)
        : relay_(arguments, io), server_(shell_command(arguments.worker_command), {}) {
        if (server_.error() != 0)
            throw Failure("mcp wrap: the server cannot be started: " +
                          std::string(std::strerror(server_.error())));
    }

    // Relays until both sides have ended. Returns the server's exit status if it ended first.
    int run() {
        handle_signals();
        while (server_.writes() && !interrupted()) {
            std::vector<pollfd> all;
            if (reads_client_ && to_server_.size() < kMaxPending)
                all.push_back({STDIN_FILENO, POLLIN, 0});
            server_.add_to(all, !to_server_.empty());
            wait_for(all, ends_at_ ? std::max<int64_t>(ends_at_ - clock_ms(), 0) : kMaxWaitMs);
            if (ends_at_ && clock_ms() >= ends_at_) break;
            relay_once();
        }
        server_.end(kTermMs);
        const bool is_open = client_is_open();
        relay_.finish();
        return is_open ? std::max(server_.status(), 1) : 0;
    }

private:
    // The client's end may be unread, if the server ended at the same time.
    bool client_is_open() {
        std::vector<std::string> lines;
        return reads_client_ && relay_.read_client(lines);
    }

    void relay_once() {
        std::vector<std::string> lines;
        if (reads_client_ && to_server_.size() < kMaxPending)
            reads_client_ = relay_.read_client(lines);
        queue(lines);
        to_server_.erase(0, server_.write(to_server_));
        if (!reads_client_ && to_server_.empty() && server_.reads()) {
            server_.close_input();
            ends_at_ = clock_ms() + kMaxEndMs;
        }
        server_.read(from_server_.text(), LineBuffer::kMaxLine);
        lines.clear();
        from_server_.each_line(!server_.writes(),
                               [&](std::string_view line) { relay_.from_server(line, lines); });
        queue(lines);
        relay_.flush();
    }

    void queue(const std::vector<std::string> &lines) {
        for (const std::string &line : lines) to_server_.append(line).append("\n");
    }

    WrapRelay relay_;
    ShellProcess server_;
    LineBuffer from_server_;
    std::string to_server_;
    int64_t ends_at_ = 0;
    bool reads_client_ = true;
};

}  // namespace

int wrap_mcp(const Arguments &arguments, Streams &io) {
    if (!arguments.url.empty()) {
        if (!arguments.worker_command.empty())
            throw Failure(
                "mcp wrap: two servers given; use either --url or the server's command after --");
        return wrap_remote(arguments, io);
    }
    if (arguments.worker_command.empty())
        throw Failure(
            "mcp wrap: no server given; put its command after --, such as: accp mcp wrap -- npx -y "
            "@modelcontextprotocol/server-filesystem .; or give its address with --url "
            "https://host/mcp");
    const std::string &command = arguments.worker_command.front();
    if (!is_command(command))
        throw Failure("mcp wrap: there is no command " + command +
                      (command.find(' ') != std::string::npos
                           ? "; put its words after -- one by one, without quotes around them all"
                           : "; put the server's command after --"));
    return WrapPipes(arguments, io).run();
}

}  // namespace cli
