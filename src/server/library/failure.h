// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Exceptions that end the command or a request early, and texts for errors of the library.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "accp/error.h"

namespace host {

// Invalid usage, or failed input or output. The message is one line, without the leading "accp: ".
// The command exits with status 2.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Standard output could not be written.
class OutputFailure : public Failure {
public:
    using Failure::Failure;
};

// An error without an offset.
inline accp_error error_of(accp_status code, const char *message) {
    accp_error err = {};
    err.code = code;
    err.message = message;
    return err;
}

// The message of an error, with the numbers of an exceeded limit: "too many tokens in one frame: …
// (310 of 240)"; for a number out of order: "(came 7, awaited 5)".
inline std::string message_of(const accp_error &error) {
    std::string text = error.message != nullptr ? error.message : accp_status_meaning(error.code);
    if (error.limit == 0) return text;
    const bool order = error.code == ACCP_E3003;
    return text + (order ? " (came " : " (") + std::to_string(error.had) +
           (order ? ", awaited " : " of ") + std::to_string(error.limit) + ")";
}

// "E1001 at byte 17: what is wrong".
inline std::string describe(const accp_error &error) {
    return std::string(accp_status_code_name(error.code)) + " at byte " +
           std::to_string(error.offset) + ": " + message_of(error);
}

// The same with the line and column in `text`: "E1001 at byte 17, line 2 column 4: what is wrong".
// Lines and columns count from 1; a column is a character.
inline std::string describe(const accp_error &error, std::string_view text) {
    const std::string_view before = text.substr(0, error.offset);
    const size_t line_begin = before.rfind('\n') + 1;
    const auto column = std::count_if(before.begin() + static_cast<ptrdiff_t>(line_begin),
                                      before.end(), [](char c) { return (c & 0xC0) != 0x80; });
    return std::string(accp_status_code_name(error.code)) + " at byte " +
           std::to_string(error.offset) + ", line " +
           std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + " column " +
           std::to_string(column + 1) + ": " + message_of(error);
}

// "E2001: what is wrong"; for an error in a text also the offset: "E1001 at byte 17: …".
inline std::string describe_short(const accp_error &error) {
    if (error.code == ACCP_E1001 || error.code == ACCP_E1003 || error.code == ACCP_E1004)
        return describe(error);
    return std::string(accp_status_code_name(error.code)) + ": " + message_of(error);
}

// Throws Failure unless the status is ACCP_OK.
inline void check(accp_status status, const accp_error &error) {
    if (status != ACCP_OK) throw Failure(describe(error));
}

// The reader of standard output has closed it. The command ends without a message.
class ReaderGone {};

}  // namespace host
