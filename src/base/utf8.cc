// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "base/utf8.h"

#include <simdjson.h>

#include "base/bytes.h"

namespace accp {

bool is_valid_utf8(std::string_view text) {
    // a call of simdjson costs as much as a short text
    if (text.size() < 64) return valid_utf8_prefix(text.data(), text.size()) == text.size();
    return simdjson::validate_utf8(text.data(), text.size());
}

size_t valid_utf8_prefix(const char *text, size_t len) {
    auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
    for (size_t i = 0; i < len;) {
        while (len - i >= 16 && !Bytes16::load(text + i).high()) i += 16;
        if (i == len) break;
        unsigned char lead = byte(i);
        size_t size = lead < 0x80   ? 1
                      : lead < 0xC2 ? 0
                      : lead < 0xE0 ? 2
                      : lead < 0xF0 ? 3
                      : lead < 0xF5 ? 4
                                    : 0;
        if (!size || len - i < size) return i;
        for (size_t j = 1; j < size; ++j)
            if ((byte(i + j) & 0xC0) != 0x80) return i;
        bool overlong =
            (lead == 0xE0 && byte(i + 1) < 0xA0) || (lead == 0xF0 && byte(i + 1) < 0x90);
        bool beyond = (lead == 0xED && byte(i + 1) > 0x9F) || (lead == 0xF4 && byte(i + 1) > 0x8F);
        if (overlong || beyond) return i;
        i += size;
    }
    return len;
}

size_t broken_utf8_size(const char *text, size_t len) {
    auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned char lead = byte(0);
    size_t size = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1, at = 1;
    unsigned char min = lead == 0xE0   ? 0xA0
                        : lead == 0xF0 ? 0x90
                                       : 0x80,
                  max = lead == 0xED   ? 0x9F
                        : lead == 0xF4 ? 0x8F
                                       : 0xBF;
    while (at < size && at < len && byte(at) >= min && byte(at) <= max) {
        ++at;
        min = 0x80;
        max = 0xBF;
    }
    return at;
}

}  // namespace accp
