// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON text to a value. simdjson's first stage validates the UTF-8 and indexes the structure (with
// the best kernel of the machine); the walk over that index is ours, as it must keep numbers as
// text, find equal keys, and say at which byte a text is wrong.
#pragma once

#include <memory>

#include "base/arena.h"
#include "base/settings.h"
#include "base/status.h"
#include "value/value.h"

namespace simdjson::internal {
class dom_parser_implementation;
}

namespace accp::value {

struct JsonLimits {
    uint64_t bytes;
    uint32_t depth;  // at most kMaxJsonDepth
};

// Of JSON that a host, or a peer, hands in.
inline JsonLimits json_limits(const Settings &settings) {
    return {settings.limit(ACCP_LIMIT_JSON_BYTES),
            static_cast<uint32_t>(settings.limit(ACCP_LIMIT_JSON_DEPTH))};
}

class JsonReader {
public:
    explicit JsonReader(Memory &memory);
    ~JsonReader();

    // Replaces `out`; on failure it is empty.
    Status read(const char *text, size_t len, const JsonLimits &limits, Value &out);

    // The same in two steps: the index of a text's structure, with two zeros after its last entry,
    // which others may walk too; and the walk.
    Status make_index(const char *text, size_t len, const JsonLimits &limits);
    const uint32_t *index() const;
    size_t index_count() const;
    Status read_indexed(const char *text, size_t len, const JsonLimits &limits, Value &out);

    // Where in the last text node i stood.
    struct Origin {
        uint32_t key;  // its key's opening quote; outside maps as value
        uint32_t value;
    };
    Origin origin(uint32_t i) const { return origins_[i]; }

private:
    bool run_first_stage(const char *text, size_t len);

    std::unique_ptr<simdjson::internal::dom_parser_implementation> index_;
    Buffer<Origin> origins_;  // for each node
    Arena arena_;
    uint64_t seed_;
};

// The text of one JSON string, its escapes taken out.

struct StringCopy {
    char *written;      // where the copy ends
    const char *fault;  // an unknown escape, or the lone surrogate; nullptr when all is well
};

// Copies from after the opening quote to the closing one, which must be there. `to` needs room for
// the string and 16 bytes more.
StringCopy copy_json_string(const char *from, const char *end, char *to);

// Copies the escape at `from`, which is a backslash, and moves both on; false when it is none. `to`
// needs room for 4 bytes.
bool copy_json_escape(const char *&from, const char *end, char *&to);

// The failure for such a fault: an unknown escape is no JSON, a lone surrogate is JSON that no
// UTF-8 can carry.
Status json_string_fault(const char *fault, const char *text);

}  // namespace accp::value
