// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A compact encoding of small internal records: numbers in base 128, and texts with their length
// before them. The first invalid item ends reading: all later items are 0 or empty. So it is enough
// to check ok() once, at the end.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp {

class Packer {
public:
    explicit Packer(Buffer<char> &out) : out_(out) {}

    void number(uint64_t n) {
        char *to = out_.reserve(10);
        for (; n >= 0x80; n >>= 7) *to++ = static_cast<char>(n | 0x80);
        *to++ = static_cast<char>(n);
        out_.set_end(to);
    }
    void text(std::string_view text) {
        number(text.size());
        out_.append(text);
    }

private:
    Buffer<char> &out_;
};

class Unpacker {
public:
    explicit Unpacker(std::string_view from) : rest_(from) {}

    uint64_t number() {
        uint64_t n = 0;
        for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            auto byte = static_cast<unsigned char>(rest_[0]);
            rest_.remove_prefix(1);
            n |= uint64_t{byte & 0x7Fu} << shift;
            if (byte < 0x80) return n;
        }
        return stop();
    }
    std::string_view text() { return bytes(number()); }
    // Reads `len` bytes that have no length before them.
    std::string_view bytes(uint64_t len) {
        if (len > rest_.size()) {
            stop();
            return {};
        }
        std::string_view text = rest_.substr(0, len);
        rest_.remove_prefix(len);
        return text;
    }
    std::string_view rest() const { return rest_; }
    bool ok() const { return ok_; }

private:
    uint64_t stop() {
        ok_ = false;
        rest_ = {};
        return 0;
    }

    std::string_view rest_;
    bool ok_ = true;
};

}  // namespace accp
