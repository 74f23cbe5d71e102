// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "codec/error_message.h"

#include "base/text.h"
#include "value/json_writer.h"

namespace accp::codec {

namespace {

constexpr std::string_view kErrorSchema = "ER";

// Appends `before` and the text as a JSON string.
void put(std::string_view before, std::string_view text, Buffer<char> &json) {
    json.append(before);
    value::write_json_string(text, json);
}

// Returns the text of a scalar, because cid:42 and cid:"42" are the same id; empty: none.
accp_text scalar(value::TreeView tree, uint32_t parent, std::string_view key) {
    const uint32_t node = tree.find(parent, key);
    if (!node || value::is_container(tree[node].kind) || tree[node].kind == ACCP_NULL ||
        tree[node].kind == ACCP_BOOL)
        return {nullptr, 0};
    return {tree.string(node).data(), tree.string(node).size()};
}

accp_text text_of(value::TreeView tree, uint32_t parent, std::string_view key) {
    const uint32_t node = tree.find(parent, key);
    return node && tree[node].kind == ACCP_STRING ? scalar(tree, parent, key)
                                                  : accp_text{nullptr, 0};
}

}  // namespace

accp_status read_error_code(std::string_view text) {
    if (text.size() != 5 || text[0] != 'E' ||
        !((text[1] >= '1' && text[1] <= '5') || text[1] == '9'))
        return 0;
    accp_status code = 0;
    for (char c : text.substr(1)) {
        if (c < '0' || c > '9') return 0;
        code = code * 10 + (c - '0');
    }
    return code;
}

bool is_standard_code(accp_status code) {
    return code >= ACCP_E1001 && accp_status_meaning(code)[0];
}

void write_error_message(const accp_failure &failure, Buffer<char> &json) {
    const std::string_view message = to_view(failure.message);
    put("{\"agent\":", to_view(failure.agent), json);
    put(",\"intent\":\"fail\",\"operation\":\"error\",\"payload\":{\"code\":",
        accp_status_code_name(failure.code), json);
    put(",\"msg\":", message.empty() ? accp_status_name(failure.code) : message, json);
    const std::string_view retry =
        accp_status_is_retryable(failure.code) ? ",\"retry\":true" : ",\"retry\":false";
    json.append(retry);
    if (failure.detail.len) put(",\"detail\":", to_view(failure.detail), json);
    if (failure.source.len) put(",\"src\":", to_view(failure.source), json);
    put(",\"schema\":", kErrorSchema, json);
    json.push('}');
    if (failure.cid.len) {
        put(",\"meta\":{\"cid\":", to_view(failure.cid), json);
        json.push('}');
    }
    json.push('}');
}

bool read_error_message(value::TreeView tree, accp_failure &out) {
    const uint32_t payload = tree.find(0, "payload"), meta = tree.find(0, "meta");
    if (!payload || tree.string(tree.find(0, "intent")) != "fail" ||
        tree.string(tree.find(0, "operation")) != "error")
        return false;
    const uint32_t schema = tree.find(payload, "schema"), retry = tree.find(payload, "retry");
    if (schema && (tree[schema].kind != ACCP_STRING || tree.string(schema) != kErrorSchema))
        return false;
    const accp_text code = text_of(tree, payload, "code");
    const accp_status number = read_error_code(to_view(code));
    const bool has_retry = retry && tree[retry].kind == ACCP_BOOL;
    out.code = number ? number : ACCP_E9999;
    out.retry =
        has_retry ? (tree[retry].flags & ACCP_NODE_TRUE) != 0 : accp_status_is_retryable(out.code);
    out.agent = text_of(tree, 0, "agent");
    out.message = text_of(tree, payload, "msg");
    out.detail = text_of(tree, payload, "detail");
    out.source = text_of(tree, payload, "src");
    const accp_text linked =
        meta && tree[meta].kind == ACCP_MAP ? scalar(tree, meta, "cid") : accp_text{nullptr, 0};
    out.cid = linked.len ? linked : scalar(tree, payload, "cid");
    return true;
}

}  // namespace accp::codec
