// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_server.h.
#include "server/mcp_server.h"

#include <algorithm>

#include "host/failure.h"
#include "host/json_parts.h"
#include "host/typed_json.h"
#include "server/mcp_prompts.h"
#include "server/mcp_resources.h"

namespace server {
namespace {

using host::json_member;
using host::json_string;
using host::json_text;

constexpr std::string_view kRevisions[] = {"2025-11-25", "2025-06-18"};  // the newest first

// Of syslog, the worst last.
constexpr std::string_view kLevels[] = {"debug", "info",     "notice", "warning",
                                        "error", "critical", "alert",  "emergency"};
constexpr int kInfo = 1, kWarning = 3, kSilent = 8;

// More of the registry than this does not stand in the instructions, which every model is given.
constexpr size_t kMaxRegistryBytes = 8 << 10;

std::string instructions_of(const McpTools &tools) {
    std::string text =
        "Sessions keep what was said and give back the shortest context that says it. Say with "
        "session_append what is worth remembering, and ask session_context instead of telling "
        "history again. A name with $, such as $cold.m7, stands for more: session_resolve has it. "
        "Frames are messages in one line: frame_encode and frame_decode; frame_call calls a tool "
        "by a frame under schema TC.\n";
    const std::vector<std::string> &frames = tools.registry_frames();
    size_t bytes = 0;
    for (const std::string &frame : frames) bytes += frame.size();
    text += "The registry in force";
    text += bytes > kMaxRegistryBytes ? " (all of it: accp://registry):" : ":";
    for (size_t i = 0; i < (bytes > kMaxRegistryBytes ? 1 : frames.size()); ++i)
        text.append("\n").append(frames[i]);
    return text;
}

// Of a list that is on one page.
std::string one_page(const RpcMessage &request, const std::string &list) {
    if (!json_member(request.params, "cursor").empty())
        return rpc_error(request.id, kRpcInvalidParams, "no such cursor: all are on one page");
    return rpc_result(request.id, list);
}

}  // namespace

McpServer::McpServer(McpTools &tools, McpClient client)
    : tools_(tools), client_(std::move(client)), level_(kSilent) {}

bool McpServer::speaks(std::string_view revision) {
    return std::find(std::begin(kRevisions), std::end(kRevisions), revision) !=
           std::end(kRevisions);
}

// Answers and notifications of a client are taken: nothing is asked of it, and a call is over
// before another message can tell that it is cancelled.
void McpServer::from_client(std::string_view json, int64_t now_ms,
                            std::vector<std::string> &to_client) {
    RpcMessage message;
    std::string refusal;
    now_ms_ = now_ms;
    to_client_ = &to_client;
    if (!read_rpc(json, message, refusal)) to_client.push_back(std::move(refusal));
    else if (message.is_request()) to_client.push_back(answer(message));
    to_client_ = nullptr;
}

std::string McpServer::answer(const RpcMessage &request) {
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
        {"logging/setLevel", &McpServer::set_level},
    };
    if (request.method == "ping") return rpc_result(request.id, "{}");
    if (request.method == "initialize") return initialize(request);
    if (protocol_.empty())
        return rpc_error(request.id, kRpcInvalidRequest, "the first request is initialize");
    for (const Method &one : kMethods)
        if (request.method == one.name) return (this->*one.answer)(request);
    return rpc_error(request.id, kRpcMethodNotFound,
                     "there is no method " + std::string(request.method) + " here");
}

std::string McpServer::initialize(const RpcMessage &request) {
    const std::string asked = json_text(json_member(request.params, "protocolVersion"));
    if (asked.empty())
        return rpc_error(request.id, kRpcInvalidParams,
                         "initialize: protocolVersion is missing, such as \"2025-11-25\"");
    if (!protocol_.empty())
        return rpc_error(request.id, kRpcInvalidRequest, "initialize: that was done before");
    protocol_ = speaks(asked) ? asked : kRevisions[0];
    std::string result = R"({"protocolVersion":")" + protocol_ + R"(","capabilities":{)";
    result += R"("tools":{},"resources":{},"prompts":{},"completions":{},"logging":{}},)";
    result += R"("serverInfo":{"name":"accp","title":"ACCP","version":")";
    result.append(accp_version()).append(R"("},"instructions":)");
    return rpc_result(request.id, result + json_string(instructions_of(tools_)) + "}");
}

std::string McpServer::set_level(const RpcMessage &request) {
    const std::string name = json_text(json_member(request.params, "level"));
    const auto *found = std::find(std::begin(kLevels), std::end(kLevels), name);
    if (found == std::end(kLevels))
        return rpc_error(request.id, kRpcInvalidParams,
                         "logging/setLevel: level is one of debug, info, notice, warning, error, "
                         "critical, alert, emergency");
    level_ = static_cast<int>(found - std::begin(kLevels));
    return rpc_result(request.id, "{}");
}

