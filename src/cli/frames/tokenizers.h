// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tokenizer that was asked for: built in, or read from a file.
#pragma once

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

// --tokenizer NAME or FILE, o200k_base where nothing was asked for. Each throws Failure when there
// is none.
Handle<accp_tokenizer> open_tokenizer(const Arguments &arguments, const accp_config *config);
Handle<accp_counter> new_counter(const accp_tokenizer *tokenizer, const accp_config *config);

}  // namespace cli
