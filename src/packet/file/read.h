// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a packet from YAML or JSON into the normal form that is hashed and written.
#pragma once

#include "packet/file/schema.h"
#include "value/yaml_reader.h"

namespace accp::packet {

// A packet in normal form, and the state needed to seal it.
struct Packet {
    explicit Packet(Memory &memory) : value(memory) {}

    value::TreeView view() const { return value.view(); }
    bool empty() const { return value.empty(); }
    // Returns the correct checksum: sha256: and the digest of everything but the seal.
    std::string_view checksum() const { return {sum, sizeof sum}; }
    // Replaces the members of the seal.
    void seal(uint64_t tokens, std::string_view tokenizer);
    // Both must use the same Memory.
    void swap(Packet &other) noexcept;

    value::Value value;
    char sum[7 + 64];
    bool has_checksum = false;
    // sizes before the seal
    size_t nodes = 0, text = 0;
    uint32_t members = 0;
};

class Reader {
public:
    explicit Reader(Memory &memory)
        : yaml_(memory),
          read_(memory),
          levels_(memory),
          number_(memory),
          hash_form_(memory),
          printable_(memory),
          arena_(memory) {}

    // Replaces `out` by the packet. Known members get the form that schema.h defines; others stay
    // as they are. On failure `out` is empty, unless only the checksum is wrong. Messages are those
    // of docs/packets.md; offsets are bytes of `text`.
    Status read(std::string_view text, const value::YamlLimits &limits, Packet &out);
    // Reads JSON that the library wrote, with the size and depth limits of a packet.
    Status read_json(std::string_view json, Packet &out);

private:
    Status write_members(uint32_t map, std::span<const Member> members, uint32_t &count,
                         value::Value &out);
    Status write_others(uint32_t map, std::span<const Member> members, uint32_t &count,
                        value::Value &out);
    Status write_map(uint32_t map, std::span<const Member> members, value::Value &out);
    Status write_member(const Member &member, uint32_t node, value::Value &out);
    Status write_list(const Member &member, uint32_t node, value::Value &out);
    Status write_element(const Member &member, uint32_t node, value::Value &out);
    Status write_item(const Member &member, uint32_t node, value::Value &out);
    Status write_pair(const Member &member, uint32_t node, value::Value &out);
    Status write_change(uint32_t node, value::Value &out);
    Status write_number(const Member &member, uint32_t node, value::Value &out);
    Status write_time(uint32_t node, value::Value &out);
    Status write_text(uint32_t node, value::Value &out);
    Status write_resolved(uint32_t node, value::Value &out);
    Status write_scalar(uint32_t node, value::Value &out);
    Status write_seal(Packet &out);
    Status verify_checksum(const Packet &packet, uint32_t node) const;

    bool is_null(uint32_t node) const;
    Status refuse(uint32_t node, const char *message) const {
        return fail(ACCP_E1001, yaml_.origin(node).value, message);
    }
    Status wrong_type(uint32_t node) const {
        return fail(ACCP_E1004, yaml_.origin(node).value, "wrong type");
    }
    value::TreeView tree() const { return read_.view(); }

    struct Level {
        uint32_t map_or_list, end, opened;
    };

    value::YamlReader yaml_;
    value::Value read_;
    Buffer<Level> levels_;
    Buffer<char> number_, hash_form_, printable_;
    Arena arena_;
};

}  // namespace accp::packet
