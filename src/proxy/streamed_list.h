// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A list of a chat message that comes in deltas, such as blocks of a content. Each delta has new
// elements, the first of which may be the next piece of the last one. The pieces of an element are
// joined.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/json_text.h"

namespace proxy {

class StreamedList {
public:
    void add(const JsonText &json, uint32_t list);
    // Appends a text as a block.
    void add_text(std::string_view text);
    bool empty() const { return elements_.empty(); }
    // Returns whether all elements are blocks of only text.
    bool is_only_text() const;
    // Returns the elements as JSON, with commas between.
    std::string json() const;

private:
    struct Member {
        std::string name;
        std::string value;  // as JSON, or a text
        bool is_text = false;
    };
    struct Element {
        std::vector<Member> members;
        std::string json;  // of an element that is not a map
    };

    static bool join(Element &last, const Element &next);

    std::vector<Element> elements_;
};

}  // namespace proxy
