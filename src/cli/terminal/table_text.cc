// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/table_text.h"

namespace cli {

std::string pretty_json(std::string_view compact) {
    std::string out;
    size_t depth = 0;
    bool in_string = false;
    auto new_line = [&] { out.append("\n").append(2 * depth, ' '); };
    for (size_t i = 0; i < compact.size(); ++i) {
        const char c = compact[i];
        const bool opens = !in_string && (c == '{' || c == '['),
                   closes = !in_string && (c == '}' || c == ']');
        const bool empty = (opens && (compact[i + 1] == '}' || compact[i + 1] == ']')) ||
                           (closes && (compact[i - 1] == '{' || compact[i - 1] == '['));
        if (closes) --depth;
        if (closes && !empty) new_line();
        out.push_back(c);
        if (opens) ++depth;
        if (in_string && c == '\\') out.push_back(compact[++i]);
        else if (c == '"') in_string = !in_string;
        if ((opens && !empty) || (!in_string && c == ',')) new_line();
        if (!in_string && c == ':') out.push_back(' ');
    }
    return out;
}

}  // namespace cli
