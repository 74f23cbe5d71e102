// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See scan.h.
#include "render/scan.h"

#include "base/limits.h"
#include "value/json_string.h"

namespace accp::render {

bool Scanner::quoted(Buffer<char> &out) {
    const char *begin = at + 1, *p = begin;
    while (p < end && *p != '"' && static_cast<unsigned char>(*p) >= 0x20)
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    if (p >= end || *p != '"')
        return refuse(p < end ? p : end, "a string without its closing quote");
    value::StringCopy copy =
        value::copy_json_string(begin, end, out.reserve(static_cast<size_t>(p - begin) + 16));
    if (copy.fault) {
        fault_ = value::json_string_fault(copy.fault, text_);
        return false;
    }
    out.set_end(copy.written);
    at = p + 1;
    return true;
}

bool Scanner::bare(unsigned stops, std::string_view &out) {
    const char *begin = at;
    while (at < end && !(text_byte(*at) & stops) && static_cast<unsigned char>(*at) >= 0x20) ++at;
    out = {begin, static_cast<size_t>(at - begin)};
    return !out.empty() || refuse("a value was expected");
}

bool Scanner::unescape(std::string_view bare, Buffer<char> &out) {
    const char *from = bare.data(), *last = from + bare.size();
    char *to = out.reserve(bare.size() + 4);
    while (from < last) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        const char *escape = from;
        if (value::copy_json_escape(from, last, to)) continue;
        return refuse(escape, "not an escape");
    }
    out.set_end(to);
    return true;
}

std::string_view Scanner::bare_key() {
    const char *begin = at;
    while (at < end && !(text_byte(*at) & kNoKeyByte)) ++at;
    return {begin, static_cast<size_t>(at - begin)};
}

bool Scanner::key(Buffer<char> &out) {
    const char *begin = at;
    size_t start = out.size();
    if (is('"')) {
        if (!quoted(out)) return false;
    } else {
        std::string_view word = bare_key();
        if (word.empty()) return refuse("a key was expected");
        out.append(word);
    }
    if (out.size() - start > kMaxKeyBytes)
        return refuse_limit(begin, "a key of more than 65,535 bytes", out.size() - start,
                            kMaxKeyBytes, ACCP_E1004);
    return true;
}

}  // namespace accp::render
