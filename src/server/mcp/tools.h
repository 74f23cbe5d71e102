// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The blocks of a context, as MCP and the page name them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/origin.h"
#include "server/hub/session_pool.h"
#include "server/library/failure.h"
#include "server/library/handles.h"

namespace server {

// Of an accp_block_kind.
inline const char *block_name(int32_t kind) {
    constexpr const char *kNames[] = {"pinned", "gap", "closed", "open", "newest", "values"};
    return kNames[kind];
}

// A tool of our MCP server: a row of a table. What it is asked has been checked against its schema
// before it is called; what it answers is told twice, as a text for a model and as JSON.
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

// The tools of our MCP server, and what they work on: shared by all clients of a process. One
// thread at a time.

// The project whose packets some tools work on, as the host finds it. Each may throw Failure.
class McpProject {
public:
    virtual ~McpProject() = default;
    // Its packets; with its journal, which is made where it is missing, or without.
    virtual accp_panes *panes(bool with_journal) = 0;
    // The pane of whoever is served; -1: not known.
    virtual int64_t own_pane() = 0;
    // Code that packets are made of, as it is now; NULL: none.
    virtual const accp_packet_code *code() = 0;
};

// All of it is borrowed, and outlives the tools.
struct McpEnvironment {
    McpEnvironment(SessionPool &pool, accp_config *of_tools, const accp_registry *schemas,
                   const accp_tokenizer *counts)
        : sessions(&pool), config(of_tools), registry(schemas), tokenizer(counts) {}

    // Sessions of an engine that waits for no write of the device (rule durable=0): a session is
    // synced before an answer says what was changed in it.
    SessionPool *sessions;
    // Of codecs and packets: limits, extensions. The tools set in it the two below, and that refs
    // are kept.
    accp_config *config;
    const accp_registry *registry;
    const accp_tokenizer *tokenizer;
    McpProject *project = nullptr;  // NULL: the tools that need one are not listed
    std::string library;            // of SACP, its document; empty: without verbs and tools
    static constexpr std::string_view kAgent = "accp";
    std::string agent{kAgent};  // of the frames that answer requests; the engine's own
    // The tools' groups: session, frame, context, sacp; empty: all.
    std::vector<std::string> groups;
};

class McpTools {
public:
    // Throws Failure if `house` has an invalid setting, such as an unknown group.
    explicit McpTools(McpEnvironment environment);

    // What tools/list answers.
    const std::string &list() const { return list_; }
    // The tool of a name, or of its name after "agentwire_" where it is one on packets; NULL: none.
    const McpTool *find(std::string_view name) const;
    // Calls it. What went wrong is told in the result.
    McpResult run(const McpTool &tool, McpCall &call);

    // The frames sync:registry that tell a peer the registry, a line each.
    const std::vector<std::string> &registry_frames() const { return registry_frames_; }
    const McpEnvironment &environment() const { return environment_; }

    // Works on a session: to be read, where it has to be there, or to be written, where it is made
    // if it is missing, and is durable on return. Where another process had taken the session over,
    // what `work` did is lost: the session is opened anew, and `work` called once more. Throws
    // Failure, with the session's name.
    enum class Use { kRead, kWrite };
    using SessionWork = std::function<accp_status(accp_session *session, accp_error &err)>;
    void use_session(const std::string &id, Use use, const SessionWork &work);

    accp_codec *codec() { return codec_.get(); }
    accp_render *render() { return render_.get(); }
    uint64_t count(std::string_view text);
    // 1, 2, 3 …: of frames that are of no session.
    int64_t next_number() { return ++number_; }
    // Those of the store; opened when they are first asked for.
    accp_capabilities *agents();

private:
    void choose_tools();
    void make_list();

    McpEnvironment environment_;
    std::vector<const McpTool *> tools_;
    std::string list_;
    int64_t number_ = 0;
    std::vector<std::string> registry_frames_;
    host::Handle<accp_codec> codec_;
    host::Handle<accp_render> render_;
    host::Handle<accp_counter> counter_;
    host::Handle<accp_capabilities> agents_;
};

}  // namespace server
