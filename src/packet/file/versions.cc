// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/versions.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

constexpr uint64_t kMaxVersion = (uint64_t{1} << 53) - 1;

void write_version(value::TreeView packet, Buffer<char> &out) {
    const uint64_t version = version_of(packet);
    version ? append_decimal(version, out) : out.append("null");
}

}  // namespace

uint64_t version_of(value::TreeView packet) {
    const uint32_t node = packet.find(packet.find(0, "context"), "version");
    uint64_t version = 0;
    if (!node) return 0;
    const std::string_view text = packet.string(node);
    std::from_chars(text.data(), text.data() + text.size(), version);
    return version;
}

Status Versions::revise(value::TreeView packet, value::TreeView old, std::string_view note,
                        Packet &out) {
    const uint64_t before = std::max<uint64_t>(version_of(old), 1);
    if (before >= kMaxVersion)
        return fail_limit(ACCP_ERR_ARG, 0, "the packet has the highest version", before,
                          kMaxVersion);
    draft_.open(packet);
    append_decimal(before + 1, draft_.text());
    draft_.set("version");
    const uint32_t log = old.find(old.find(0, "context"), "changelog");
    draft_.text().push('[');
    for (uint32_t i = log + 1; log && i < old[log].next; i = old[i].next) {
        value::write_json(old, i, draft_.text());
        draft_.text().push(',');
    }
    draft_.text().append("{\"v");
    append_decimal(before + 1, draft_.text());
    draft_.text().append("\":");
    draft_.write_string(note);
    draft_.text().append("}]");
    draft_.set("changelog");
    return draft_.build(out);
}

void Versions::read_items(value::TreeView packet, Buffer<Keyed> &out) {
    items_.clear();
    out.clear();
    append_items(packet, items_);
    for (const Item &item : items_)
        out.push({item.kind,
                  item.kind == ACCP_PACKET_GOAL ? std::string_view() : what_of(packet, item.node),
                  item.node});
    std::sort(out.begin(), out.end(), [](const Keyed &a, const Keyed &b) {
        if (a.kind != b.kind) return a.kind < b.kind;
        return a.what != b.what ? a.what < b.what : a.node < b.node;
    });
}

void Versions::pair_items() {
    pairs_.clear();
    for (size_t i = 0, k = 0; i < old_.size() || k < new_.size();) {
        int order = 0;  // of the old item relative to the new one
        if (i == old_.size()) order = 1;
        else if (k == new_.size()) order = -1;
        else if (old_[i].kind != new_[k].kind) order = old_[i].kind < new_[k].kind ? -1 : 1;
        else order = old_[i].what.compare(new_[k].what);
        if (order < 0) pairs_.push({old_[i].kind, old_[i].node, 0}), ++i;
        else if (order > 0) pairs_.push({new_[k].kind, 0, new_[k].node}), ++k;
        else pairs_.push({old_[i].kind, old_[i].node, new_[k].node}), ++i, ++k;
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair &a, const Pair &b) {
        if (a.kind != b.kind) return a.kind < b.kind;
        return a.new_node != b.new_node ? a.new_node < b.new_node : a.old_node < b.old_node;
    });
}

bool Versions::is_same(const Pair &pair) {
    if (!pair.old_node || !pair.new_node) return false;
    text_.clear();
    other_.clear();
    value::write_json(old_packet_, pair.old_node, text_);
    value::write_json(new_packet_, pair.new_node, other_);
    return text_.view() == other_.view();
}

void Versions::write_diff(value::TreeView old, value::TreeView packet, Buffer<char> &out) {
    old_packet_ = old;
    new_packet_ = packet;
    read_items(old, old_);
    read_items(packet, new_);
    pair_items();
    out.append("{\"versions\":[");
    write_version(old, out);
    out.push(',');
    write_version(packet, out);
    out.push(']');
    for (int kind = 0; kind < kItemKinds; ++kind) write_kind(static_cast<ItemKind>(kind), out);
    out.push('}');
}

void Versions::write_kind(ItemKind kind, Buffer<char> &out) {
    struct Change {
        const char *name;
        bool old_there, new_there;
    };
    constexpr Change kChanges[] = {
        {"added", false, true}, {"removed", true, false}, {"changed", true, true}};
    bool any = false;
    for (const Change &change : kChanges) {
        bool first = true;
        for (const Pair &pair : pairs_) {
            if (pair.kind != kind || (pair.old_node != 0) != change.old_there ||
                (pair.new_node != 0) != change.new_there || is_same(pair))
                continue;
            if (!any) {
                out.append(",\"");
                out.append(list_of_kind(kind).member);
                out.append("\":{");
            }
            if (first) {
                out.append(any ? ",\"" : "\"");
                out.append(change.name);
                out.append("\":[");
            } else {
                out.push(',');
            }
            any = true;
            first = false;
            write_pair(pair, out);
        }
        if (!first) out.push(']');
    }
    if (any) out.push('}');
}

void Versions::write_pair(const Pair &pair, Buffer<char> &out) {
    if (!pair.old_node) return value::write_json(new_packet_, pair.new_node, out);
    if (!pair.new_node) return value::write_json(old_packet_, pair.old_node, out);
    out.append("{\"from\":");
    value::write_json(old_packet_, pair.old_node, out);
    out.append(",\"to\":");
    value::write_json(new_packet_, pair.new_node, out);
    out.push('}');
}

}  // namespace accp::packet