std::string McpServer::list_tools(const RpcMessage &request) {
    return one_page(request, tools_.list());
}

std::string McpServer::list_resources(const RpcMessage &request) {
    const std::string_view cursor = json_member(request.params, "cursor");
    try {
        const std::string list = cursor.empty() || cursor[0] == '"'
                                     ? McpResources(tools_, client_).list(json_text(cursor))
                                     : "";
        return list.empty() ? rpc_error(request.id, kRpcInvalidParams, "no such cursor")
                            : rpc_result(request.id, list);
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, kRpcInternalError, failure.what());
    }
}

std::string McpServer::list_templates(const RpcMessage &request) {
    return one_page(request, McpResources::templates());
}

std::string McpServer::read_resource(const RpcMessage &request) {
    const std::string uri = json_text(json_member(request.params, "uri"));
    if (uri.empty()) return rpc_error(request.id, kRpcInvalidParams, "resources/read: no uri");
    try {
        return rpc_result(request.id, McpResources(tools_, client_).read(uri, now_ms_));
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, kRpcResourceNotFound, failure.what());
    }
}

std::string McpServer::list_prompts(const RpcMessage &request) {
    return one_page(request, server::list_prompts());
}

std::string McpServer::get_prompt(const RpcMessage &request) {
    try {
        return rpc_result(request.id,
                          server::get_prompt(json_text(json_member(request.params, "name")),
                                             json_member(request.params, "arguments")));
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, kRpcInvalidParams, failure.what());
    }
}

// Ids of sessions, for templates of resources; of anything else nothing is known.
std::string McpServer::complete(const RpcMessage &request) {
    const std::string_view argument = json_member(request.params, "argument"),
                           ref = json_member(request.params, "ref");
    if (json_member(argument, "value").empty() || json_member(ref, "type").empty())
        return rpc_error(request.id, kRpcInvalidParams,
                         "completion/complete: ref has a type, argument a name and a value");
    if (json_text(json_member(ref, "type")) != "ref/resource" ||
        json_text(json_member(argument, "name")) != "session")
        return rpc_result(request.id, R"({"completion":{"values":[]}})");
    try {
        return rpc_result(request.id,
                          McpResources(tools_, client_)
                              .complete_session(json_text(json_member(argument, "value"))));
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, kRpcInternalError, failure.what());
    }
}

std::string McpServer::call_tool(const RpcMessage &request) {
    const std::string name = json_text(json_member(request.params, "name"));
    const std::string_view arguments = json_member(request.params, "arguments");
    if (name.empty())
        return rpc_error(request.id, kRpcInvalidParams, "tools/call: name is missing");
    if (!arguments.empty() && arguments[0] != '{')
        return rpc_error(request.id, kRpcInvalidParams, "tools/call: arguments is an object");
    const McpTool *tool = tools_.find(name);
    if (!tool)
        return rpc_error(request.id, kRpcInvalidParams, "tools/call: there is no tool " + name);
    McpCall call(tools_, client_, arguments.empty() ? "{}" : arguments, now_ms_);
    const std::string_view token =
        json_member(json_member(request.params, "_meta"), "progressToken");
    if (!token.empty())
        call.progress = [this, token](uint64_t done, uint64_t total, std::string_view what) {
            tell_progress(token, done, total, what);
        };
    const McpResult made = tools_.run(*tool, call);
    log(made.is_error ? kWarning : kInfo, name + (made.is_error ? ": refused" : ": done"));
    std::string result = "{\"content\":[" + made.contents + "]";
    if (!made.structured.empty()) result.append(",\"structuredContent\":").append(made.structured);
    return rpc_result(request.id, result + (made.is_error ? ",\"isError\":true}" : "}"));
}

void McpServer::tell_progress(std::string_view token, uint64_t done, uint64_t total,
                              std::string_view what) {
    std::string params = "{\"progressToken\":";
    params.append(token).append(",\"progress\":").append(std::to_string(done));
    if (total) params.append(",\"total\":").append(std::to_string(total));
    params.append(",\"message\":").append(json_string(what)).append("}");
    to_client_->push_back(rpc_notification("notifications/progress", params));
}

// Nothing is told before the client has said from which level on.
void McpServer::log(int level, const std::string &text) {
    if (level < level_) return;
    to_client_->push_back(rpc_notification(
        "notifications/message", R"({"level":")" + std::string(kLevels[level]) +
                                     R"(","logger":"accp","data":)" + json_string(text) + "}"));
}

}  // namespace server
