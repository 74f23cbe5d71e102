// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A position in a render text, and the tokens that can occur there.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/memory.h"
#include "base/status.h"
#include "render/table.h"

namespace accp::render {

class Scanner {
public:
    Scanner(const char *text, size_t len, size_t start)
        : at(text + start), end(text + len), text_(text) {}

    bool done() const { return at == end; }
    char peek() const { return at < end ? *at : '\0'; }
    bool is(char c) const { return at < end && *at == c; }
    bool at_line_end() const { return at == end || *at == '\n'; }
    bool accept(char c) {
        bool here = is(c);
        at += here;
        return here;
    }
    bool accept(std::string_view word) {
        bool here = static_cast<size_t>(end - at) >= word.size() &&
                    std::string_view(at, word.size()) == word;
        if (here) at += word.size();
        return here;
    }

    // Returns false on failure; fault() is then the error.
    bool expect(std::string_view word, const char *message) {
        return accept(word) || refuse(message);
    }
    bool refuse(const char *message) { return refuse(at, message); }
    bool refuse(const char *place, const char *message, accp_status code = ACCP_E1001) {
        fault_ = fail(code, static_cast<uint64_t>(place - text_), message);
        return false;
    }
    bool refuse_limit(const char *place, const char *message, uint64_t had, uint64_t limit,
                      accp_status code = ACCP_E1001) {
        fault_ = fail_limit(code, static_cast<uint64_t>(place - text_), message, had, limit);
        return false;
    }
    const Status &fault() const { return fault_; }

    // Appends the quoted string at this position, without its escapes.
    bool quoted(Buffer<char> &out);
    // Sets `out` to the bare text at this position. It ends before any byte of `stops` or at the
    // end of the line, and is not empty.
    bool bare(unsigned stops, std::string_view &out);
    // Appends a bare text without its escapes.
    bool unescape(std::string_view bare, Buffer<char> &out);
    // Returns the bare key at this position, or an empty view if the key is quoted.
    std::string_view bare_key();
    // Appends the bare or quoted key at this position, at most kMaxKeyBytes.
    bool key(Buffer<char> &out);

    const char *at;
    const char *const end;

private:
    const char *text_;
    Status fault_;
};

// Reads a table's header at `(`. Its names are views of the text or of the arena. Returns nullptr
// on failure.
Table *read_header(Scanner &from, Arena &arena, Buffer<char> &scratch, uint64_t seed);

}  // namespace accp::render
