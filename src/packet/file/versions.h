// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The next version of a packet, and the difference between two versions.
#pragma once

#include "packet/file/draft.h"

namespace accp::packet {

// Returns context.version; 0 if the packet has none.
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

    // Writes `packet` with the version that follows `old`'s (1 if it has none), and with `old`'s
    // changelog plus the entry {"v2": note}.
    Status revise(value::TreeView packet, value::TreeView old, std::string_view note, Packet &out);

    // Appends {"versions":[2,3],"decisions":{"added":[…],"removed":[…],"changed":[{"from":…,
    // "to":…}]},…}, with each kind that differs. Items with the same choice, path or approach are
    // the same item; it has changed if any other member differs. A string item is identified by its
    // text.
    void write_diff(value::TreeView old, value::TreeView packet, Buffer<char> &out);

private:
    struct Keyed {
        ItemKind kind;
        std::string_view what;
        uint32_t node;
    };
    struct Pair {
        ItemKind kind;
        uint32_t old_node, new_node;  // 0: none
    };
    void read_items(value::TreeView packet, Buffer<Keyed> &out);
    void pair_items();
    bool is_same(const Pair &pair);
    void write_kind(ItemKind kind, Buffer<char> &out);
    void write_pair(const Pair &pair, Buffer<char> &out);

    Draft draft_;
    value::TreeView old_packet_ = {}, new_packet_ = {};
    Buffer<Item> items_;
    Buffer<Keyed> old_, new_;  // sorted by kind and text
    Buffer<Pair> pairs_;
    Buffer<char> text_, other_;
};

}  // namespace accp::packet
