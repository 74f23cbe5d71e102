// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Routes messages.
#include "server/mcp/wrap.h"

#include "server/http/origin.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/mcp/server.h"
#include "server/mcp/wrap_messages.h"

namespace server {

using host::json_member;
using host::json_members;
using host::json_text;

namespace {

// `after`: a second text, if it is not empty.
std::string text_result(std::string_view text, bool is_error, std::string_view after = {}) {
    std::string result = R"({"content":[{"type":"text","text":)";
    host::append_json_string(text, result);
    if (!after.empty()) {
        result += R"(},{"type":"text","text":)";
        host::append_json_string(after, result);
    }
    result += is_error ? R"(}],"isError":true})" : "}]}";
    return result;
}

// Removes the line end.
std::string line_of(std::string_view text) {
    return std::string(text.substr(0, text.find_last_not_of("\r\n") + 1));
}

}  // namespace

McpWrap::McpWrap(WrapRules rules, accp_session *session, const accp_tokenizer *tokenizer)
    : rules_(std::move(rules)), session_(session), tokenizer_(tokenizer) {
    accp_counter *counter = nullptr;
    accp_error err = {};
    host::check(accp_counter_new(tokenizer, nullptr, &counter, &err), err);
    counter_.reset(counter);
}

void McpWrap::from_client(std::string_view line, int64_t now_ms, Effects &effects) {
    RpcMessage message;
    std::string refusal;
    std::string passed = line_of(line);
    if (read_rpc(line, message, refusal) && message.is_request()) {
        CallBound bound;
        if (handle_locally(message, now_ms, effects)) return;
        if (message.method == "tools/call" && !read_bound_of_call(message, passed, bound, effects))
            return;
        remember_request(message, std::move(bound));
    } else if (message.method == "notifications/cancelled") {
        requests_.erase(std::string(json_member(message.params, "requestId")));  // it has no reply
    }
    effects.to_server.push_back(std::move(passed));
}

// Removes our arguments from a call. Returns false if they are invalid; the error was sent.
bool McpWrap::read_bound_of_call(const RpcMessage &message, std::string &line, CallBound &bound,
                                 Effects &effects) const {
    std::string params(message.params);
    const auto known = bounds_.find(json_text(json_member(params, "name")));
    const std::string fault =
        extract_bound(params, known == bounds_.end() ? 0 : known->second, bound);
    if (!fault.empty()) {
        std::string result = text_result("error: " + fault, true);
        if (!McpServer::revision_of(message).empty()) result = with_result_type(result, false);
        effects.to_client.push_back(rpc_result(message.id, result));
        return false;
    }
    if (params != message.params) line = replace_member(message.text, "params", params);
    return true;
}

// Handles requests that are for the wrap itself.
bool McpWrap::handle_locally(const RpcMessage &message, int64_t now_ms, Effects &effects) {
    const bool is_alone = !McpServer::revision_of(message).empty();
    const auto answer = [&](std::string result) {
        if (is_alone) result = with_result_type(result, message.method != "tools/call");
        effects.to_client.push_back(rpc_result(message.id, result));
        return true;
    };
    if (message.method == "tools/call") {
        const std::string name = json_text(json_member(message.params, "name"));
        const std::string_view arguments = json_member(message.params, "arguments");
        if (name == resolve_name_) return answer(resolve(arguments, now_ms));
        if (rules_.lists_on_demand && name == describe_name_) return answer(describe(arguments));
        return false;
    }
    if (message.method == "resources/read") {
        const std::string uri = json_text(json_member(message.params, "uri"));
        if (!uri.starts_with(kRefUri)) return false;
        accp_text whole;
        accp_error err = {};
        const std::string ref = uri.substr(kRefUri.size());
        if (accp_session_resolve(session_, ref.data(), ref.size(), nullptr, 0, now_ms, &whole,
                                 &err) != ACCP_OK) {
            effects.to_client.push_back(
                rpc_error(message.id, is_alone ? kRpcInvalidParams : kRpcResourceNotFound,
                          host::describe(err)));
            return true;
        }
        return answer(resource_result(uri, host::to_view(whole)));
    }
    if (serves_resources_) return false;
    if (message.method == "resources/list") return answer(R"({"resources":[]})");
    if (message.method == "resources/templates/list")
        return answer(R"({"resourceTemplates":[)" + std::string(kRefTemplate) + "]}");
    return false;
}

void McpWrap::remember_request(const RpcMessage &message, CallBound bound) {
    constexpr std::pair<std::string_view, Method> kMethods[] = {
        {"initialize", Method::kInitialize},
        {"server/discover", Method::kInitialize},
        {"tools/list", Method::kTools},
        {"tools/call", Method::kCall},
        {"resources/templates/list", Method::kTemplates},
    };
    for (const auto &[name, method] : kMethods) {
        if (message.method != name) continue;
        requests_[std::string(message.id)] = {method, std::move(bound)};
        return;
    }
}

void McpWrap::from_server(std::string_view line, int64_t now_ms, Effects &effects) {
    RpcMessage message;
    std::string refusal;
    if (nesting_of(line) > kMaxNesting || !read_rpc(line, message, refusal))
        return pass_unparsed(line, now_ms, effects);
    if (!message.is_response()) {
        effects.to_client.push_back(line_of(line));
        return;
    }
    const auto request = requests_.find(std::string(message.id));
    std::string result(message.result);
    if (request != requests_.end() && !result.empty()) {
        switch (request->second.method) {
            case Method::kInitialize:
                serves_resources_ =
                    !json_member(json_member(result, "capabilities"), "resources").empty();
                result = with_resources(result);
                break;
            case Method::kTools: result = list_tools(result); break;
            case Method::kCall:
                result = try_cut(result, request->second.bound, now_ms, effects);
                break;
            case Method::kTemplates: result = with_template(result); break;
        }
    }
    if (request != requests_.end()) requests_.erase(request);
    const bool is_same = result == message.result;
    effects.to_client.push_back(is_same ? line_of(line) : rpc_result(message.id, result));
}

// Handles a message that is nested too deep or is not JSON-RPC. A short one that is not too deep is
// passed on unchanged. Otherwise, if the client waits for a response with this id, it receives the
// beginning of the text.
void McpWrap::pass_unparsed(std::string_view line, int64_t now_ms, Effects &effects) {
    const std::string id(id_of_unparsed(line));
    const auto request = requests_.find(id);
    const bool is_awaited = request != requests_.end();
    const CallBound bound = is_awaited ? request->second.bound : CallBound();
    if (is_awaited) requests_.erase(request);
    const bool is_deep = nesting_of(line) > kMaxNesting;
    if (!is_deep && line.size() <= max_tokens(bound)) {  // a token has at least one byte
        effects.to_client.push_back(line_of(line));
        return;
    }
    const char *why = is_deep ? "it is nested over 1,024 deep" : "it is not a message of JSON-RPC";
    const std::string what =
        "a message of " + std::to_string(line.size()) + " bytes cannot be read: " + why;
    effects.faults.push_back(what);
    if (!is_awaited) return;
    CallBound whole = bound;
    whole.lines = whole.query = "";
    std::string text = "error: the server's answer cannot be read: " + std::string(why) + "\n";
    std::string ref = "the rest is not kept";
    try {
        text += store_text(std::string(line), count(line), whole, now_ms, ref);
    } catch (const host::Failure &failure) {
        text += cut_bytes(line, max_tokens(bound));
    }
    const std::string answer_text = has_our_mark(line) ? cut_summary({{1, ref}}) : std::string();
    effects.to_client.push_back(rpc_result(id, text_result(text, true, answer_text)));
}

// Passes the result on whole if the session cannot store it now.
std::string McpWrap::try_cut(const std::string &result, const CallBound &bound, int64_t now_ms,
                             Effects &effects) {
    try {
        return cut_result(result, bound, now_ms);
    } catch (const host::Failure &failure) {
        effects.faults.push_back(failure.what());
        return result;
    }
}

// The tool `resolve`: all of a result, some lines, or the lines that contain a text.
std::string McpWrap::resolve(std::string_view arguments, int64_t now_ms) {
    accp_text answer_text;
    accp_error err = {};
    if (accp_session_answer(session_, arguments.data(), arguments.size(), now_ms, &answer_text,
                            &err) != ACCP_OK)
        return text_result("error: " + host::describe(err), true);
    const std::string_view text = host::to_view(answer_text);
    ++report_.resolved;
    count_result(0, count(text));
    const bool is_error = text.starts_with("error: ");
    return has_our_mark(text) ? text_result(text, is_error, cut_summary({}))
                              : text_result(text, is_error);
}

std::string McpWrap::describe(std::string_view arguments) const {
    const std::string name = json_text(json_member(arguments, "name"));
    const auto known = definitions_.find(name);
    if (known == definitions_.end()) return text_result("error: unknown tool " + name, true);
    return text_result(known->second, false);
}

// Adds our own tools to the server's. Removes their output schemas, because shortened results may
// not match them.
std::string McpWrap::list_tools(std::string_view result) {
    std::string tools;
    uint64_t whole = 0, given = 0;
    const auto add = [&](const std::string &tool) {
        given += count(model_view(tool));
        tools.append(tools.empty() ? "" : ",").append(tool);
    };
    for (const std::string_view tool : host::json_items(json_member(result, "tools"))) {
        const std::string name = json_text(json_member(tool, "name"));
        if (name == resolve_name_) resolve_name_ = "accp_resolve";
        if (name == describe_name_) describe_name_ = "accp_describe_tool";
        whole += count(model_view(tool));
        std::string kept = remove_member(tool, "outputSchema");
        const unsigned bounds = rules_.has_bounds ? added_bounds(tool) : 0;
        if (bounds) kept = with_bounds(kept, bounds);
        bounds_[name] = bounds;
        definitions_[name] = model_view(kept);
        add(rules_.lists_on_demand ? short_tool(tool) : kept);
    }
    if (json_member(result, "nextCursor").empty()) {
        const std::string resolve = resolve_tool(resolve_name_);
        add(rules_.has_bounds ? with_bound_descriptions(resolve) : resolve);
        if (rules_.lists_on_demand) add(describe_tool(describe_name_));
    }
    count_list(whole, given);
    return replace_member(result, "tools", "[" + tools + "]");
}

// Stores the whole text in the session, and returns the shortened one.
std::string McpWrap::store_text(const std::string &text, uint64_t tokens, const CallBound &bound,
                                int64_t now_ms, std::string &ref_out) {
    std::string message = R"({"agent":)";
    host::append_json_string(rules_.name, message);
    message += R"(,"intent":"done","operation":"tool","payload":)";
    host::append_json_string(text, message);
    message += '}';
    accp_error err = {};
    const accp_status status = Origin("*", false).take_message(session_, message, now_ms, err);
    // no session accepts the server's text, so it is shortened too
    if (status > 0 || status == ACCP_ERR_ARG || status == ACCP_ERR_SPACE) {
        ref_out = "the rest is not kept";
        return cut_bytes(text, max_tokens(bound)) + "[cut from " + std::to_string(tokens) +
               " tokens; the rest cannot be kept: " + host::describe(err) + "]";
    }
    host::check(status, err);
    const std::string ref = ref_out =
        "$cold.m" + std::to_string(accp_session_record_count(session_)) + ".payload";
    ++report_.cut;
    std::string given = bound.is_part() ? resolve_part(ref, bound, now_ms) : text;
    const uint64_t max = max_tokens(bound);
    if (!bound.is_part() || count(given) > max) given = cut_text(given, max, tokenizer_);
    return given + "[cut from " + std::to_string(tokens) + " tokens; the tool " + resolve_name_ +
           " has all of it: {\"ref\":\"" + ref +
           "\"}, with \"lines\":\"10-40\" or \"query\":\"a text\" a part]";
}

// The part that the tool resolve would return.
std::string McpWrap::resolve_part(const std::string &ref, const CallBound &bound, int64_t now_ms) {
    std::string arguments = "{\"ref\":\"" + ref + "\"";
    const auto add = [&](const char *name, const std::string &value) {
        if (value.empty()) return;
        arguments.append(",\"").append(name).append("\":");
        host::append_json_string(value, arguments);
    };
    add("lines", bound.lines);
    add("query", bound.query);
    arguments += '}';
    accp_text answer_text;
    accp_error err = {};
    host::check(accp_session_answer(session_, arguments.data(), arguments.size(), now_ms,
                                    &answer_text, &err),
                err);
    return std::string(host::to_view(answer_text));
}

uint64_t McpWrap::count(std::string_view text) {
    uint64_t tokens = 0;
    accp_error err = {};
    host::check(
        accp_counter_count(counter_.get(), text.data(), text.size(), UINT64_MAX, &tokens, &err),
        err);
    return tokens;
}

void McpWrap::count_list(uint64_t whole, uint64_t given) {
    report_.list_tokens_whole += whole;
    report_.list_tokens_given += given;
    report_.price_whole += whole * kWritePrice;
    report_.price_given += given * kWritePrice;
}

void McpWrap::count_result(uint64_t whole, uint64_t given) {
    WrapReport &report = report_;
    report.price_whole +=
        (report.list_tokens_whole + report.tokens_whole) * kCachedPrice * (whole != 0);
    report.price_given += (report.list_tokens_given + report.tokens_given) * kCachedPrice;
    report.tokens_whole += whole;
    report.tokens_given += given;
    report.price_whole += whole * kWritePrice;
    report.price_given += given * kWritePrice;
}

}  // namespace server
