// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The verbs of conformance vectors that need a registry or more than one frame, and access to the
// members of a vector. docs/cli.md describes the verbs.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "cli/host.h"

namespace conformance {

// Reads the members of a vector.
class Vector {
public:
    explicit Vector(const accp_value *value) : value_(value), tree_(cli::tree_of(value)) {}

    uint32_t find(std::string_view key, uint32_t parent = 0) const {
        return accp_value_find(value_, parent, key.data(), key.size());
    }

    std::string text(std::string_view key, uint32_t parent = 0) const {
        const uint32_t i = find(key, parent);
        return i == 0 ? std::string() : std::string(tree_.raw(i));
    }

    // Calls `use` for each text of a list.
    template <typename Use>
    void each(std::string_view key, Use use) const {
        const uint32_t list = find(key);
        if (list == 0 || tree_.nodes[list].kind != ACCP_ARRAY) return;
        for (uint32_t i = list + 1; i < tree_.nodes[list].next; i = tree_.nodes[i].next)
            use(tree_.raw(i));
    }

    // Calls `use` with the key and the text of each member of an object of texts.
    template <typename Use>
    void each_member(std::string_view key, Use use) const {
        const uint32_t map = find(key);
        if (map == 0 || tree_.nodes[map].kind != ACCP_MAP) return;
        for (uint32_t i = map + 1; i < tree_.nodes[map].next; i = tree_.nodes[i].next)
            use(tree_.key(i), tree_.raw(i));
    }

    bool flag(std::string_view key) const {
        const uint32_t i = find(key);
        return i != 0 && (tree_.nodes[i].flags & ACCP_NODE_TRUE) != 0;
    }

    uint64_t number(std::string_view key, uint32_t parent) const {
        const std::string digits = text(key, parent);
        uint64_t out = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), out);
        return out;
    }

private:
    const accp_value *value_;
    cli::Tree tree_;
};

// Runs a verb and returns its result as JSON. Returns "" for other verbs than these: budget, error,
// retry, session, stream, cut, deadline, log, registry, negotiate; and encode and decode if the
// vector names profiles or a registry.
std::string verb_result(const Vector &vector, const std::string &verb, const std::string &input,
                        accp_config *config);

// Runs the verb `session`.
std::string session_result(const Vector &vector);

// Runs the verb `run`: the command accp with the vector's `args`, the input, and its `files` in the
// working directory. Returns {"status","out","err"}.
std::string command_result(const Vector &vector, const std::string &input);

// Returns the result of the verb `run` for what the command wrote.
std::string run_result(int status, std::string_view out, std::string_view err);

// Returns this command as a user would type it.
std::string command_line(const Vector &vector);

// Returns text as a JSON string.
std::string json_text(std::string_view text);
inline std::string json_text(const accp_text &text) { return json_text(cli::to_view(text)); }
std::string refusal(const accp_error &err);
std::string frame_result(std::string_view frame);

}  // namespace conformance
