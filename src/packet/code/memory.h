// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An index in memory, as files of code: nothing of it can fail, and a pick is all of it.
#pragma once

#include "packet/code/index.h"

namespace accp::packet {

class CodeMemory final : public CodeFiles {
public:
    explicit CodeMemory(Memory &memory) : memory_(&memory), index_(memory) {}

    CodeIndex &index() { return index_; }

    Status add(std::string_view path, std::string_view text, uint64_t stamp = 0) override;
    Status remove(std::string_view path, bool &was_there) override;
    Status count(uint64_t &out) const override;
    Status has(std::string_view path, uint64_t text_hash, bool &out) const override;
    Status stamp(std::string_view path, uint64_t &out) const override;
    Status list(Buffer<char> &out) const override;
    Status pick(const CodeQuery &query, CodePick &out) const override;

private:
    Memory *memory_;
    CodeIndex index_;
};

}  // namespace accp::packet
