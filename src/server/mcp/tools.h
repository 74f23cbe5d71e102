// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools of our MCP server, and what they work on: shared by all clients of a process. One
// thread at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/mcp/tool.h"
#include "server/hub/session_pool.h"

namespace server {

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
struct McpHouse {
    McpHouse(SessionPool &pool, accp_config *of_tools, const accp_registry *schemas,
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
    explicit McpTools(McpHouse house);

    // What tools/list answers.
    const std::string &list() const { return list_; }
    // The tool of a name, or of its name after "agentwire_" where it is one on packets; NULL: none.
    const McpTool *find(std::string_view name) const;
    // Calls it. What went wrong is told in the result.
    McpResult run(const McpTool &tool, McpCall &call);

    // The frames sync:registry that tell a peer the registry, a line each.
    const std::vector<std::string> &registry_frames() const { return registry_frames_; }
    const McpHouse &house() const { return house_; }

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

    McpHouse house_;
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
