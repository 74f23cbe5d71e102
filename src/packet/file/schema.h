// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The schema of a packet: its known members, in the order in which they are written, and its items,
// by which a packet is searched, filtered and compared. Unknown members are kept. Those that look
// like a typing error are reported, because a worker would never see what they contain.
#pragma once

#include <span>
#include <string_view>

#include "accp/packet.h"
#include "base/memory.h"
#include "value/tree.h"

namespace accp::packet {

enum class Shape {
    kText,
    kTexts,      // a list of strings
    kItems,      // a list of objects; a string or a map with one key is accepted too
    kNotes,      // a list of strings or maps
    kChangelog,  // a list of maps with one string each
    kVersion,    // the number 1
    kRevision,   // an integer of at least 1
    kCount,      // an integer of at least 0
    kTime,
    kContext,
    kCodebase,
};

struct Member {
    std::string_view name;
    Shape shape;
    const char *missing = nullptr;  // error message if a required member is missing or blank
    // for kItems: the members of an object; the first is its text
    const Member *first_item = nullptr;
    size_t item_count = 0;

    std::span<const Member> items() const { return {first_item, item_count}; }
};

std::span<const Member> packet_members();
std::span<const Member> context_members();
std::span<const Member> codebase_members();
// Members that the checksum does not cover. They follow all others.
std::span<const Member> seal_members();

const Member *find_member(std::span<const Member> members, std::string_view name);

using ItemKind = accp_packet_kind;
constexpr int kItemKinds = ACCP_PACKET_NOT_INCLUDED + 1;

struct ItemList {
    std::string_view member;  // name of the list, in the context or its codebase
    bool in_codebase;
    const char *one, *many;  // the noun in singular and plural
};
const ItemList &list_of_kind(ItemKind kind);

struct Item {
    ItemKind kind;
    uint32_t number;  // within its kind, from 1
    uint32_t node;
};

// Appends the items of a packet, as Reader returns it, kind by kind. The goal comes first.
void append_items(value::TreeView packet, Buffer<Item> &out);

// Returns choice, path or approach, or the item itself if it is a string. Empty for a pivot that is
// a map.
std::string_view what_of(value::TreeView packet, uint32_t item);
// Returns reason, summary or reason_failed; empty if the item has none of them.
std::string_view why_of(value::TreeView packet, uint32_t item);
// Returns the text of any other member; empty if the item does not have it.
std::string_view member_text(value::TreeView packet, uint32_t item, std::string_view member);

// Returns whether the user decided it, alone or with others (`user + orchestrator` in merged
// decisions).
bool is_of_user(value::TreeView packet, uint32_t item);

// Appends all texts of an item, each followed by a blank.
void append_item_text(value::TreeView packet, uint32_t item, Buffer<char> &out);

// Appends a line for each unknown member that resembles a known one, in the packet's order: the
// path, a blank and the known name, as in `context.decisions[2].resaon reason`. Items count from 1.
// A known name may differ by two typing errors, or by one if it has at most five characters.
void append_misspelt_members(value::TreeView packet, Buffer<char> &out);

// Returns the number of characters left out, inserted, exchanged or replaced; at most 3.
size_t count_typing_errors(std::string_view name, std::string_view known);

}  // namespace accp::packet
