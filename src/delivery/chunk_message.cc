// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See chunk_message.h.
#include "delivery/chunk_message.h"

#include <charconv>

#include "base/text.h"
#include "value/json_writer.h"

namespace accp::delivery {

namespace {

void put_string(std::string_view before, accp_text text, Buffer<char> &json) {
    json.append(before);
    value::write_json_string(to_view(text), json);
}

void put_number(std::string_view before, int64_t number, Buffer<char> &json) {
    json.append(before);
    append_decimal(number, json);
}

// A whole number from 0 of the payload into `out`, which stays as it is where there is none; false
// where it is something else.
bool read_count(value::TreeView tree, uint32_t payload, std::string_view key, int64_t &out) {
    const uint32_t node = tree.find(payload, key);
    if (!node || tree[node].kind == ACCP_NULL) return true;
    const std::string_view digits = tree.string(node);
    return tree[node].kind == ACCP_INT && digits[0] != '-' &&
           std::from_chars(digits.data(), digits.data() + digits.size(), out).ec == std::errc{};
}

Status read_payload(value::TreeView tree, uint32_t payload, accp_chunk &out,
                    Buffer<char> &spelled) {
    auto wrong = [](const char *message) { return fail(ACCP_E1004, 0, message); };
    const uint32_t data = tree.find(payload, "data"), last = tree.find(payload, "is_final");
    out.index = -1;
    if (!read_count(tree, payload, "chunk_index", out.index) || out.index < 0)
        return wrong("a chunk has a chunk_index from 0");
    if (!read_count(tree, payload, "total_chunks", out.total))
        return wrong("total_chunks is a whole number");
    if (last && tree[last].kind != ACCP_BOOL && tree[last].kind != ACCP_NULL)
        return wrong("is_final is true or false");
    out.is_final = last && (tree[last].flags & ACCP_NODE_TRUE) != 0;
    if (!data || tree[data].kind == ACCP_NULL) return {};
    if (tree[data].kind == ACCP_STRING) {
        out.data = {tree.string(data).data(), tree.string(data).size()};
        return {};
    }
    value::write_json(tree, data, spelled);
    spelled.push('\n');
    out.data = {spelled.data(), spelled.size()};
    return {};
}

}  // namespace

void write_chunk_message(const accp_chunk &chunk, accp_text agent, accp_text operation, bool named,
                         Buffer<char> &json) {
    put_string("{\"agent\":", agent, json);
    put_string(",\"intent\":\"stream\",\"operation\":", operation, json);
    put_number(",\"payload\":{\"chunk_index\":", chunk.index, json);
    if (chunk.total) put_number(",\"total_chunks\":", chunk.total, json);
    put_string(",\"data\":", chunk.data, json);
    if (chunk.is_final) json.append(",\"is_final\":true");
    if (named) json.append(",\"schema\":\"ST\"");
    put_string("},\"meta\":{\"cid\":", chunk.cid, json);
    json.append("}}");
}

Status read_chunk_message(value::TreeView tree, bool &is_end, accp_chunk &out,
                          Buffer<char> &spelled) {
    out = {};
    const bool is_map = tree[0].kind == ACCP_MAP;
    const uint32_t intent = is_map ? tree.find(0, "intent") : 0,
                   payload = is_map ? tree.find(0, "payload") : 0;
    is_end = intent && tree.string(intent) == "end";
    if (!intent || (!is_end && tree.string(intent) != "stream"))
        return fail(ACCP_ERR_ARG, 0, "neither `stream` nor `end`");
    const uint32_t meta = tree.find(0, "meta");
    const uint32_t cid = meta && tree[meta].kind == ACCP_MAP ? tree.find(meta, "cid") : 0;
    const bool is_text = cid && (tree[cid].kind == ACCP_STRING || tree[cid].kind == ACCP_INT ||
                                 tree[cid].kind == ACCP_DEC);
    if (is_text) out.cid = {tree.string(cid).data(), tree.string(cid).size()};
    if (is_end) return {};
    if (!payload || tree[payload].kind != ACCP_MAP)
        return fail(ACCP_E1004, 0, "a chunk has a payload");
    return read_payload(tree, payload, out, spelled);
}

}  // namespace accp::delivery
