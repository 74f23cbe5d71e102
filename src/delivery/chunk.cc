// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "delivery/chunk.h"

#include <charconv>
#include <string_view>

#include "base/text.h"
#include "base/utf8.h"
#include "delivery/streams.h"
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

// Reads a member that is an integer from 0. If the member is missing, `out` is unchanged. Returns
// false if it has another type or value.
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
        return wrong("a chunk must have a chunk_index from 0");
    if (!read_count(tree, payload, "total_chunks", out.total))
        return wrong("total_chunks must be an integer from 0");
    if (last && tree[last].kind != ACCP_BOOL && tree[last].kind != ACCP_NULL)
        return wrong("is_final must be true or false");
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
        return fail(ACCP_ERR_ARG, 0, "the intent must be `stream` or `end`");
    const uint32_t meta = tree.find(0, "meta");
    const uint32_t cid = meta && tree[meta].kind == ACCP_MAP ? tree.find(meta, "cid") : 0;
    const bool is_text = cid && (tree[cid].kind == ACCP_STRING || tree[cid].kind == ACCP_INT ||
                                 tree[cid].kind == ACCP_DEC);
    if (is_text) out.cid = {tree.string(cid).data(), tree.string(cid).size()};
    if (is_end) return {};
    if (!payload || tree[payload].kind != ACCP_MAP)
        return fail(ACCP_E1004, 0, "a chunk must have a payload");
    return read_payload(tree, payload, out, spelled);
}

// Splits long texts. The text is split before it is encoded for the wire, so an escape is never
// split. A combining mark stays with the character before it.

namespace {

// Code points that are drawn with the character before them: combining marks, variation selectors,
// the joiner, skin tones.
bool is_combining(uint32_t point) {
    return (point >= 0x300 && point <= 0x36F) || (point >= 0x20D0 && point <= 0x20FF) ||
           (point >= 0xFE00 && point <= 0xFE0F) || point == 0x200D ||
           (point >= 0x1F3FB && point <= 0x1F3FF) || (point >= 0xE0020 && point <= 0xE007F);
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Returns whether a split at `at` would separate a character from its mark or joiner.
bool splits_character(std::string_view text, size_t begin, size_t at) {
    const char *next = text.data() + at;
    if (is_combining(read_utf8(next))) return true;
    size_t before = at;
    while (before > begin && continues(text[before - 1])) --before;
    if (before == begin) return false;
    const char *last = text.data() + before - 1;
    return read_utf8(last) == 0x200D;
}

}  // namespace

size_t cut_text(std::string_view text, size_t begin, size_t max) {
    if (text.size() - begin <= max) return text.size();
    size_t end = begin + max;
    while (end > begin && continues(text[end])) --end;
    if (end == begin) {  // one code point is longer than `max`
        const char *at = text.data() + begin;
        read_utf8(at);
        return static_cast<size_t>(at - text.data());
    }
    size_t better = end;
    while (better > begin && splits_character(text, begin, better)) do
            --better;
        while (better > begin && continues(text[better]));
    return better > begin ? better : end;
}

}  // namespace accp::delivery
