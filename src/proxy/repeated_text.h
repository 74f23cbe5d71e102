// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds results whose lines the model can also read further down in the same request, such as a
// file that was read again. The model hardly needs the older copy.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/memory.h"
#include "base/slots.h"
#include "proxy/hash.h"
#include "proxy/request.h"

namespace proxy {

class RepeatedText {
public:
    explicit RepeatedText(const HashKey &key)
        : key_(key), memory_(accp::private_allocator(), UINT64_MAX), later_(memory_) {}

    // Returns a number for each page of the request: for a result that may leave, the thousandths
    // of its text in lines that a later page has too; 0 for all others. `is_stub`: whether a page
    // is sent as a stub, which has none of its lines. Short lines do not count.
    std::vector<uint32_t> shares(const ModelRequest &request,
                                 const std::function<bool(size_t page)> &is_stub);

private:
    void read_page(const ModelRequest &request, const Page &page);
    void read_text(std::string_view text);

    HashKey key_;
    accp::Memory memory_;
    accp::Slots later_;            // the lines of all later pages
    std::vector<uint64_t> lines_;  // of the page that is read
    uint64_t bytes_ = 0, repeated_bytes_ = 0;
};

}  // namespace proxy
