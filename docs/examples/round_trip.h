// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message there and back through the public C headers: what it costs a model as compact JSON, as
// a frame and rendered, and proof that it came back equal from each.
#ifndef ACCP_EXAMPLES_ROUND_TRIP_H
#define ACCP_EXAMPLES_ROUND_TRIP_H

#include <memory>
#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

namespace example {

template <auto Free>
struct Freer {
    void operator()(auto *handle) const { Free(handle); }
};
using Codec = std::unique_ptr<accp_codec, Freer<accp_codec_free>>;
using Value = std::unique_ptr<accp_value, Freer<accp_value_free>>;
using Render = std::unique_ptr<accp_render, Freer<accp_render_free>>;
using Tokenizer = std::unique_ptr<accp_tokenizer, Freer<accp_tokenizer_free>>;
using Counter = std::unique_ptr<accp_counter, Freer<accp_counter_free>>;

// Tokens (o200k_base) of one message, or of many: as compact JSON, as a frame without its envelope,
// and rendered.
struct Sizes {
    uint64_t messages = 0, json = 0, frame = 0, render = 0;
    uint64_t bigger = 0;  // how many messages have more tokens rendered than as JSON
    void add(const Sizes &other);
};

class RoundTrip {
public:
    RoundTrip();

    // Encodes one message, given as JSON, and decodes it again, with and without tables (t1);
    // renders it and reads that. Throws std::runtime_error where the library refuses it or does not
    // give it back equal. `title` becomes agent>intent:operation.
    Sizes measure(std::string_view line, std::string &title);

private:
    void keep_members(std::string &title);
    void copy(uint32_t first);
    void copy_node(const accp_node &node, bool in_map);
    uint64_t there_and_back(const Codec &codec, std::string_view line, const std::string &proof);
    uint64_t rendered_and_read(const std::string &proof);
    uint64_t tokens(std::string_view text);

    Codec plain_, tables_;
    Value source_, message_, back_;
    Render render_;
    Tokenizer tokenizer_;
    Counter counter_;
};

}  // namespace example

#endif
