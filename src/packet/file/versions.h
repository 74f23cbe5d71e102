// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A packet as the next version of another, and what is different between two.
#pragma once

#include "packet/file/draft.h"

namespace accp::packet {

// context.version; 0: the packet has none.
uint64_t version_of(value::TreeView packet);

class Versions {
public:
    explicit Versions(Memory &memory)
        : draft_(memory),
          items_(memory),
          old_(memory),
          new_(memory),
          pairs_(memory),
          text_(memory),
          other_(memory) {}

    // `packet` with the version after `old`'s, which is 1 where it has none, and the changelog of
    // `old` with an entry for it: {"v2": note}.
    Status revise(value::TreeView packet, value::TreeView old, std::string_view note, Packet &out);

    // Appends {"versions":[2,3],"decisions":{"added":[…],"removed":[…],"changed":[{"from":…,
    // "to":…}]},…}: of each kind that has a difference. An item with the same choice, path or
    // approach is the same one, changed where the rest of it is; one of texts alone is its text.
    void write_diff(value::TreeView old, value::TreeView packet, Buffer<char> &out);

private:
    struct Keyed {
        ItemKind kind;
        std::string_view what;
        uint32_t node;
    };
    struct Pair {
        ItemKind kind;
        uint32_t old_node, new_node;  // 0: there is none
    };
    void read_items(value::TreeView packet, Buffer<Keyed> &out);
    void pair_items();
    bool is_same(const Pair &pair);
    void write_kind(ItemKind kind, Buffer<char> &out);
    void write_pair(const Pair &pair, Buffer<char> &out);

    Draft draft_;
    value::TreeView old_packet_ = {}, new_packet_ = {};
    Buffer<Item> items_;
    Buffer<Keyed> old_, new_;  // sorted by kind and what
    Buffer<Pair> pairs_;
    Buffer<char> text_, other_;
};

}  // namespace accp::packet
