// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds the facts of a message. The entity is the first member of the payload whose value is a
// name, or else the agent and the operation. The attribute is the path of keys. A list is one
// value. Texts and results of tools are not facts.
#include "context/facts.h"

#include <algorithm>

#include "base/limits.h"
#include "base/pack.h"
#include "context/untrusted_text.h"

namespace accp::context {

namespace {

constexpr size_t kMaxEntityBytes = 64, kMaxAttributeBytes = 64, kMaxValueBytes = 160;

bool is_plain(std::string_view text, size_t max) { return text.size() <= max && is_one_word(text); }

struct FactWalk {
    const message::Message &message;
    const value::TreeView tree;
    uint64_t number;
    FactScratch &scratch;
    Buffer<char> &out;
    Buffer<char> &path = scratch.path, &value = scratch.value, &entity = scratch.entity;
    uint32_t subject = 0;
    bool all = true;  // every member so far is a fact

    FactWalk(const message::Message &message, uint64_t number, FactScratch &scratch,
             Buffer<char> &out)
        : message(message), tree(message.tree), number(number), scratch(scratch), out(out) {
        for (Buffer<char> *text : {&path, &value, &entity, &scratch.author})
            text->recycle(kKeptBytes);
        scratch.records.clear();
        write_author(message, scratch.author);
        choose_subject();
    }

    // Sets the entity to `key:value`, or to the agent and the operation.
    void choose_subject() {
        for (uint32_t i = message.payload + 1; i < tree[message.payload].next && !subject;
             i = tree[i].next)
            if (tree[i].kind == ACCP_STRING && is_bare_untrusted_key(tree.key(i)) &&
                is_plain(tree.string(i), kMaxEntityBytes))
                subject = i;
        if (subject) {
            write_untrusted_key(tree.key(subject), entity);
            entity.push(':');
            entity.append(tree.string(subject));
        } else {
            put_name(message.agent, kMaxHeadName, entity);
            entity.push('.');
            put_name(message.operation, kMaxHeadName, entity);
        }
    }

    // Returns false if the value is too long for a fact.
    bool write_value(uint32_t node) {
        value.clear();
        if (tree[node].kind == ACCP_STRING) {
            if (!is_plain(tree.string(node), kMaxValueBytes)) return false;
            value.append(tree.string(node).data(), tree[node].len);
            return true;
        }
        if (value::is_container(tree[node].kind) && tree[node].next - node > kMaxValueBytes)
            return false;
        render::RenderStyle style;
        style.one_line = style.untrusted = true;
        scratch.writer.value(tree, node, style, value);
        return value.size() <= kMaxValueBytes;
    }

    void fact(uint32_t node) {
        if (scratch.records.size() >= kMaxFacts || !write_value(node)) {
            all = false;
            return;
        }
        const size_t parent = path.size();
        write_untrusted_key(tree.key(node), path);
        if (path.size() <= kMaxAttributeBytes) {
            scratch.records.push(out.size());
            Fact said;
            said.number = number;
            said.author = scratch.author.view();
            said.entity = entity.view();
            said.attribute = path.view();
            said.value = value.view();
            write_fact(said, out);
        } else {
            all = false;
        }
        path.resize_down(parent);
    }

    void walk() {
        Buffer<uint64_t> &levels = scratch.levels;
        levels.clear();
        levels.push(uint64_t{tree[message.payload].next} << 32);
        for (uint32_t i = message.payload + 1; levels.size();) {
            const uint64_t level = levels[levels.size() - 1];
            if (i >= level >> 32) {
                levels.resize_down(levels.size() - 1);
                path.resize_down(static_cast<uint32_t>(level));
                continue;
            }
            if (tree[i].kind == ACCP_MAP && tree[i].len &&
                path.size() + tree[i].key_len < kMaxAttributeBytes) {
                levels.push(uint64_t{tree[i].next} << 32 | path.size());
                write_untrusted_key(tree.key(i), path);
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

bool write_facts(const message::Message &message, uint64_t number, FactScratch &scratch,
                 Buffer<char> &out) {
    if (message.operation == "tool" || message.tree[message.payload].kind != ACCP_MAP) return false;
    FactWalk walk(message, number, scratch, out);
    walk.walk();
    if (!walk.all || scratch.records.empty()) return false;
    for (const size_t at : scratch.records) out[at] = 1;  // Fact::stated is the first byte
    return true;
}

void write_fact(const Fact &fact, Buffer<char> &out) {
    Packer packer(out);
    packer.number(fact.stated);
    packer.number(fact.number);
    for (std::string_view text : {fact.author, fact.entity, fact.attribute, fact.value})
        packer.text(text);
}

bool read_fact(std::string_view &records, Fact &out) {
    Unpacker in(records);
    out.stated = in.number() != 0;
    out.number = in.number();
    for (std::string_view *text : {&out.author, &out.entity, &out.attribute, &out.value})
        *text = in.text();
    const char *first = out.author.data(), *last = out.entity.data() + out.entity.size();
    out.about = {first, in.ok() ? static_cast<size_t>(last - first) : 0};
    out.record = records.substr(0, records.size() - in.rest().size());
    records = in.rest();
    return in.ok();
}

bool are_facts(std::string_view records) {
    for (Fact fact; !records.empty();)
        if (!read_fact(records, fact)) return false;
    return true;
}

}  // namespace accp::context
