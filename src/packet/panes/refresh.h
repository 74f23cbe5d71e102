// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Merges a packet that was made again with what people changed by hand in the one it replaces.
#pragma once

#include "packet/file/draft.h"
#include "packet/file/versions.h"

namespace accp::packet {

// The entry in `sources` of an item that was written by hand.
constexpr std::string_view kEditedSource = "edited";

class PacketRefresher {
public:
    explicit PacketRefresher(Memory &memory)
        : draft_(memory),
          items_(memory),
          base_(memory),
          current_(memory),
          edited_(memory),
          json_(memory),
          note_(memory),
          versions_(memory),
          merged_(memory) {}

    // Sets `out` to `made` with the hand edits of `current`, as its next version. `base` is the
    // packet as it was made before people edited it. If it is NULL, items of `current` with an
    // entry in `sources` count as made, and all others as written by hand.
    //
    // An item that is in `current` but not in `base` stays, without a source; a made item of the
    // same choice, path or approach is left out. An item that is in `base` but not in `current` was
    // removed by hand, and stays out. The same holds for the goal and for unknown members of the
    // context. `note` is the entry of the changelog; if it is empty, it lists what was kept and
    // which decisions have changed.
    Status merge(value::TreeView made, value::TreeView current, const value::TreeView *base,
                 std::string_view note, Packet &out);

private:
    struct Known {
        ItemKind kind;
        uint64_t hash;  // of the item as JSON
        bool operator<(const Known &other) const {
            return kind != other.kind ? kind < other.kind : hash < other.hash;
        }
        bool operator==(const Known &other) const {
            return kind == other.kind && hash == other.hash;
        }
    };
    struct Named {
        ItemKind kind;
        std::string_view what;
    };

    Known known(value::TreeView packet, const Item &item);
    void read_known(value::TreeView packet, Buffer<Known> &out);
    void read_sourced(value::TreeView packet);
    static bool has(const Buffer<Known> &sorted, const Known &item);
    bool is_edited(const Item &item) const;
    void merge_items(value::TreeView current, bool has_base);
    void keep_goal(value::TreeView current, const value::TreeView *base);
    void keep_members(value::TreeView current, const value::TreeView *base);
    bool is_same(value::TreeView a, uint32_t node, value::TreeView b, uint32_t other);
    void write_note(value::TreeView current, value::TreeView made);
    void append_decisions(value::TreeView packet, const Buffer<Known> &others, const char *what);

    Draft draft_;
    Buffer<Item> items_;
    Buffer<Known> base_, current_;  // sorted
    Buffer<Named> edited_;
    Buffer<char> json_, note_;
    Versions versions_;
    Packet merged_;
    uint64_t kept_ = 0, removed_ = 0;
};

}  // namespace accp::packet
