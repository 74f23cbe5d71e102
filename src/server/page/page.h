// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files of the hub's page, which are compiled in, and what all pages have in common.
#pragma once

#include <string_view>
#include <utility>

namespace server {

struct PageFile {
    std::string_view path, type, text;
};

// nullptr: the page has no such file.
const PageFile *find_page_file(std::string_view path);

// Headers of each file: a page may load its own files and call its own server, nothing else.
constexpr std::pair<std::string_view, std::string_view> kPageHeaders[] = {
    {"content-security-policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"cross-origin-resource-policy", "same-origin"},
    {"referrer-policy", "no-referrer"},
    {"cache-control", "no-cache"}};

}  // namespace server
