// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp: runs the library's MCP server (server/mcp/server.h) for the one client on standard
// input and output.
#include <algorithm>
#include <optional>

#include "cli/arguments/arguments.h"
#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/http/embedder.h"
#include "cli/mcp/wrap.h"
#include "cli/packet/code_files.h"
#include "cli/packet/item_model.h"
#include "cli/packet/panes_project.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"
#include "server/hub/hub.h"
#include "server/mcp/server.h"
#include "server/mcp/tools.h"

namespace cli {
namespace {

// The project that the MCP server works on, as the arguments, the environment and the configuration
// name it. It is opened, or created, only when a tool needs it.
class CommandProject : public server::McpProject {
public:
    // Uses the options --directory, --config, --code and --index.
    explicit CommandProject(const Arguments &arguments);

    accp_panes *panes(bool with_journal) override;
    int64_t own_pane() override;
    const accp_packet_code *code() override;

private:
    Arguments arguments_;
    std::optional<PanesProject> plain_, with_journal_;
    Handle<accp_packet_code> code_;
};

CommandProject::CommandProject(const Arguments &arguments) : arguments_(arguments) {
    arguments_.store.clear();  // --store is for sessions; the project has its own journal
}

accp_panes *CommandProject::panes(bool with_journal) {
    std::optional<PanesProject> &project = with_journal ? with_journal_ : plain_;
    if (!project)
        project.emplace(arguments_, with_journal ? JournalUse::kWrite : JournalUse::kNone);
    return project->get();
}

int64_t CommandProject::own_pane() {
    const int64_t pane = pane_of_environment();
    return pane >= 0 ? pane : accp_panes_setting(panes(false), ACCP_PANES_OWN_PANE);
}

const accp_packet_code *CommandProject::code() {
    code_ = read_code(arguments_);
    return code_.get();
}

server::McpEnvironment make_tools(const Arguments &arguments, SessionEngine &engine,
                                  server::SessionPool &pool, accp_config *config,
                                  CommandProject &project) {
    server::McpEnvironment house(pool, config, engine.registry(), engine.tokenizer());
    if (arguments.model != "none")
        house.new_packet_config = [&arguments] { return make_config(arguments); };
    house.max_model_ms = static_cast<int64_t>(arguments.model_seconds) * 1000;
    house.max_model_tokens = arguments.model_tokens;
    house.project = &project;
    for (const std::string &list : arguments.tools)
        for (const std::string &group : split_commas(list)) house.groups.push_back(group);
    if (!arguments.library.empty()) house.library = read_file(arguments.library);
    return house;
}

// Returns the agents that the client may speak as, in the form of accp_peer.agents.
std::string agents_of(const Arguments &arguments) {
    std::string agents;
    for (const std::string &one : arguments.agents)
        agents.append(agents.empty() ? "" : ",").append(one);
    return agents.empty() ? "*" : agents;
}

int serve_mcp(const Arguments &arguments, Streams &io) {
    // Reserve the name of the hub too, because a hub may use the same store.
    const std::string own =
        std::string(server::McpEnvironment::kAgent) + "," + server::HubRules().agent;
    SessionEngine engine(arguments, false, {}, false, own);
    server::SessionPool pool(engine.get(), engine.store().get());
    const Handle<accp_config> config = make_config(arguments);
    EndpointEmbedder embedder(arguments.embedder);
    const accp_hooks hooks = embedder.hooks();
    accp_error err = {};
    check(accp_config_set_hooks(config.get(), &hooks, &err), err);
    CommandProject project(arguments);
    server::McpTools tools(make_tools(arguments, engine, pool, config.get(), project));
    server::McpClient client(server::Origin(agents_of(arguments), !arguments.untrusted));
    client.session = arguments.session;
    client.takes_requests = true;
    client.find_items = item_finder(arguments);
    server::McpServer server(tools, client);
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_JSON_BYTES);
    const auto send = [&io](const std::vector<std::string> &to_client) {
        for (const std::string &message : to_client) io.out.text.append(message).append("\n");
    };
    const auto wait_ms = [&]() -> int64_t {
        const int64_t now = now_ms(arguments);
        std::vector<std::string> to_client;
        server.tick(now, to_client);
        send(to_client);
        const int64_t due = server.due_ms();
        return due < 0 ? -1 : std::max<int64_t>(due - now, 0);
    };
    for_each_line(
        arguments, io, limit, Lines::kMessages,
        [&](std::string_view line) {
            if (line.find_first_not_of(" \t") == line.npos) return;
            std::vector<std::string> to_client;
            server.from_client(line, now_ms(arguments), to_client);
            send(to_client);
        },
        wait_ms);
    return 0;
}

}  // namespace

int run_mcp(const Arguments &arguments, Streams &io) {
    return arguments.action == "wrap" ? wrap_mcp(arguments, io) : serve_mcp(arguments, io);
}

}  // namespace cli
