// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What an index found, as one sentence and the items that it is made of. Nothing stands in it that
// no item says.
#pragma once

#include "packet/query/index.h"

namespace accp::packet {

class AnswerWriter {
public:
    AnswerWriter(const PacketIndex &index, const Question &question, Memory &memory)
        : index_(index), question_(question), text_(memory), brief_(memory) {}

    // Appends {"answer":…,"sources":[…]} of the index's hits, of which there is one at least.
    // `walked`: they were asked for from one packet on, and sources say by which others.
    void write(bool is_restricted, Buffer<char> &out);

private:
    void write_text();
    void write_decided();
    void write_reasons();
    void write_items();
    void write_source(const Hit &hit, bool is_restricted);
    void write_path(uint32_t packet);
    void write_member(std::string_view name, std::string_view text);
    bool is_used(size_t hit) const;
    size_t find_primary() const;

    const PacketIndex &index_;
    const Question &question_;
    Buffer<char> text_, brief_;
    Buffer<char> *out_ = nullptr;
};

}  // namespace accp::packet
