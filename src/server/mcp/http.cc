// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/mcp/http.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "server/json/reader.h"
#include "server/mcp/remote_headers.h"

namespace server {
namespace {

constexpr std::string_view kIdHeader = "mcp-session-id";

HttpReply rpc_refusal(int status, std::string_view why) {
    return json_reply(rpc_error("null", kRpcInvalidRequest, why), status);
}

bool accepts(const HttpRequest &request, std::string_view type) {
    const std::string_view header = request.header("accept");
    return header.find(type) != header.npos || header.find("*/*") != header.npos;
}

// Does a header differ from the message? A missing one does not.
bool differs(std::string_view header, std::string_view said) {
    return !header.empty() && header_text(header) != said;
}

int status_of(std::string_view answer) {
    constexpr int kBad = 400, kNotFound = 404;
    switch (rpc_error_code(answer)) {
        case kRpcMethodNotFound: return kNotFound;
        case kRpcHeaderMismatch:
        case kRpcUnsupportedVersion:
        case kRpcInvalidRequest: return kBad;
        default: return 200;
    }
}

// One message is a body. Several are events of a stream that ends with them.
HttpReply reply_of(const std::vector<std::string> &messages) {
    constexpr int kAccepted = 202;
    if (messages.empty()) return {kAccepted, "", ""};
    if (messages.size() == 1) return json_reply(messages[0]);
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
        HttpReply reply = rpc_refusal(405, "this server sends no messages of its own");
        reply.headers.emplace_back("allow", "POST, DELETE");
        return reply;
    }
    // The negotiated revision applies. The header may also contain the first revision that had it.
    const std::string_view revision = request.header("mcp-protocol-version");
    if (!revision.empty() && revision != "2025-03-26" && !McpServer::supports(revision))
        return rpc_refusal(400, "this revision of MCP is not supported");
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
    count_new_sessions(*grant);
    return reply_of(messages);
}

std::optional<McpHttp::Job> McpHttp::find_job(const HttpRequest &request,
                                              const std::shared_ptr<const Grant> &grant,
                                              int64_t now_ms) {
    constexpr size_t kShort = 4096;  // bytes; calls with a shorter body run at once
    RpcMessage message;
    std::string refusal;
    const bool is_long = request.body.size() >= kShort;
    if (request.method != "POST" || !(is_long || find_items_) || environment().project ||
        !accepts(request, "application/json") || !accepts(request, "text/event-stream") ||
        !read_rpc(request.body, message, refusal) || message.method != "tools/call")
        return std::nullopt;
    const std::string name = host::json_text(host::json_member(message.params, "name"));
    const std::string_view arguments = host::json_member(message.params, "arguments");
    const McpTool *tool = tools_.find(name);
    if (!tool || !(tool->hints & kAsksModel)) return std::nullopt;
    const McpClient rights = rights_of(grant);
    const bool waits_for_model =
        find_items_ && may_ask_model(McpCall(tools_, rights, arguments, now_ms));
    const bool has_conversation = host::json_member(arguments, "conversation").starts_with('"');
    if (!waits_for_model && !(is_long && has_conversation)) return std::nullopt;
    std::shared_ptr<McpServer> server;
    if (request.header(kIdHeader).empty()) {
        const std::string revision = McpServer::revision_of(message);
        if (!McpServer::is_stateless(revision) ||
            differs(request.header("mcp-protocol-version"), revision) ||
            differs(request.header("mcp-method"), message.method) ||
            differs(request.header("mcp-name"), name))
            return std::nullopt;  // answer() reports the error
        server = std::make_shared<McpServer>(tools_, rights);
    } else {
        const Client *client = find(request, *grant);
        if (!client) return std::nullopt;
        server = std::make_shared<McpServer>(
            *client->server);  // a copy, because other calls may use the original
    }
    server->run_apart(find_items_);
    return Job{[server, body = request.body, now_ms] {
                   std::vector<std::string> messages;
                   server->from_client(body, now_ms, messages);
                   return reply_of(messages);
               },
               waits_for_model};
}

McpClient McpHttp::rights_of(const std::shared_ptr<const Grant> &grant) {
    McpClient rights{Origin(*grant)};
    rights.session = session_;
    rights.may_use = [grant](std::string_view id) { return grant->allows_session(id); };
    rights.may_write = [this, grant](std::string_view id) {
        if (!grant->may_write) return false;
        if (environment().sessions->has(id)) return true;
        new_sessions_.emplace_back(id);
        return grant->may_create_session(id);
    };
    return rights;
}

// Counts the sessions that a call has requested and that now exist.
void McpHttp::count_new_sessions(const Grant &grant) {
    for (const std::string &id : std::exchange(new_sessions_, {}))
        if (environment().sessions->find(id)) grant.count_session(id);
}

// Returns the named client if it belongs to this caller and its rights have not changed. It becomes
// the first.
McpHttp::Client *McpHttp::find(const HttpRequest &request, const Grant &grant) {
    const auto found = by_id_.find(request.header(kIdHeader));
    if (found == by_id_.end() || *found->second->grant != grant) return nullptr;
    clients_.splice(clients_.begin(), clients_, found->second);
    return &clients_.front();
}

// Handles one stateless request. Its headers repeat parts of the message, so that proxies can read
// them.
HttpReply McpHttp::answer_once(const HttpRequest &request, const RpcMessage &message,
                               const std::shared_ptr<const Grant> &grant, int64_t now_ms) {
    const std::string name = host::json_text(host::json_member(message.params, "name"));
    const std::string uri = host::json_text(host::json_member(message.params, "uri"));
    if (differs(request.header("mcp-protocol-version"), McpServer::revision_of(message)) ||
        differs(request.header("mcp-method"), message.method) ||
        differs(request.header("mcp-name"), name.empty() ? uri : name))
        return json_reply(rpc_error(message.id.empty() ? "null" : message.id, kRpcHeaderMismatch,
                                    "a header differs from the message"),
                          400);
    McpServer server(tools_, rights_of(grant));
    std::vector<std::string> messages;
    server.from_client(request.body, now_ms, messages);
    count_new_sessions(*grant);
    HttpReply reply = reply_of(messages);
    if (messages.size() == 1) reply.status = status_of(messages[0]);
    return reply;
}

// Removes the least recently used client of the caller with the most clients, counting a new one of
// this caller.
void McpHttp::forget_one(const Grant &grant) {
    std::unordered_map<const CallerUse *, size_t> counts = {{grant.use.get(), 1}};
    size_t max = 0;
    for (const Client &client : clients_) max = std::max(max, ++counts[client.grant->use.get()]);
    auto at = std::prev(clients_.end());
    while (counts[at->grant->use.get()] != max) --at;
    by_id_.erase(at->id);
    clients_.erase(at);
}

HttpReply McpHttp::begin(const HttpRequest &request, const std::shared_ptr<const Grant> &grant,
                         int64_t now_ms) {
    RpcMessage message;
    std::string refusal;
    if (request.method != "POST") return rpc_refusal(400, "Mcp-Session-Id is missing");
    if (!read_rpc(request.body, message, refusal)) return json_reply(refusal, 400);
    if (McpServer::is_stateless(McpServer::revision_of(message)))
        return answer_once(request, message, grant, now_ms);
    if (message.method != "initialize")
        return rpc_refusal(400, "Mcp-Session-Id is missing: initialize first");
    if (!accepts(request, "application/json") || !accepts(request, "text/event-stream"))
        return rpc_refusal(406, "accept application/json and text/event-stream");
    Client client{random_digits(), grant, nullptr};
    client.server = std::make_unique<McpServer>(tools_, rights_of(grant));
    std::vector<std::string> messages;
    client.server->from_client(request.body, now_ms, messages);
    HttpReply reply = reply_of(messages);
    if (client.server->protocol().empty()) return reply;  // it was refused
    reply.headers.emplace_back(kIdHeader, client.id);
    if (clients_.size() >= max_clients_) forget_one(*grant);
    clients_.push_front(std::move(client));
    by_id_.emplace(clients_.front().id, clients_.begin());
    return reply;
}

}  // namespace server
