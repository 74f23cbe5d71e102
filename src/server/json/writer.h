// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes JSON: strings, objects, lists, and parsed frames in the form of `accp parse`. It depends
// only on the public headers.
#pragma once

#include <string>
#include <string_view>

#include "accp/accp.h"
#include "accp/parts.h"

namespace host {

// Appends {"ok":true,"agent":…,"intent":…,"operation":…,"payload":V,"meta":V or null} for the last
// parsed frame, without white space or newline. V is {"int":"42"}, {"dec":"3.14"}, {"str":"…"},
// {"bool":true}, {"null":null}, {"ref":"warm.k"}, {"array":[V…]} or {"map":[["key",V]…]} in the
// order of the wire. Appends nothing if no frame was parsed.
void append_typed_json(const accp_frame *frame, std::string &out);

// Appends {"ok":false,"code":"E1001","offset":17,"message":"…"}.
void append_refusal_json(const accp_error &error, std::string &out);

// Appends `text`, which is UTF-8, as a JSON string with its quotes. Escapes only the required
// characters.
void append_json_string(std::string_view text, std::string &out);
std::string json_string(std::string_view text);

// Builds a JSON object or list.
class JsonObject {
public:
    // `value` is UTF-8 text.
    JsonObject &text(std::string_view key, std::string_view value) {
        begin(key);
        append_json_string(value, json_);
        return *this;
    }
    // `value` is JSON; an empty one adds no member.
    JsonObject &json(std::string_view key, std::string_view value) {
        if (value.empty()) return *this;
        begin(key);
        json_.append(value);
        return *this;
    }
    JsonObject &flag(std::string_view key, bool value) {
        return json(key, value ? "true" : "false");
    }
    std::string end() const { return json_ + "}"; }

private:
    void begin(std::string_view key) {
        if (json_.size() > 1) json_ += ',';
        append_json_string(key, json_);
        json_ += ':';
    }

    std::string json_ = "{";
};

class JsonList {
public:
    JsonList &json(std::string_view value) {
        if (json_.size() > 1) json_ += ',';
        json_.append(value);
        return *this;
    }
    JsonList &text(std::string_view value) {
        if (json_.size() > 1) json_ += ',';
        append_json_string(value, json_);
        return *this;
    }
    bool is_empty() const { return json_.size() == 1; }
    std::string end() const { return json_ + "]"; }

private:
    std::string json_ = "[";
};

}  // namespace host
