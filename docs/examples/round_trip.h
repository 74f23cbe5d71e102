// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message there and back through the public C headers: what it weighs as compact JSON and as a frame, and proof that it came back equal.
#ifndef ACCP_EXAMPLES_ROUND_TRIP_H
#define ACCP_EXAMPLES_ROUND_TRIP_H

#include <memory>
#include <string>
#include <string_view>

#include "accp/accp.h"

namespace example {

template <auto Free>
struct Freer {
    void operator()(auto *handle) const { Free(handle); }
};
using Frame = std::unique_ptr<accp_frame, Freer<accp_frame_free>>;
using Value = std::unique_ptr<accp_value, Freer<accp_value_free>>;

// Bytes of one message, or of many: as compact JSON, as a frame, as a frame with tables (t1).
struct Sizes {
    size_t messages = 0, json = 0, frame = 0, tables = 0;
    size_t bigger = 0;  // how many messages are longer as a frame than as JSON
    void add(const Sizes &other);
};

class RoundTrip {
public:
    RoundTrip();

    // Encodes one message, given as JSON, decodes it again, both ways. Throws std::runtime_error where the library refuses it or
    // does not give it back equal. `title` becomes agent>intent:operation.
    Sizes measure(std::string_view line, std::string &title);

private:
    void keep_members(std::string &title);
    void copy(uint32_t first);
    void copy_node(const accp_node &node, bool in_map);
    size_t there_and_back(const Frame &frame, std::string_view line, const std::string &proof);

    Frame plain_, tables_;
    Value source_, message_, back_;
};

}  // namespace example

#endif
