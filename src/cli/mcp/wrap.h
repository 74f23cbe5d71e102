// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp wrap: relays between an MCP client, on standard input and output, and an MCP server.
// This file has what does not depend on how the server is reached.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"
#include "cli/terminal/streams.h"
#include "server/mcp/wrap.h"

namespace cli {

// Relays for a server that is a command with pipes.
int wrap_mcp(const Arguments &arguments, Streams &io);
// Relays for a server that is reached by HTTP.
int wrap_remote(const Arguments &arguments, Streams &io);

// Collects text that arrives in pieces and cuts it into lines.
class LineBuffer {
public:
    static constexpr size_t kMaxLine = 64 << 20;

    // Append new text here.
    std::string &text() { return text_; }

    // Calls each(line) for every complete line and removes it; empty lines are skipped. With
    // at_end, the rest is a line too. Throws Failure if a line is too long.
    template <typename Each>
    void each_line(bool at_end, Each each) {
        size_t begin = 0;
        for (size_t end; (end = text_.find('\n', std::max(begin, searched_))) != text_.npos;
             begin = end + 1)
            if (end > begin) each(std::string_view(text_).substr(begin, end - begin));
        if (at_end && begin < text_.size()) each(std::string_view(text_).substr(begin));
        text_.erase(0, at_end ? text_.npos : begin);
        searched_ = text_.size();
        if (searched_ > kMaxLine)
            throw Failure("mcp wrap: a message is longer than 64 MiB, the limit");
    }

private:
    std::string text_;
    size_t searched_ = 0;  // there is no line end before this offset
};

// The relay itself: server::McpWrap with the session that keeps results, and the client's side.
class WrapRelay {
public:
    WrapRelay(const Arguments &arguments, Streams &io);

    // Handles one line from the client or the server. Lines for the server go to `to_server`, lines
    // for the client to standard output.
    void from_client(std::string_view line, std::vector<std::string> &to_server);
    void from_server(std::string_view line, std::vector<std::string> &to_server);
    void print_fault(std::string_view fault);
    // Reads what standard input has now and handles its lines. Returns false at its end.
    bool read_client(std::vector<std::string> &to_server);
    // Makes kept results durable and flushes the output.
    void flush();
    // Ends the session and prints --report.
    void finish();

private:
    void apply(const server::McpWrap::Effects &effects, std::vector<std::string> &to_server);
    void print_report();

    const Arguments &arguments_;
    Streams &io_;
    CommandSession tools_;
    Handle<accp_config> config_;
    Handle<accp_tokenizer> tokenizer_;
    server::McpWrap wrap_;
    LineBuffer from_client_;
    uint64_t durable_cuts_ = 0;
};

}  // namespace cli
