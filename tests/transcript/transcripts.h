// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a transcript into a list of lines, for these tests and the fuzz target.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/read.h"

namespace accp_transcript {

// A sink that stores its messages; it may fail.
struct Lines {
    std::vector<std::string> lines;
    size_t max = SIZE_MAX;

    static accp::Status take(std::string_view json, void *user) {
        Lines &self = *static_cast<Lines *>(user);
        if (self.lines.size() == self.max) return accp::fail(ACCP_E5002, 7, "enough");
        self.lines.emplace_back(json);
        return {};
    }
    accp::transcript::Sink sink() { return {take, this}; }
};

class Transcript {
public:
    explicit Transcript(const accp::value::JsonLimits &limits = {UINT64_MAX, accp::kMaxJsonDepth},
                        const accp_allocator &allocator = accp::private_allocator())
        : memory(allocator, UINT64_MAX), reader(memory, limits) {}

    // The text is in a block of its exact size.
    accp::Status read(accp::transcript::Format format, std::string_view text, Lines &out) {
        const std::unique_ptr<char[]> exact(new char[text.size()]);
        std::copy(text.begin(), text.end(), exact.get());
        return reader.read(format, {exact.get(), text.size()}, out.sink());
    }

    accp::Memory memory;
    accp::transcript::TranscriptReader reader;
};

inline accp::transcript::Format format_of(std::string_view name) {
    accp::transcript::Format format = accp::transcript::Format::kOpenAi;
    return accp::transcript::find_format(name, format)
               ? format
               : throw std::string("no such format: ") + std::string(name);
}

}  // namespace accp_transcript
