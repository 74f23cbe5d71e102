// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See changes.h: one change as JSON.
#include "registry/changes.h"
#include "value/json_writer.h"

namespace accp::registry {

void Changes::begin(const char *kind, bool breaking) {
    if (!first_) out_.push(',');
    first_ = false;
    breaking_ = breaking_ || breaking;
    out_.append(R"({"kind":")");
    out_.append(std::string_view(kind));
    out_.append(breaking ? R"(","breaking":true)" : R"(","breaking":false)");
}

// `text` has a Buffer's slack after it.
void Changes::text(const char *key, std::string_view text) {
    if (text.empty()) return;
    name(key);
    value::write_json_string(text, out_);
}

void Changes::json(const char *key, std::string_view json) {
    if (json.empty()) return;
    name(key);
    out_.append(json);
}

void Changes::name(const char *key) {
    out_.append(",\"");
    out_.append(std::string_view(key));
    out_.append("\":");
}

void Changes::end(const char *why) {
    out_.append(R"(,"why":")");
    out_.append(std::string_view(why));
    out_.append("\"}");
}

void Changes::add(const char *kind, bool breaking, const Schema *schema, const char *why) {
    begin(kind, breaking);
    if (schema) text("schema", schema->name);
    end(why);
}

void Changes::add(const char *kind, bool breaking, const Schema &schema, std::string_view field,
                  Values values, const char *why) {
    begin(kind, breaking);
    text("schema", schema.name);
    text("field", field);
    json("from", values.from);
    json("to", values.to);
    end(why);
}

}  // namespace accp::registry
