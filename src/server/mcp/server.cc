// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/mcp/server.h"

#include <algorithm>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {

using host::json_member;
using host::json_optional;
using host::json_string;
using host::json_text;

namespace {

// The newest first: the stateless revision, then those with initialize.
constexpr std::string_view kStatelessRevision = "2026-07-28";
constexpr std::string_view kRevisions[] = {"2025-11-25", "2025-06-18"};
constexpr const char *kSupported = R"(["2026-07-28","2025-11-25","2025-06-18"])";

// Members of _meta in a stateless request.
constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion",
                           kAbleKey = "io.modelcontextprotocol/clientCapabilities",
                           kLevelKey = "io.modelcontextprotocol/logLevel";

constexpr const char *kAble =
    R"({"tools":{},"resources":{},"prompts":{},"completions":{},"logging":{}})";

// Of syslog, the most severe last.
constexpr std::string_view kLevels[] = {"debug", "info",     "notice", "warning",
                                        "error", "critical", "alert",  "emergency"};
constexpr int kSilent = 8;

// The maximum size of the registry in the instructions, which each model reads.
constexpr size_t kMaxRegistryBytes = 8 << 10;

std::string instructions_of(const McpTools &tools) {
    std::string text;
    if (tools.find("session_append"))
        text +=
            "Sessions keep what was said and give back the shortest context that says it. Say with "
            "session_append what is worth remembering, and ask session_context instead of telling "
            "history again. A name with $, such as $cold.m7, stands for more: session_resolve has "
            "it. ";
    if (tools.find("context_read"))
        text += "A worker begins with context_read, and ends with context_feedback. ";
    if (tools.find("frame_call"))
        text +=
            "Frames are messages in one line: frame_encode and frame_decode; frame_call calls a "
            "tool by a frame under schema TC.";
    text += '\n';
    const std::vector<std::string> &frames = tools.registry_frames();
    size_t bytes = 0;
    for (const std::string &frame : frames) bytes += frame.size();
    text += "The registry in force";
    text += bytes > kMaxRegistryBytes ? " (all of it: accp://registry):" : ":";
    for (size_t i = 0; i < (bytes > kMaxRegistryBytes ? 1 : frames.size()); ++i)
        text.append("\n").append(frames[i]);
    return text;
}

std::string server_info() {
    return R"({"name":"accp","title":"ACCP","version":")" + std::string(accp_version()) + "\"}";
}

// Returns the number of a level; -1: unknown.
int level_of(std::string_view json) {
    const std::string name = json_text(json);
    const auto *found = std::find(std::begin(kLevels), std::end(kLevels), name);
    return found == std::end(kLevels) ? -1 : static_cast<int>(found - std::begin(kLevels));
}

constexpr const char *kNoLevel =
    "a level must be one of debug, info, notice, warning, error, critical, alert, emergency";

}  // namespace

McpServer::McpServer(McpTools &tools, McpClient client)
    : tools_(tools), client_(std::move(client)), session_level_(kSilent) {}

bool McpServer::is_stateless(std::string_view revision) { return revision == kStatelessRevision; }

bool McpServer::supports(std::string_view revision) {
    return is_stateless(revision) || std::find(std::begin(kRevisions), std::end(kRevisions),
                                               revision) != std::end(kRevisions);
}

std::string McpServer::revision_of(const RpcMessage &request) {
    return json_text(json_member(json_member(request.params, "_meta"), kVersionKey));
}

// Calls end before another message can cancel them, except those that ask the client's model.
void McpServer::from_client(std::string_view json, int64_t now_ms,
                            std::vector<std::string> &to_client) {
    RpcMessage message;
    std::string refusal;
    now_ms_ = now_ms;
    to_client_ = &to_client;
    if (!read_rpc(json, message, refusal)) to_client.push_back(std::move(refusal));
    else if (message.is_request()) {
        std::string reply = answer(message);
        if (!reply.empty()) to_client.push_back(std::move(reply));
    } else if (message.is_response()) {
        take_response(message);
    } else if (message.method == "notifications/cancelled") {
        cancel_model_call(json_member(message.params, "requestId"));
    }
    to_client_ = nullptr;
}

std::string McpServer::answer(const RpcMessage &request) {
    const std::string revision = revision_of(request);
    is_stateless_request_ = !revision.empty();
    return is_stateless_request_ ? answer_stateless(request, revision) : answer_in_session(request);
}

std::string McpServer::answer_stateless(const RpcMessage &request, const std::string &revision) {
    const std::string_view meta = json_member(request.params, "_meta");
    if (!is_stateless(revision))
        return rpc_error(request.id, kRpcUnsupportedVersion,
                         "requests with a revision must be of 2026-07-28",
                         std::string(R"({"supported":)") + kSupported +
                             ",\"requested\":" + json_string(revision) + "}");
    if (!json_member(meta, kAbleKey).starts_with('{'))
        return rpc_error(request.id, kRpcInvalidParams,
                         "_meta: " + std::string(kAbleKey) + " is missing, an object");
    const std::string_view level = json_member(meta, kLevelKey);
    level_ = level.empty() ? kSilent : level_of(level);
    if (level_ < 0)
        return rpc_error(request.id, kRpcInvalidParams,
                         "_meta: " + std::string(kLevelKey) + ": " + kNoLevel);
    if (request.method == "server/discover") return discover(request);
    if (request.method == "subscriptions/listen") return listen(request);
    return dispatch(request);
}

