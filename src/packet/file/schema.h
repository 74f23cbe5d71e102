// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The members that a packet knows, and what each has to be. The order is that of a packet that is
// written; members that are not here are kept as they are.
//
// The items of a packet, each of a kind: what a packet is searched, filtered and compared by.
//
// Members that no packet knows, and that look like one that it does: a typing error hides what it
// names from every worker.
#pragma once

#include <span>
#include <string_view>

#include "accp/packet.h"
#include "base/memory.h"
#include "value/tree.h"

namespace accp::packet {

enum class Shape {
    kText,
    kTexts,      // a list of text
    kItems,      // a list of objects, of which each may be a text or a map with one key
    kNotes,      // a list of text or maps
    kChangelog,  // a list of maps with one text each
    kVersion,    // 1
    kRevision,   // an integer of at least 1
    kCount,      // an integer of at least 0
    kTime,
    kContext,
    kCodebase,
};

struct Member {
    std::string_view name;
    Shape shape;
    const char *missing = nullptr;  // required and not blank: the message where it is not there
    std::span<const Member> items = {};  // of kItems: what an object has; the first is its text
};

std::span<const Member> packet_members();
std::span<const Member> context_members();
std::span<const Member> codebase_members();
// What the checksum does not cover: they stand after all others.
std::span<const Member> seal_members();

const Member *find_member(std::span<const Member> members, std::string_view name);

using ItemKind = accp_packet_kind;
constexpr int kItemKinds = ACCP_PACKET_NOT_INCLUDED + 1;

struct ItemList {
    std::string_view member;  // the list of the context, or of its codebase
    bool in_codebase;
    const char *one, *many;  // what a reader calls so many
};
const ItemList &list_of(ItemKind kind);

struct Item {
    ItemKind kind;
    uint32_t number;  // of its kind, from 1
    uint32_t node;
};

// Appends the items of a packet as Reader makes it, kind by kind, in their order. The goal is the
// first of them.
void append_items(value::TreeView packet, Buffer<Item> &out);

// choice, path, approach, or the text that the item is; of a pivot that is a map: empty.
std::string_view what_of(value::TreeView packet, uint32_t item);
// reason, summary, reason_failed; empty where there is none.
std::string_view why_of(value::TreeView packet, uint32_t item);
// The text of another member; empty where there is none.
std::string_view text_of(value::TreeView packet, uint32_t item, std::string_view member);

// Did the user decide it, alone or with others (`user + orchestrator`, as merged decisions say)?
bool is_of_user(value::TreeView packet, uint32_t item);

// Appends all texts of an item, with a space after each.
void append_item_text(value::TreeView packet, uint32_t item, Buffer<char> &out);

// Appends a line for each, in the packet's order: where it stands, a blank, the member that it may
// be meant for: `context.decisions[2].resaon reason`. Items count from 1. A name is like a known
// one where up to two characters were left out, put in, exchanged or are others, of a name of up to
// five characters one.
void append_misspelt_members(value::TreeView packet, Buffer<char> &out);

// In how many characters do two names differ so? More than 2: 3.
size_t count_typing_errors(std::string_view name, std::string_view known);

}  // namespace accp::packet
