// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_server.h: the methods that all revisions have.
#include "server/library/failure.h"
#include "server/json/json_parts.h"
#include "server/json/typed_json.h"
#include "server/mcp/prompts.h"
#include "server/mcp/resources.h"
#include "server/mcp/server.h"

namespace server {

using host::json_member;
using host::json_string;
using host::json_text;

std::string McpServer::list_tools(const RpcMessage &request) {
    return one_page(request, tools_.list());
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
    log(made.is_error ? kLogWarning : kLogInfo, name + (made.is_error ? ": refused" : ": done"));
    std::string told = "{\"content\":[" + made.contents + "]";
    if (!made.structured.empty()) told.append(",\"structuredContent\":").append(made.structured);
    return result(request, told + (made.is_error ? ",\"isError\":true}" : "}"), Keep::kNot);
}

void McpServer::tell_progress(std::string_view token, uint64_t done, uint64_t total,
                              std::string_view what) {
    std::string params = "{\"progressToken\":";
    params.append(token).append(",\"progress\":").append(std::to_string(done));
    if (total) params.append(",\"total\":").append(std::to_string(total));
    params.append(",\"message\":").append(json_string(what)).append("}");
    to_client_->push_back(rpc_notification("notifications/progress", params));
}

std::string McpServer::list_resources(const RpcMessage &request) {
    const std::string_view cursor = json_member(request.params, "cursor");
    try {
        const bool is_text = cursor.empty() || cursor[0] == '"';
        const std::string list =
            is_text ? McpResources(tools_, client_).list(json_text(cursor)) : "";
        return list.empty() ? rpc_error(request.id, kRpcInvalidParams, "no such cursor")
                            : result(request, list, Keep::kForThisClient);
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, kRpcInternalError, failure.what());
    }
}

std::string McpServer::list_templates(const RpcMessage &request) {
    return one_page(request, McpResources::templates());
}

std::string McpServer::read_resource(const RpcMessage &request) {
    const std::string uri = json_text(json_member(request.params, "uri"));
    if (uri.empty())
        return rpc_error(request.id, kRpcInvalidParams, "resources/read: uri is missing");
    try {
        return result(request, McpResources(tools_, client_).read(uri, now_ms_),
                      Keep::kForThisClient);
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, is_alone_ ? kRpcInvalidParams : kRpcResourceNotFound,
                         failure.what());
    }
}

std::string McpServer::list_prompts(const RpcMessage &request) {
    return one_page(request, server::list_prompts());
}

std::string McpServer::get_prompt(const RpcMessage &request) {
    try {
        return result(request,
                      server::get_prompt(json_text(json_member(request.params, "name")),
                                         json_member(request.params, "arguments")),
                      Keep::kNot);
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
        return result(request, R"({"completion":{"values":[]}})", Keep::kNot);
    try {
        return result(request,
                      McpResources(tools_, client_)
                          .complete_session(json_text(json_member(argument, "value"))),
                      Keep::kNot);
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, kRpcInternalError, failure.what());
    }
}

}  // namespace server
