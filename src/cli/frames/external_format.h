// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Other formats, by the commands that write them: JSON on standard input, the format on standard
// output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cli {

struct ExternalFormat {
    std::string name;
    // and its arguments; looked for on the PATH, no shell between
    std::vector<std::string> command;
};

// "toon" is TOON's own command; "NAME=COMMAND ARGUMENTS" any other. Throws Failure for a name that
// is neither.
ExternalFormat external_format(std::string_view text);

// Is the command on the PATH?
bool is_there(const ExternalFormat &format);

// What the command makes of `json`, without the newline at its end. Throws Failure where it cannot
// be run or does not exit with 0.
std::string convert(const ExternalFormat &format, std::string_view json);

}  // namespace cli
