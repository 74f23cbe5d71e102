// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/draft.h"

#include <algorithm>

#include "packet/file/sources.h"

namespace accp::packet {

void Draft::open(value::TreeView packet) {
    packet_ = packet;
    items_.clear();
    edits_.clear();
    texts_.clear();
    added_.clear();
    text_begin_ = 0;
    added_source_ = {};
    std::fill_n(has_no_sources_, kItemKinds, false);
    append_items(packet, items_);
    for (size_t i = 0; i < items_.size(); ++i) edits_.push({});
}

void Draft::add_note(std::string_view text) {
    write_string(text);
    add(ACCP_PACKET_NOT_INCLUDED);
}

Status Draft::build(Packet &out) {
    json_.clear();
    write();
    Status status = reader_.read_json(json_.view(), out);
    if (status.failed()) out.value.clear();
    return status;
}

void Draft::write() {
    for (uint32_t i = 1; i < packet_[0].next; i = packet_[i].next) {
        if (find_member(seal_members(), packet_.key(i))) continue;
        write_key(packet_.key(i));
        if (packet_.key(i) == "context") write_map(i, false, true);
        else if (packet_.key(i) == "sources" && packet_[i].kind == ACCP_MAP) write_sources(i);
        else value::write_json(packet_, i, json_);
    }
    json_.push('}');
}

// Writes the members of the context or the codebase.
void Draft::write_map(uint32_t map, bool in_codebase, bool is_context) {
    for (uint32_t i = map + 1; i < packet_[map].next; i = packet_[i].next) {
        const std::string_view key = packet_.key(i);
        const int kind = kind_of_member(key, in_codebase);
        if (is_context && find_replacement(key)) continue;
        write_key(key);
        if (kind > ACCP_PACKET_GOAL) write_list(kind);
        else if (is_context && key == "codebase") write_map(i, true, false);
        else value::write_json(packet_, i, json_);
    }
    write_missing(map, in_codebase);
    json_.append(json_[json_.size() - 1] == ':' ? "{}" : "}");
}

// Writes added items whose list does not exist yet.
void Draft::write_missing(uint32_t map, bool in_codebase) {
    for (int kind = 1; kind < kItemKinds; ++kind) {
        const ItemList &list = list_of_kind(static_cast<ItemKind>(kind));
        if (list.in_codebase != in_codebase || !has_additions(kind) ||
            packet_.find(map, list.member))
            continue;
        write_key(list.member);
        write_list(kind);
    }
    if (in_codebase) return;
    for (const Added &added : added_) {
        if (added.kind != kMember) continue;
        write_key(added.member);
        json_.append(at(added.written));
    }
}

// Updates the lists of item sources; other members of `sources` stay unchanged.
void Draft::write_sources(uint32_t map) {
    for (uint32_t i = map + 1; i < packet_[map].next; i = packet_[i].next) {
        const std::string_view key = packet_.key(i);
        const int kind = std::max(kind_of_member(key, false), kind_of_member(key, true));
        if (kind <= ACCP_PACKET_GOAL || packet_[i].kind != ACCP_ARRAY) {
            write_key(key);
            value::write_json(packet_, i, json_);
        } else {
            kind == ACCP_PACKET_FILE ? write_file_sources(i) : write_places(kind, i);
        }
    }
    json_.append(json_[json_.size() - 1] == ':' ? "{}" : "}");
}

// Keeps the places only if each item had one, and no item was merged or added without a source.
void Draft::write_places(int kind, uint32_t list) {
    size_t count = 0;
    for (const Item &item : items_) count += item.kind == kind;
    if (packet_[list].len != count || has_no_sources_[kind]) return;
    if (added_source_.empty() && has_additions(kind)) return;
    const char *comma = "[";
    uint32_t place = list + 1;
    for (size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].kind != kind) continue;
        if (!edits_[i].dropped) write_source(place, kind, comma);
        place = packet_[place].next;
    }
    write_added_sources(kind, comma);
    if (*comma == ',') json_.push(']');
}

void Draft::write_added_sources(int kind, const char *&comma) {
    for (const Added &added : added_) {
        if (added.kind != kind) continue;
        if (*comma == '[') write_key(list_of_kind(static_cast<ItemKind>(kind)).member);
        json_.append(comma);
        comma = ",";
        value::write_json_string(added_source_, json_);
    }
}

// Keeps the entries of the files that stay, by path.
void Draft::write_file_sources(uint32_t list) {
    paths_.clear();
    for (size_t i = 0; i < items_.size(); ++i)
        if (items_[i].kind == ACCP_PACKET_FILE && !edits_[i].dropped)
            paths_.push(member_text(packet_, items_[i].node, "path"));
    std::sort(paths_.begin(), paths_.end());
    const char *comma = "[";
    for (uint32_t i = list + 1; i < packet_[list].next; i = packet_[i].next) {
        const std::string_view path = path_of_source(packet_, i);
        if (!path.empty() && std::binary_search(paths_.begin(), paths_.end(), path))
            write_source(i, ACCP_PACKET_FILE, comma);
    }
    if (*comma == ',') json_.push(']');
}

// Writes an entry, before the first one also the key of the list.
void Draft::write_source(uint32_t entry, int kind, const char *&comma) {
    if (*comma == '[') write_key(list_of_kind(static_cast<ItemKind>(kind)).member);
    json_.append(comma);
    comma = ",";
    value::write_json(packet_, entry, json_);
}

void Draft::write_key(std::string_view key) {
    const bool first = json_.empty() || json_[json_.size() - 1] == ':';
    json_.push(first ? '{' : ',');
    value::write_json_string(key, json_);
    json_.push(':');
}

void Draft::write_list(int kind) {
    const char *comma = "[";
    for (size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].kind != kind || edits_[i].dropped) continue;
        json_.append(comma);
        comma = ",";
        const TextRange &written = edits_[i].written;
        if (written.end != written.begin) json_.append(at(written));
        else value::write_json(packet_, items_[i].node, json_);
    }
    for (const Added &added : added_) {
        if (added.kind != kind) continue;
        json_.append(comma);
        json_.append(at(added.written));
        comma = ",";
    }
    json_.append(*comma == '[' ? "[]" : "]");
}

int Draft::kind_of_member(std::string_view member, bool in_codebase) const {
    for (int kind = 0; kind < kItemKinds; ++kind) {
        const ItemList &list = list_of_kind(static_cast<ItemKind>(kind));
        if (list.in_codebase == in_codebase && list.member == member) return kind;
    }
    return kMember;
}

const Draft::Added *Draft::find_replacement(std::string_view member) const {
    for (const Added &added : added_)
        if (added.kind == kMember && added.member == member) return &added;
    return nullptr;
}

bool Draft::has_additions(int kind) const {
    for (const Added &added : added_)
        if (added.kind == kind) return true;
    return false;
}

}  // namespace accp::packet
