// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The items that the caller gives for a packet: a model that took part in the conversation knows
// best what was decided. They take the place of what the rules find of the same kind. Quotes are
// looked up in the conversation, and items that a user later contradicted are reported.
#pragma once

#include <span>

#include "packet/extract/objections.h"
#include "packet/file/schema.h"
#include "value/yaml_reader.h"

namespace accp::packet {

// A place in the text of a message.
struct Place {
    uint32_t message = 0, begin = 0, end = 0;
};

struct GivenItem {
    ItemKind kind;
    uint32_t number;  // within its kind, from 1
    std::string_view what, why, made_by, quote;
    bool is_found = false;  // the conversation has the quote, at `place`
    Place place = {};
    std::string_view contradiction = {};  // what a user said later against it; empty: nothing
    Place contradiction_place = {};
};

constexpr size_t kMaxGivenItems = 1024;

class GivenItems {
public:
    explicit GivenItems(Memory &memory)
        : yaml_(memory), tree_(memory), items_(memory), objections_(memory) {}

    void clear();
    // Reads the members of a packet's `context`, in YAML or JSON: each member and each item may be
    // missing, and an item may have a `quote`. Members of `codebase` may also be next to it.
    // Errors are those of a packet; offsets are bytes of `text`. An unknown member is an error,
    // since nobody would miss its content.
    Status read(std::string_view text);
    // Looks up the quotes, and finds what users said against quoted items later. Cost: linear in
    // the conversation, for each item.
    void compare(std::span<const Utterance> conversation);

    // An empty list is given too: there is nothing of this kind.
    bool empty() const { return !kinds_ && goal_.empty(); }
    std::string_view goal() const { return goal_; }
    bool has(ItemKind kind) const { return kinds_ >> kind & 1; }
    std::span<const GivenItem> items() const { return {items_.data(), items_.size()}; }

private:
    Status read_map(uint32_t map, bool in_codebase);
    Status read_list(uint32_t node, ItemKind kind);
    Status read_item(uint32_t node, GivenItem &out) const;
    Status read_text(uint32_t node, std::string_view &out) const;
    Status refuse(uint32_t node, std::initializer_list<std::string_view> pieces) const;
    bool is_null(uint32_t node) const;

    value::YamlReader yaml_;
    value::Value tree_;
    std::string_view goal_;
    Buffer<GivenItem> items_;
    uint32_t kinds_ = 0;  // bits of ItemKind
    Objections objections_;
};

}  // namespace accp::packet
