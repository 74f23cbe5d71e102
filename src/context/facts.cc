// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The facts of a message: what its payload states in names and numbers. The entity is what the payload is about: its first member whose value is a name,
// or else the agent and the operation. The attribute is the path of keys. A list is one value; a text is none. What a tool pours out is not stated.
#include "context/learn.h"
#include "context/weights.h"
#include "render/write.h"

namespace accp {

namespace {

constexpr size_t kMostEntityBytes = 64, kMostAttributeBytes = 64, kMostValueBytes = 160;

bool is_plain(std::string_view text, size_t most) {
    if (text.empty() || text.size() > most) return false;
    for (char c : text)
        if (static_cast<unsigned char>(c) <= ' ') return false;
    return true;
}

struct FactWalk {
    const ContextMessage &message;
    const TreeView tree;
    uint32_t number;
    RenderWriter &writer;
    Buffer<char> &out;
    Buffer<char> path, value;
    std::string_view entity;
    uint32_t subject = 0, written = 0;

    // `key:value` of the subject, as it stands at the head of a line of facts.
    void choose_subject(Buffer<char> &name) {
        for (uint32_t i = message.payload + 1; i < tree[message.payload].next && !subject; i = tree[i].next)
            if (tree[i].kind == ACCP_STRING && tree[i].key_len <= kMostEntityBytes && is_plain(tree.string(i), kMostEntityBytes))
                subject = i;
        auto put = [&name](std::string_view text) { name.append(text.data(), text.size()); };
        if (subject) {
            put(tree.key(subject));
            name.push(':');
            put(tree.string(subject));
        } else {
            put(message.agent);
            name.push('.');
            put(message.operation);
        }
        entity = {name.data(), name.size()};
    }

    void fact(uint32_t node) {
        value.clear();
        if (tree[node].kind == ACCP_STRING) {
            if (!is_plain(tree.string(node), kMostValueBytes)) return;
            value.append(tree.string(node).data(), tree[node].len);
        } else {
            RenderStyle style;
            style.one_line = true;
            writer.value(tree, node, style, value);
        }
        std::string_view key = tree.key(node);
        size_t len = message.agent.size() + entity.size() + path.size() + key.size() + value.size();
        if (value.empty() || value.size() > kMostValueBytes || path.size() + key.size() > kMostAttributeBytes || len > kMostItemBytes)
            return;
        if (std::string_view(value.data(), value.size()).find('\n') != std::string_view::npos) return;
        if (written++ >= kMostFacts) return;
        const uint32_t head[3] = {number, static_cast<uint32_t>(len),
                                  fact_lengths(message.agent.size(), entity.size(), path.size() + key.size())};
        auto put = [this](std::string_view text) { out.append(text.data(), text.size()); };
        put({reinterpret_cast<const char *>(head), sizeof head});
        put(message.agent);
        put(entity);
        put({path.data(), path.size()});
        put(key);
        put({value.data(), value.size()});
    }

    void walk(Buffer<uint64_t> &levels) {
        levels.push(uint64_t{tree[message.payload].next} << 32);
        for (uint32_t i = message.payload + 1; levels.size();) {
            const uint64_t level = levels[levels.size() - 1];
            if (i >= level >> 32) {
                levels.resize_down(levels.size() - 1);
                path.resize_down(static_cast<uint32_t>(level));
                continue;
            }
            if (tree[i].kind == ACCP_MAP && tree[i].len && path.size() + tree[i].key_len < kMostAttributeBytes) {
                levels.push(uint64_t{tree[i].next} << 32 | path.size());
                path.append(tree.key(i).data(), tree[i].key_len);
                path.push('.');
                ++i;
                continue;
            }
            if (i != subject) fact(i);
            i = tree[i].next;
        }
    }
};

}  // namespace

void write_facts(const ContextMessage &message, uint32_t number, Memory &memory, Arena &arena, uint64_t seed, Buffer<char> &out) {
    RenderWriter writer(memory, arena, seed);
    Buffer<char> name(memory);
    Buffer<uint64_t> levels(memory);
    FactWalk walk = {message, message.tree, number, writer, out, Buffer<char>(memory), Buffer<char>(memory), {}, 0, 0};
    walk.choose_subject(name);
    const size_t before = out.size();
    walk.walk(levels);
    if (message.operation != "tool" || walk.written <= kMostToolFacts) return;
    for (size_t at = before; at < out.size();) {  // what is known must not stand there as it was
        uint32_t head[3];
        std::memcpy(head, out.data() + at, sizeof head);
        head[0] |= kOnlyReplaces;
        std::memcpy(out.data() + at, head, sizeof head);
        at += sizeof head + head[1];
    }
}

}  // namespace accp
