// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What servers answer: JSON with few members, of which a few are read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace accp_nats {

// The first number that is a member of this name; 0 where there is none.
uint64_t number_of(std::string_view json, std::string_view name);
// The first text, as it stands between its quotes; empty where there is none.
std::string_view text_of_member(std::string_view json, std::string_view name);
// False: it is no base64.
bool decode_base64(std::string_view from, std::string &out);

// An error that an answer says, by the server's numbers.
struct ServerError {
    uint64_t code = 0;    // as of HTTP; 0: none
    uint64_t number = 0;  // err_code
};
ServerError error_of(std::string_view json);

}  // namespace accp_nats
