// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The reference parser: frames by recursive descent, written from the ABNF of specification 3.1 and
// the decisions in docs/wire.md. Tests only. It shares no code with the library, so a common error
// is unlikely.
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accp_ref {

enum class Dialect { kStrict, kCompat, kU8 };

struct Limits {
    size_t frame_bytes = 65536;
    size_t params = 256;
    size_t items = 4096;
    size_t key_bytes = 256;
    size_t depth = 5;
};

enum class Kind { kNull, kBool, kInt, kDec, kString, kRef, kArray, kMap };

struct Value;
// a list may have an element type that is still incomplete
using Entries = std::list<std::pair<std::string, Value>>;

struct Value {
    Kind kind = Kind::kNull;
    bool truth = false;
    std::string text;   // int, dec: as written; string: without escapes; ref: without `$`
    size_t offset = 0;  // of the value's first byte in the frame
    std::vector<Value> items;
    Entries entries;
};

struct Frame {
    std::string agent, intent, operation;
    Entries payload;
    std::optional<Entries> meta;
};

/** A frame, or the offset of the first byte after which no text can complete it. */
struct Parsed {
    std::optional<Frame> frame;
    size_t offset = 0;
};

Parsed parse_frame(std::string_view text, Dialect dialect = Dialect::kStrict,
                   const Limits &limits = {});

/** Returns whether `text` is a literal of docs/wire.md 2. */
bool is_integer(std::string_view text);
bool is_decimal(std::string_view text);

}  // namespace accp_ref
