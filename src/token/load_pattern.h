// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which of our patterns a tokenizer.json means.
#pragma once

#include "base/status.h"
#include "token/pretoken.h"
#include "value/tree.h"

namespace accp::token {

// By the regular expressions of its pre_tokenizer. ACCP_E1004 for one that is not known.
Status find_json_pattern(value::TreeView tree, const Pattern **out);

}  // namespace accp::token
