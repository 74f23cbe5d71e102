// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes the hits of an index as one sentence and its sources. Every part of the sentence comes
// from an item.
#pragma once

#include "packet/query/index.h"

namespace accp::packet {

class AnswerWriter {
public:
    AnswerWriter(const PacketIndex &index, const Question &question, Memory &memory)
        : index_(index), question_(question), text_(memory), brief_(memory) {}

    // Appends {"answer":…,"sources":[…]} for the hits of the index; at least one hit is required.
    // `is_restricted`: the search began at one packet, so each source lists the packets that lead
    // to it.
    void write(bool is_restricted, Buffer<char> &out);

private:
    void write_text();
    void write_decisions();
    void write_reasons();
    void write_items();
    void write_source(const Hit &hit, bool is_restricted);
    void write_path(uint32_t packet);
    void write_member(std::string_view name, std::string_view text);
    bool is_quoted(size_t hit) const;
    size_t find_primary() const;

    const PacketIndex &index_;
    const Question &question_;
    Buffer<char> text_, brief_;
    Buffer<char> *out_ = nullptr;
};

}  // namespace accp::packet
