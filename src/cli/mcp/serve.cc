// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp mcp: our MCP server for the one client that standard input and output lead to
// (server/mcp/server.h).
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/mcp/actions.h"
#include "cli/mcp/project.h"
#include "cli/session/sessions.h"
#include "cli/settings.h"
#include "server/hub/hub.h"
#include "server/mcp/server.h"

namespace cli {
namespace {

server::McpEnvironment house_of(const Arguments &arguments, SessionEngine &engine,
                                server::SessionPool &pool, accp_config *config,
                                CommandProject &project) {
    server::McpEnvironment house(pool, config, engine.registry(), engine.tokenizer());
    house.project = &project;
    for (const std::string &list : arguments.tools)
        for (const std::string &group : split_commas(list)) house.groups.push_back(group);
    if (!arguments.library.empty()) house.library = read_file(arguments.library);
    return house;
}

// The agents that the client may speak as, in the form of accp_peer.agents.
std::string agents_of(const Arguments &arguments) {
    std::string agents;
    for (const std::string &one : arguments.agents)
        agents.append(agents.empty() ? "" : ",").append(one);
    return agents.empty() ? "*" : agents;
}

}  // namespace

int serve_mcp(const Arguments &arguments, Streams &io) {
    // a hub may use the same store, so reserve its name too
    const std::string own =
        std::string(server::McpEnvironment::kAgent) + "," + server::HubRules().agent;
    SessionEngine engine(arguments, false, {}, false, own);
    server::SessionPool pool(engine.get(), engine.store().get());
    const Handle<accp_config> config = make_config(arguments);
    CommandProject project(arguments);
    server::McpTools tools(house_of(arguments, engine, pool, config.get(), project));
    server::McpClient client(server::Origin(agents_of(arguments), !arguments.untrusted));
    client.session = arguments.session;
    server::McpServer server(tools, client);
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_JSON_BYTES);
    for_each_line(arguments, io, limit, Lines::kMessages, [&](std::string_view line) {
        if (line.find_first_not_of(" \t") == line.npos) return;
        std::vector<std::string> to_client;
        server.from_client(line, now_ms(arguments), to_client);
        for (const std::string &answer : to_client) io.out.text.append(answer).append("\n");
    });
    return 0;
}

}  // namespace cli
