// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Splits a JSON text into its values. It only finds where each value begins and ends, so that a
// long text can be read item by item. The reader of an item reports errors inside it.
#pragma once

#include <string_view>

#include "base/status.h"

namespace accp::transcript {

struct Item {
    std::string_view text;  // empty: no item
    size_t begin = 0;       // position in the whole text
    std::string_view key;   // of a member: raw, without quotes

    char first() const { return text.empty() ? '\0' : text.front(); }
};

// The kind of container that a scanner visits.
enum class Within : uint8_t {
    kText,    // adjacent values, with or without white space between them
    kArray,   // elements
    kObject,  // members
};

class ItemScanner {
public:
    // The item of an array or an object begins with its bracket.
    ItemScanner(const Item &item, Within within);

    // Returns false at the end and on failure. Then check status(), which may be E1001.
    bool next(Item &out);
    const Status &status() const { return status_; }

private:
    bool fault(size_t at, const char *message);
    void pass_space();
    bool pass_string();
    bool pass_nested();
    bool pass_value();
    bool pass_key(Item &out);
    bool pass_comma(bool &ended);

    std::string_view text_;
    size_t begin_;
    size_t at_ = 0;
    Within within_;
    bool first_ = true;
    Status status_;
};

}  // namespace accp::transcript
