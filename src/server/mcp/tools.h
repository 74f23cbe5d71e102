// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools of our MCP server, and the environment that all clients of a process share. For one
// thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/origin.h"
#include "server/hub/session_pool.h"
#include "server/library/failure.h"
#include "server/library/handles.h"
#include "server/model/item_questions.h"

namespace server {

// The name of an accp_block_kind for MCP and the page.
inline const char *block_name(int32_t kind) {
    constexpr const char *kNames[] = {"pinned", "gap", "closed", "open", "newest", "values"};
    return kNames[kind];
}

class McpTools;

// The rights and defaults of one client.
struct McpClient {
    explicit McpClient(Origin from) : origin(std::move(from)) {}

    std::string session = "default";
    // May it use this session? Without a function: any.
    std::function<bool(std::string_view session)> may_use;
    // May it write to this session, which may not exist yet? Without a function: any.
    std::function<bool(std::string_view session)> may_write;
    // The client's identity. Its messages enter a session only through this object.
    Origin origin;
    // Can the transport carry requests of the server to it, at any time?
    bool takes_requests = false;
    // The host's model; empty: the client's own one, if it offers it.
    FindItems find_items;
    // Its calls run on a thread of their own. They may only read sessions, and open them
    // themselves.
    bool runs_apart = false;
};

// Throws Failure if the client may not use the session. The names that begin with "accp." are
// reserved for the library, such as the registry of agents.
void check_session(const McpClient &client, const std::string &id);

// The result of a tool: text for a model, and JSON. Errors that the model can correct are thrown as
// Failure.
struct McpResult {
    std::string contents;    // its blocks, separated by commas
    std::string structured;  // a compact object, as in the tool's output schema
    bool is_error = false;

    void add_text(std::string_view text);
};

class McpCall {
public:
    McpCall(McpTools &of_tools, const McpClient &of_client, std::string_view with, int64_t now)
        : tools(of_tools), client(of_client), arguments(with), now_ms(now) {}

    // Returns an argument as JSON; empty: not given.
    std::string_view json(std::string_view name) const;
    std::string text(std::string_view name) const;
    bool has(std::string_view name) const { return !json(name).empty(); }
    bool is_set(std::string_view name) const { return json(name) == "true"; }
    int64_t number(std::string_view name, int64_t otherwise) const;
    // Returns an array of texts, one a line.
    std::string lines(std::string_view name) const;
    // The session of the call, or the default. Throws Failure if the client may not use it.
    std::string session() const;
    std::string session_to_write() const;

    McpTools &tools;
    const McpClient &client;
    std::string_view arguments;  // a compact object
    int64_t now_ms;
    // Reports progress to the client; may be empty.
    std::function<void(uint64_t done, uint64_t total, std::string_view what)> progress;
    // Of a tool with kAsksModel: what the model found, or with empty items why it was not asked.
    std::optional<FoundItems> found;
};

enum McpHint : uint32_t {
    kReadsOnly = 1,
    kIdempotent = 2,   // a second identical call changes nothing
    kDestructive = 4,  // may remove or replace data
    kQuotes = 8,       // it returns messages of others, which may be untrusted
    kAsksModel = 16,   // it works better with the items of a model: McpCall::found
};

// The requirements for a tool to be listed.
enum McpNeed : uint32_t { kNeedsProject = 1 };

struct McpTool {
    const char *name;
    const char *title;
    const char *description;  // for the model
    const char *input;        // JSON Schemas, compact
    const char *output;
    uint32_t hints;
    uint32_t needs;
    void (*run)(McpCall &call, McpResult &result);
};

// The tables, each in its own file.
struct McpToolTable {
    const char *group;  // for the selection by hosts
    const McpTool *tools;
    size_t count;
};
McpToolTable mcp_session_tools();
McpToolTable mcp_frame_tools();
McpToolTable mcp_packet_tools();
McpToolTable mcp_sacp_tools();
McpToolTable mcp_call_tools();
// All tables.
std::vector<McpToolTable> mcp_tool_tables();

// Can a call of a tool with kAsksModel use a model? Not if it has items or refuses a model.
bool may_ask_model(const McpCall &call);
// Returns the conversation that such a call is about, for a model; empty: it has none.
std::string conversation_of(const McpCall &call);

// The project with the packets of some tools, found by the host. Each function may throw Failure.
class McpProject {
public:
    virtual ~McpProject() = default;
    // Its packets. With a journal, which is created if missing, or without.
    virtual accp_panes *panes(bool with_journal) = 0;
    // The pane of the served worker; -1: unknown.
    virtual int64_t own_pane() = 0;
    // The current code for packets; nullptr: none.
    virtual const accp_packet_code *code() = 0;
};

// All members are borrowed, and outlive the tools.
struct McpEnvironment {
    McpEnvironment(SessionPool &pool, accp_config *of_tools, const accp_registry *schemas,
                   const accp_tokenizer *counts)
        : sessions(&pool), config(of_tools), registry(schemas), tokenizer(counts) {}

    // Sessions of an engine that does not wait for the device (rule durable=0). A changed session
    // is synced before the reply.
    SessionPool *sessions;
    // The limits and extensions of codecs and packets. The tools set the next two members in it,
    // and the rule that keeps refs.
    accp_config *config;
    const accp_registry *registry;
    const accp_tokenizer *tokenizer;
    McpProject *project = nullptr;  // nullptr: the tools that need one are not listed
    std::string library;            // the SACP document; empty: no verbs and tools
    // Makes a config like `config`, for a packet that only reads a conversation for a model; empty:
    // no model is asked.
    std::function<host::Handle<accp_config>()> new_packet_config;
    int64_t max_model_ms = 300'000;      // for each answer of a client's model
    uint64_t max_model_tokens = 16'000;  // of the messages that a client's model gets
    static constexpr std::string_view kAgent = "accp";
    std::string agent{kAgent};  // the sender of reply frames; the engine's own agent
    // The groups of tools: session, frame, context, sacp; empty: all.
    std::vector<std::string> groups;
};

class McpTools {
public:
    // Throws Failure if `environment` has an invalid setting, such as an unknown group.
    explicit McpTools(McpEnvironment environment);

    // The result of tools/list.
    const std::string &list() const { return list_; }
    // Finds a tool by its name; tools on packets also have the prefix "agentwire_". nullptr:
    // unknown.
    const McpTool *find(std::string_view name) const;
    // Calls a tool. Errors are in the result.
    McpResult run(const McpTool &tool, McpCall &call);

    // The frames sync:registry for a peer, one a line.
    const std::vector<std::string> &registry_frames() const { return registry_frames_; }
    const McpEnvironment &environment() const { return environment_; }

    // Calls `work` with a session. kRead requires that it exists. kWrite creates it if it is
    // missing, and makes it durable before the return. If another process has taken the session
    // over, the changes of `work` are lost; the session is then reopened, and `work` called once
    // more. Throws Failure with the session's name.
    enum class Use { kRead, kWrite };
    using SessionWork = std::function<accp_status(accp_session *session, accp_error &err)>;
    void use_session(const std::string &id, Use use, const SessionWork &work);

    accp_codec *codec() { return codec_.get(); }
    accp_render *render() { return render_.get(); }
    uint64_t count(std::string_view text);
    // 1, 2, 3 …: for frames without a session.
    int64_t next_number() { return ++number_; }
    // The agents of the store; opened at the first use.
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
