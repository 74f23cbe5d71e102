// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See message.h. Two forms: where no text has lines of its own, the render form as it is; else what is short in one block, and each text behind its key.
#include "context/message.h"

#include "render/write.h"

namespace accp {

namespace {

constexpr size_t kShortText = 40;  // bytes; up to here a text with spaces is a value among others

bool is_text(TreeView tree, uint32_t node) {
    if (tree[node].kind != ACCP_STRING) return false;
    std::string_view text = tree.string(node);
    return text.find('\n') != text.npos || (text.size() > kShortText && text.find(' ') != text.npos);
}

bool holds_text(TreeView tree, uint32_t node) {
    uint32_t end = is_container(tree[node].kind) ? tree[node].next : node + 1;
    for (uint32_t i = node; i < end; ++i)
        if (is_text(tree, i)) return true;
    return false;
}

void put(Buffer<char> &out, std::string_view text) { out.append(text.data(), text.size()); }

// A text as it is, but for a line that would look like a message.
void put_raw(std::string_view text, Buffer<char> &out) {
    while (!text.empty()) {
        size_t end = text.find('\n');
        std::string_view line = text.substr(0, end == text.npos ? text.size() : end);
        if (!line.empty() && line[0] == '@' && out.size() && out[out.size() - 1] == '\n') out.push(' ');
        put(out, line);
        text.remove_prefix(line.size());
        if (text.empty()) break;
        out.push('\n');
        text.remove_prefix(1);
    }
    while (out.size() && out[out.size() - 1] == '\n') out.resize_down(out.size() - 1);
}

// The texts of a map and of what is in it, each on lines of its own; before them, what is no text.
struct TextFields {
    TreeView tree;
    Arena &arena;
    RenderWriter &writer;
    Buffer<char> &out;

    struct Level {
        uint32_t end;
        size_t path;
        bool array;
    };
    Buffer<Level> levels;
    Buffer<char> path;

    TextFields(TreeView tree, Memory &memory, Arena &arena, RenderWriter &writer, Buffer<char> &out)
        : tree(tree), arena(arena), writer(writer), out(out), levels(memory), path(memory) {}

    // The members of a map that hold no text.
    void block(uint32_t map) {
        auto *nodes = arena.take<uint32_t>(tree[map].len + 1);
        uint32_t count = 0;
        for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
            if (!holds_text(tree, i)) nodes[count++] = i;
        if (!count || tree[map].kind != ACCP_MAP) return;
        if (path.size()) {
            out.push('\n');
            out.append(path.data(), path.size() - 1);
        }
        out.push(' ');
        RenderStyle style;
        style.one_line = true;
        writer.block(tree, nodes, count, style, out);
    }
    void enter(uint32_t map) {
        block(map);
        levels.push({tree[map].next, path.size(), tree[map].kind == ACCP_ARRAY});
    }
    void text(uint32_t node) {
        out.push('\n');
        out.append(path.data(), path.size());
        put(out, name(node));
        put(out, ": ");
        if (tree[node].kind == ACCP_STRING) return put_raw(tree.string(node), out);
        RenderStyle style;
        style.one_line = true;
        writer.value(tree, node, style, out);
    }
    std::string_view name(uint32_t node) const { return tree[node].key_len ? tree.key(node) : std::string_view("-"); }
    void walk(uint32_t root) {
        enter(root);
        for (uint32_t i = root + 1; levels.size();) {
            if (i >= levels[levels.size() - 1].end) {
                levels.resize_down(levels.size() - 1);
                if (levels.size()) path.resize_down(levels[levels.size() - 1].path);
                continue;
            }
            const bool deep = is_container(tree[i].kind) && holds_text(tree, i);
            if (is_text(tree, i) || (levels[levels.size() - 1].array && !deep)) text(i);
            if (!deep) {
                i = tree[i].next;
                continue;
            }
            put(path, name(i));
            path.push('.');
            enter(i);
            ++i;
        }
    }
};

}  // namespace

Source source_of(const ContextMessage &message) {
    bool asks = message.intent == "req" || message.intent == "qry" || message.intent == "esc";
    if (message.operation == "notify" || message.intent == "sync") return Source::kGuide;
    if (!asks) return Source::kResult;
    return message.tree.find(message.payload, "arguments") ? Source::kAct : Source::kTask;
}

bool has_text(const ContextMessage &message) { return holds_text(message.tree, message.payload); }

void write_message(const ContextMessage &message, Memory &memory, Arena &arena, uint64_t seed, Buffer<char> &out) {
    auto name = [&out](char before, std::string_view text) {
        out.push(before);
        put(out, text);
    };
    if (message.untrusted) put(out, kUntrustedHead);
    name('@', message.agent);
    name(' ', message.intent);
    name(':', message.operation);
    RenderWriter writer(memory, arena, seed);
    bool lines = false;
    uint32_t texts = 0;
    for (uint32_t i = message.payload + 1; i < message.tree[message.payload].next; ++i) {
        if (!is_text(message.tree, i)) continue;
        ++texts;
        lines |= message.tree.string(i).find('\n') != std::string_view::npos;
    }
    if (lines || texts > 1) {
        TextFields(message.tree, memory, arena, writer, out).walk(message.payload);
    } else {
        RenderStyle style;
        style.one_line = true;
        writer.fields(message.tree, message.payload, style, " ", out);
    }
    out.push('\n');
}

}  // namespace accp
