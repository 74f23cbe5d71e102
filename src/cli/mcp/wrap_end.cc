// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/wrap_end.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>

#include "cli/settings.h"

namespace cli {
namespace {

server::WrapRules wrap_rules(const Arguments &arguments) {
    server::WrapRules rules;
    rules.max_tokens = arguments.max_result;
    rules.lists_on_demand = arguments.on_demand;
    rules.has_bounds = arguments.has_bounds;
    return rules;
}

}  // namespace

WrapEnd::WrapEnd(const Arguments &arguments, Streams &io)
    : arguments_(arguments),
      io_(io),
      tools_(arguments),
      config_(make_config(arguments)),
      tokenizer_(open_tokenizer(arguments, config_.get())),
      wrap_(wrap_rules(arguments), tools_.get(), tokenizer_.get()) {
    fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
}

void WrapEnd::from_client(std::string_view line, std::vector<std::string> &to_server) {
    server::McpWrap::Effects effects;
    wrap_.from_client(line, clock_ms(), effects);
    take(effects, to_server);
}

void WrapEnd::from_server(std::string_view line, std::vector<std::string> &to_server) {
    server::McpWrap::Effects effects;
    wrap_.from_server(line, clock_ms(), effects);
    take(effects, to_server);
}

void WrapEnd::take(const server::McpWrap::Effects &effects, std::vector<std::string> &to_server) {
    for (const std::string &line : effects.to_client) io_.out.text.append(line).append("\n");
    for (const std::string &line : effects.to_server) to_server.push_back(line);
    for (const std::string &fault : effects.faults) tell_fault(fault);
}

void WrapEnd::tell_fault(std::string_view fault) {
    io_.err.text.append("accp: ").append(fault).append("\n");
}

bool WrapEnd::read_client(std::vector<std::string> &to_server) {
    char block[64 << 10];
    const ssize_t got = ::read(STDIN_FILENO, block, sizeof block);
    const bool goes_on = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
    if (got > 0) from_client_.text().append(block, static_cast<size_t>(got));
    from_client_.each_line(!goes_on, [&](std::string_view line) { from_client(line, to_server); });
    return goes_on;
}

void WrapEnd::flush() {
    accp_error err = {};
    if (kept_ != wrap_.report().cut && tools_.make_durable(io_, err) != ACCP_OK)
        tell_fault(describe(err));
    kept_ = wrap_.report().cut;
    io_.flush();
}

void WrapEnd::finish() {
    tools_.finish(io_);
    if (arguments_.shows_report) tell();
}

void WrapEnd::tell() {
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

}  // namespace cli
