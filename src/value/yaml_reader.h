// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads a safe subset of YAML 1.2 with libyaml. It allows one document. It does not allow anchors,
// aliases, tags, directives, merge keys, keys that are not scalars, equal keys in one map, or tabs
// outside quoted texts, blocks and comments. JSON texts are in this subset.
//
// Every scalar is returned as a string with its source text. kPlainScalar marks scalars without
// quotes; resolve_plain() converts these to numbers, booleans and null.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "value/value.h"
#include "value/yaml_preprocessor.h"

struct yaml_event_s;

namespace accp::value {

constexpr uint8_t kPlainScalar = 0x80;  // in accp_node.flags; hosts never see it

struct YamlLimits {
    uint64_t bytes;
    uint32_t depth;  // of arrays and maps with the root; at most kMaxJsonDepth
};

class YamlReader {
public:
    explicit YamlReader(Memory &memory);

    // Replaces `out`. On failure `out` is empty, and the offset is a byte of `text`. The message is
    // a fixed short text, or "not yaml: " and an explanation.
    Status read(std::string_view text, const YamlLimits &limits, Value &out);

    // The position of node i and of its key in the last text, as in JsonReader.
    struct Origin {
        uint32_t key;
        uint32_t value;
    };
    Origin origin(uint32_t i) const { return origins_[i]; }

private:
    struct Level {
        uint32_t node;
        uint32_t count;
        bool map;
        bool has_key;  // the value of this key comes next
    };
    // Bytes of the text. Tabs are allowed in all but plain scalars.
    struct ScalarRange {
        uint32_t begin, end;
        bool plain;
    };
    // A position in bytes and in characters.
    struct Position {
        size_t byte = 0, character = 0;
    };

    Status run(Value &out);
    Status check_gaps(size_t end) const;
    Status handle_event(const yaml_event_s &event, Value &out);
    Status handle_scalar(const yaml_event_s &event, Value &out);
    Status open(uint8_t kind, size_t at, Value &out);
    Status close(Value &out);
    void add_node(size_t at);
    Level *innermost() { return levels_.empty() ? nullptr : levels_.end() - 1; }
    bool awaits_key() { return innermost() && innermost()->map && !innermost()->has_key; }
    size_t byte_of(size_t character);

    std::string_view text_;  // without a byte order mark
    uint32_t max_depth_ = 0;
    Position position_;
    uint32_t documents_ = 0;
    uint32_t key_at_ = 0;
    YamlPreprocessor preprocessor_;
    Buffer<Level> levels_;
    Buffer<Origin> origins_;
    Buffer<ScalarRange> scalars_;
    Buffer<char> scratch_;
    Arena arena_;
    uint64_t seed_;
};

}  // namespace accp::value
