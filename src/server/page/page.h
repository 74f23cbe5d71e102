// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files of the page, which are compiled in.
#pragma once

#include <string_view>

namespace server {

struct PageFile {
    std::string_view path, type, text;
};

// nullptr: the page has no such file.
const PageFile *find_page_file(std::string_view path);

}  // namespace server
