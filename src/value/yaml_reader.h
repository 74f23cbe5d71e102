// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The safe subset of YAML 1.2 to a value, by libyaml: one document; no anchors, aliases, tags,
// directives, merge keys or keys that are no scalars; no key twice; no tab that is not in a quoted
// text, a block or a comment. A JSON text is such a document.
//
// Every scalar comes out as a string with its source text. kPlainScalar marks those that stood
// without quotes, which resolve_plain() makes numbers, booleans and nulls of.
#pragma once

#include "base/arena.h"
#include "base/status.h"
#include "value/value.h"
#include "value/yaml_preprocessor.h"

struct yaml_event_s;

namespace accp::value {

constexpr uint8_t kPlainScalar = 0x80;  // of accp_node.flags; never handed to a host

struct YamlLimits {
    uint64_t bytes;
    uint32_t depth;  // of arrays and maps, the root counted; at most kMaxJsonDepth
};

class YamlReader {
public:
    explicit YamlReader(Memory &memory);

    // Replaces `out`; on failure it is empty. The message of a failure is one of a short list,
    // after "not yaml: " one of yaml_fault.h, and its offset a byte of `text`.
    Status read(std::string_view text, const YamlLimits &limits, Value &out);

    // Where in the last text node i stood, and its key, as JsonReader says.
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
        bool has_key;  // a value comes next
    };
    // Bytes of the text; tabs are allowed in all but plain scalars.
    struct ScalarRange {
        uint32_t begin, end;
        bool plain;
    };
    // A place in the text, counted both ways.
    struct Place {
        size_t byte = 0, character = 0;
    };

    Status run(Value &out);
    Status check_gaps(size_t end) const;
    Status take(const yaml_event_s &event, Value &out);
    Status take_scalar(const yaml_event_s &event, Value &out);
    Status open(uint8_t kind, size_t at, Value &out);
    Status close(Value &out);
    void add_node(size_t at);
    Level *innermost() { return levels_.empty() ? nullptr : levels_.end() - 1; }
    bool awaits_key() { return innermost() && innermost()->map && !innermost()->has_key; }
    size_t byte_of(size_t character);

    std::string_view text_;  // without a byte order mark
    uint32_t max_depth_ = 0;
    Place place_;
    uint32_t documents_ = 0;
    uint32_t key_at_ = 0;
    HiddenText hidden_;
    Buffer<Level> levels_;
    Buffer<Origin> origins_;
    Buffer<ScalarRange> scalars_;
    Buffer<char> scratch_;
    Arena arena_;
    uint64_t seed_;
};

}  // namespace accp::value
