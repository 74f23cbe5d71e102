// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cache marks of our own in requests of the Messages interface.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "proxy/json_text.h"
#include "proxy/request.h"

namespace proxy {

// Returns the edits that mark a request whose client sets no mark, so that the provider caches the
// conversation: the ends of the front, of the request before this one, and of this request. At its
// second-last mark, the next request finds the prefix that this one has written. The list is empty
// if the end of the request cannot be marked. A text that is not in a block gets one, which the
// model reads in the same way.
std::vector<Edit> own_marks(const ModelRequest &request);

// Returns the edit that marks the end of the front: of the system prompt, or else of the tools;
// nothing if it has a mark, or no place for one. `mark`: the JSON of the mark.
std::optional<Edit> front_mark(const ModelRequest &request, std::string_view mark);

}  // namespace proxy
