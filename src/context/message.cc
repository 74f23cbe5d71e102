// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes one of two forms: the render form if no text needs lines of its own; else short members in
// one block, and each text after its key.
#include "context/message.h"

#include <algorithm>

#include "base/sha256.h"
#include "base/text.h"
#include "context/lines.h"
#include "context/text_fields.h"
#include "context/untrusted_text.h"
#include "value/json_writer.h"

namespace accp::context {

namespace {

constexpr size_t kNameDigits = 16;

// bytes; a longer text gets a line of its own
constexpr size_t kLineText = 120;

// Returns whether the members have several texts, or one that is long or needs escapes.
bool needs_lines(value::TreeView tree, uint32_t payload) {
    uint32_t texts = 0;
    for (uint32_t i = payload + 1; i < tree[payload].next; ++i) {
        if (!is_text(tree, i)) continue;
        const std::string_view text = tree.string(i);
        if (++texts > 1 || text.size() > kLineText || needs_escapes(text)) return true;
    }
    return false;
}

bool is_media_line(std::string_view line) {
    static constexpr std::string_view kKinds[] = {"[image", "[document", "[audio"};
    if (line.empty() || line[0] != '[' || line.back() != ']') return false;
    if (line.find(", sha256 ") == line.npos && line.find("://") == line.npos) return false;
    return std::any_of(std::begin(kKinds), std::end(kKinds), [&](std::string_view kind) {
        return line.substr(0, kind.size()) == kind &&
               (line[kind.size()] == ' ' || line[kind.size()] == ',');
    });
}

}  // namespace

size_t count_media(const message::Message &message) {
    const value::TreeView tree = message.tree;
    const uint32_t begin = message.payload;
    const uint32_t end = value::is_container(tree[begin].kind) ? tree[begin].next : begin + 1;
    size_t count = 0;
    for (uint32_t i = begin; i < end; ++i) {
        if (tree[i].kind != ACCP_STRING) continue;
        const std::string_view text = tree.string(i);
        for (size_t at = 0; at < text.size();) count += is_media_line(next_whole_line(text, at));
    }
    return count;
}

Source source_of(const message::Message &message) {
    bool asks = message.intent == "req" || message.intent == "qry" || message.intent == "esc";
    if (message.operation == "notify" || message.intent == "sync") return Source::kGuide;
    if (!asks) return Source::kResult;
    return message.find("arguments") ? Source::kAct : Source::kTask;
}

message::Message without_call_id(const message::Message &message, Arena &arena) {
    const uint32_t id = message.operation == "tool" ? message.find("call_id") : 0;
    if (!id || value::is_container(message.tree[id].kind)) return message;
    const uint32_t begin = message.payload, count = message.tree[begin].next - begin - 1;
    auto *nodes = arena.allocate<value::Node>(count);
    for (uint32_t i = 0; i < count; ++i) {
        nodes[i] = message.tree[begin + i + (begin + i >= id)];
        nodes[i].next -= begin + (nodes[i].next > id);
    }
    --nodes[0].len;
    message::Message without = message;
    without.tree.nodes = nodes;
    without.payload = 0;
    return without;
}

bool has_text(const message::Message &message) {
    return message.tree[message.payload].kind == ACCP_STRING ||
           holds_text(message.tree, message.payload);
}

void put_name(std::string_view name, size_t max_bytes, Buffer<char> &out) {
    if (name.size() <= max_bytes) return out.append(name);
    const Digest digest = sha256(name);
    out.append(name.substr(0, max_bytes - 1 - kNameDigits));
    out.push('~');
    out.append(digest.first(kNameDigits));
}

void write_author(const message::Message &message, Buffer<char> &out) {
    put_name(message.agent, kMaxHeadName, out);
    if (message.untrusted) out.append(kUntrustedAuthor);
}

void write_head(const message::Message &message, Buffer<char> &out) {
    if (message.untrusted) out.append(kUntrustedHead);
    out.push('@');
    put_name(message.agent, kMaxHeadName, out);
    out.push(' ');
    put_name(message.intent, kMaxHeadName / 2, out);
    out.push(':');
    put_name(message.operation, kMaxHeadName, out);
}

void write_closed_head(std::string_view line, uint64_t number, Buffer<char> &out) {
    const bool untrusted = line.substr(0, kUntrustedHead.size()) == kUntrustedHead;
    if (untrusted) line.remove_prefix(kUntrustedHead.size());
    line.remove_prefix(1);  // @
    const size_t agent = line.find(' ');
    out.append(line.substr(0, agent));
    out.push('@');
    append_decimal(number, out);
    line.remove_prefix(agent + 1);
    const size_t end = std::min(line.find(' '), line.size());
    const std::string_view what = line.substr(0, end);
    if (untrusted) out.append(kUntrustedAuthor);
    if (what != "req:tool" && what != "done:tool") {
        out.push(' ');
        out.append(what);
    }
    out.push(':');
    out.append(line.substr(end));
}

void write_message(const message::Message &message, Memory &memory, Arena &arena, uint64_t seed,
                   Buffer<char> &out) {
    const value::TreeView tree = message.tree;
    const uint32_t payload = message.payload;
    write_head(message, out);
    render::RenderWriter writer(memory, arena, seed);
    if (tree[payload].kind == ACCP_STRING && is_text(tree, payload)) {
        Buffer<char> text(memory);
        text.push('\n');  // the text begins on a line of its own
        text.append(tree.string(payload));
        write_untrusted({text.data(), text.size()}, out);
    } else if (tree[payload].kind == ACCP_MAP && needs_lines(tree, payload)) {
        TextFields(tree, memory, arena, writer, out).write(payload);
    } else {
        Buffer<char> text(memory);
        render::RenderStyle style;
        style.one_line = true;
        if (tree[payload].kind == ACCP_MAP) {
            writer.fields(tree, payload, style, " ", text);
        } else {
            text.push(' ');
            writer.value(tree, payload, style, text);
        }
        write_untrusted({text.data(), text.size()}, out);
    }
    out.push('\n');
}

void write_json_message(const message::Message &message, Memory &memory, Buffer<char> &out) {
    write_head(message, out);
    Buffer<char> json(memory);
    value::write_json(message.tree, message.payload, json);
    out.push(' ');
    write_untrusted({json.data(), json.size()}, out);
    out.push('\n');
}

}  // namespace accp::context
