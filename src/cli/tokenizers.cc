// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See tokenizers.h.
#include "cli/tokenizers.h"

#include "cli/failure.h"

namespace cli {
namespace {

std::string builtin_names() {
    std::string names;
    for (uint32_t i = 0; accp_tokenizer_builtin(i) != nullptr; ++i) names.append(i == 0 ? "" : ", ").append(accp_tokenizer_builtin(i));
    return names;
}

}  // namespace

Handle<accp_tokenizer> open_tokenizer(const Arguments &arguments, const accp_options *options) {
    const std::string name = arguments.tokenizer.empty() ? accp_tokenizer_builtin(0) : arguments.tokenizer;
    accp_error err = {};
    accp_tokenizer *tokenizer = nullptr;
    if (accp_tokenizer_new(name.data(), name.size(), options, &tokenizer, &err) == ACCP_OK) return Handle<accp_tokenizer>(tokenizer);
    throw Failure("no such tokenizer: " + name + " (" + builtin_names() + ")");
}

Handle<accp_counter> new_counter(const accp_tokenizer *tokenizer, const accp_options *options) {
    accp_error err = {};
    accp_counter *counter = nullptr;
    if (accp_counter_new(tokenizer, options, &counter, &err) != ACCP_OK) throw Failure(std::string("counter: ") + err.message);
    return Handle<accp_counter>(counter);
}

}  // namespace cli
