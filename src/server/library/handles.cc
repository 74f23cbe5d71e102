// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/library/handles.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "server/library/failure.h"

namespace host {
namespace {

void check(accp_status status, const accp_error &err, const std::string &what) {
    if (status != ACCP_OK) throw Failure(what + ": " + message_of(err));
}

// A code point. For an invalid byte: the byte, with length 0.
struct CodePoint {
    uint32_t number;
    size_t bytes;
};

CodePoint code_point(std::string_view text) {
    const unsigned char lead = static_cast<unsigned char>(text[0]);
    const size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead < 0x80) return {lead, 1};
    if (bytes == 1 || lead >= 0xF8 || bytes > text.size()) return {lead, 0};
    uint32_t number = lead & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; ++i) {
        const unsigned char c = static_cast<unsigned char>(text[i]);
        if ((c & 0xC0u) != 0x80u) return {lead, 0};
        number = number << 6 | (c & 0x3Fu);
    }
    return {number, bytes};
}

// Controls, zero-width characters, direction marks and overrides, and tags. A terminal interprets
// them, but does not show them.
bool is_unseen(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x180E ||
           (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) ||
           (c >= 0xE0000 && c <= 0xE007F);
}

std::string counted(uint32_t count, const char *one, const char *many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

// Returns a container's count, or nothing for a scalar.
std::string container_shown(const accp_node &node) {
    if (node.kind == ACCP_ARRAY) return counted(node.len, "element", "elements");
    if (node.kind == ACCP_MAP) return counted(node.len, "entry", "entries");
    return {};
}

}  // namespace

Handle<accp_config> new_config() {
    accp_error err = {};
    accp_config *config = nullptr;
    check(accp_config_new(&config, &err), err, "config");
    return Handle<accp_config>(config);
}

Handle<accp_frame> new_frame(const accp_config *config) {
    accp_error err = {};
    accp_frame *frame = nullptr;
    check(accp_frame_new(config, &frame, &err), err, "frame");
    return Handle<accp_frame>(frame);
}

Handle<accp_value> new_value(const accp_config *config) {
    accp_error err = {};
    accp_value *value = nullptr;
    check(accp_value_new(config, &value, &err), err, "value");
    return Handle<accp_value>(value);
}

Handle<accp_codec> new_codec(const accp_config *config) {
    accp_error err = {};
    accp_codec *codec = nullptr;
    check(accp_codec_new(config, &codec, &err), err, "codec");
    return Handle<accp_codec>(codec);
}

Handle<accp_render> new_render(const accp_config *config) {
    accp_error err = {};
    accp_render *render = nullptr;
    check(accp_render_new(config, &render, &err), err, "render");
    return Handle<accp_render>(render);
}

Handle<accp_counter> new_counter(const accp_tokenizer *tokenizer, const accp_config *config) {
    accp_error err = {};
    accp_counter *counter = nullptr;
    check(accp_counter_new(tokenizer, config, &counter, &err), err, "counter");
    return Handle<accp_counter>(counter);
}

uint64_t count_tokens(accp_counter &counter, std::string_view text) {
    uint64_t tokens = 0;
    accp_error err = {};
    check(accp_counter_count(&counter, text.data(), text.size(), UINT64_MAX, &tokens, &err), err,
          "counter");
    return tokens;
}

Tree tree_of(const accp_frame *frame) {
    Tree tree;
    tree.nodes = accp_frame_nodes(frame, &tree.count);
    const accp_text text = accp_frame_text(frame);
    tree.text = text.text;
    tree.text_len = text.len;
    return tree;
}

Tree tree_of(const accp_value *value) {
    Tree tree;
    tree.nodes = accp_value_nodes(value, &tree.count);
    const accp_text text = accp_value_text(value);
    tree.text = text.text;
    tree.text_len = text.len;
    return tree;
}

const char *kind_name(const accp_node &node) {
    static constexpr const char *kNames[] = {"",    "null", "bool",  "int", "dec", "number",
                                             "str", "ref",  "array", "map", "name"};
    return node.kind < sizeof kNames / sizeof kNames[0] ? kNames[node.kind] : "";
}

std::string shown(const accp_frame *frame, uint32_t i) {
    const Tree tree = tree_of(frame);
    const accp_node &node = tree.nodes[i];
    std::string text = container_shown(node);
    if (!text.empty()) return text;
    std::string plain(node.len, '\0');
    size_t length = 0;
    if (accp_frame_string(frame, i, plain.data(), plain.size(), &length, nullptr) != ACCP_OK)
        length = 0;
    if (node.kind == ACCP_REF) text += '$';
    append_printable({plain.data(), length}, text);
    return text;
}

std::string shown(const Tree &value, uint32_t i) {
    const accp_node &node = value.nodes[i];
    std::string text = container_shown(node);
    if (!text.empty()) return text;
    if (node.kind == ACCP_NULL) return "null";
    if (node.kind == ACCP_BOOL) return (node.flags & ACCP_NODE_TRUE) != 0 ? "true" : "false";
    if (node.kind == ACCP_REF) text += '$';
    append_printable(value.raw(i), text);
    return text;
}

void append_printable(std::string_view text, std::string &out) {
    while (!text.empty()) {
        const CodePoint c = code_point(text);
        if (c.bytes == 0 || is_unseen(c.number)) {
            char escape[12];
            std::snprintf(escape, sizeof escape, c.bytes == 0 ? "\\x%02X" : "\\u%04X", c.number);
            out += escape;
        } else {
            out.append(text, 0, c.bytes);
        }
        text.remove_prefix(std::max<size_t>(c.bytes, 1));
    }
}

std::string printable_excerpt(std::string_view text, size_t max_bytes) {
    const bool is_cut = text.size() > max_bytes;
    std::string line, shown;
    for (const char c : text.substr(0, max_bytes))
        line += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    while (is_cut && !line.empty() && (line.back() & 0x80)) line.pop_back();
    line.erase(line.find_last_not_of(' ') + 1);
    append_printable(line, shown);
    return is_cut ? shown + "…" : shown;
}

}  // namespace host
