// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Small functions on texts: conversion from and to the texts of the C API, trimming, lists of
// names, numbers.
#pragma once

#include <charconv>
#include <concepts>
#include <initializer_list>
#include <string_view>

#include "accp/types.h"
#include "base/memory.h"

namespace accp {

// Returns a view of a text of the C API. The pointer may be NULL; the length then counts as 0.
inline std::string_view to_view(const char *text, size_t len) {
    return {text ? text : "", text ? len : 0};
}
inline std::string_view to_view(const accp_text &text) { return to_view(text.text, text.len); }
inline accp_text to_text(std::string_view text) {
    return {text.data() ? text.data() : "", text.size()};
}

// White space around texts that people write.
constexpr std::string_view kBlanks = " \t\r\n";

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Returns the text without white space at both ends.
constexpr std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// Searches a list in one text, in which each name ends with NUL.
inline bool has_name(std::string_view list, std::string_view name) {
    for (size_t at = 0; at < list.size();) {
        std::string_view entry(list.data() + at);
        if (entry == name) return true;
        at += entry.size() + 1;
    }
    return false;
}

// Searches an array or a list of names.
template <class Names>
bool is_among(std::string_view name, const Names &names) {
    for (std::string_view known : names)
        if (known == name) return true;
    return false;
}
inline bool is_among(std::string_view name, std::initializer_list<std::string_view> names) {
    return is_among<std::initializer_list<std::string_view>>(name, names);
}

// Appends an integer in decimal.
template <std::integral Number>
void append_decimal(Number number, Buffer<char> &out) {
    char *to = out.reserve(24);  // at most 20 characters
    out.set_end(std::to_chars(to, to + 24, number).ptr);
}

}  // namespace accp
