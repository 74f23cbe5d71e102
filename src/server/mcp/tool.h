// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A tool of our MCP server: a row of a table. What it is asked has been checked against its schema
// before it is called; what it answers is told twice, as a text for a model and as JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/library/failure.h"
#include "server/library/handles.h"
#include "server/http/origin.h"

namespace server {

class McpTools;

// What one client may do, and what it means where it does not say it.
struct McpClient {
    explicit McpClient(Origin from) : origin(std::move(from)) {}

    std::string session = "default";
    // May it use this session? Without a function: any.
    std::function<bool(std::string_view session)> may_use;
    // May it write to this session, which it may use and which may not be there? Without: to any.
    std::function<bool(std::string_view session)> may_write;
    // The client's identity. All that it sends enters a session through this object.
    Origin origin;
};

// Throws Failure if the client may not use the session. The names that begin with "accp." are
// reserved for the library, such as the registry of agents.
void check_session(const McpClient &client, const std::string &id);

// What a tool answers. A failure that the model can do something about is thrown as a Failure.
struct McpResult {
    std::string contents;    // blocks of it, with commas between
    std::string structured;  // a compact object, as the tool's output schema has it
    bool is_error = false;

    void add_text(std::string_view text);
};

class McpCall {
public:
    McpCall(McpTools &of_tools, const McpClient &of_client, std::string_view with, int64_t now)
        : tools(of_tools), client(of_client), arguments(with), now_ms(now) {}

    // Of an argument as JSON; empty: it was not given.
    std::string_view json(std::string_view name) const;
    std::string text(std::string_view name) const;
    bool has(std::string_view name) const { return !json(name).empty(); }
    bool is_set(std::string_view name) const { return json(name) == "true"; }
    int64_t number(std::string_view name, int64_t otherwise) const;
    // Of an array of texts: a line each.
    std::string lines(std::string_view name) const;
    // The one that is meant. Throws Failure where the client may not use it.
    std::string session() const;
    std::string session_to_write() const;

    McpTools &tools;
    const McpClient &client;
    std::string_view arguments;  // a compact object
    int64_t now_ms;
    // Tells the client how far the call has come; may be empty.
    std::function<void(uint64_t done, uint64_t total, std::string_view what)> progress;
};

enum McpHint : uint32_t {
    kReadsOnly = 1,
    kIdempotent = 2,   // the same call again changes nothing more
    kDestructive = 4,  // may remove or replace data
    kQuotes = 8,       // it returns messages of others, which may be untrusted
};

// What must exist for a tool to be listed.
enum McpNeed : uint32_t { kNeedsProject = 1 };

struct McpTool {
    const char *name;
    const char *title;
    const char *description;  // what a model reads
    const char *input;        // JSON Schemas, compact
    const char *output;
    uint32_t hints;
    uint32_t needs;
    void (*run)(McpCall &call, McpResult &result);
};

// The tables, each in a file of its own.
struct McpToolTable {
    const char *group;  // by which hosts choose
    const McpTool *tools;
    size_t count;
};
McpToolTable mcp_session_tools();
McpToolTable mcp_frame_tools();
McpToolTable mcp_packet_tools();
McpToolTable mcp_sacp_tools();
McpToolTable mcp_call_tools();
// All of them.
std::vector<McpToolTable> mcp_tool_tables();

}  // namespace server
