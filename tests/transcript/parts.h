// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Parts of a context with their own messages, for tests and the fuzz target; and random parts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transcript/write.h"
#include "unit.h"
#include "value/json_reader.h"

namespace accp_transcript {

using accp::transcript::Part;
using accp::transcript::PartKind;
using accp::transcript::Provider;
using accp::transcript::SourceKind;

class PartList {
public:
    // Adds a part. Its message is the JSON of a payload or of a whole message; empty: no message.
    // The reference is valid until the next call.
    Part &add(PartKind kind, SourceKind source, std::string_view text,
              std::string_view message = {});
    // Messages of an assistant and its tools.
    Part &act(std::string_view payload, std::string_view text = "@assistant req:tool …\n") {
        return add(PartKind::kOpen, SourceKind::kAct, text,
                   R"({"agent":"assistant","intent":"req","operation":"tool","payload":)" +
                       std::string(payload) + "}");
    }
    Part &result(std::string_view payload, std::string_view text) {
        return add(PartKind::kOpen, SourceKind::kResult, text,
                   R"({"agent":"tool","intent":"done","operation":"tool","payload":)" +
                       std::string(payload) + "}");
    }

    std::string write(Provider provider,
                      const accp_allocator &allocator = accp::private_allocator()) const {
        return write_first(parts_.size(), provider, allocator);
    }
    std::string write_first(size_t count, Provider provider,
                            const accp_allocator &allocator = accp::private_allocator()) const;
    size_t size() const { return parts_.size(); }
    const Part &operator[](size_t i) const { return parts_[i]; }

private:
    struct Owned {
        accp::Memory memory{accp::private_allocator(), UINT64_MAX};
        accp::value::Value value{memory};
        accp::message::Message message;
        std::string text;
    };
    std::vector<std::unique_ptr<Owned>> owned_;
    std::vector<Part> parts_;
};

// Returns parts of all kinds. Calls and results usually match. The text of part i, and each text of
// its message, contain `#i.`.
PartList random_parts(accp_unit::Random &random, size_t count);
inline std::string tag_of(size_t i) { return "#" + std::to_string(i) + "."; }

}  // namespace accp_transcript
