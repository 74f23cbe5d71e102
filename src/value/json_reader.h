// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads JSON text into a value. The first stage of simdjson validates the UTF-8 and indexes the
// structure with the best kernel of the machine. Our own code walks that index, because it must
// keep numbers as text, find equal keys, and report the byte of an error.
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

// For JSON from a host or a peer.
inline JsonLimits json_limits(const Settings &settings) {
    return {settings.limit(ACCP_LIMIT_JSON_BYTES),
            static_cast<uint32_t>(settings.limit(ACCP_LIMIT_JSON_DEPTH))};
}

class JsonReader {
public:
    explicit JsonReader(Memory &memory);
    ~JsonReader();

    // Replaces `out`. On failure `out` is empty.
    Status read(const char *text, size_t len, const JsonLimits &limits, Value &out);

    // The same in two steps. make_index() indexes the structure, with two zeros after the last
    // entry; other code may walk this index too. read_indexed() then reads the value.
    Status make_index(const char *text, size_t len, const JsonLimits &limits);
    const uint32_t *index() const;
    size_t index_count() const;
    Status read_indexed(const char *text, size_t len, const JsonLimits &limits, Value &out);

    // The position of node i in the last text.
    struct Origin {
        uint32_t key;  // the opening quote of the key; outside maps the same as `value`
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

// A copy of a JSON string without its escapes.
struct StringCopy {
    char *written;      // the end of the copy
    const char *fault;  // an invalid escape or a lone surrogate; nullptr if there is none
};

// Copies from after the opening quote to the closing quote, which must exist. `to` needs space for
// the string and 16 more bytes.
StringCopy copy_json_string(const char *from, const char *end, char *to);

// Copies the escape whose backslash is at `from`, and advances both pointers. Returns false for an
// invalid escape. `to` needs space for 4 bytes.
bool copy_json_escape(const char *&from, const char *end, char *&to);

// Returns the error for StringCopy::fault: E1001 for an invalid escape, E1004 for a lone surrogate,
// which UTF-8 cannot represent.
Status json_string_fault(const char *fault, const char *text);

}  // namespace accp::value
