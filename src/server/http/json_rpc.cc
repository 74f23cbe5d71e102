// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/json_rpc.h"

#include <cstdlib>

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {

using host::json_member;

namespace {

// A string or an integer. Null is only for replies to unreadable requests.
bool is_id(std::string_view json) {
    if (json[0] == '"') return true;
    return json.find_first_not_of("-0123456789") == std::string_view::npos;
}

// Returns the error in a message; nullptr: none.
const char *find_fault(const RpcMessage &message) {
    const std::string_view text = message.text;
    if (text[0] == '[') return "batches are not supported: send one message at a time";
    if (text[0] != '{') return "a message must be an object";
    if (json_member(text, "jsonrpc") != "\"2.0\"") return "jsonrpc must be \"2.0\"";
    if (!message.id.empty() && !is_id(message.id)) return "an id must be a string or an integer";
    const std::string_view params = message.params;
    if (!params.empty() && params[0] != '{') return "params must be an object";
    if (!message.method.empty()) return nullptr;
    if (!json_member(text, "method").empty()) return "a method must be a name";
    if (message.result.empty() == message.error.empty())
        return "a request needs a method, a response either a result or an error";
    return message.id.empty() ? "a response needs an id" : nullptr;
}

}  // namespace

bool read_rpc(std::string_view text, RpcMessage &out, std::string &refusal) {
    try {
        out.text = host::compact_json(text);
    } catch (const host::Failure &failure) {
        refusal = rpc_error({}, kRpcParseError, failure.what());
        return false;
    }
    out.id = json_member(out.text, "id");
    out.method = host::json_word(json_member(out.text, "method"));
    out.params = json_member(out.text, "params");
    out.result = json_member(out.text, "result");
    out.error = json_member(out.text, "error");
    const char *fault = find_fault(out);
    if (!fault) return true;
    const bool can_answer = !out.id.empty() && is_id(out.id);
    refusal = rpc_error(can_answer ? out.id : std::string_view(), kRpcInvalidRequest, fault);
    return false;
}

std::string rpc_result(std::string_view id, std::string_view result) {
    std::string text = "{\"jsonrpc\":\"2.0\",\"id\":";
    return text.append(id).append(",\"result\":").append(result).append("}");
}

std::string rpc_error(std::string_view id, RpcCode code, std::string_view message,
                      std::string_view data) {
    std::string text = "{\"jsonrpc\":\"2.0\",\"id\":";
    text.append(id.empty() ? "null" : id).append(",\"error\":{\"code\":");
    text.append(std::to_string(code)).append(",\"message\":");
    host::append_json_string(message, text);
    if (!data.empty()) text.append(",\"data\":").append(data);
    return text.append("}}");
}

int rpc_error_code(std::string_view answer) {
    const std::string_view error = json_member(answer, "error");
    return std::atoi(std::string(json_member(error, "code")).c_str());
}

std::string rpc_notification(std::string_view method, std::string_view params) {
    std::string text = "{\"jsonrpc\":\"2.0\",\"method\":";
    host::append_json_string(method, text);
    if (!params.empty()) text.append(",\"params\":").append(params);
    return text.append("}");
}

}  // namespace server
