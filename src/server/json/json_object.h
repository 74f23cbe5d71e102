// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A JSON object or list, written member by member.
#pragma once

#include <string>
#include <string_view>

#include "server/json/typed_json.h"

namespace host {

class JsonObject {
public:
    // A text, which is UTF-8.
    JsonObject &text(std::string_view key, std::string_view value) {
        begin(key);
        append_json_string(value, json_);
        return *this;
    }
    // A value in JSON; of an empty one nothing is written.
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
