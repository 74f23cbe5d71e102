// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The items of a packet, each of a kind: what a packet is searched, filtered and compared by.
#pragma once

#include <string_view>

#include "accp/packet.h"
#include "base/memory.h"
#include "value/tree.h"

namespace accp::packet {

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

}  // namespace accp::packet
