// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// MCP over HTTP ("Streamable HTTP", /mcp): one server for each client, identified by the header
// Mcp-Session-Id.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/http/access.h"
#include "server/http/message.h"
#include "server/mcp/server.h"

namespace server {

class McpHttp {
public:
    // The tools outlive it. session: the default of calls. If there are more than `max_clients`
    // clients, the least recently used one of the caller with the most clients is removed. It gets
    // 404 and must initialize again.
    // `find_items`: the host's model for packets; empty: none.
    McpHttp(McpTools &tools, std::string session, FindItems find_items = {},
            size_t max_clients = 1024)
        : tools_(tools),
          session_(std::move(session)),
          find_items_(std::move(find_items)),
          max_clients_(max_clients) {}

    const McpEnvironment &environment() const { return tools_.environment(); }
    bool has_model() const { return find_items_ != nullptr; }
    HttpReply answer(const HttpRequest &request, const std::shared_ptr<const Grant> &grant,
                     int64_t now_ms);
    // A slow call, for another thread. If it waits for the model, it takes minutes, but hardly any
    // time of the processor.
    struct Job {
        std::function<HttpReply()> run;
        bool waits_for_model;
    };
    // Returns a call that makes a packet with the model, or of a long conversation in the
    // arguments. Returns nothing for other calls; use answer() for those.
    std::optional<Job> find_job(const HttpRequest &request,
                                const std::shared_ptr<const Grant> &grant, int64_t now_ms);

private:
    struct Client {
        std::string id;
        std::shared_ptr<const Grant> grant;
        std::unique_ptr<McpServer> server;
    };

    // Handles a request of a stateless revision.
    HttpReply answer_once(const HttpRequest &request, const RpcMessage &message,
                          const std::shared_ptr<const Grant> &grant, int64_t now_ms);
    HttpReply begin(const HttpRequest &request, const std::shared_ptr<const Grant> &grant,
                    int64_t now_ms);
    McpClient rights_of(const std::shared_ptr<const Grant> &grant);
    Client *find(const HttpRequest &request, const Grant &grant);
    void forget_one(const Grant &grant);
    void count_new_sessions(const Grant &grant);

    McpTools &tools_;
    std::string session_;
    FindItems find_items_;
    size_t max_clients_;
    std::vector<std::string> new_sessions_;  // sessions to be created by the current call
    std::list<Client> clients_;              // most recently used first
    std::unordered_map<std::string_view, std::list<Client>::iterator> by_id_;  // keys: of clients_
};

}  // namespace server
