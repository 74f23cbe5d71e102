// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/pane_words.h"
#include "server/mcp/resources.h"
#include "server/mcp/server.h"

namespace server {

using host::Failure;
using host::json_member;
using host::json_optional;
using host::json_string;
using host::json_text;

namespace {

constexpr const char *kOrchestratorTitle = "Hand context over to workers",
                     *kWorkerTitle = "Work by a context packet";

std::string replaced_all(std::string text, std::string_view what, const std::string &with) {
    for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

// Returns the number for {N} in the prompt `worker`; empty: not given.
std::string pane_argument(std::string_view arguments) {
    std::string pane;
    for (const auto &[key, value] : host::json_members(arguments)) {
        if (key != "pane")
            throw Failure("the prompt worker has the argument pane, not " + std::string(key));
        pane = value[0] == '"' ? host::json_text(value) : std::string(value);
        if (pane.empty() || pane.size() > 4 ||
            pane.find_first_not_of("0123456789") != std::string::npos)
            throw Failure("pane must be a number from 0 to 9999, not " + pane);
    }
    return pane;
}

std::string prompt_result(const char *title, const std::string &text) {
    return "{\"description\":" + host::json_string(title) +
           R"(,"messages":[{"role":"user","content":{"type":"text","text":)" +
           host::json_string(text) + "}}]}";
}

std::string prompt_list() {
    return std::string(R"({"prompts":[{"name":"orchestrator","title":)") +
           host::json_string(kOrchestratorTitle) +
           R"(,"description":"How to make a packet for each worker that you start."},)"
           R"({"name":"worker","title":)" +
           host::json_string(kWorkerTitle) +
           R"(,"description":"How to read your packet, and to say what it was like.",)"
           R"("arguments":[{"name":"pane","description":"Your number","required":false}]}]})";
}

std::string prompt_of(std::string_view name, std::string_view arguments) {
    if (name == "worker") {
        const std::string pane = pane_argument(arguments);
        const std::string text = host::role_text(host::Role::kWorker, host::PaneInterface::kTools);
        return prompt_result(kWorkerTitle, pane.empty() ? text : replaced_all(text, "{N}", pane));
    }
    if (name != "orchestrator")
        throw Failure("unknown prompt " + std::string(name) +
                      "; there are orchestrator and worker");
    if (!host::json_members(arguments).empty())
        throw Failure("the prompt orchestrator has no arguments");
    return prompt_result(kOrchestratorTitle,
                         host::role_text(host::Role::kOrchestrator, host::PaneInterface::kTools));
}

}  // namespace

std::string McpServer::list_tools(const RpcMessage &request) {
    return one_page(request, tools_.list());
}

std::string McpServer::call_tool(const RpcMessage &request) {
    const std::string name = json_text(json_member(request.params, "name"));
    const std::string_view arguments = json_optional(request.params, "arguments");
    if (name.empty())
        return rpc_error(request.id, kRpcInvalidParams, "tools/call: name is missing");
    if (!arguments.empty() && arguments[0] != '{')
        return rpc_error(request.id, kRpcInvalidParams, "tools/call: arguments must be an object");
    const McpTool *tool = tools_.find(name);
    if (!tool) return rpc_error(request.id, kRpcInvalidParams, "tools/call: unknown tool " + name);
    McpCall call = call_of(request);
    if (std::optional<std::string> reply = ask_model(request, *tool, call)) return *reply;
    return run_tool(request, *tool, call);
}

// `request`: a valid tools/call, which must outlive the call.
McpCall McpServer::call_of(const RpcMessage &request) {
    const std::string_view arguments = json_optional(request.params, "arguments");
    McpCall call(tools_, client_, arguments.empty() ? "{}" : arguments, now_ms_);
    const std::string_view token =
        json_member(json_member(request.params, "_meta"), "progressToken");
    if (!token.empty())
        call.progress = [this, token](uint64_t done, uint64_t total, std::string_view what) {
            send_progress(token, done, total, what);
        };
    return call;
}

std::string McpServer::run_tool(const RpcMessage &request, const McpTool &tool, McpCall &call) {
    const McpResult made = tools_.run(tool, call);
    log(made.is_error ? kLogWarning : kLogInfo,
        std::string(tool.name) + (made.is_error ? ": refused" : ": done"));
    std::string reply = "{\"content\":[" + made.contents + "]";
    if (!made.structured.empty()) reply.append(",\"structuredContent\":").append(made.structured);
    return result(request, reply + (made.is_error ? ",\"isError\":true}" : "}"), CachePolicy::kNot);
}

void McpServer::send_progress(std::string_view token, uint64_t done, uint64_t total,
                              std::string_view what) {
    std::string params = "{\"progressToken\":";
    params.append(token).append(",\"progress\":").append(std::to_string(done));
    if (total) params.append(",\"total\":").append(std::to_string(total));
    params.append(",\"message\":").append(json_string(what)).append("}");
    to_client_->push_back(rpc_notification("notifications/progress", params));
}

std::string McpServer::list_resources(const RpcMessage &request) {
    const std::string_view cursor = json_optional(request.params, "cursor");
    try {
        const bool is_text = cursor.empty() || cursor[0] == '"';
        const std::string list =
            is_text ? McpResources(tools_, client_).list(json_text(cursor)) : "";
        return list.empty() ? rpc_error(request.id, kRpcInvalidParams, "no such cursor")
                            : result(request, list, CachePolicy::kForThisClient);
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
                      CachePolicy::kForThisClient);
    } catch (const host::Failure &failure) {
        return rpc_error(request.id,
                         is_stateless_request_ ? kRpcInvalidParams : kRpcResourceNotFound,
                         failure.what());
    }
}

std::string McpServer::list_prompts(const RpcMessage &request) {
    return one_page(request, prompt_list());
}

std::string McpServer::get_prompt(const RpcMessage &request) {
    try {
        return result(request,
                      prompt_of(json_text(json_member(request.params, "name")),
                                json_optional(request.params, "arguments")),
                      CachePolicy::kNot);
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, kRpcInvalidParams, failure.what());
    }
}

// Completes ids of sessions in resource templates; nothing else is known.
std::string McpServer::complete(const RpcMessage &request) {
    const std::string_view argument = json_member(request.params, "argument"),
                           ref = json_member(request.params, "ref");
    if (json_member(argument, "value").empty() || json_member(ref, "type").empty())
        return rpc_error(request.id, kRpcInvalidParams,
                         "completion/complete: ref has a type, argument a name and a value");
    if (json_text(json_member(ref, "type")) != "ref/resource" ||
        json_text(json_member(argument, "name")) != "session")
        return result(request, R"({"completion":{"values":[]}})", CachePolicy::kNot);
    try {
        return result(request,
                      McpResources(tools_, client_)
                          .complete_session(json_text(json_member(argument, "value"))),
                      CachePolicy::kNot);
    } catch (const host::Failure &failure) {
        return rpc_error(request.id, kRpcInternalError, failure.what());
    }
}

}  // namespace server
