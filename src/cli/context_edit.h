// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A text in the user's editor.
#pragma once

#include <string>

namespace cli {

// What is left of it: $VISUAL, else $EDITOR, else vi, is run on a file with it. Throws Failure
// where the editor says that it has failed.
std::string edited(const std::string &text);

}  // namespace cli
