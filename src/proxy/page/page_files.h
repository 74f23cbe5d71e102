// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The files of the proxy's page, which are compiled in.
#pragma once

#include "server/page/page.h"

namespace proxy {

// `path`: such as "/" and "/page.js". nullptr: the page has no such file.
const server::PageFile *find_page_file(std::string_view path);

}  // namespace proxy
