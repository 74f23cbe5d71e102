// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Settings in the text of an agent's configuration file: finds, sets and removes them in place, so
// that every other byte stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

enum class ConfigFormat : uint8_t {
    kJson,
    kJsonWithComments,  // and with commas after the last member
    kToml,
    kDotenv,  // lines NAME=VALUE
    kYaml     // members of the root, each on one line
};

// The keys from the root of the file to the setting.
using SettingPath = std::vector<std::string>;

// All functions throw Failure, without the name of the file, if the text is not understood or has
// something else than a value at the path. Values are texts, except that "true" is the boolean, and
// that a value of YAML is written unchanged.

std::optional<std::string> find_setting(ConfigFormat format, std::string_view text,
                                        const SettingPath &path);
std::string set_setting(ConfigFormat format, std::string_view text, const SettingPath &path,
                        const std::string &value);
// Removes the setting, and the objects or tables around it that become empty, except the first
// `kept` ones. Returns the text unchanged if it does not have the setting.
std::string remove_setting(ConfigFormat format, std::string_view text, const SettingPath &path,
                           size_t kept);
// Returns how many keys of the path the text has.
size_t count_present(ConfigFormat format, std::string_view text, const SettingPath &path);

// The same for JSON. config_text.cc chooses by the format.
struct JsonSettings {
    bool has_comments = false;

    std::optional<std::string> find(std::string_view text, const SettingPath &path) const;
    std::string set(std::string_view text, const SettingPath &path, const std::string &value) const;
    std::string remove(std::string_view text, const SettingPath &path, size_t kept) const;
    size_t count_present(std::string_view text, const SettingPath &path) const;

    // Adds an element, as JSON, at the beginning of the list at a path; a missing list is made.
    std::string add_element(std::string_view text, const SettingPath &path,
                            const std::string &element) const;
    // Removes the elements that have the text `mark`; then a list that became empty, and the
    // objects around it, like remove().
    std::string remove_elements(std::string text, const SettingPath &path,
                                std::string_view mark) const;
};

// Returns "line 3 column 7" of a byte of the text, counted from 1.
std::string place_in(std::string_view text, size_t at);

}  // namespace cli
