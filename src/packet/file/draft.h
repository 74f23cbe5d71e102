// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes a packet from another one: items are left out, replaced or added, and the places in
// `sources` are kept in step. The result is written as JSON and read like any packet, so it cannot
// differ from a packet that was read.
#pragma once

#include "packet/file/read.h"
#include "packet/file/schema.h"
#include "value/json_writer.h"

namespace accp::packet {

class Draft {
public:
    explicit Draft(Memory &memory)
        : reader_(memory),
          items_(memory),
          edits_(memory),
          texts_(memory),
          added_(memory),
          paths_(memory),
          json_(memory) {}

    // Starts with all items of a packet, which must outlive the draft.
    void open(value::TreeView packet);
    value::TreeView packet() const { return packet_; }
    size_t size() const { return items_.size(); }
    const Item &operator[](size_t i) const { return items_[i]; }
    bool is_dropped(size_t i) const { return edits_[i].dropped; }

    void drop(size_t item) { edits_[item].dropped = true; }
    // Each of the following calls consumes the JSON written to text() since the last one.
    Buffer<char> &text() { return texts_; }
    void replace(size_t item) { edits_[item].written = take_text(); }
    void add(ItemKind kind) { added_.push({list_of_kind(kind).member, kind, take_text()}); }
    // Replaces or adds a member of the context.
    void set(std::string_view member) { added_.push({member, kMember, take_text()}); }
    // Adds a text to not_included.
    void add_note(std::string_view text);
    // Drops the sources of a kind, because one of its items was made from several.
    void drop_sources(ItemKind kind) { has_no_sources_[kind] = true; }
    // Gives added items this entry in `sources`, so that the other items keep theirs.
    void set_added_source(std::string_view source) { added_source_ = source; }
    void write_string(std::string_view text) { value::write_json_string(text, texts_); }

    // Builds the packet. `out` may be the packet that the draft was opened with.
    Status build(Packet &out);

private:
    static constexpr int kMember = -1;
    struct TextRange {
        size_t begin = 0, end = 0;
    };
    struct Edit {
        bool dropped = false;
        TextRange written;
    };
    struct Added {
        std::string_view member;
        int kind;
        TextRange written;
    };
    TextRange take_text() {
        const TextRange written = {text_begin_, texts_.size()};
        text_begin_ = texts_.size();
        return written;
    }
    std::string_view at(const TextRange &written) const {
        return texts_.view().substr(written.begin, written.end - written.begin);
    }

    void write();
    void write_map(uint32_t map, bool in_codebase, bool is_context);
    void write_list(int kind);
    void write_missing(uint32_t map, bool in_codebase);
    void write_sources(uint32_t map);
    void write_places(int kind, uint32_t list);
    void write_added_sources(int kind, const char *&comma);
    void write_file_sources(uint32_t list);
    void write_source(uint32_t entry, int kind, const char *&comma);
    void write_key(std::string_view key);
    int kind_of_member(std::string_view member, bool in_codebase) const;
    const Added *find_replacement(std::string_view member) const;
    bool has_additions(int kind) const;

    Reader reader_;
    value::TreeView packet_ = {};
    Buffer<Item> items_;
    Buffer<Edit> edits_;
    Buffer<char> texts_;
    Buffer<Added> added_;
    Buffer<std::string_view> paths_;  // of the files that stay, sorted
    Buffer<char> json_;
    size_t text_begin_ = 0;
    std::string_view added_source_;  // empty: lists with added items lose their sources
    bool has_no_sources_[kItemKinds] = {};
};

}  // namespace accp::packet
