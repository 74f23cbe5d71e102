// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/refresh.h"

#include <algorithm>

#include "base/text.h"
#include "packet/file/sources.h"
#include "text/words.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

constexpr size_t kMaxNamedDecisions = 3;  // in the changelog, of each sort
constexpr size_t kMaxNamedBytes = 60;

// Lists that are made anew each time.
bool is_remade(ItemKind kind) {
    return kind == ACCP_PACKET_GOAL || kind == ACCP_PACKET_NOT_INCLUDED;
}

// Returns whether the item number `number` of a list has an entry in `sources`.
bool has_source(value::TreeView packet, const Item &item, size_t count) {
    const uint32_t sources = packet.find(0, "sources");
    if (!sources || packet[sources].kind != ACCP_MAP) return false;
    if (item.kind == ACCP_PACKET_FILE) {
        const uint32_t files = find_file_sources(packet);
        for (uint32_t i = files + 1; files && i < packet[files].next; i = packet[i].next)
            if (path_of_source(packet, i) == what_of(packet, item.node)) return true;
    }
    const uint32_t list = packet.find(sources, list_of_kind(item.kind).member);
    if (!list || packet[list].kind != ACCP_ARRAY || packet[list].len != count) return false;
    uint32_t entry = list + 1;
    for (uint32_t i = 1; i < item.number; ++i) entry = packet[entry].next;
    return packet[entry].kind == ACCP_STRING && packet.string(entry) != kEditedSource;
}

void append_count(uint64_t count, const char *one, const char *many, Buffer<char> &out) {
    append_decimal(count, out);
    out.append(count == 1 ? one : many);
}

}  // namespace

PacketRefresher::Known PacketRefresher::known(value::TreeView packet, const Item &item) {
    json_.clear();
    value::write_json(packet, item.node, json_);
    return {item.kind, text::hash_word(json_.view())};
}

void PacketRefresher::read_known(value::TreeView packet, Buffer<Known> &out) {
    out.clear();
    items_.clear();
    append_items(packet, items_);
    for (const Item &item : items_) out.push(known(packet, item));
    std::sort(out.begin(), out.end());
}

// Reads the items with sources into base_.
void PacketRefresher::read_sourced(value::TreeView packet) {
    base_.clear();
    items_.clear();
    append_items(packet, items_);
    size_t counts[kItemKinds] = {};
    for (const Item &item : items_) ++counts[item.kind];
    for (const Item &item : items_)
        if (has_source(packet, item, counts[item.kind])) base_.push(known(packet, item));
    std::sort(base_.begin(), base_.end());
}

bool PacketRefresher::has(const Buffer<Known> &sorted, const Known &item) {
    return std::binary_search(sorted.begin(), sorted.end(), item);
}

bool PacketRefresher::is_edited(const Item &item) const {
    const std::string_view what = what_of(draft_.packet(), item.node);
    for (const Named &each : edited_)
        if (each.kind == item.kind && !what.empty() && each.what == what) return true;
    return false;
}

void PacketRefresher::merge_items(value::TreeView current, bool has_base) {
    kept_ = removed_ = 0;
    edited_.clear();
    read_known(draft_.packet(), current_);  // the made items, for a moment
    items_.clear();
    append_items(current, items_);
    for (const Item &item : items_) {
        if (is_remade(item.kind)) continue;
        const Known of = known(current, item);
        if (has(base_, of) || has(current_, of)) continue;
        edited_.push({item.kind, what_of(current, item.node)});
        value::write_json(current, item.node, draft_.text());
        draft_.add(item.kind);
        ++kept_;
    }
    draft_.set_added_source(kEditedSource);
    read_known(current, current_);
    for (size_t i = 0; i < draft_.size(); ++i) {
        if (is_remade(draft_[i].kind)) continue;
        const Known of = known(draft_.packet(), draft_[i]);
        const bool is_removed = has_base && has(base_, of) && !has(current_, of);
        if (is_edited(draft_[i])) draft_.drop(i);
        else if (is_removed) draft_.drop(i), ++removed_;
    }
}

bool PacketRefresher::is_same(value::TreeView a, uint32_t node, value::TreeView b, uint32_t other) {
    if (!node || !other) return !node && !other;
    json_.clear();
    value::write_json(a, node, json_);
    const uint64_t hash = text::hash_word(json_.view());
    json_.clear();
    value::write_json(b, other, json_);
    return text::hash_word(json_.view()) == hash;
}

// Without a base the current goal stays.
void PacketRefresher::keep_goal(value::TreeView current, const value::TreeView *base) {
    const uint32_t goal = current.find(current.find(0, "context"), "goal");
    if (base && is_same(current, goal, *base, base->find(base->find(0, "context"), "goal"))) return;
    value::write_json(current, goal, draft_.text());
    draft_.set("goal");
}

// Unknown members of the context are written by hand, or by another program.
void PacketRefresher::keep_members(value::TreeView current, const value::TreeView *base) {
    const uint32_t context = current.find(0, "context");
    for (uint32_t i = context + 1; i < current[context].next; i = current[i].next) {
        const std::string_view key = current.key(i);
        if (find_member(context_members(), key)) continue;
        const uint32_t before = base ? base->find(base->find(0, "context"), key) : 0;
        if (before && is_same(current, i, *base, before)) continue;
        value::write_json(current, i, draft_.text());
        draft_.set(key);
    }
}

// Appends "; decisions added: A; B" with those that the other packet does not have.
void PacketRefresher::append_decisions(value::TreeView packet, const Buffer<Known> &others,
                                       const char *what) {
    items_.clear();
    append_items(packet, items_);
    size_t count = 0;
    for (const Item &item : items_) {
        if (item.kind != ACCP_PACKET_DECISION || has(others, known(packet, item))) continue;
        if (++count > kMaxNamedDecisions) continue;
        note_.append(count == 1 ? what : "; ");
        const std::string_view choice = what_of(packet, item.node);
        std::string_view line = choice.substr(0, choice.find_first_of("\r\n"));
        if (line.size() > kMaxNamedBytes) {
            line = line.substr(0, kMaxNamedBytes);
            while (!line.empty() && (line.back() & 0xC0) == 0x80) line.remove_suffix(1);
            if (!line.empty() && line.back() & 0x80) line.remove_suffix(1);
        }
        note_.append(line);
    }
    if (count <= kMaxNamedDecisions) return;
    note_.append("; ");
    append_decimal(count - kMaxNamedDecisions, note_);
    note_.append(" more");
}

void PacketRefresher::write_note(value::TreeView current, value::TreeView made) {
    note_.clear();
    note_.append("made again");
    if (kept_) {
        note_.append("; ");
        append_count(kept_, " edited item kept", " edited items kept", note_);
    }
    if (removed_) {
        note_.append("; ");
        append_count(removed_, " made item left out", " made items left out", note_);
    }
    read_known(current, current_);
    append_decisions(made, current_, ". Decided since: ");
    read_known(made, base_);
    append_decisions(current, base_, ". No longer: ");
}

Status PacketRefresher::merge(value::TreeView made, value::TreeView current,
                              const value::TreeView *base, std::string_view note, Packet &out) {
    draft_.open(made);
    base ? read_known(*base, base_) : read_sourced(current);
    merge_items(current, base != nullptr);
    keep_goal(current, base);
    keep_members(current, base);
    Status status = draft_.build(merged_);
    if (status.failed()) return status;
    if (note.empty()) {
        write_note(current, merged_.view());
        note = note_.view();
    }
    return versions_.revise(merged_.view(), current, note, out);
}

}  // namespace accp::packet
