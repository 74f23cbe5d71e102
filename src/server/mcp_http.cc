// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/mcp_http.h"

namespace server {
namespace {

constexpr std::string_view kIdHeader = "mcp-session-id";

HttpReply rpc_refusal(int status, std::string_view why) {
    return {status, "application/json", rpc_error("null", kRpcInvalidRequest, why)};
}

bool accepts(const HttpRequest &request, std::string_view type) {
    const std::string_view header = request.header("accept");
    return header.find(type) != header.npos || header.find("*/*") != header.npos;
}

// One message is a body; several are events of a stream that ends with them.
HttpReply reply_of(const std::vector<std::string> &messages) {
    constexpr int kAccepted = 202;
    if (messages.empty()) return {kAccepted, "", ""};
    if (messages.size() == 1) return {200, "application/json", messages[0]};
    HttpReply reply{200, "text/event-stream", "", {{"cache-control", "no-cache"}}};
    for (const std::string &message : messages)
        reply.body.append("event: message\ndata: ").append(message).append("\n\n");
    return reply;
}

}  // namespace

HttpReply McpHttp::answer(const HttpRequest &request, const std::shared_ptr<const Grant> &grant,
                          int64_t now_ms) {
    constexpr int kNothing = 204;
    if (request.method == "GET") {
        HttpReply reply = rpc_refusal(405, "this server says nothing that it was not asked");
        reply.headers.emplace_back("allow", "POST, DELETE");
        return reply;
    }
    // What was agreed on counts; the header may also name the revision that began with it.
    const std::string_view revision = request.header("mcp-protocol-version");
    if (!revision.empty() && revision != "2025-03-26" && !McpServer::speaks(revision))
        return rpc_refusal(400, "this revision of MCP is not spoken here");
    if (request.header(kIdHeader).empty()) return begin(request, grant, now_ms);
    Client *client = find(request, *grant);
    if (!client) return rpc_refusal(404, "no such session of MCP: initialize again");
    if (request.method == "DELETE") {
        by_id_.erase(client->id);
        clients_.pop_front();
        return {kNothing, "", ""};
    }
    if (!accepts(request, "application/json") || !accepts(request, "text/event-stream"))
        return rpc_refusal(406, "accept application/json and text/event-stream");
    std::vector<std::string> messages;
    client->server->from_client(request.body, now_ms, messages);
    return reply_of(messages);
}

// The one that is named, and is this caller's; it is first then.
McpHttp::Client *McpHttp::find(const HttpRequest &request, const Grant &grant) {
    const auto found = by_id_.find(request.header(kIdHeader));
    if (found == by_id_.end() || found->second->grant->name != grant.name) return nullptr;
    clients_.splice(clients_.begin(), clients_, found->second);
    return &clients_.front();
}

HttpReply McpHttp::begin(const HttpRequest &request, const std::shared_ptr<const Grant> &grant,
                         int64_t now_ms) {
    RpcMessage message;
    std::string refusal;
    if (request.method != "POST") return rpc_refusal(400, "Mcp-Session-Id is missing");
    if (!read_rpc(request.body, message, refusal)) return {400, "application/json", refusal};
    if (message.method != "initialize")
        return rpc_refusal(400, "Mcp-Session-Id is missing: initialize first");
    if (!accepts(request, "application/json") || !accepts(request, "text/event-stream"))
        return rpc_refusal(406, "accept application/json and text/event-stream");
    McpClient rights;
    rights.may_use = [grant](std::string_view id) { return grant->allows_session(id); };
    rights.agents = grant->agents;
    rights.origin = grant->is_trusted ? ACCP_ORIGIN_TRUSTED : ACCP_ORIGIN_UNTRUSTED;
    Client client{random_digits(), grant, std::make_unique<McpServer>(tools_, rights)};
    std::vector<std::string> messages;
    client.server->from_client(request.body, now_ms, messages);
    HttpReply reply = reply_of(messages);
    if (client.server->protocol().empty()) return reply;  // it was refused
    reply.headers.emplace_back(kIdHeader, client.id);
    if (clients_.size() >= max_clients_) {
        by_id_.erase(clients_.back().id);
        clients_.pop_back();
    }
    clients_.push_front(std::move(client));
    by_id_.emplace(clients_.front().id, clients_.begin());
    return reply;
}

}  // namespace server
