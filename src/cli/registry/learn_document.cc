// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learn_document.h.
#include "cli/registry/learn_document.h"

namespace cli {
namespace {

std::string quoted(const std::string &word) { return "\"" + word + "\""; }

// `write` makes the text of one item.
template <class Items, class Write>
std::string joined(const Items &items, const char *between, Write write) {
    std::string out;
    for (const auto &item : items) out.append(out.empty() ? "" : between).append(write(item));
    return out;
}

std::string schema_json(const LearnedSchema &schema) {
    std::string out = quoted(schema.name) + ":{\"code\":" + quoted(schema.code) +
                      ",\"version\":1,\"bind\":[" + joined(schema.bind, ",", quoted) +
                      "],\"fields\":[" +
                      joined(schema.fields, ",", [](const auto &field) { return field; }) + "]";
    if (!schema.defaults.empty())
        out += ",\"defaults\":{" +
               joined(schema.defaults, ",",
                      [](const auto &entry) { return entry.first + ":" + entry.second; }) +
               "}";
    if (!schema.types.empty())
        out += ",\"types\":{" +
               joined(schema.types, ",",
                      [](const auto &entry) { return entry.first + ":" + quoted(entry.second); }) +
               "}";
    return out + "}";
}

}  // namespace

std::string LearnedDocument::json() const {
    std::string out = "{\"version\":1,";
    if (!aliases.empty())
        out += "\"aliases\":{" +
               joined(aliases, ",",
                      [](const auto &entry) { return quoted(entry.second) + ":" + entry.first; }) +
               "},";
    return out + "\"schemas\":{" + (schemas.empty() ? "" : "\n") +
           joined(schemas, ",\n", schema_json) + "}}";
}

}  // namespace cli
