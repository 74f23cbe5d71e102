// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The values in a JSON text one after the other: only where each begins and ends is looked for, so
// that a long text is read an item at a time. What is wrong within an item its reader says.
#pragma once

#include <string_view>

#include "base/status.h"

namespace accp::transcript {

struct Item {
    std::string_view text;  // empty: none
    size_t begin = 0;       // where it stands in the whole text
    std::string_view key;   // of a member: as it is written, without quotes

    char first() const { return text.empty() ? '\0' : text.front(); }
};

// What a scanner walks through.
enum class Within : uint8_t {
    kText,    // values one after the other, with white space between them or without
    kArray,   // the elements
    kObject,  // the members
};

class ItemScanner {
public:
    // The item of an array begins with its bracket; of an object too.
    ItemScanner(const Item &item, Within within);

    // False at the end; and where status() failed, E1001.
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
