// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A simple JSON value for a model: a tree of strings.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace accp_test {

struct Plain {
    using Items = std::vector<std::pair<std::string, Plain>>;

    Plain() {}
    Plain(char of_kind, std::string with_text, Items with_items)
        : kind(of_kind), text(std::move(with_text)), items(std::move(with_items)) {}

    char kind = 'n';   // n null, t true, f false, i integer, s string, a array, o object
    std::string text;  // of an integer or a string; strings need no escaping
    Items items;       // the items of an array have no names

    static Plain integer(uint64_t number) { return {'i', std::to_string(number), {}}; }
    static Plain string(std::string text) { return {'s', std::move(text), {}}; }
    static Plain array() { return {'a', {}, {}}; }
    static Plain object() { return {'o', {}, {}}; }

    Plain &add(Plain item) {
        items.emplace_back(std::string(), std::move(item));
        return *this;
    }
    Plain &set(std::string name, Plain item) {
        items.emplace_back(std::move(name), std::move(item));
        return *this;
    }
    const Plain *find(const std::string &name) const {
        for (const auto &[own, item] : items)
            if (kind == 'o' && own == name) return &item;
        return nullptr;
    }
    const Plain &operator[](size_t i) const { return items[i].second; }
    bool is_true() const { return kind == 't'; }

    std::string json() const {
        if (kind == 'n') return "null";
        if (kind == 't') return "true";
        if (kind == 'f') return "false";
        if (kind == 'i') return text;
        if (kind == 's') return "\"" + text + "\"";
        std::string made(1, kind == 'a' ? '[' : '{');
        for (const auto &[name, item] : items) {
            if (made.size() > 1) made += ',';
            if (kind == 'o') made += "\"" + name + "\":";
            made += item.json();
        }
        return made + (kind == 'a' ? ']' : '}');
    }
};

}  // namespace accp_test
