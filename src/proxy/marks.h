// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cache marks of our own for requests of the Messages interface whose client sets none, so that the
// provider caches the conversation: at the end of the front, of the request before this one, and of
// this request. At its second-last mark, the next request finds the prefix that this one has
// written.
#pragma once

#include <vector>

#include "proxy/json_text.h"
#include "proxy/request.h"

namespace proxy {

// Returns the edits that set the marks. The list is empty if the end of the request cannot be
// marked. A text that is not in a block gets one, which the model reads in the same way.
std::vector<Edit> own_marks(const ModelRequest &request);

}  // namespace proxy
