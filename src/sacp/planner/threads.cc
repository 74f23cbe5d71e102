// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/planner/threads.h"

#include "base/random.h"
#include "base/text.h"
#include "sacp/message/message.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr uint32_t kMaxIndent = 32;
constexpr std::string_view kKindNames[] = {"root", "reply", "orphan", "duplicate", "cycle"};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

}  // namespace

Threads::Threads(Memory &memory)
    : reader_(memory),
      value_(memory),
      messages_(memory),
      ids_(memory),
      id_index_(memory),
      seed_(random_seed()) {}

uint64_t Threads::hash_of(std::string_view id) const {
    return seeded_hash(id.data(), id.size(), seed_);
}

uint32_t Threads::find(std::string_view wanted) const {
    return static_cast<uint32_t>(
               id_index_.find(hash_of(wanted),
                              [&](uint64_t place) { return id(messages_[place - 1]) == wanted; })) -
           1;  // 0 becomes kNone
}

bool Threads::read(std::string_view text, uint64_t max_line_bytes, Verdict &verdict) {
    messages_.recycle(kKeptBytes);
    ids_.recycle(kKeptBytes);
    id_index_.recycle(kKeptBytes);
    first_ = kNone;
    verdict.clear();
    uint64_t line = 1;
    for (size_t at = 0; at < text.size(); ++line) {
        const std::string_view one = text.substr(at, text.find('\n', at) - at);
        if (!is_blank(one) && !add(one, line, max_line_bytes, verdict)) {
            verdict.add_offset(at);
            return false;
        }
        at += one.size() + 1;
    }
    find_parents();
    break_cycles();
    link_replies();
    return true;
}

bool Threads::add(std::string_view text, uint64_t line, uint64_t max_bytes, Verdict &verdict) {
    if (!read_json(reader_, text, max_bytes, value_, verdict)) return false;
    if (value_.view()[0].kind != ACCP_MAP)
        return verdict.refuse(Code::kMALFORMED_MESSAGE, "a message is an object");
    Message message = {};
    message.line = line;
    if (!add_id("msg_id", message.id, message.id_len, verdict) ||
        !add_id("reply_to", message.reply_to, message.reply_to_len, verdict))
        return false;
    if (message.id_len) {
        message.duplicate_of = find(id(message));
        if (message.duplicate_of == kNone) {
            id_index_.reserve(1,
                              [this](uint64_t place) { return hash_of(id(messages_[place - 1])); });
            messages_.push(message);
            id_index_.add(hash_of(id(message)), messages_.size());
            return true;
        }
        message.kind = kDuplicate;
    }
    messages_.push(message);
    return true;
}

bool Threads::add_id(const char *key, uint32_t &place, uint32_t &len, Verdict &verdict) {
    const value::TreeView tree = value_.view();
    const uint32_t node = tree.find(0, key);
    if (!node) return true;
    const uint64_t at = reader_.origin(node).value;
    if (tree[node].kind != ACCP_STRING)
        return verdict.refuse_member(Code::kINVALID_TYPE, key, " is a string", at);
    if (!is_id(tree.string(node)))
        return verdict.refuse_member(Code::kMALFORMED_MESSAGE, key,
                                     " is 1 to 128 letters, digits, . _ : -", at);
    place = static_cast<uint32_t>(ids_.size());
    len = tree[node].len;
    ids_.append(tree.string(node));
    return true;
}

void Threads::find_parents() {
    for (Message &message : messages_) {
        if (!message.reply_to_len) continue;
        message.parent = find(reply_to(message));
        if (message.kind != kDuplicate) message.kind = message.parent == kNone ? kOrphan : kReply;
    }
}

// Each message has at most one parent. So a walk upwards ends at a root, at a message of an earlier
// walk, or at one of this walk, which is a cycle. A cycle is cut before its first line.
void Threads::break_cycles() {
    for (uint32_t start = 0; start < messages_.size(); ++start) {
        uint32_t at = start;
        while (at != kNone && !messages_[at].visited_by) {
            messages_[at].visited_by = start + 1;
            at = messages_[at].parent;
        }
        if (at == kNone || messages_[at].visited_by != start + 1) continue;
        uint32_t cut = at;
        for (uint32_t i = messages_[at].parent; i != at; i = messages_[i].parent)
            if (i < cut) cut = i;
        messages_[cut].parent = kNone;
        messages_[cut].kind = kCycle;
    }
}

void Threads::link_replies() {
    uint32_t last = kNone;
    for (uint32_t i = 0; i < messages_.size(); ++i) {
        const uint32_t parent = messages_[i].parent;
        uint32_t &before = parent == kNone ? last : messages_[parent].last;
        if (before != kNone) messages_[before].next = i;
        else (parent == kNone ? first_ : messages_[parent].first) = i;
        before = i;
    }
}

template <class Visit>
void Threads::walk(Visit visit) const {
    uint32_t depth = 0;
    for (uint32_t at = first_; at != kNone;) {
        visit(messages_[at], depth);
        if (messages_[at].first != kNone) {
            at = messages_[at].first;
            ++depth;
            continue;
        }
        while (messages_[at].next == kNone && messages_[at].parent != kNone) {
            at = messages_[at].parent;
            --depth;
        }
        at = messages_[at].next;
    }
}

void Threads::write_json(Buffer<char> &out) const {
    out.push('[');
    walk([&](const Message &message, uint32_t depth) {
        out.append(out.view().ends_with('[') ? "{\"line\":" : ",{\"line\":");
        append_decimal(message.line, out);
        out.append(",\"depth\":");
        append_decimal(depth, out);
        out.append(",\"kind\":\"");
        out.append(kKindNames[message.kind]);
        out.push('"');
        const auto write_id = [&](std::string_view name, std::string_view id) {
            if (id.empty()) return;
            out.append(name);
            out.append(id);  // ids need no escaping
            out.push('"');
        };
        write_id(",\"msg_id\":\"", id(message));
        write_id(",\"reply_to\":\"", reply_to(message));
        if (message.duplicate_of != kNone) {
            out.append(",\"of\":");
            append_decimal(messages_[message.duplicate_of].line, out);
        }
        out.push('}');
    });
    out.push(']');
}

// Writes ID (line N[, KIND][, to ID]), indented by two blanks for each level up to 32. Full
// indentation of a long chain would be quadratic in its length.
void Threads::write_indented(Buffer<char> &out) const {
    walk([&](const Message &message, uint32_t depth) {
        for (uint32_t i = 0; i < depth && i < kMaxIndent; ++i) out.append("  ");
        out.append(message.id_len ? id(message) : "-");
        out.append(" (line ");
        append_decimal(message.line, out);
        if (message.kind > kReply) {
            out.append(", ");
            out.append(kKindNames[message.kind]);
        }
        if (message.kind == kOrphan || message.kind == kCycle) {
            out.append(", to ");
            out.append(reply_to(message));
        }
        if (message.duplicate_of != kNone) {
            out.append(" of line ");
            append_decimal(messages_[message.duplicate_of].line, out);
        }
        out.append(")\n");
    });
}

}  // namespace accp::sacp
