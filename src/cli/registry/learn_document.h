// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A registry's document while it is learned.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cli {

struct LearnedSchema {
    std::string name, code;
    std::vector<std::string> bind;
    std::vector<std::string> fields;              // JSON, with quotes, in the order of p1
    std::map<std::string, std::string> defaults;  // of a field
    std::map<std::string, const char *> types;    // of a field
};

struct LearnedDocument {
    std::vector<LearnedSchema> schemas;
    std::map<std::string, std::string> aliases;  // a key (JSON) to its short key

    // The same document is the same bytes: a schema a line.
    std::string json() const;
};

}  // namespace cli