std::string McpServer::answer_in_session(const RpcMessage &request) {
    level_ = session_level_;
    if (request.method == "ping") return rpc_result(request.id, "{}");
    if (request.method == "initialize") return initialize(request);
    if (protocol_.empty())
        return rpc_error(request.id, kRpcInvalidParams,
                         "unknown revision: _meta has no " + std::string(kVersionKey) +
                             ", and there was no initialize");
    return request.method == "logging/setLevel" ? set_level(request) : dispatch(request);
}

// Methods of all revisions.
std::string McpServer::dispatch(const RpcMessage &request) {
    struct Method {
        std::string_view name;
        std::string (McpServer::*answer)(const RpcMessage &request);
    };
    static constexpr Method kMethods[] = {
        {"tools/list", &McpServer::list_tools},
        {"tools/call", &McpServer::call_tool},
        {"resources/list", &McpServer::list_resources},
        {"resources/templates/list", &McpServer::list_templates},
        {"resources/read", &McpServer::read_resource},
        {"prompts/list", &McpServer::list_prompts},
        {"prompts/get", &McpServer::get_prompt},
        {"completion/complete", &McpServer::complete},
    };
    for (const Method &one : kMethods)
        if (request.method == one.name) return (this->*one.answer)(request);
    return rpc_error(request.id, kRpcMethodNotFound,
                     "unknown method " + std::string(request.method));
}

// A reply with this result, which is a compact object with at least one member.
std::string McpServer::result(const RpcMessage &request, const std::string &json,
                              CachePolicy policy) const {
    if (!is_stateless_request_) return rpc_result(request.id, json);
    std::string whole = R"({"resultType":"complete",)";
    if (policy == CachePolicy::kForAll) whole += R"("ttlMs":300000,"cacheScope":"public",)";
    if (policy == CachePolicy::kForThisClient) whole += R"("ttlMs":0,"cacheScope":"private",)";
    whole.append(json, 1, json.size() - 2);
    whole += R"(,"_meta":{"io.modelcontextprotocol/serverInfo":)" + server_info() + "}}";
    return rpc_result(request.id, whole);
}

// A reply with a list on one page.
std::string McpServer::one_page(const RpcMessage &request, const std::string &list) const {
    if (!json_optional(request.params, "cursor").empty())
        return rpc_error(request.id, kRpcInvalidParams, "no such cursor: all are on one page");
    return result(request, list, CachePolicy::kForAll);
}

std::string McpServer::initialize(const RpcMessage &request) {
    const std::string wanted = json_text(json_member(request.params, "protocolVersion"));
    if (wanted.empty())
        return rpc_error(request.id, kRpcInvalidParams,
                         "initialize: protocolVersion is missing, such as \"2025-11-25\"");
    if (!protocol_.empty())
        return rpc_error(request.id, kRpcInvalidRequest, "initialize: already done");
    protocol_ = supports(wanted) && !is_stateless(wanted) ? wanted : kRevisions[0];
    offers_sampling_ =
        json_member(json_member(request.params, "capabilities"), "sampling").starts_with('{');
    return rpc_result(request.id, R"({"protocolVersion":")" + protocol_ + R"(","capabilities":)" +
                                      kAble + ",\"serverInfo\":" + server_info() +
                                      ",\"instructions\":" + json_string(instructions_of(tools_)) +
                                      "}");
}

std::string McpServer::discover(const RpcMessage &request) const {
    return result(request,
                  std::string(R"({"supportedVersions":)") + kSupported + ",\"capabilities\":" +
                      kAble + ",\"instructions\":" + json_string(instructions_of(tools_)) + "}",
                  CachePolicy::kForAll);
}

// The server sends no notifications on its own, so a subscription ends at once.
std::string McpServer::listen(const RpcMessage &request) {
    const std::string id =
        R"({"io.modelcontextprotocol/subscriptionId":)" + std::string(request.id) + "}";
    to_client_->push_back(rpc_notification("notifications/subscriptions/acknowledged",
                                           "{\"_meta\":" + id + ",\"notifications\":{}}"));
    return rpc_result(request.id, R"({"resultType":"complete","_meta":)" + id + "}");
}

std::string McpServer::set_level(const RpcMessage &request) {
    const int level = level_of(json_member(request.params, "level"));
    if (level < 0)
        return rpc_error(request.id, kRpcInvalidParams,
                         std::string("logging/setLevel: ") + kNoLevel);
    session_level_ = level;
    return rpc_result(request.id, "{}");
}

// Sends nothing before the client has set a level.
void McpServer::log(int level, const std::string &text) {
    if (level < level_) return;
    to_client_->push_back(rpc_notification(
        "notifications/message", R"({"level":")" + std::string(kLevels[level]) +
                                     R"(","logger":"accp","data":)" + json_string(text) + "}"));
}

}  // namespace server
